#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Filters of ompprof report, through the command: parts add up to the whole in JSON, CSV and text; in what
# order options come makes no difference; what is refused, and how; what the heading says; the machine view.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR

for scene in cg waits faults native events hostile killed empty target; do
	"$builddir/tests/unit/scenes/write_scene" "$scene" "$scratch/$scene.ompprof" ||
		broken "cannot write the scene '$scene'"
done
cd "$scratch" || broken "cannot enter the scratch folder"
mkdir job
cp waits.ompprof job/host-1.ompprof
cp cg.ompprof job/host-2.ompprof

# Every figure of every node that is not zero, in whole nanoseconds: "NODE KEY SUM", summed over what is read.
figures='
def number: if . == null then 0 else . end;
def seconds: number * 1000000000 | round;
[inputs | .nodes[] | .id as $id |
	({ samples: (.samples | number), waits: (.waits | number), events: (.events | number),
		work: (.work_s | seconds), overhead: (.overhead_s | seconds) } +
	(.wait | with_entries({ key: ("wait " + .key), value: (.value | seconds) })) +
	(.blame | with_entries({ key: ("blame " + .key), value: (.value | seconds) }))) |
	to_entries[] | select(.value != 0) | { key: "\($id) \(.key)", value: .value }] |
group_by(.key) | map("\(.[0].key) \(map(.value) | add)") | .[]'

# filtered FILE PATH OPTION...: the report as JSON.
filtered() {
	to=$1 path=$2
	shift 2
	"$ompprof" report -i "$path" --format json "$@" >"$to" 2>err || { cat err; return 1; }
	if [ -s err ]; then
		cat err
		return 1
	fi
}

# adds_up PATH VIEW OPTION=TEXT...: the reports with one of the options each are together the whole.
adds_up() {
	path=$1 view=$2
	shift 2
	rm -f part-*.json
	n=0
	filtered whole.json "$path" --view "$view" || return 1
	for part in "$@"; do
		n=$((n + 1))
		filtered "part-$n.json" "$path" --view "$view" "$part" >why && continue
		# What the profile does not have is a part of nothing.
		grep -q "^ompprof: no .* matches\|selects nothing\|is left by" why || { cat why; return 1; }
		echo '{"nodes":[]}' >"part-$n.json"
	done
	jq -rn "$figures" whole.json >whole.txt && jq -rn "$figures" part-*.json >parts.txt || return 1
	sort -o whole.txt whole.txt
	sort -o parts.txt parts.txt
	[ -s whole.txt ] && diff whole.txt parts.txt
}

classes="--state=work --state=overhead --state=barrier --state=taskwait --state=taskgroup --state=lock
	--state=critical --state=ordered --state=atomic --state=target --state=idle"

if command -v jq >/dev/null; then
	for scene in cg.ompprof waits.ompprof faults.ompprof native.ompprof events.ompprof \
		hostile.ompprof killed.ompprof job; do
		check "$scene: focus and ignore are the whole" \
			adds_up "$scene" user '--focus=0x1[0-3]' '--ignore=0x1[0-3]'
		check "$scene: ... in the machine view" \
			adds_up "$scene" machine '--focus=^cg' '--ignore=^cg'
		check "$scene: threads are the whole" \
			adds_up "$scene" user --thread=1 --thread=2 --thread=3-999999
		check "$scene: ... by their words, with all frames" \
			adds_up "$scene" full --thread=initial --thread=worker --thread=native,first,other
		# The options are words.
		# shellcheck disable=SC2086
		check "$scene: states are the whole" adds_up "$scene" user $classes
		check "$scene: regions and the rest are the whole" \
			adds_up "$scene" user --region=. --region=none
	done
	check "each region and what is in none" adds_up cg.ompprof user \
		'--region=cg\+0x1260' '--region=cg\+0x1480' --region=none
	check "the whole is not what one part is" \
		sh -c '! diff whole.txt - >/dev/null' <part-1.json
	filtered focus.json waits.ompprof --focus 0x18 --thread 1,2-5 --state work --relative
	is "what was given is in JSON" "$(jq -c '.filters | [.focus, .ignore, .thread, .region, .state]' \
		focus.json)" '[["0x18"],[],["1,2-5"],[],["work"]]'
	is "and how much is left" "$(jq -c '.filters | [.whole.samples, .whole.time_s >= .left.time_s,
		.left.samples] | .[2] = (.[2] == ([$nodes[].samples] | add))' \
		--argjson nodes "$(jq -c .nodes focus.json)" focus.json)" '[3790,true,true]'
	is "and what is cut by which" "$(jq -c '.filters.cut_by | [.nodes, .threads, .waits, .regions]' \
		focus.json)" '[["focus","thread","state"],["thread"],["state"],[]]'
	filtered offloaded.json target.ompprof --region none
	is "... target constructs, too" "$(jq -c '[(.targets | length), .filters.cut_by.targets]' \
		offloaded.json)" '[4,["region"]]'
	is "... and with them devices" "$(jq -c '.filters.cut_by.devices' offloaded.json)" '["region"]'
	filtered rows.json waits.ompprof --thread 2 --state barrier --region 0x1260
	is "tables have the rows that are left" "$(jq -c '[[.threads[].thread], [.regions[].name],
		([.waits[].kind] | unique), (.locks | length), (.tasks | length)]' rows.json)" \
		'[[2],["[omp parallel @cg+0x1260]"],["barrier"],0,0]'
	is "executions are those of what something is left of" "$(jq -c '[.nodes[] |
		select(.kind == "region") | .executions]' rows.json)" '[100,0]'
	filtered region.json waits.ompprof --region .
	is "and what cannot be told apart" "$(jq -c '.filters | [.mixed_regions, .mutexes_left_out]' \
		region.json)" "[0,1]"
	is "without filters there is nothing of them" "$(jq '.filters' whole.json)" null
