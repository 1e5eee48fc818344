# SPDX-License-Identifier: Apache-2.0
# Each clock weighs rightly: what the samples of a program add up to is what the program itself
# says that it used, at any rate, and a program in step with the sampling period is sampled fairly.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp19-gcc-O2 omp14-clang14-O2

# judge DESCRIPTION COMMAND...: ok if the command succeeds; otherwise with the run's messages.
judge() {
	description=$1
	shift
	if "$@"; then
		ok "$description"
	else
		live_wrong "$description" "$(cat "$live_folder/messages" "$live_folder/report-messages")"
	fi
}

# lines N: the run said so many lines.
lines() {
	[ "$(wc -l <"$live_folder/messages")" -eq "$1" ]
}

# covers CPU OFF WAITS LIVED: who waits can be on a CPU or not.
covers() {
	awk -v cpu="$1" -v off="$2" -v waits="$3" -v lived="$4" 'BEGIN {
		slack = 0.02 * lived + 0.02
		exit !(cpu + off <= lived + slack && cpu + off + waits >= lived - slack)
	}'
}

# hog OPTIONS SECONDS SLACK: the work in hog_kernel is what both threads used, up to SLACK seconds:
# at its begin a thread has a part of a period from before, at its end up to one and a half are lost.
hog() {
	live_profile hog.c "-q $1" "$2" || { not_ok "hog $1: runs" "$(cat "$live_folder/messages")"; return; }
	used=$(sed -n 's/.*threads, \(.*\) CPU seconds/\1/p' "$live_folder/said")
	seen=$(live_work hog_kernel)
	judge "hog $1: $used CPU s used, $seen s of work shown" near "$seen" "$used" "$3"
	jq -r '"\(.run.cpu_s) \(.run.off_cpu_s) \(.run.wall_s) \(.run.threads) \(
		[.nodes[].wait | to_entries[].value] | add // 0)"' "$live_folder/json" >"$live_folder/run"
	read -r cpu off wall threads waits <"$live_folder/run"
	lived=$(awk -v wall="$wall" -v threads="$threads" 'BEGIN { print wall * threads }')
	judge "hog $1: $cpu s on, $off s off the CPUs, $waits s of waiting on or off them, of $threads threads' $wall s" \
		covers "$cpu" "$off" "$waits" "$lived"
}

# lockstep CLOCK_OPTIONS PERIOD_US SECONDS POINTS: the two phases have equal shares up to POINTS.
lockstep() {
	# It ends with 1 when it has lost its CPU at the wrong moment.
	for try in 1 2 3 4 5; do
		! live_profile alternate.c "-q $1" "$2" "$3" || break
		[ "$try" -lt 5 ] || {
			not_ok "alternate $1: runs" "$(cat "$live_folder/messages")"
			return
		}
	done
	even=$(live_work even_phase)
	share=$(awk -v even="$even" -v odd="$(live_work odd_phase)" \
		'BEGIN { printf "%.1f\n", 100 * even / (even + odd) }')
	judge "phases of $2 us, $1: $share % for one of two equal ones" near "$share" 50 "$4"
}

hog "-F 50" 2 0.08
hog "-F 200" 1 0.04
if live_has_perf; then
	hog "-F 1000" 0.5 0.02
	hog "-F 4000" 0.5 0.02
	hog "-e task-clock@1000000" 0.5 0.02
	judge "... shown in seconds, not in events" [ "$(jq -r .run.clock "$live_folder/json")" = cpu ]
	# A share of n random samples scatters by 50 / sqrt(n) points: 3 points are three to four times
	# that, less where a phase is as long as the period.
	lockstep "-F 1000" 500 2 3
	lockstep "-F 1000" 1000 1.5 3
	lockstep "-e task-clock -F 200" 5000 2 4
else
	skip "rates above the kernel's tick" "perf events are not to be had"
fi
# The default: 100 samples a second and thread at random moments. 400 of them scatter by 2.5 points.
lockstep "-F 250" 4000 2 10
lockstep "" 2000 2 10
lockstep "" 5000 2 10

live_profile hog.c "-q -e wall" 0.5
jq -r '.run.wall_s * .run.threads, ([.nodes[] | .work_s + .overhead_s + (.wait | add // 0)] | add)' \
	"$live_folder/json" >"$live_folder/figures"
{ read -r lived; read -r seen; } <"$live_folder/figures"
judge "wall clock: $lived thread seconds lived, $seen shown" near "$seen" "$lived" \
	"$(awk -v lived="$lived" 'BEGIN { print 0.02 * lived + 0.01 }')"

# A program that sleeps is another one under this clock, and the report says so.
woken='ends sleep, poll and select early'
says_woken() {
	"$ompprof" report --warnings -i "$live_folder/out" | tr '\n' ' ' | tr -s ' ' | grep "$woken"
}
check_fails "nothing that sleeps, and no warning of it" says_woken
live_profile eintr.c "-q -e wall" 1 || :
check "a program that sleeps is interrupted: $(cat "$live_folder/said")" sh -c '! grep -qx "eintr: 0" "$1"' - "$live_folder/said"
check "... and the report warns of it" says_woken
live_profile eintr.c "-q" 1 || :
check_fails "... but not where nothing was" says_woken

# Thirty threads for each CPU that sleep would take 150,000 signals a second on each at 5 kHz: they take 5000, and
# what they are asked still counts all their time. Serial work leaves the team asleep.
cpus=$(nproc)
export OMP_NUM_THREADS=$((30 * cpus)) KMP_BLOCKTIME=0
live_profile serial.c "-q -e wall -F 5000" 0.5
unset OMP_NUM_THREADS KMP_BLOCKTIME
jq -r '.run.wall_s * .run.threads, ([.nodes[] | .work_s + .overhead_s + (.wait | add // 0)] | add),
	.run.samples / .run.wall_s' "$live_folder/json" >"$live_folder/figures"
{ read -r lived; read -r seen; read -r rate; } <"$live_folder/figures"
check "wall clock of $((30 * cpus)) threads on $cpus CPUs: $rate samples a second, at most 6000 for each CPU" \
	awk -v rate="$rate" -v cpus="$cpus" 'BEGIN { exit !(rate > 100 && rate <= 6000 * cpus) }'
judge "... $lived thread seconds lived, $seen shown" near "$seen" "$lived" \
	"$(awk -v lived="$lived" 'BEGIN { print 0.1 * lived }')"

live_profile pages.c "-q -e page-faults@10" 20000
seen=$(jq '[.nodes[] | .events // 0] | add' "$live_folder/json")
judge "page faults: 20000 pages touched, $seen counted" near "$seen" 20000 1000
live_profile pages.c "-q -e page-faults" 20000
in_kernel=$(jq '[.nodes[] | select(.name == "touch_pages") | .events] | add' "$live_folder/json")
judge "page faults: $in_kernel in touch_pages" near "$in_kernel" 20000 1000

live_profile hog.c "-e cycles" 0.6
status=$?
if grep -q "cannot open perf event" "$live_folder/messages"; then
	judge "an event that is not supported costs a line, not the run" [ "$status" -eq 0 ]
	judge "... one line beside the closing one" lines 2
	judge "... and CPU time is sampled" near "$(live_work hog_kernel)" 1.2 0.1
else
	skip "an event that is not supported" "cycles are supported here"
fi
live_profile hog.c "-e no-such-event" 0.1
judge "an unknown event is a usage error" [ $? -eq 2 ]
plan
