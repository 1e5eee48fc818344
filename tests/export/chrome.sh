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
check "... samples in waits as far as they exceed what is measured" jq -en --slurpfile report report \
	--slurpfile trace trace.json '[$report[0].threads[] | .timeline as $line | "thread \(.thread) " as $name |
	[$trace[0].traceEvents[] | select(.ph == "C" and (.name | startswith($name))).args] as $shares |
	range($shares | length - 1) as $i | ($line.times | map_values(.[$i] // 0)) as $times |
	([$times | del(.work, .overhead, .in_wait)[]] | add // 0) as $measured |
	{got: ($shares[$i].in_wait // 0), want: ([($times.in_wait // 0) - $measured, 0] | max / $line.bucket_s),
		all: ($times.in_wait // 0)}] |
	all(.[]; .got - .want < 1e-6 and .want - .got < 1e-6) and any(.[]; .all > 0 and .want == 0)'

# --- samples of the trace
# moments FIREFOX TRACE: of each thread there are as many samples as in the report, and those of the format firefox.
moments() {
	jq -c '[.threads[] | {key: (.name | capture("thread (?<n>[0-9]+) ").n), value: [foreach .samples.timeDeltas[] as $delta
		(0; . + $delta) * 1e6 | round]}] | from_entries' "$1" >want && jq -c '.traceEvents |
		(map(select(.name == "thread_name" and (.args.name | endswith(": waits") | not)) |
			{key: "\(.tid)", value: (.args.name | capture("thread (?<n>[0-9]+) ").n)}) | from_entries) as $thread |
		map(select(.ph == "i")) | group_by(.tid) | map({key: $thread["\(.[0].tid)"],
			value: (map(.ts * 1000 | round) | sort)}) | from_entries' "$2" >got || return 2
	jq -en --slurpfile want want --slurpfile got got --slurpfile numbers numbers '$numbers[0] as $numbers |
		($got[0] | map_values(length)) == $numbers and ($want[0] | map_values(length)) == $numbers and
		all($numbers | keys[]; [$got[0][.], $want[0][.]] | transpose | all(.[]; .[0] - .[1] | . < 1.5 and . > -1.5))'
}
for thread in 1 2 3; do
	"$ompprof" report --format json -i live --thread $thread | jq "{\"$thread\": [.nodes[].samples] | add}"
done | jq -sc add >numbers
"$ompprof" export -q --format firefox --metric samples -i live -o firefox || broken "no export as firefox"
check "each sample is an instant at its moment" moments firefox trace.json
jq -c '(first(.traceEvents[] | select(.ph == "i")) | .ts) |= . + 0.01' trace.json >spoilt
check_fails "... another moment is found" moments firefox spoilt
jq -c 'del(first(.traceEvents[] | select(.ph == "i")))' trace.json >spoilt
check_fails "... one that is missing is found" moments firefox spoilt
# Where each sample of a thread was, by the text of its stack.
jq -c '.stackFrames as $frames | def stack: [recurse($frames["\(.)"].parent; . != null) | $frames["\(.)"].name |
	gsub(";"; ":")] | reverse | join(";"); [.traceEvents[] | select(.ph == "i") | .sf | stack] | group_by(.) |
	map({key: .[0], value: length}) | from_entries' trace.json | jq -S . >got
"$ompprof" export -q --format csv --per-thread -i live -o - | python3 -c 'import csv, json, sys
from collections import Counter
sums = Counter()
for row in csv.DictReader(sys.stdin):
    if int(row["samples"]):
        sums[";".join(row["stack"].split(";")[int(row["thread"] != ""):])] += int(row["samples"])
json.dump(sums, sys.stdout)' | jq -S . >want
check "... and each stack has its samples" sh -c 'head -n 3 want && diff want got'
check "frames are those of samples, and each parent is there" jq -e '.stackFrames as $frames | [.traceEvents[].sf |
	values] as $sf | ($frames | length > 5) and all($sf[]; $frames["\(.)"]) and
	all($frames[].parent | values; $frames["\(.)"])' trace.json
check "there is no list of samples, which speedscope would show alone" jq -e 'has("samples") | not' trace.json
is "a sample takes 150 bytes and its name at most" "$(grep '"ph":"i"' trace.json |
	awk 'match($0, /"name":"[^"]*"/) && length($0) - RLENGTH > 150' | head -n 2)" ""
"$ompprof" export -q --format chrome -i live --thread 2 -o one || broken "no export of a thread"
is "samples of one thread" "$(jq '[.traceEvents[] | select(.ph == "i")] | length' one)" \
	"$(jq '.["2"]' numbers)"
OMP_NUM_THREADS=3 "$ompprof" run -q -o plain -- "./$odd" >said 2>&1 || broken "the demo failed"
check "without a trace there are no samples, and no frames" sh -c '"$1" export -q --format chrome -i plain -o - |
	jq -e "has(\"stackFrames\") or any(.traceEvents[]; .ph == \"i\") | not"' - "$ompprof"

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
