#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that does what is hard on a profiler, drawn by a seed (tests/soak/soak.cpp), again and again for
# SOAK_SECONDS, alone and under the profiler at 5 kHz: the same output and status, no hang, a profile of each
# process that can be read and reported, few samples lost. SOAK_SEED is the first run's seed, SOAK_RUNS the
# most runs: both repeat a run that failed. What failed is kept in soak-failed/ in the build folder.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq awk timeout setsid
ulimit -c 0

seconds=${SOAK_SECONDS:-10}
seed=${SOAK_SEED:-1}
runs=${SOAK_RUNS:-1000000}
sources=$srcdir/tests/soak
limit=90    # seconds that a run may take
most_lost=1 # of 1000 samples, as a sum of all reasons; of threads and objects none
failed=$builddir/soak-failed

# The short form takes one row of each compiler; rows of gcc run on libomp, too.
rows="omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2"
[ "$seconds" -lt 60 ] || rows="$rows omp15-clang14-O2 omp16-clang14-O2 omp14-gcc-O2"

# build ROW: the program and its plugins, in tests/soak/ROW of the build folder.
# The lists of flags are split into words on purpose.
# shellcheck disable=SC2086
build() {
	matrix_row "$1" || return 1
	folder=$builddir/tests/soak/$1
	if [ -x "$folder/soak" ] && [ -z "$(find "$sources" -newer "$folder/soak" -type f)" ]; then
		return 0
	fi
	mkdir -p "$folder" || return 1
	row_reason="the program cannot be built: see $folder/log"
	for layout in 1 2 3; do
		"$row_cxx" $row_flags $row_include -I"$srcdir" -DLAYOUT=$layout -fPIC -shared \
			-o "$folder/plugin_${layout}a.so" "$sources/soak_plugin.cpp" $row_link 2>"$folder/log" ||
			return 1
		cp "$folder/plugin_${layout}a.so" "$folder/plugin_${layout}b.so" || return 1
	done
	"$row_cxx" $row_flags $row_include -I"$srcdir" -pthread -o "$folder/soak" "$sources/soak.cpp" \
		"$sources/soak_openmp.cpp" "$sources/soak_system.cpp" $row_link -ldl 2>"$folder/log"
}

# watched NAME COMMAND...: runs it; what it writes goes to NAME.out and NAME.err. Its status, or HANGS: then
# the stacks of its processes are in NAME.stacks.
watched() {
	name=$live_folder/$1
	shift
	setsid "$@" >"$name.out" 2>"$name.err" &
	pid=$!
	if timeout $limit tail -s 0.1 --pid=$pid -f /dev/null; then
		# The shell says here how a program was killed.
		{ wait $pid; status=$?; } 2>/dev/null
		return
	fi
	for process in $(ps -o pid= --sid $pid 2>/dev/null); do
		timeout 30 gdb -q -batch -p "$process" -ex 'thread apply all bt' 2>&1
	done >"$name.stacks"
	{ kill -9 -$pid; wait $pid; } 2>/dev/null
	status=HANGS
}

# draw SEED: how the run with this seed is made.
draw() {
	awk -v seed="$1" '
		function one(list, part, n) {
			n = split(list, part, " ")
			return part[1 + int(rand() * n)]
		}
		BEGIN {
			srand(seed)
			rand()
			print "threads=" one("1 2 2 3 4 4 8 16")
			print "blocktime=" one("200 200 0 1")
			options = ""
			if (rand() < 0.15) options = options " -e wall"
			if (rand() < 0.1) options = options " --unwind fp"
			if (rand() < 0.2) options = options " --task-context " one("site none")
			if (rand() < 0.2) options = options " --signal " one("PROF 40")
			print "options=\"" options "\""
		}'
}

# fail WHY: keeps what there is of this run.
fail() {
	n_failed=$((n_failed + 1))
	keep=$failed/$row-$seed
	rm -rf "$keep"
	mkdir -p "$keep"
	cp -r "$live_folder/." "$keep/"
	note "seed $seed, $row, $threads threads, blocktime $blocktime, options '$options': $1; kept: $keep"
	note "$(tail -n 5 "$live_folder/profiled.err")"
}

