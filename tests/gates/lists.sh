#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Events, waits, classes and causes are listed in one table each, NAME.def. The enum is an expansion of the table, no
# other file of the product repeats its words, and the manual names each row. The manual names each clock and each
# format of an export, too. Each clock has a unit test, each cause a figure in a test, and each wait a scripted case.
. "$srcdir/tests/tap.sh"

classes=profile/shared/classes.def
waits=profile/shared/waits.def
events=profile/shared/events.def
causes=attribution/metrics/causes.def
clocks=profile/shared/clocks.def
formats=src/export/formats.def
allowed=$srcdir/tests/gates/lists.txt

# rows TREE TABLE MACRO: the rows of a macro, with tabs between their columns.
rows() {
	awk -v macro="$3" '
		!inside && index($0, macro "(") == 1 { row = ""; inside = 1 }
		inside { sub(/\/\*.*/, ""); gsub(/^[ \t]+|[ \t]+$/, ""); row = row (row == "" ? "" : " ") $0 }
		inside && /\)$/ {
			inside = 0
			row = substr(row, length(macro) + 2, length(row) - length(macro) - 2)
			out = ""
			for (i = 1; i <= length(row); i++) {
				c = substr(row, i, 1)
				if (c == "\"")
					is_quoted = !is_quoted
				else if (c == "," && !is_quoted) {
					out = out "\t"
					i++
				} else
					out = out c
			}
			print out
		}' "$1/$2"
}

# column TREE TABLE MACRO N
column() {
	rows "$1" "$2" "$3" | cut -f "$4"
}

# check_enum TREE FILE ENUM TABLE: the enum has the table's values, beside the first value and the number of values.
check_enum() {
	awk -v name="enum $3 {" -v table="#include \"$4\"" '
		$0 == name { inside = seen = 1; next }
		/^};/ { inside = 0 }
		!inside || /^#define/ { next }
		$0 == table { is_expanded = 1; next }
		!/^\t(PROFILE|METRICS)_N(O)?_[A-Z]+( = 0)?,?$/ { print "not of the table:" $0; bad = 1 }
		END { exit !seen ? 99 : bad || !is_expanded }' "$1/$2"
}

# words TREE TABLE: the words of a table that could be another list of it.
words() {
	case $2 in
	"$classes") column "$1" "$2" CLASS 3; column "$1" "$2" CLASS 4 ;;
	"$waits") column "$1" "$2" WAIT 4; column "$1" "$2" WAIT 5 ;;
	"$events") column "$1" "$2" COUNTED 3; column "$1" "$2" CALLBACK 2 ;;
	"$causes")
		for kind in RUN_CAUSE CAUSE; do
			for n in 2 3 4 5 12; do
				column "$1" "$2" "$kind" "$n"
			done
		done
		;;
	esac | sort -u
}

