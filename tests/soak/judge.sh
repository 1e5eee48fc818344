# SPDX-License-Identifier: Apache-2.0
# One run of the soak, alone and under the profiler, and what is found of it: `. "$srcdir/tests/soak/judge.sh"` after
# live.sh. soak.sh runs drawn programs through it, verdicts.sh programs whose verdict is known.
#
# A run is `as alone` or not. If it is not, the same is run again, in turns alone and under the profiler: a
# program that fails so alone, too, says nothing about the profiler (libomp can fail and hang by itself). It is put
# aside, and of such there may be few.

limit=${SOAK_LIMIT:-90} # seconds that a run may take
again=${SOAK_AGAIN:-40} # times that what failed is run again, each way
most_lost=1             # of 1000 samples, as a sum of all reasons; of threads and objects none
most_lost_waits=2       # of 1000; see REGION_N_ENDS

# judge_begin FOLDER: what fails is kept there. Sets all counts to none.
judge_begin() {
	failed=$1 n_runs=0 n_failed=0 n_alone=0
	: >"$live_folder/sums"
	: >"$live_folder/told"
}

# watched NAME COMMAND...: runs it; what it writes goes to NAME.out and NAME.err. Its status, or HANGS: then
# the stacks of its processes are in NAME.stacks.
watched() {
	name=$live_folder/$1
	shift
	setsid "$@" >"$name.out" 2>"$name.err" &
	pid=$!
	# In here the shell says how a program was killed, by itself as well.
	{
		if timeout "$limit" tail -s 0.1 --pid=$pid -f /dev/null; then
			status=0
			wait $pid || status=$?
			return
		fi
		for process in $(ps -o pid= --sid $pid); do
			timeout 30 gdb -q -batch -p "$process" -ex 'thread apply all bt' 2>&1
		done >"$name.stacks"
		kill -9 -$pid
		wait $pid
		status=HANGS
	} 2>/dev/null
}

# profile NAME COMMAND...: the same under the profiler.
# The options are split into words on purpose.
# shellcheck disable=SC2086
profile() {
	profile_name=$1
	shift
	rm -rf "$live_folder/out" "$live_folder/out.old"
	watched "$profile_name" "$ompprof" run -F 5000 $options -o "$live_folder/out" -- "$@"
}

# differs NAME: whether the last run, whose name that is, ended or printed otherwise than the first one alone did.
# Says how, in $why.
differs() {
	grep -v '^ompprof: ' "$live_folder/$1.err" >"$live_folder/other.err"
	if [ "$status" != "$bare" ]; then
		why="status $status, alone $bare"
	elif ! cmp -s "$live_folder/bare.out" "$live_folder/$1.out"; then
		why="its output is not what it is alone"
	elif [ -s "$live_folder/other.err" ]; then
		why="it says what it does not say alone"
	else
		return 1
	fi
}

# has_no_report: whether the profile of the last run cannot be shown as one without damage. Says how, in $why.
has_no_report() {
	if ! "$ompprof" report -i "$live_folder/out" >"$live_folder/text" 2>"$live_folder/report.err" ||
		! "$ompprof" info -i "$live_folder/out" >"$live_folder/info" 2>"$live_folder/report.err" ||
		! "$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" \
			2>"$live_folder/report.err"; then
		why="its profile cannot be shown"
	elif grep -q damaged "$live_folder/info"; then
		why="its profile has damaged records"
	elif ! jq -r --arg options "$options" '[$options, .run.samples, .run.threads, (.processes | length),
			([.processes[] | select(.complete or .replaced | not)] | length), .run.guessed,
			([.waits[].waits] | add // 0),
			(.run.lost | to_entries[] | .key, .value)] | @tsv' \
		"$live_folder/json" >>"$live_folder/sums"; then
		why="its report has no counts"
	else
		return 1
	fi
}

# repeat COMMAND...: runs what failed again, both ways; n_bare and n_profiled are how often it failed.
repeat() {
	n_bare=0 n_profiled=0 turn=0
	while [ $turn -lt "$again" ]; do
		turn=$((turn + 1))
		watched again "$@"
		if differs again; then n_bare=$((n_bare + 1)); fi
		profile again "$@"
		if differs again; then n_profiled=$((n_profiled + 1)); fi
		# Enough to tell: hangs take long.
		[ $n_bare -lt 3 ] || break
	done
}

