#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The format firefox has each sample and wait when it was, as far as the profile knows: compared with the report's
# timelines (times.py), and by its own reader with what a program says of its phases (times.js).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/export/export.sh"
has python3 jq || skip_all "python3 or jq is not installed"
scene cg faults waits native target killed timed empty
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"

# agrees PROFILE: leaves firefox.json, report and csv; prints what times.py counted.
agrees() {
	export_to firefox firefox.json "$1" --metric time && export_to csv csv "$1" --per-thread &&
		"$ompprof" report --format json -i "$1" >report && compares
}
compares() {
	python3 "$srcdir/tests/export/times.py" firefox.json report csv "$@" >counted || { cat counted; return 1; }
}
counted() {
	note "$(cat counted)"
	awk -v regex="$1" '$0 ~ regex { found = 1 } END { exit !found }' counted
}

for name in cg faults waits native target killed empty; do
	check "$name: sums of stacks and categories" agrees $name.ompprof
	check "... and no moment is known" counted '^traced 0, in buckets 0, spread [0-9]+, markers 0, timelines 0$'
done
check "a job's" agrees job
check "timelines without figures in all states" agrees timed.ompprof
check "... and some are without a timeline" counted '^traced 0, in buckets [1-9].*, spread [1-9].*, timelines 3$'

demo=$builddir/demo/ljmd
if [ -x "$demo" ]; then
	OMP_NUM_THREADS=3 "$ompprof" run -q -o plain -- "$demo" >said 2>&1 &&
		OMP_NUM_THREADS=3 "$ompprof" run -q --trace -o traced -- "$demo" >said 2>&1 &&
		OMP_NUM_THREADS=2 "$ompprof" run -q -o two -- sh -c "'$demo' & sleep 0.3; '$demo'; wait" >said 2>&1 ||
		broken "the demo failed: $(tail -n 1 said)"
	check "a program's, bucket by bucket" agrees plain
	check "... all of it by buckets" counted '^traced 0, in buckets [1-9][0-9]*, spread 0, markers 0, timelines 3$'
	for spoil in '.shared.frameTable.category |= map(if . == 3 then 5 else . end)' \
		'.threads[1].samples.timeDeltas[0] += 60' '.threads[0].samples.weight[0] += 0.001' \
		'.threads[2].samples.threadCPUDelta[9] += 50000000'; do
		jq -c "$spoil" firefox.json >spoilt && mv firefox.json kept && mv spoilt firefox.json || broken "jq: $spoil"
		check_fails "... found: $spoil" compares
		mv kept firefox.json
	done
	check "two processes', each when it ran" agrees two
	check "... on one clock" jq -e '[.threads[].registerTime] | max - min > 250' firefox.json
	check "a traced program's" agrees traced
	check "... nearly all of it at its own moments" awk "{ exit !(\$2 + 0 > 100 * \$5 && \$7 + 0 == 0) }" counted
	check "... with waits as markers" counted 'markers [1-9][0-9]+,'
	jq -c '.threads[0].markers.data[0].counts += 1' firefox.json >spoilt && mv spoilt firefox.json || broken "jq"
	check_fails "... one that counts for more is found" compares
	OMPPROF_TRACE=1 OMP_NUM_THREADS=6 "$ompprof" run -q -F 10000 --trace -o full -- "$demo" >said 2>&1 ||
		broken "the demo failed: $(tail -n 1 said)"
	if "$ompprof" report --format json -i full | jq -e 'any(.warnings[]; contains("the trace was full"))' >said; then
		export_to firefox firefox.json full --metric time && export_to csv csv full --per-thread &&
			"$ompprof" report --format json -i full >report || broken "no export"
		check "what a full trace has no room for is where the trace is not" compares part
		check "... which is some of it" counted '^traced [1-9][0-9]*, in buckets [1-9][0-9]+, spread 0,'
		agrees traced || not_ok "a traced program's, again" "$(cat counted)"
	else
		skip "a full trace" "1 MiB were room enough"
	fi
	"$ompprof" export -q --format firefox --thread 2 --state idle -o some -i traced || broken "no export of a thread"
	check "... of a thread and a state the others have neither samples nor markers" jq -e '[.threads[] |
		[.samples.length > 0, .markers.length > 0]] == [[false, false], [true, true], [false, false]]' some
	check "... nor are there markers of other states" jq -e '[.threads[1].markers.data[].kind] | unique |
		all(startswith("idle"))' some
	export_to speedscope order.json traced
	check "speedscope: each thread's time in order is its time" jq -e '.profiles | map(select(.name | endswith(": time in order")
		| not)) as $others | map(select(.name | endswith(": time in order"))) | length == 3 and all(.[]; . as $it |
		([.samples, .weights] | transpose | map(select(.[0] != [])) | group_by(.[0]) |
			map([.[0][0], (map(.[1]) | add)])) as $sums |
		([$others[] | select(.name == ($it.name | rtrimstr(" in order")))][0] | [.samples, .weights] | transpose |
			group_by(.[0]) | map([.[0][0], (map(.[1]) | add)])) == $sums)' order.json
	check "... and has gaps" jq -e '[.profiles[] | select(.name | endswith("in order")).samples | index([[]]) != null] |
		any' order.json
	check "... at the moments of firefox" jq -en --slurpfile fire firefox.json 'input.profiles | map(select(.name |
		endswith("in order"))) | [.[].endValue] as $ends | [$fire[0].threads[].samples.timeDeltas | add * 1e6] as $last |
		[range(3) | ($ends[.] - $last[.]) / $last[.]] | all(.[]; . > -0.01 and . < 0.2)' order.json
	check "... not without a trace" sh -c '"$1" export -q --format speedscope -i plain -o - | grep -cq "time in order"
		[ $? -eq 1 ]' - "$ompprof"
	for metric in samples work wait overhead blame; do
		"$ompprof" export -q --format firefox --metric $metric -o some -i traced || broken "no export of $metric"
		jq -c '[.threads[].samples.weight | add // 0] | add * (if "'$metric'" == "samples" then 1 else 1e6 end) | round' \
			some >got
		is "... $metric add up" "$(cat got)" "$("$ompprof" export --format csv --per-thread -i traced -o - |
			python3 -c 'import csv, sys
