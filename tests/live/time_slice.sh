#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Parts of a run (--time) of a program whose halves are known (tests/programs/time/second_half_waits.c): in the first nobody waits, in the
# second one thread does, all the time. With a trace with call paths, of timelines without; parts add up to the whole.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# part RANGE: the JSON of a part, in $live_folder/part.
part() {
	"$ompprof" report -i "$live_folder/out" --time "$1" --format json >"$live_folder/part" 2>"$live_folder/report-messages" ||
		cat "$live_folder/report-messages"
}

# shellcheck disable=SC2016
names='def work($name): [.nodes[] | select(.name == $name) | .work_s] | add // 0;
	def waits: [.nodes[].wait | add // 0] | add // 0;
	def near($a; $b; $by): $a - $b <= $by and $b - $a <= $by;'

# halves: sets $middle and $end, seconds since the profile's begin, and $early, behind which a sample can begin in the
# first half and be taken in the second.
halves() {
	begin=$("$ompprof" info -i "$live_folder/out" --format json | jq .processes[0].begin_s)
	set -- $(cat "$live_folder/said")
	middle=$(awk -v a="$2" -v b="$begin" 'BEGIN { printf "%.6f", a - b }')
	early=$(awk -v a="$middle" 'BEGIN { printf "%.3f", a - 0.1 }')
	end=$(awk -v a="$3" -v b="$begin" 'BEGIN { printf "%.6f", a - b }')
}

# both OPTIONS JQ-FIRST JQ-SECOND: whether the halves are as they were; a machine that is busy can spoil one run, not three.
both() {
	for attempt in 1 2 3; do
		live_try $attempt
		live_profile second_half_waits.c "-q $1" 0.4 || broken "$(cat "$live_folder/messages")"
		halves
		part "..$middle"
		cp "$live_folder/part" "$live_folder/first"
		part "$middle..$end"
		if jq -e "$names $2" "$live_folder/first" >/dev/null && jq -e "$names $3" "$live_folder/part" >/dev/null; then
			ok "$row${1:+ $1}: the first half has no imbalance, the second has it (attempt $attempt)"
			return 0
		fi
	done
	not_ok "$row${1:+ $1}: the first half has no imbalance, the second has it" "$(jq -c '[.cut, .times]' "$live_folder/first" \
		"$live_folder/part")"
}

# refused STATUS OPTIONS: the sentence.
refused() {
	wanted=$1
	shift
	status=0
	"$ompprof" report -i "$live_folder/out" "$@" >/dev/null 2>"$live_folder/sentence" || status=$?
	[ $status = "$wanted" ] || echo "status $status: $*"
	head -1 "$live_folder/sentence"
}

for row in omp14-clang14-O2 omp19-clang14-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	both --trace '.cut.source == "trace" and .times.barrier < 0.01 and waits < 0.02 and work("even_kernel") > 0.05
		and work("late_kernel") < 0.03' 'near(.times.barrier; 0.4; 0.06) and work("late_kernel") > 0.02
		and work("even_kernel") < 0.05 and waits >= .times.barrier - 0.001'
	# Thread 0 has all of the work, thread 1 all of the waiting.
	check "$row: by thread" jq -e '(.threads | map(.times.barrier) | max) > 0.9 * .times.barrier' "$live_folder/part"
	# Parts add up to the whole, and the whole is what the report has of it.
	rest=
	for range in "..$middle" "$middle.." 0s..; do
		part "$range"
		rest="$rest $(jq -c '[[.nodes[] | .work_s, .overhead_s, (.wait | add // 0)] | add] + [.times[]]' "$live_folder/part")"
	done
	check "$row: halves have together what the whole has" jq -n -e --argjson a "[$(echo "$rest" | sed 's/^ //; s/ /,/g')]" \
		'[$a[0], $a[1]] | transpose | map(add) | [., $a[2]] | transpose | all(.[]; .[0] - .[1] < 1e-8 and .[1] - .[0] < 1e-8)'
	check "$row: ... and that is the run" jq -e --argjson whole \
		"$(jq '[.nodes[] | .work_s, .overhead_s, (.wait | add // 0)] | add' "$live_folder/json")" \
		'([.nodes[] | .work_s, .overhead_s, (.wait | add // 0)] | add) as $sum | $sum > 0.98 * $whole and $sum < 1.02 * $whole' \
		"$live_folder/part"
	"$ompprof" report -i "$live_folder/out" --time "..$early" --tree >"$live_folder/tree"
	is "$row: a tree of a part" "$(grep -c even_kernel "$live_folder/tree") $(grep -c late_kernel "$live_folder/tree")" "1 0"
	is "$row: the summary of a part says what it is of" "$("$ompprof" report -i "$live_folder/out" --time "..$middle" |
		grep -cE '^time: 0.000 to [0-9.]+ s of [0-9.]+ s; of the trace$|^note: causes, regions, blame and locks are only known for the whole')" 2
	for format in folded pprof; do
		"$ompprof" export -q --force -i "$live_folder/out" --time "..$early" --format $format -o "$live_folder/export" || echo "no $format"
		[ $format != pprof ] || { gzip -dc "$live_folder/export" >"$live_folder/plain" && mv "$live_folder/plain" "$live_folder/export"; }
		is "$row: a part as $format" "$(grep -ac even_kernel "$live_folder/export" | sed 's/[2-9]/1/') $(
			grep -ac late_kernel "$live_folder/export")" "1 0"
	done

	part "..$early"
	"$ompprof" export -q --force -i "$live_folder/out" --time "..$early" --format speedscope -o "$live_folder/export"
	check "$row: ... as speedscope: the part's figures" jq -e --argjson part "$(jq '[.nodes[].work_s] | add' \
		"$live_folder/part")" '([.profiles[] | select(.name | endswith(": work")) | .weights[]] | add) / 1e9 - $part |
		. < 1e-6 and . > -1e-6' "$live_folder/export"

	both "" '.cut.source == "timeline" and .times.barrier < 0.01 + 2 * .cut.bucket_s and .nodes == null' \
		'near(.times.barrier; 0.4; 0.05 + 2 * .cut.bucket_s)'
	is "$row: without a trace there are no call paths" "$(refused 1 --time "..$middle" --tree)" \
		"ompprof: cannot show call paths of a part of the run: '$(echo "$live_folder"/out/*.ompprof)' has no trace"
	is "$row: states there are" "$("$ompprof" report -i "$live_folder/out" --time "..$middle" | grep -cE \
		'what the threads did|timelines are exact to|need a trace')" 3
	is "$row: nor are there in exports" "$("$ompprof" export -i "$live_folder/out" --time "..$middle" --format folded -o - 2>&1 |
		head -1 | sed 's/.*: //')" "'$(echo "$live_folder"/out/*.ompprof)' has no trace"
	check "$row: but when each thread did what" sh -c "'$ompprof' export -q -i '$live_folder/out' --time '..$middle' --format chrome \
		-o '$live_folder/chrome.json' && jq -e '.traceEvents | length > 2' '$live_folder/chrome.json'"
	for range in 100s.. 999999999999..; do
		is "$row: what begins after the run: $range" "$(refused 1 --time $range | sed 's/took.*/took/')" \
			"ompprof: option '--time': '$range' begins after the run, which took"
	done

	# A trace that is full tells of the time up to then.
	is "$row: parts behind a full trace" "$(OMP_NUM_THREADS=70 OMPPROF_TRACE=1 live_profile imbalance.c "-q --trace" 0.01
		refused 1 --time 0s.. --flat | sed 's/after [0-9.]* s/after/')" \
		"ompprof: cannot show call paths of a part of the run that ends after: the trace was full"