fi

# csv_adds_up FILE VIEW OPTION...: likewise in CSV and as text, but for what rounding does.
columns() {
	"$ompprof" report -i "$@" --format csv --fields self,self_samples,kind | tr -d '\r'
}
csv_adds_up() {
	path=$1 view=$2
	shift 2
	columns "$path" "$view" >whole.csv || return 1
	: >parts.csv
	: >parts.txt
	for part in "$@"; do
		columns "$path" "$view" "$part" >>parts.csv 2>why ||
			grep -q "is left by" why || { cat why; return 1; }
		"$ompprof" report -i "$path" "$view" "$part" 2>/dev/null | awk '/ total$/ { print $1 }' >>parts.txt
	done
	for file in whole.csv parts.csv; do
		awk -F, '$1 != "self_s" { s += $1; n += $2 } END { printf "%.6f %d\n", s, n }' $file
	done | uniq >sums
	cat sums parts.txt
	[ "$(wc -l <sums)" -eq 1 ] && ! grep -q "^0.0" sums &&
		awk '{ s += $1 } END { exit !(s > 99.4 && s < 100.6) }' parts.txt
}
for view in --tree --flat --bottom-up --by=line; do
	check "CSV and text, $view: focus and ignore are the whole" \
		csv_adds_up waits.ompprof $view --focus=0x18 --ignore=0x18
	# shellcheck disable=SC2086
	check "CSV and text, $view: states are the whole" csv_adds_up cg.ompprof $view $classes
	check "CSV and text, $view: threads are the whole" \
		csv_adds_up faults.ompprof $view --thread=1 --thread=2-3 --thread=4-99
	check "CSV and text, $view: regions and the rest are the whole" \
		csv_adds_up waits.ompprof $view --region=0x1260 --region=0x2480 --region=none
done

same() {
	"$ompprof" report -i waits.ompprof --tree --percent-limit 0 "$@" | sed -n '/^total%/,$p' >out
	diff first out
}
"$ompprof" report -i waits.ompprof --tree --percent-limit 0 --thread 1-2 --state work,barrier \
	--ignore 0x18 --focus 'cg|libc' | sed -n '/^total%/,$p' >first
check "the order of options makes no difference" same --focus 'libc' --ignore 0x18 \
	--state barrier,work --focus cg --thread 2,1
check "nor does one that is given twice" same --thread 2 --thread 1-2 --focus 'cg|libc' \
	--ignore 0x18 --ignore 0x18 --state work --state barrier --state work

# usage_error MESSAGE OPTION...
usage_error() {
	message=$1
	shift
	got=0
	"$ompprof" report -i cg.ompprof "$@" >out 2>err || got=$?
	[ "$got" -eq 2 ] || { echo "status $got, not 2"; cat err; return 1; }
	[ ! -s out ] || { echo "something on stdout"; return 1; }
	printf '%s\n' "ompprof: $message" "Try 'ompprof report --help' for more information." |
		diff - err
}
check "a pattern that is none" usage_error \
	"option '--focus' wants an extended regular expression, not '(': unmatched ( or \\(" \
	--flat --focus '('
