#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# When threads did what, of phases whose begin and end the program tells (tests/programs/time/timed_phases.c): each state in the
# buckets of its phase, and sums as the threads' own; with a trace, too, and one that has no room.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# What the first thread, f, and the other one, o, did from a to b, the begin and end of phase $p: buckets count by their middle.
# A wait has its phase's length, but for a scheduler's whim and a bucket at each end; CPU time is a sample's wrong. A thread's
# useful time is what its waits leave where the samples agree with that, as they do to 5 %. Time without a CPU is in a wait here,
# and not in the thread's sum of waits.
# shellcheck disable=SC2016
judge='
	def between($t; $a; $b): . as $v | reduce range($v | length) as $i (0;
		($t.begin_s + $t.bucket_s * ($i + 0.5)) as $when
		| if $when >= $a and $when < $b then . + $v[$i] else . end);
	def near($a; $b; $by): $a - $b <= $by and $b - $a <= $by;
	def phase($i): $said[3 * $i:3 * $i + 3] | {a: (.[0] - $info.begin_s), b: (.[1] - $info.begin_s), cpu: .[2]};
	def spent($thread; $time; $i): phase($i) as $p | $thread.timeline
		| (.times[$time] // []) as $v | . as $t | $v | between($t; $p.a; $p.b);
	def whole($thread; $time): $thread.timeline.times[$time] // [] | add // 0;
	(.threads | map(select(.type == "initial"))[0]) as $f
	| (.threads | map(select(.type == "worker"))[0]) as $o
	| (3 * $f.timeline.bucket_s + 0.02) as $by
	| [["idle", 0], ["barrier", 1], ["mutex", 2]]
	| all(.[]; . as [$time, $i] | phase($i) as $p
		| near(spent($o; $time; $i); $p.b - $p.a; $by)
		and near(whole($o; $time); spent($o; $time; $i); $by + 0.02)
		and near(spent($f; "work"; $i); $p.cpu; $by + 0.02))
	and all($f, $o; (.not_running_s + 0.001) as $lacked | near(whole(.; "work"); .useful_s; 0.05 * .useful_s + 0.01)
		and near(whole(.; "barrier"); .barrier_s; $lacked) and near(whole(.; "mutex"); .lock_s; $lacked)
		and near(whole(.; "idle"); .idle_s; $lacked)
		and (.timeline.torn | not) and .timeline.begin_s == 0
		and (.timeline.bucket_s * 506 > $wall) and (.timeline.bucket_s * 253 <= $wall))'

# phases ROW OPTIONS: a machine that is busy can spoil a run, not four.
phases() {
	row=$1
	for attempt in 1 2 3 4; do
		live_try $attempt
		live_profile timed_phases.c "-q $2" 0.3 && "$ompprof" info -i "$live_folder/out" --format json >"$live_folder/info" ||
			broken "$(cat "$live_folder/messages")"
		said=$(tr -s ' \n' ',,' <"$live_folder/said" | sed 's/,$//')
		wall=$(jq .run.wall_s "$live_folder/json")
		if jq -e --argjson said "[$said]" --argjson wall "$wall" \
			--argjson info "$(jq -c '.processes[0] | {begin_s}' "$live_folder/info")" \
			"$judge" "$live_folder/json" >/dev/null; then
			ok "$row${2:+ $2}: each state in its phase (attempt $attempt)"
			return 0
		fi
	done
	live_wrong "$row${2:+ $2}: each state in its phase" "$(cat "$live_folder/said"; jq -c \
		'.threads[] | .timeline.times | map_values(add)' "$live_folder/json")"
	return 1
}

for row in omp14-clang14-O2 omp19-clang14-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	phases "$row" ""
	phases "$row" --trace
	is "$row: the trace has samples and waits, and dropped none" \
		"$(jq '[.threads[].timeline.dropped] | add' "$live_folder/json") $("$ompprof" info -i \
			"$live_folder/out" | awk '/trace of samples/ { print ($3 > 5) }')" "0 1"
	# A MiB is 64 segments, and each thread needs one.
	OMP_NUM_THREADS=70 OMPPROF_TRACE=1 live_profile imbalance.c "-q --trace" 0.01
	check "$row: of a trace without room the dropped are counted" jq -e \
		'([.threads[].timeline.dropped] | add) as $n | $n > 0 and ([.warnings[] |
		select(startswith("the trace was full: \($n) later "))] | length == 1)' "$live_folder/json"
	check "$row: info tells, too" sh -c "'$ompprof' info -i '$live_folder/out' | grep -q 'the trace was full'"

	# 100 threads, one after the other, have one record, and moments where the one before left off.
	OMPPROF_TRACE=1 live_profile threads.c "-q --trace -F 1000" 0.1 turns 100
	is "$row: threads that share a record share its part of the trace, too" "$("$ompprof" info -i "$live_folder/out" |
		awk '/trace of samples/ { print ($2 < 10 * 16384), ($3 > 70) }') $(jq '[.threads[].timeline.dropped] | add' \
		"$live_folder/json")" "1 1 0"
done
plan