# judge: the last run under the profiler, beside the one without.
judge() {
	if [ "$status" != "$bare" ]; then
		fail "status $status, alone $bare"
	elif ! cmp -s "$live_folder/bare.out" "$live_folder/profiled.out"; then
		fail "its output is not what it is alone"
	elif grep -v '^ompprof: ' "$live_folder/profiled.err" >"$live_folder/other.err"; then
		fail "it says what it does not say alone"
	elif ! "$ompprof" report -i "$live_folder/out" >"$live_folder/text" 2>"$live_folder/report.err" ||
		! "$ompprof" info -i "$live_folder/out" >"$live_folder/info" 2>"$live_folder/report.err" ||
		! "$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" \
			2>"$live_folder/report.err"; then
		fail "its profile cannot be shown"
	elif grep -q damaged "$live_folder/info"; then
		fail "its profile has damaged records"
	elif ! jq -r '[.run.samples, .run.threads, (.processes | length),
			([.processes[] | select(.complete or .replaced | not)] | length), .run.guessed,
			(.run.lost | to_entries[] | .key, .value)] | @tsv' \
		"$live_folder/json" >>"$live_folder/sums"; then
		fail "its report has no counts"
	fi
	# Everything that it says but the line at the end, without what differs from run to run.
	grep -v 'samples.*view with:' "$live_folder/profiled.err" |
		sed "s|$live_folder|DIR|g; s/[0-9][0-9]*/N/g" >>"$live_folder/told"
}

# one_run: with this seed, on this row.
# shellcheck disable=SC2086
one_run() {
	folder=$builddir/tests/soak/$row
	matrix_row "$row"
	rm -rf "$live_folder/out" "$live_folder/out.old"
	eval "$(draw "$seed")"
	set -- "$folder/soak" "$seed" 10 "$folder"/plugin_*.so
	export OMP_NUM_THREADS="$threads" KMP_BLOCKTIME="$blocktime" LD_LIBRARY_PATH="$row_lib"
	watched bare "$@"
	bare=$status
	if [ "$bare" = HANGS ] || [ -s "$live_folder/bare.err" ]; then
		n_alone=$((n_alone + 1))
		note "seed $seed, $row, $threads threads: fails alone, status $bare"
		note "$(head -n 1 "$live_folder/bare.err")"
		return
	fi
	watched profiled "$ompprof" run -F 5000 $options -o "$live_folder/out" -- "$@"
	judge
	n_runs=$((n_runs + 1))
}

# show: the sums of all runs; whether few samples were lost.
show() {
	sort "$live_folder/told" | uniq -c | sort -rn | head -n 20 | sed 's/^/# said: /'
	awk -F '\t' -v most="$most_lost" '
		{
			samples += $1; threads += $2; processes += $3; unfinished += $4; guessed += $5
			for (i = 6; i < NF; i += 2) {
				lost[$i] += $(i + 1)
				if ($i == "threads" || $i == "modules") never += $(i + 1)
				else if ($i != "nested") all += $(i + 1)
			}
		}
		END {
			printf "# %d runs, %d processes (%d that were killed or left by _exit), %d threads\n",
				NR, processes, unfinished, threads
			printf "# %d samples, %d of paths with a guess\n", samples, guessed
			for (reason in lost)
				printf "# lost, %s: %d%s\n", reason, lost[reason],
					reason == "nested" ? " (none lost: overhead)" : ""
			exit !(samples > 0 && never == 0 && all * 1000 <= most * (samples + all))
		}' "$live_folder/sums"
}

n_runs=0 n_failed=0 n_alone=0
built=
for row in $rows; do
	if build "$row"; then
		built="$built $row"
	else
		note "$row: $row_reason"
	fi
done
[ -n "$built" ] || skip_all "$row_reason"
if ! live_has_perf; then
	note "perf events are refused here: samples come as often as the kernel's tick allows"
fi
: >"$live_folder/sums"
: >"$live_folder/told"
begin=$(date +%s)
first=$seed
while [ $(($(date +%s) - begin)) -lt "$seconds" ] && [ $n_runs -lt "$runs" ]; do
	for row in $built; do
		[ $(($(date +%s) - begin)) -ge "$seconds" ] || one_run
	done
	seed=$((seed + 1))
done
note "seeds $first to $((seed - 1)), $(($(date +%s) - begin)) s:$built"
is "runs that are as alone and whose profile can be read" "$((n_runs - n_failed)) of $n_runs" "$n_runs of $n_runs"
check "... there were some" [ $n_runs -ge 1 ]
# Of a runtime's own failures a few are left aside.
check "... nearly all of them ran alone: all but $n_alone" [ $((n_alone * 50)) -le $n_runs ]
if sums=$(show); then
	ok "at most $most_lost of 1000 samples lost"
else
	not_ok "at most $most_lost of 1000 samples lost"
fi
echo "$sums"
plan