check "one that closes what it did not open" usage_error \
	"option '--focus' wants an extended regular expression, not 'a)|main': unmatched ) or \\)" \
	--flat --focus 'a)|main'
for pattern in '[)]' '\)' '[]()]' '[^]()]|x' '[[:alpha:])]' '(a|(b))' '[[.).]]'; do
	check "... and one that does not: $pattern" "$ompprof" report -i cg.ompprof --flat --focus "cg|$pattern"
done
check "an empty one" usage_error "option '--ignore' wants a pattern, not ''" --ignore ''
check "a back-reference" usage_error "option '--region' takes no back-references, as in '(a)\\1'" \
	--region '(a)\1'
check "a list of threads that is none" usage_error \
	"option '--thread' wants numbers and ranges as '1,3-5' or 'initial', 'worker', 'native', 'first', 'helper' or 'other', not '3-1'" \
	--thread 3-1
check "no state" usage_error \
	"option '--state' wants 'work', 'wait', 'overhead' or kinds of waits as 'barrier,lock', not 'sleep'" \
	--state sleep
check "a table that a filter cannot cut" usage_error \
	"options '--by lock' and '--focus' exclude each other" --by lock --focus x
check "the efficiency of the whole run" usage_error \
	"options '--pop' and '--thread' exclude each other" --pop --thread 0
check "a table of the whole run as CSV" usage_error \
	"filters and '--format csv' need '--tree', '--flat', '--bottom-up' or '--by'" \
	--format csv --state work
check "regions, where none are shown" usage_error \
	"options '--view machine' and '--region' exclude each other" --view machine --region . --tree

is "the heading says how much is left" "$("$ompprof" report -i cg.ompprof --tree --state barrier,idle |
	head -n 1)" "filtered: 0.690 of 2.96 thread-s left (23.3 %) by --state barrier,idle"
is "... whole, on more lines where it needs them" "$(COLUMNS=80 "$ompprof" report -i cg.ompprof --tree --focus 'cg|libc' --thread 1-3 \
	--state work,barrier,critical,overhead | head -n 2)" \
	"filtered: 2.26 of 2.96 thread-s left (76.4 %) by --focus 'cg|libc' --thread 1-3
  --state work,barrier,critical,overhead"
is "percentages are of the whole run" "$("$ompprof" report -i cg.ompprof --tree --state barrier |
	awk '/ total$/ { print $1 }')" 19.3
is "... those of waits, too" "$("$ompprof" report -i waits.ompprof --by wait --state barrier |
	awk '/ total$/ { print $2 < 100 }') $("$ompprof" report -i waits.ompprof --by wait --relative \
	--state barrier | awk '/ total$/ { print $2 }')" "1 100.0"
is "or of what is left" "$("$ompprof" report -i cg.ompprof --tree --state barrier --relative |
	awk '/ total$/ { print $1 }')" 100.0
check "the summary has the functions in place of the advice" sh -c 'COLUMNS=80 "$0" report -i waits.ompprof \
	--region none >out && cat out && [ "$(wc -l <out)" -le 24 ] && ! grep -q "Fix first" out &&
	grep -q "^ *20.0  1.20  \[idle\]\|0x1833" out && sed -n 2p out | grep -q "^note: "' "$ompprof"

# only PATTERN OPTION...: every row of the table matches.
only() {
	wanted=$1
	shift
	"$ompprof" report -i waits.ompprof --percent-limit 0 "$@" >out 2>err || { cat err; return 1; }
	cat out
	sed '/^filtered/d; /^note/d; /^warning/d' out | tail -n +2 | grep -v ' total$' >rows
	[ -s rows ] && ! grep -v "$wanted" rows
}
check "regions alone" only '+0x1260$' --by region --region 0x1260
check "none of them" only '(serial code)\|(in no region)' --by region --region none
check "threads alone" only ' 2 worker' --by thread --thread 2
# one_row OPTION...: the total of a table with one row is that row's, as far as columns have a sum.
one_row() {
	"$ompprof" report -i waits.ompprof --percent-limit 0 "$@" >out 2>err || { cat err; return 1; }
	cat out
	sed -n '/ total$/p; $!d' out | awk '{ print $1 }' >total
	grep -v '^filtered\|^note\|^warning\| total$' out | sed -n 2p | awk '{ print $1 }' | diff total -
}
check "the total is of the rows: regions" one_row --by region --region 0x1260
check "... what is in none" one_row --by region --region none
check "... threads" one_row --by thread --thread 2
check "... waits" one_row --by wait --state critical
check "... locks" one_row --by lock --state critical
check "waits of a kind" only 'critical\|^ .*  ' --by wait --state critical
check "no lock is a barrier's" sh -c '! "$0" report -i waits.ompprof --by lock --state barrier |
	grep critical' "$ompprof"
