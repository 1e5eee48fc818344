#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The format chrome: slices add up to the report's timelines, names are safe, and other tools read it (chrome.js).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"

has jq || skip_all "jq is not installed"
scene cg killed empty hostile
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"

# --- without a timeline
for name in cg empty hostile; do
	check "$name: exported" export_to chrome file "$name.ompprof"
	check "$name: no slices, and a sentence" jq -e '.otherData.timeline == "this profile has no timeline" and
		([.traceEvents[] | select(.ph != "M")] == [])' file
done
check "a job" export_to chrome file job
is "... its processes" "$(jq -c '[.traceEvents[] | select(.name == "process_name") | [.pid, .args.name]]' file)" \
	'[[1,"rank 0"],[2,"rank 1"],[3,"rank 2"]]'
check "... why it has no slices" jq -e '.otherData.timeline |
	. == "this profile has no timeline"' file
check "... each thread has a name" jq -e '.traceEvents | ([.[] | select(.name == "thread_name") | [.pid, .tid]] |
	length > 3 and length == (unique | length))' file

# --- a program whose name, and its functions' for want of symbols, is none that needs no escapes
demo=$builddir/demo/ljmd
[ -x "$demo" ] || { skip "a program that ran" "the demo is not built"; plan; exit 0; }
odd=$(printf 'a"b\\<\t\033\377%%s')
cp "$demo" "$odd" && strip "$odd" 2>said || broken "no program of an odd name"
OMP_NUM_THREADS=3 "$ompprof" run --trace -q -o live -- "./$odd" >said 2>&1 || broken "the demo failed"
"$ompprof" report --format json -i live >report || broken "no report"
check "a program that ran" export_to chrome trace.json live

# agrees TRACE REPORT: by thread and state, ns of slices are those of the timeline; 1 if not.
agrees() {
	jq -S '[.threads[] | {key: "\(.thread)", value: (.timeline.times | map_values(map(. * 1e9 | round) | add))}] |
		from_entries' "$2" >want && jq -S '.traceEvents |
		(map(select(.name == "thread_name" and (.args.name | endswith(": waits") | not)) |
			{key: "\(.tid)", value: (.args.name | capture("thread (?<n>[0-9]+) ").n)}) | from_entries) as $thread |
		map(select(.cat == "timeline")) | group_by(.tid) | map({key: $thread["\(.[0].tid)"], value:
			(map(.args.ns | to_entries[]) | group_by(.key) |
				map({key: .[0].key, value: (map(.value) | add)}) | from_entries)}) | from_entries' "$1" >got ||
		return 2
	diff want got
}
check "slices add up to the report's timelines" agrees trace.json report
check "... of more than one state of each of three threads" jq -e 'length == 3 and all(.[]; length > 1)' want
jq -c '(first(.traceEvents[] | select(.cat == "timeline")) | .args.ns) |= map_values(. + 1)' trace.json >spoilt
check_fails "... another number is found" agrees spoilt report
"$ompprof" export -q --format chrome -i live --thread 2 -o one || broken "no export of a thread"
check "... of one thread" sh -c 'jq -e "[.threads[].thread] | length == 3" report &&
	jq -e "[.traceEvents[] | select(.cat) | .tid] | unique | length == 2" one'
check "slices are named after the state that they have most of" jq -e '[.traceEvents[] | select(.cat == "timeline" and
	.name != "in_wait") | .name as $name | .args.ns[$name] == (.args.ns | del(.in_wait) | [.[]] | max)] |
	length > 10 and all' trace.json
check "slices of a thread come one after the other" jq -e '[.traceEvents[] | select(.cat == "timeline")] |
	group_by(.tid) | all(.[]; . as $all | all(range(1; length);
		$all[.].ts > $all[. - 1].ts + $all[. - 1].dur))' trace.json
check "adjacent slices are of different states" jq -e '[.traceEvents[] | select(.cat == "timeline")] |
	group_by(.tid) | all(.[]; . as $all | all(range(1; length); $all[.].name != $all[. - 1].name or
		$all[.].ts > $all[. - 1].ts + $all[. - 1].dur + 1))' trace.json
check "shares are the report's" jq -e --slurpfile report report '.traceEvents as $events | $report[0].threads[] |
	.timeline as $line | "thread \(.thread) " as $name |
	[$events[] | select(.ph == "C" and (.name | startswith($name))).args.work * $line.bucket_s] | add as $sum |
	($line.times.work | add) as $work | $sum > $work * 0.999 and $sum < $work * 1.001' trace.json
check "waits of the trace have their function and region" jq -e '[.traceEvents[] | select(.cat == "trace" and
	.name == "[barrier wait]" and .args.function and (.args.region | startswith("[omp parallel")))] | length > 0' \
	trace.json
check "waits are on tracks of their own" jq -e '.traceEvents | [.[] | select(.cat == "trace").tid] - [.[] |
	select(.name == "thread_name" and (.args.name | endswith(": waits"))).tid] | length == 0' trace.json
check "waits end at the run's end at the latest" jq -e --slurpfile report report '[.traceEvents[] |
	select(.cat == "trace") | .ts + .dur] | max / 1e6 <= $report[0].run.wall_s' trace.json
is "the process has its name, clean" "$(jq -c '.traceEvents[] | select(.name == "process_name").args.name' trace.json)" \
	'"a\"b\\<???%s"'
check "no control character, and UTF-8" sh -c '! LC_ALL=C grep -q "[[:cntrl:]]" trace.json &&
	iconv -f UTF-8 -t UTF-8 trace.json >utf8 && cmp trace.json utf8'

# --- readers
readers=$builddir/readers
if has node && [ -d "$readers/node_modules" ]; then
	PROFILER_CLI_SESSION_DIR=$scratch/sessions
	export PROFILER_CLI_SESSION_DIR
	node "$srcdir/tests/export/chrome.js" "$readers" "$scratch/trace.json" >read.log 2>&1
	status=$?
	note "$(cat read.log)"
	if grep -q '# SKIP' read.log; then
		skip "speedscope and the Firefox Profiler read it" "no chromium"
	else
		is "speedscope and the Firefox Profiler read it" "$status, $(grep -c '^ok' read.log), $(grep -c '^not' read.log)" \
			"0, 5, 0"
	fi
else
	skip "speedscope and the Firefox Profiler read it" "node or the readers are not there (tests/readers/fetch.sh)"
fi
plan
