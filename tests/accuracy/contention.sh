#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Time without a CPU is called that: a program whose work is the same on a quiet and on a busy machine (contention.c)
# beside busy loops, bound to one CPU, with more threads than CPUs, and in a control group with a limit. The run queue's time is within 10 % of the
# kernel's figure and 0.1 s. If waiting threads sleep, the shares of all other causes are those of a quiet machine within
# 10 points and the 4 points that a hundred samples can err, and of the places to fix first in the program the region is the first. (Waiting threads that spin stand in
# the run queue themselves: that time is no waiting.)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/accuracy/accuracy.sh"
live_need jq
command -v taskset >/dev/null || skip_all "taskset is not installed"
[ "$(awk '{ print NF }' /proc/self/schedstat 2>/dev/null)" = 3 ] ||
	skip_all "the kernel does not count how long threads are ready to run"
# The first two CPUs that may be used.
# shellcheck disable=SC2046 # numbers
set -- $(awk '/^Cpus_allowed_list/ {
	n = split($2, parts, ",")
	for (i = 1; i <= n; i++) {
		split(parts[i] "-" parts[i], ends, "-")
		for (cpu = ends[1]; cpu <= ends[2]; cpu++)
			print cpu
	}
}' /proc/self/status)
cpu=$1 cpu_2=${2:-$1}
ulimit -c 0
rivals=
# shellcheck disable=SC2086 # numbers
trap 'kill $rivals 2>/dev/null; rmdir $group 2>/dev/null; rm -rf "$live_folder"' EXIT

# limited: makes $group, whose processes may use a tenth of a CPU together; version 2 or 1 of control groups.
group=
limited() {
	for folder in /sys/fs/cgroup /sys/fs/cgroup/cpu; do
		group=$folder/ompprof-$$
		mkdir "$group" 2>/dev/null || continue
		for limit in cpu.max cpu.cfs_quota_us; do
			[ ! -f "$group/$limit" ] || ! echo 10000 2>/dev/null >"$group/$limit" || return 0
		done
		rmdir "$group"
	done
	return 1
}

# rivals N WHERE: N loops that only compute, started with WHERE, until rivals_end; on the CPUs $rival_cpus, if set.
rival_cpus=
rivals_begin() {
	n=$1
	shift
	while [ "$n" -gt 0 ]; do
		"$@" ${rival_cpus:+taskset -c "$rival_cpus"} sh -c 'while :; do :; done' &
		rivals="$rivals $!"
		n=$((n - 1))
	done
}

rivals_end() {
	# shellcheck disable=SC2086 # numbers
	[ -z "$rivals" ] || { kill $rivals; wait $rivals 2>/dev/null; }
	rivals=
}

# share KEY: its part of the time in which nothing lacked a CPU, in percent.
share() {
	jq -r --arg key "$1" '.summary | (.[$key] // 0) as $part | ([.useful_s, .serial_s, .imbalance_s, .lock_s, .task_s,
		.overhead_s, .blocked_s] | add) as $whole | if $whole > 0 then 100 * $part / $whole else 0 end' "$live_folder/json"
}

# contention NAME N_RIVALS HOW N_THREADS BLOCKTIME WHERE...
contention() {
	name=$1 n_rivals=$2 how=$3 n_threads=$4 blocktime=$5
	shift 5
	rm -rf "$live_folder/out"
	rivals_begin "$n_rivals" "$@"
	truth=$(LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=$n_threads KMP_BLOCKTIME=$blocktime "$@" "$ompprof" run -q \
		$options -o "$live_folder/out" -- "$accuracy_executable" 40 "$how" 2>"$live_folder/messages")
	rivals_end
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/messages"
	"$ompprof" report -i "$live_folder/out" >"$live_folder/text" 2>>"$live_folder/messages"
	queued=$(jq '[.threads[].not_running_s] | add' "$live_folder/json")
	shown=$("$ompprof" report -i "$live_folder/out" --format csv | awk -F , '$(NF - 3) == "not_running" { print $(NF - 1) }')
	message="$name: of $truth s in the run queue are ${shown:-0} s shown, $queued s of threads"
	if near "${shown:-0}" "$truth" "$(awk -v a="$truth" 'BEGIN { print 0.1 * a + 0.1 }')"; then
		ok "$message"
	else
		not_ok "$message" "$(cat "$live_folder/text" "$live_folder/messages")"
	fi
}

# shares: the causes other than the lack of a CPU, for two threads.
shares() {
	useful=$(share useful_s) imbalance=$(share imbalance_s) serial=$(share serial_s) overhead=$(share overhead_s)
	blocked=$(share blocked_s)
	first=$(jq -r '[.advice[] | select(.cause != "not_running")][0] | .cause' "$live_folder/json")
	message="$name: useful $useful, imbalance $imbalance, serial $serial, overhead $overhead, blocked $blocked; $first"
	if near "$useful" 72.2 14 && near "$imbalance" 22.2 14 && near "$serial" 5.6 14 && at_most "$overhead" 14 &&
		at_most "$blocked" 14 && [ "$first" = imbalance ]; then
		ok "$message"
	else
		not_ok "$message" "$(cat "$live_folder/text")"
	fi
}

for row in libomp19-clang libomp14-clang libgomp-gcc; do
	options=
	if ! accuracy_build contention $row 2>"$live_folder/messages"; then
		skip "$row" "$(cat "$live_folder/messages")"
		continue
	fi
	[ "${CONTENTION_ALL:-}" ] || [ $row = libomp19-clang ] || continue
	contention "$row, as it is" 0 ended 2 0
	shares
	# If the loop took thread 1's CPU, thread 0's longer work would cost nothing.
	rival_cpus=$cpu
	contention "$row, beside one loop on thread 0's CPU" 1 ended 2 0 env OMP_PROC_BIND=true "OMP_PLACES={$cpu},{$cpu_2}"
	rival_cpus=
	shares
	contention "$row, beside two loops" 2 ended 2 0
	shares
	contention "$row, beside two loops, 200" 2 ended 2 200
	contention "$row, beside two loops, infinite" 2 ended 2 infinite
	contention "$row, killed beside two loops" 2 killed 2 0
	shares
	contention "$row, eight threads" 0 ended 8 0
	contention "$row, eight threads, 200" 0 ended 8 200
	contention "$row, bound to one CPU" 0 ended 2 0 taskset -c "$cpu"
	shares
	if limited; then
		contention "$row, a tenth of a CPU" 0 ended 2 0 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group"
		check "... which is said" grep -q ': its container may use 0.1 CPUs$' "$live_folder/text"
		rmdir "$group"
	else
		skip "$row, a tenth of a CPU" "no control group with a limit can be made here"
	fi
	options=--runtime=plain
	contention "$row, plain beside two loops" 2 ended 2 0
done
plan
