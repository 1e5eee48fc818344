#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# man/ompprof-ompt.7 has a row for each callback, state and entry point of omp-tools.h, and no other row. Each row
# says its cost and the tests that show it. The tests exist, and are part of `make check`: a source or script
# of tests/, or `tests/runtime/cases/FILE.txt: CASE` with a case of that name. The row of an event
# that --events counts names a case of events.txt.
. "$srcdir/tests/tap.sh"

page=$srcdir/man/ompprof-ompt.7
# The newest header that is there: older headers lack states.
header=$builddir/runtimes/19/include/omp-tools.h
[ -r "$header" ] || header=$(sed -n 's/^OMP_TOOLS_HEADER *= *//p' "$builddir/Makefile")

# rows FILE TABLE: the names of a table's rows, sorted.
rows() {
	awk -v mark=".\\\\\" $2" '
		$0 == mark { inside = 1 }
		inside && /^\.El/ { exit }
		inside && /^\.It / { print $2 }' "$1" | sort
}

# macros NAME PREFIX: the names that the header lists in a macro, and in macros that it consists of, without the
# prefix, sorted.
macros() {
	awk -v name="$1" -v prefix="$2" '
		/^#define FOREACH_/ {
			list = $2
			sub(/\(.*/, "", list)
		}
		list != "" {
			text = $0
			while (match(text, /FOREACH_[A-Z0-9_]+\(macro\)|macro *\([a-z0-9_]+/)) {
				word = substr(text, RSTART, RLENGTH)
				text = substr(text, RSTART + RLENGTH)
				sub(/\(macro\)/, "", word)
				if (word != list)
					part[list, ++n[list]] = word
			}
		}
		!/\\$/ { list = "" }
		function show(list, i, word) {
			for (i = 1; i <= n[list]; i++) {
				word = part[list, i]
				if (word ~ /^FOREACH/)
					show(word)
				else if (sub("macro *[(]" prefix, "", word))
					print word
			}
		}
		END { show(name) }' "$header" | sort -u
}

# functions: the entry points of a device: types of functions that are neither listed in the macro of
# entry points nor called by the runtime. `ompt_set_result_t` and its kind are no functions.
functions() {
	tr '\n' ' ' <"$header" | grep -o '(\*ompt_[a-z_]*_t)' | sed 's/(\*ompt_//; s/_t)//' | grep -v '^callback_' |
		sort -u >"$scratch/all"
	macros FOREACH_OMPT_INQUIRY_FN ompt_ >"$scratch/host"
	# Functions that a tool gives to the runtime, or gets from it to find the others.
	printf '%s\n' callback finalize function_lookup initialize interface_fn >"$scratch/others"
	sort "$scratch/host" "$scratch/others" | comm -23 "$scratch/all" -
}

# same TABLE LIST-FILE: names each row that only one side has.
same() {
	rows "$page" "$1" >"$scratch/rows"
	[ -s "$2" ] || { echo "nothing found in '$header'"; return 99; }
	differences=$(diff "$scratch/rows" "$2" |
		sed -n 's/^< /only in the page: /p; s/^> /only in the header: /p')
	[ -z "$differences" ] || { echo "$differences"; return 1; }
}

# tests FILE: lines `ROW<tab>TEST`, and `ROW<tab>` if a row names no test; `no cost` if it has no cost.
tests() {
	awk '
		function flush() {
			if (row != "" && !n)
				print row "\t"
			if (row != "" && !cost)
				print row "\tno cost"
		}
		/^\.It / { flush(); row = $2; n = cost = 0 }
		/^\.El/ { flush(); row = "" }
		row != "" && /^Cost: .*[^.]\.$/ && !/none yet/ { cost = 1 }
		row != "" && /^Test: .*\.$/ {
			sub(/^Test: /, "")
			sub(/\.$/, "")
			print row "\t" $0
			n++
		}' "$1"
}

# is_test TEXT: the text names a test of `make check`.
is_test() {
	case $1 in
	tests/runtime/cases/*.txt:\ *)
		grep -qxF "case ${1#*: }" "$srcdir/${1%%:*}" 2>/dev/null
		;;
	tests/*.c | tests/*.sh)
		[ -f "$srcdir/$1" ] && grep -qF "${1%.c}" "$builddir/Makefile"
		;;
	*) false ;;
	esac
}

# all_shown FILE: names the rows without a cost or a test.
all_shown() {
	tests "$1" >"$scratch/tests"
	[ -s "$scratch/tests" ] || { echo "no row seen"; return 99; }
	wrong=$(while IFS='	' read -r row test; do
		is_test "$test" || echo "$row: '$test' is no test of make check"
	done <"$scratch/tests")
	[ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

# all_counted FILE TABLE: names the counted events of a table whose row names no case of events.txt.
all_counted() {
	sed -n 's/^COUNTED([A-Z_]*, [0-9]*, \([a-z_]*\),.*/\1/p' "$2" >"$scratch/counted"
	[ -s "$scratch/counted" ] || { echo "no counted event seen"; return 99; }
	tests "$1" >"$scratch/tests"
	wrong=$(while read -r row; do
		grep -q "^$row	tests/runtime/cases/events.txt: " "$scratch/tests" ||
			echo "$row: no case of tests/runtime/cases/events.txt"
	done <"$scratch/counted")
	[ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

[ -r "$header" ] || broken "omp-tools.h is not there: '$header'"
tap_scratch
macros FOREACH_OMPT_EVENT ompt_callback_ >"$scratch/callbacks"
macros FOREACH_OMPT_STATE ompt_state_ >"$scratch/states"
macros FOREACH_OMPT_INQUIRY_FN ompt_ >"$scratch/entry_points"
functions >"$scratch/device"
printf '%s\n' buffer_complete buffer_request >"$scratch/buffer"
check "every callback has its row" same callbacks "$scratch/callbacks"
check "every state has its row" same states "$scratch/states"
check "every entry point has its row" same "entry points" "$scratch/entry_points"
check "every entry point of a device has its row" same "device entry points" "$scratch/device"
check "both callbacks of a trace have their row" same "buffer callbacks" "$scratch/buffer"
check "every row says its cost and names its tests" all_shown "$page"
check "every counted event has a case" all_counted "$page" "$srcdir/profile/shared/events.def"

# The gate itself.
sed '/^\.It flush/d' "$page" >"$scratch/less"
check_fails "a missing row is found" eval 'page=$scratch/less same callbacks "$scratch/callbacks"'
echo 'COUNTED(EVENT_NEST_LOCK, 28, nest_lock, CONSTRUCTS, nothing, NULL)' >"$scratch/more.def"
check_fails "a counted event without a case is found" all_counted "$page" "$scratch/more.def"
printf '.It x\nWhat.\nCost: none.\nTest: tests/unit/profile/layout.c.\n.El\n' >"$scratch/good"
printf '.It x\nWhat.\nCost: none.\nTest: tests/unit/nowhere.c.\n.El\n' >"$scratch/wrong"
printf '.It x\nWhat.\nCost: none.\n.El\n' >"$scratch/untested"
printf '.It x\nWhat.\nTest: tests/unit/profile/layout.c.\n.El\n' >"$scratch/unpriced"
check "a row with a cost and a test passes" all_shown "$scratch/good"
check_fails "a test that is not there is found" all_shown "$scratch/wrong"
check_fails "a row without a test is found" all_shown "$scratch/untested"
check_fails "a row without a cost is found" all_shown "$scratch/unpriced"
plan
