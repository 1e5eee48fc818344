#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that does what is hard on a profiler, drawn by a seed (tests/soak/soak.cpp), again and again for
# SOAK_SECONDS, alone and under the profiler at 5 kHz: the same output and status, no hang, a profile of each
# process that can be read and reported, few samples lost. SOAK_SEED is the first run's seed, SOAK_RUNS the
# most runs, SOAK_ROWS the rows: they repeat a run that failed. What failed is kept in soak-failed/ in the build
# folder.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/soak/judge.sh"
live_need jq awk timeout setsid
ulimit -c 0

seconds=${SOAK_SECONDS:-10}
seed=${SOAK_SEED:-1}
runs=${SOAK_RUNS:-1000000}
sources=$srcdir/tests/soak

# The short form takes one row of each compiler; rows of gcc run on libomp, too.
rows="omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2"
[ "$seconds" -lt 60 ] || rows="$rows omp15-clang14-O2 omp16-clang14-O2 omp14-gcc-O2"
rows=${SOAK_ROWS:-$rows}

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
			if (rand() < 0.2) options = options " --signal " one("PROF 40")
			print "options=\"" options "\""
		}'
}

# drawn_run: with this seed, on this row.
drawn_run() {
	folder=$builddir/tests/soak/$row
	matrix_row "$row"
	eval "$(draw "$seed")"
	shm_tidy
	export OMP_NUM_THREADS="$threads" KMP_BLOCKTIME="$blocktime" LD_LIBRARY_PATH="$row_lib"
	one_run "$folder/soak" "$seed" 10 "$folder"/plugin_*.so
}

judge_begin "$builddir/soak-failed"
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
begin=$(date +%s)
first=$seed
while [ $(($(date +%s) - begin)) -lt "$seconds" ] && [ $n_runs -lt "$runs" ]; do
	for row in $built; do
		[ $(($(date +%s) - begin)) -ge "$seconds" ] || drawn_run
	done
	seed=$((seed + 1))
done
note "seeds $first to $((seed - 1)), $(($(date +%s) - begin)) s:$built"
is "runs that are as alone and whose profile can be read" "$((n_runs - n_failed)) of $n_runs" "$n_runs of $n_runs"
check "... there were some" [ $n_runs -ge 1 ]
check "... all but $n_alone of them are the same each time when alone" are_few_unsteady
if sums=$(show); then
	ok "at most $most_lost of 1000 samples lost, and $most_lost_waits of 1000 waits"
else
	not_ok "at most $most_lost of 1000 samples lost, and $most_lost_waits of 1000 waits"
fi
echo "$sums"
plan