# repeated TREE: `FILE TABLE...` for each file of the product with three or more words of a table as texts.
repeated() {
	for table in "$classes" "$waits" "$events" "$causes"; do
		words "$1" "$table" >"$scratch/words"
		[ -s "$scratch/words" ] || { echo "no words seen in $table"; return 99; }
		(cd "$1" && find profile sampler attribution src html bench -name '*.[ch]' -o -name '*.js' | sort |
			xargs awk -v table="${table##*/}" -v words="$scratch/words" '
			BEGIN { while ((getline word < words) > 0) is_word[word] = 1 }
			FNR == 1 { split("", seen); n = 0; is_told = 0 }
			!/^[ \t]*(\/?\*|\/\/)/ {
				quote = FILENAME ~ /\.js$/ ? "\047" : "\""
				count = split($0, text, quote)
				for (i = 2; i < count; i += 2)
					if (text[i] in is_word && !(text[i] in seen)) {
						seen[text[i]] = 1
						n++
					}
				if (n >= 3 && !is_told) {
					print FILENAME, table
					is_told = 1
				}
			}')
	done | sort | awk '
		$1 != file { if (file != "") print line; file = line = $1 }
		{ line = line " " $2 }
		END { if (file != "") print line }'
}

# check_words TREE: only files of lists.txt repeat a table, and each of them does.
check_words() {
	repeated "$1" >"$scratch/repeated"
	sed -e '/^#/d' -e '/^$/d' -e 's/:.*//' "$allowed" | sort >"$scratch/allowed"
	differences=$(diff "$scratch/allowed" "$scratch/repeated" |
		sed -n 's/^> /repeats a table: /p; s/^< /needs no line in lists.txt: /p')
	[ -z "$differences" ] || { echo "$differences"; return 1; }
}

# The words of a page, one a line.
page_words() {
	sed 's/^\.\\".*//' "$1" | tr -s ' ,' '\n\n'
}

# check_page PAGE WHAT: the lines of standard input are in the page, as words or at the begin of a row.
check_page() {
	page_words "$1" >"$scratch/page"
	n=0 missing=
	while IFS= read -r word; do
		n=$((n + 1))
		grep -qxF "$word" "$scratch/page" || grep -qF ".It $word " "$1" || missing="$missing '$word'"
	done
	[ "$n" -gt 0 ] || { echo "no row seen"; return 99; }
	[ -z "$missing" ] || { echo "${1##*/} does not name $2:$missing"; return 1; }
}

# check_manual TREE MANUAL: the manual in a folder names each row of the tables of a tree.
check_manual() {
	bad=0
	{
		column "$1" "$classes" CLASS 1
		column "$1" "$waits" WAIT 1
		column "$1" "$events" EVENT 1
	} | sed 's/^/PROFILE_/' | check_page "$2/ompprof-profile.5" "the value" || bad=1
	column "$1" "$events" COUNTED 3 | check_page "$2/ompprof-run.1" "the event" || bad=1
	{
		column "$1" "$events" COUNTED 3
		column "$1" "$events" CALLBACK 2
	} | check_page "$2/ompprof-ompt.7" "the callback" || bad=1
	column "$1" "$classes" CLASS 3 | check_page "$2/ompprof-report.1" "the state" || bad=1
	for kind in RUN_CAUSE CAUSE; do
		column "$1" "$causes" "$kind" 2 | check_page "$2/ompprof-report.1" "the cause" || bad=1
	done
	column "$1" "$clocks" CLOCK 1 | check_page "$2/ompprof-run.1" "the clock" || bad=1
	column "$1" "$formats" FORMAT 1 | check_page "$2/ompprof-export.1" "the format" || bad=1
	column "$1" "$waits" WAIT 5 | sort -u | tr ' ' '\n' | check_page "$2/ompprof-json.5" "the kind of waits" || bad=1
	return $bad
}

# check_tests TREE TESTS: each clock of a tree has a unit test in the folder of tests, each cause a figure, and a case has
# each wait.
check_tests() {
	bad=$(column "$1" "$clocks" CLOCK 2 | while read -r clock; do
		[ -f "$2/unit/sampler/clock_$clock.c" ] || echo "no test tests/unit/sampler/clock_$clock.c"
	done
	rows "$1" "$waits" WAIT | cut -f 3,8 | while read -r wait event; do
		[ "$event" = no_event ] && { [ -f "$2/live/$wait.sh" ] || [ -f "$2/processes/$wait.sh" ]; } ||
			grep -qE "^ .*[ =]$wait( |\$)" "$2"/runtime/cases/*.txt || echo "no case in tests/runtime/cases has the wait '$wait'"
	done
	for kind in RUN_CAUSE CAUSE; do
		rows "$1" "$causes" "$kind" | while IFS='	' read -r name word rest; do
			grep -qw "METRICS_$name" "$2"/unit/attribution/*.c ||
				grep -qF ".summary.${word}_s" "$2"/runtime/cases/*.txt "$2"/processes/*.sh ||
				echo "no test has a figure of the cause '$word'"
		done
	done)
	[ -z "$bad" ] || { echo "$bad"; return 1; }
}

# try_copy: a copy of the product and of the manual in which faults can be made.
try_copy() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || return 2
	for part in profile sampler attribution src html bench man; do
		cp -R "$srcdir/$part" "$scratch/tree/" || return 2
	done
	chmod -R u+w "$scratch/tree"
}

tap_scratch
check "classes are those of the table" check_enum "$srcdir" profile/shared/layout.h profile_class "$classes"
check "waits are those of the table" check_enum "$srcdir" profile/shared/layout.h profile_wait "$waits"
check "events are those of the table" check_enum "$srcdir" profile/shared/layout.h profile_event "$events"
check "causes are those of the table" check_enum "$srcdir" attribution/metrics/metrics.h metrics_cause "$causes"
check "no other file repeats a table" check_words "$srcdir"
check "the manual names each row" check_manual "$srcdir" "$srcdir/man"
check "each clock, cause and wait has a test" check_tests "$srcdir" "$srcdir/tests"

# The gate itself.
try_copy || broken "cannot copy the tree"
sed 's/^enum profile_wait {/&\n\tPROFILE_WAIT_MORE = 77,/' "$srcdir/profile/shared/layout.h" >"$scratch/tree/profile/shared/layout.h"
check_fails "a value beside the table is found" check_enum "$scratch/tree" profile/shared/layout.h profile_wait "$waits"
try_copy || broken "cannot copy the tree"
printf 'const char *const again[] = { "imbalance", "waiting for tasks", "lock wait" };\n' >>"$scratch/tree/src/main.c"
check_fails "a second list is found" check_words "$scratch/tree"
for page in profile.5 run.1 ompt.7 report.1 json.5; do
	case $page in
	profile.5) row='PROFILE_TASKGROUP' ;;
	run.1 | ompt.7) row='lock_destroy' ;;
	report.1) row='short_team' ;;
	json.5) row='kernel' ;;
	esac
	try_copy || broken "cannot copy the tree"
	sed "s/$row/gone/g" "$srcdir/man/ompprof-$page" >"$scratch/tree/man/ompprof-$page"
	check_fails "a row that ompprof-$page lacks is found" check_manual "$srcdir" "$scratch/tree/man"
done
for row in run.1:wall export.1:callgrind; do
	try_copy || broken "cannot copy the tree"
	sed "s/${row#*:}/gone/g" "$srcdir/man/ompprof-${row%:*}" >"$scratch/tree/man/ompprof-${row%:*}"
	check_fails "'${row#*:}' is found, which ompprof-${row%:*} lacks" check_manual "$srcdir" "$scratch/tree/man"
done
try_copy || broken "cannot copy the tree"
echo 'CLOCK(sun, dial, WALL)' >>"$scratch/tree/$clocks"
check_fails "a clock without a test is found" check_tests "$scratch/tree" "$srcdir/tests"
try_copy || broken "cannot copy the tree"
echo 'WAIT(RAIN, 31, rain, "rain", "rain", IDLE, IDLE, mutex_acquired)' >>"$scratch/tree/$waits"
check_fails "a wait without a case is found" check_tests "$scratch/tree" "$srcdir/tests"
try_copy || broken "cannot copy the tree"
sed 's/^CAUSE(LOCK, "lock"/CAUSE(RAIN, "rain"/' "$srcdir/$causes" >"$scratch/tree/$causes"
check_fails "a cause without a figure is found" check_tests "$scratch/tree" "$srcdir/tests"
plan