done

live_row omp14-clang14-O2 omp19-clang14-O2
live_profile second_half_waits.c "-q --trace" 0.05
for view in region wait lock task target device event loop process rank phase; do
	is "--by $view" "$(refused 2 --time ..1s --by $view | sed 's/rank/process/g')" \
		"ompprof: options '--by $(echo $view | sed 's/rank/process/')' and '--time' exclude each other: it is only known for the whole run"
done
is "--pop" "$(refused 2 --time ..1s --pop)" \
	"ompprof: options '--pop' and '--time' exclude each other: it is only known for the whole run"
for field in executions blame; do
	for options in "--flat -f name,$field" "--tree -s $field" "--by line --fields=$field,name --format csv"; do
		# shellcheck disable=SC2086
		is "$options" "$(refused 2 --time ..1s $options)" \
			"ompprof: column '$field' and option '--time' exclude each other: it is only known for the whole run"
	done
done
is "the heading of a column" "$(refused 2 --time ..1s --tree -f name,runs)" \
	"ompprof: column 'executions' and option '--time' exclude each other: it is only known for the whole run"
is "... others there are" "$(refused 0 --time ..1s --flat -f samples,name -s samples)" ""
status=0
"$ompprof" export -q -i "$live_folder/out" --time ..1s --format folded --metric blame -o - 2>"$live_folder/sentence" || status=$?
is "--metric blame" "$status $(head -1 "$live_folder/sentence")" \
	"2 ompprof: options '--metric blame' and '--time' exclude each other: blame is only known for the whole run"