# is_its_own: whether what failed is the program's own failure: it fails alone as well, and not much less often.
is_its_own() {
	[ $n_bare -gt 0 ] && [ $n_profiled -le $((4 * n_bare + 1)) ]
}

# keep_run: keeps what there is of this run, and says so.
keep_run() {
	keep=$failed/${row:-}-$seed
	rm -rf "$keep"
	mkdir -p "$keep"
	cp -r "$live_folder/." "$keep/"
	note "seed $seed, ${row:-}, ${threads:-} threads, blocktime ${blocktime:-}, options '$options': $why; kept: $keep"
	note "$(diff "$keep/bare.out" "$keep/profiled.out" | head -n 6)"
	note "$(tail -n 5 "$keep/profiled.err")"
}

# met_stale_file: whether libomp gave up as it found a file of its own in /dev/shm, empty, of a process that died while it
# registered itself there and had the same number. By itself that happens as well, but not with the same numbers.
met_stale_file() {
	grep -q 'found unknown library already initialized' "$keep/profiled.err"
}

# settle COMMAND...: whose failure the last run's is.
settle() {
	if met_stale_file; then
		note "libomp met a file that a former process left in /dev/shm"
		n_alone=$((n_alone + 1))
		return
	fi
	repeat "$@"
	note "again: of $turn times $n_bare failed alone, $n_profiled under the profiler"
	if is_its_own; then
		n_alone=$((n_alone + 1))
	else
		n_failed=$((n_failed + 1))
	fi
}

# one_run COMMAND...: with $options, alone and under the profiler. $seed and $row name it.
one_run() {
	n_runs=$((n_runs + 1))
	watched bare "$@"
	bare=$status
	if [ "$bare" = HANGS ] || [ -s "$live_folder/bare.err" ]; then
		n_alone=$((n_alone + 1))
		note "seed $seed, ${row:-}: fails alone, status $bare"
		note "$(head -n 1 "$live_folder/bare.err")"
		return
	fi
	profile profiled "$@"
	# Everything that it says but the line at the end, without what differs from run to run.
	grep -v 'samples.*view with:' "$live_folder/profiled.err" |
		sed "s|$live_folder|DIR|g; s/[0-9][0-9]*/N/g" >>"$live_folder/told"
	if differs profiled; then
		keep_run
		settle "$@"
	elif has_no_report; then
		keep_run
		n_failed=$((n_failed + 1))
	fi
}

# show: the sums of all runs; whether few samples were lost. Of a run with `--unwind fp` paths are lost where
# code keeps no frame pointers, which is what was asked for: those are shown, and do not count.
show() {
	sort "$live_folder/told" | uniq -c | sort -rn | head -n 20 | sed 's/^/# said: /'
	awk -F '\t' -v most="$most_lost" -v most_waits="$most_lost_waits" '
		{
			samples += $2; threads += $3; processes += $4; unfinished += $5; guessed += $6; waits += $7
			for (i = 8; i < NF; i += 2) {
				reason = $i
				if (reason == "context" && $1 ~ /--unwind fp/)
					reason = "context, with --unwind fp"
				lost[reason] += $(i + 1)
				if (reason == "threads" || reason == "modules") never += $(i + 1)
				else if (reason != "nested" && reason != "waits" && reason !~ /unwind fp/) all += $(i + 1)
			}
		}
		END {
			printf "# %d runs, %d processes (%d that were killed or left by _exit), %d threads\n",
				NR, processes, unfinished, threads
			printf "# %d samples, %d of paths with a guess; %d waits\n", samples, guessed, waits
			aside["nested"] = " (none lost: overhead)"
			aside["context, with --unwind fp"] = " (not counted)"
			for (reason in lost)
				printf "# lost, %s: %d%s\n", reason, lost[reason], aside[reason]
			of_samples = samples ? 1000 * all / (samples + all) : 1000
			of_waits = lost["waits"] ? 1000 * lost["waits"] / (waits + lost["waits"]) : 0
			printf "# lost in all: %.4f of 1000 samples, %.4f of 1000 waits\n", of_samples, of_waits
			exit !(never == 0 && of_samples <= most && of_waits <= most_waits)
		}' "$live_folder/sums"
}

# are_few_unsteady: whether few runs failed by themselves.
are_few_unsteady() {
	[ $((n_alone * 50)) -le $n_runs ]
}