check "mutexes are of all regions" sh -c '"$0" report -i waits.ompprof --by wait --region . |
	grep "^note: 1 mutex is left out"' "$ompprof"

# missing SENTENCE OPTION...: what the profile does not have is refused, and the sentence says what there is.
missing() {
	sentence=$1
	shift
	for verb in "report --tree" "report --format json" "export --format folded -o -"; do
		got=0
		# The verb has options.
		# shellcheck disable=SC2086
		"$ompprof" $verb -i job "$@" >out 2>err || got=$?
		[ "$got" -eq 1 ] || { echo "$verb: status $got"; cat err; return 1; }
		[ ! -s out ] || { echo "$verb: something on stdout"; return 1; }
		head -n 1 err | grep -Fx "ompprof: $sentence" || { cat err; return 1; }
	done
}
check "no such thread" missing "no thread matches '0' (threads: 1-5)" --thread 0
check "... from there on" missing "no thread matches '0-3' (threads: 1-5)" --thread 0-3
check "... beside one that is there" missing "no thread matches '7' (threads: 1-5)" --thread 2-9,7
check "... of a kind" missing "no thread matches 'native' (threads: initial, worker, other)" --thread native
check "no such region" missing "no region matches 'nosuch' (regions: '[omp parallel @cg+0x2480]', \
'[omp parallel @cg+0x1260]', '[omp parallel @cg+0x1480]')" --region nosuch
check "... at a line" missing "no region matches 'a.c:12' (regions: '[omp parallel @cg+0x2480]', \
'[omp parallel @cg+0x1260]', '[omp parallel @cg+0x1480]')" --region a.c:12
check "no such function" missing "no function or place matches 'nosuch'" --focus nosuch
check "no such rank" missing "cannot find rank 3 in 'job' (no process has a rank)" --rank 3
check "no such process" missing "cannot find process 3 in 'job' (processes: 4711)" --process 3
# nothing_left SENTENCE OPTION...: nothing matches all filters, in any form.
nothing_left() {
	sentence=$1
	shift
	for verb in report "report --flat" "report --format json" "export --format folded -o -"; do
		got=0
		# The verb has options.
		# shellcheck disable=SC2086
		"$ompprof" $verb -i waits.ompprof "$@" >out 2>err || got=$?
		[ "$got" -eq 1 ] || { echo "$verb: status $got"; cat err; return 1; }
		[ ! -s out ] || { echo "$verb: something on stdout"; return 1; }
		echo "ompprof: no sample or wait is left by $sentence" | diff - err || return 1
	done
}
check "no such state" nothing_left "--state ordered (states: work, barrier, critical, idle)" --state ordered
check "no such state in the region" nothing_left "--region '0x1260' --state critical" \
	--region 0x1260 --state critical
check "a function and a state" nothing_left "--focus '0x18' --state barrier" --focus 0x18 --state barrier
# near HINT OPTION...: what was probably meant.
near() {
	hint=$1
	shift
	! "$ompprof" report -i cg.ompprof --tree "$@" 2>err || return 1
	sed -n 2p err | grep -Fx "ompprof: hint: $hint" || { cat err; return 1; }
}
check "a function that is near" near "did you mean '0x1220'?" --focus 0x1229
check "a region that is near" near "did you mean 'cg+0x1260'?" --region cg+0x126
check "no function is near" near "'ompprof report --by function' lists the functions" --focus nosuch
is "no regions" "$("$ompprof" report -i killed.ompprof --region . 2>&1)" \
	"ompprof: option '--region' selects nothing: the profile has no parallel regions"
check "threads by a word and a number" "$ompprof" report -i job --tree --thread native,1

check "the machine view has addresses and offsets" sh -c '"$0" report -i cg.ompprof --tree \
	--view machine --percent-limit 0 >out && cat out &&
	grep -q "+-0x401221  *cg+0x1221$" out && ! grep -q "omp parallel" out &&
	grep -q "  thread 1 (initial)$" out' "$ompprof"
plan