print(sum(int(row["'$metric'" if "'$metric'" == "samples" else "'$metric'_ns"]) for row in csv.DictReader(sys.stdin)))')"
	done
else
	skip "programs that ran" "the demo is not built"
fi

# phases OPTION: a machine that is busy can spoil one run, hardly one in which the program is alone.
cli=$builddir/readers/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js
phases() {
	for attempt in 1 2 3; do
		live_try $attempt
		live_profile timed_phases.c "-q $1" 0.3 || broken "$(cat "$live_folder/messages")"
		begin=$("$ompprof" info -i "$live_folder/out" --format json | jq '.processes[0].begin_s')
		export_to firefox phases.json "$live_folder/out" || broken "no export"
		node "$srcdir/tests/export/times.js" "$cli" phases.json "$live_folder/json" "$begin" "$live_folder/said" >log 2>&1
		if [ "$(grep -c '^ok' log)" -eq 6 ] && ! grep -q '^not ok' log; then
			ok "${1:-without a trace}: the reader shows each phase in its time (attempt $attempt)"
			return 0
		fi
	done
	live_wrong "${1:-without a trace}: the reader shows each phase in its time" "$(cat log)"
}
if ! has node || [ ! -f "$cli" ]; then
	skip "phases of a program" "node or the readers are not there (tests/readers/fetch.sh)"
elif row=omp14-clang14-O2 && matrix_row $row; then
	PROFILER_CLI_SESSION_DIR=$scratch/sessions
	export PROFILER_CLI_SESSION_DIR
	live_profile waits.c "-q" 0.1 wall || broken "$(cat "$live_folder/messages")"
	check "waits of each kind are of their category" agrees "$live_folder/out"
	is "... of all kinds" "$(python3 -c 'import csv
print(*sorted({row["state"] for row in csv.DictReader(open("csv"))} - {"work", "overhead"}))')" \
		"barrier critical idle lock ordered taskgroup taskwait"
	phases ""
	phases --trace
else
	skip "phases of a program" "$row_reason"
fi
plan