is "blame is not in csv" "$("$ompprof" export -i "$live_folder/out" --time ..1s --format csv -o - | head -1 | cut -d , -f 1-6)" \
	"samples,time_ns,work_ns,wait_ns,overhead_ns,state"
if command -v sqlite3 >/dev/null && "$ompprof" export -q -i "$live_folder/out" --time ..1s --format sqlite -o "$live_folder/db"; then
	is "... nor in the database" "$(sqlite3 "$live_folder/db" "SELECT count(*) > 0, count(unblamed_ns) FROM wait" \
		"SELECT count(*) FROM value WHERE metric = 'blame'" | paste -s -d ' ')" "1|0 0"
else
	skip "... nor in the database" "there is no sqlite"
fi
is "--phase" "$(refused 2 --time ..1s --phase x)" \
	"ompprof: options '--phase' and '--time' exclude each other: times within phases are not known"
is "--html" "$(refused 2 --time ..1s --html /dev/null)" \
	"ompprof: options '--html' and '--time' exclude each other: parts of the run are chosen in the page's timeline"
for range in x 2s -1s..2s .. 1s..2s..3s 1..2h 1e3.. ' 1s..'; do
	is "'$range'" "$(refused 2 "--time=$range")" \
		"ompprof: option '--time' wants a part of the run as '2s..5s', '500ms..' or '..3s', not '$range'"
done
for range in 5s..2s 3s..3s 2000ms..1s; do
	is "'$range'" "$(refused 2 --time $range)" "ompprof: option '--time': '$range' does not end after it begins"
done

# A job: moments count from the begin of its first process, and each one's trace tells its share.
cat >"$live_folder/job" <<'EOF'
"$1" 0.3 &
sleep 0.5
"$1" 0.3
wait
EOF
LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q --trace -o "$live_folder/out" -- sh "$live_folder/job" \
	"$(matrix_build second_half_waits.c "$row")" >"$live_folder/said" 2>&1
whole=$("$ompprof" report -i "$live_folder/out" --format json | jq '[.nodes[] | .work_s] | add')
sum=0
for range in ..400ms 400ms..900ms 900ms..; do
	part $range
	sum=$(jq --argjson sum "$sum" '([.nodes[].work_s] | add) + $sum' "$live_folder/part")
done
check "a job: its parts have together what it has" jq -n -e --argjson a "$sum" --argjson b "$whole" \
	'$a > 0.97 * $b and $a < 1.03 * $b'
part 0s..200ms
check "a job: the second process is in no part that ends before it began" jq -e '[.threads[] | select(.total_s > 0.01) | .pid] |
	unique | length == 1' "$live_folder/part"
plan
