#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# omp_control_tool on real runtimes (tests/programs/time/control.c): what it returns, that a pause is in no figure, phases
# and their shares, beginning paused; and the same from Fortran. Shares are of one run.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# judge NAME WHAT OPTIONS FILTER: a machine that is busy can spoil one run, not three.
judge() {
	for attempt in 1 2 3; do
		live_try $attempt
		if ! live_profile control.c "-q $3" "$2" 1.5; then
			not_ok "$1: runs and is reported" "$(cat "$live_folder/messages")"
			return 1
		fi
		if jq -e "$paths $4" "$live_folder/json" >/dev/null; then
			ok "$1 (attempt $attempt)"
			return 0
		fi
	done
	not_ok "$1" "$(jq -c '.run, .phases, .regions, .warnings' "$live_folder/json")"
	return 1
}

# work(NAME): seconds of work in the function.
paths='
	def work($name): [.nodes[] | select(.name == $name) | .work_s] | add // 0;
	def phase($path): .phases[] | select(.path == $path);
	def near($a; $b; $by): $a > $b / $by and $a < $b * $by;'
shares='
	([.phases[].path] == ["", "setup", "solve", "solve/2", "write"])
	and ([.phases[].times] == [0, 1, 2, 1, 1])
	and work("hidden") < 0.05 * work("setup")
	and near(work("setup"); work("write_all"); 1.3)
	and near(work("solve"); 2 * work("setup"); 1.3)
	and near(phase("setup").useful_s; work("setup"); 1.5)
	and near(phase("solve").useful_s; work("solve"); 1.5)
	and near(phase("write").useful_s; work("write_all"); 1.5)
	and .run.pauses == 1 and .run.paused_s > 0.05
	and near([.phases[].wall_s] | add; .run.wall_s; 1.001)
	and any(.warnings[]; test("^paused .* s by the program"))'

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	judge "$row: phases have their shares, a pause has none" phases "" "$shares" || continue
	LD_LIBRARY_PATH=$row_lib "$live_executable" phases 1.5 >"$live_folder/alone" 2>&1
	is "$row: it prints what it prints alone" "$(cat "$live_folder/said")" \
		"$(cat "$live_folder/alone")"
	"$ompprof" report -i "$live_folder/out" --phase solve --format json >"$live_folder/cut"
	check "$row: --phase solve is of that alone" jq -e --slurpfile all "$live_folder/json" "$paths
		\$all[0] as \$all | work(\"setup\") == 0 and work(\"write_all\") == 0
		and (.phases | map(select(.wall_s > 0) | .path)) == [\"solve\", \"solve/2\"]
		and near(work(\"solve\"); (\$all | work(\"solve\")); 1.01)
		and near(.cut.wall_s; \$all.run.wall_s; 1.001)
		and .run.wall_s < 0.9 * \$all.run.wall_s
		and near(.regions[0].wall_s; \$all.regions[0].wall_s; 1.01)" "$live_folder/cut"

	judge "$row: a pause within a region" region "" '
		work("hidden") < 0.1 * work("setup") and .regions[0].executions == 1
		and near(.regions[0].wall_s; .run.wall_s; 1.5)
		and .run.paused_s > 0.02'

	judge "$row: paused from the begin, and never started" nothing "--start-paused" '
		.run.samples == 0 and .run.wall_s == 0 and .regions == [] and .run.is_paused
		and (.warnings[0] | startswith("nothing was measured"))'
	judge "$row: paused from the begin, and started" phases "--start-paused" '
		work("setup") == 0 and work("solve") == 0 and work("hidden") == 0
		and work("write_all") > 0 and [.phases[].times] == [0, 0, 0, 0, 1]'

	live_profile control.c -q values 0.1
	is "$row: what the commands return" "$(cat "$live_folder/said")" \
		"1 0 0 0 0 1 1 1 1 0 0 0 0 0 0 1 1 1"
	check "$row: ... and nothing is measured after the end" jq -e '.regions == []
		and .run.complete and any(.warnings[]; startswith("the program ended"))' "$live_folder/json"
	is "$row: without a tool" "$(LD_LIBRARY_PATH=$row_lib "$live_executable" values 0.1)" \
		"-2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2 -2"
done

# Of a program that is killed the file has all up to a flush, and more.
if matrix_row omp14-clang14-O2; then
	OMP_NUM_THREADS=2 LD_LIBRARY_PATH=$row_lib "$ompprof" run -q -o "$live_folder/killed" -- \
		sh -c 'exec "$0" phases 4' "$(matrix_build control.c omp14-clang14-O2)" >/dev/null 2>&1 &
	for wait in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.5
		"$ompprof" report -i "$live_folder/killed" --format json 2>/dev/null |
			jq -e '.phases | length == 2' >/dev/null && break
	done
	"$ompprof" report -i "$live_folder/killed" --format json >"$live_folder/json" 2>/dev/null
	check "a program that still runs has its open phase" jq -e "$paths
		phase(\"setup\") | .times == 1 and .wall_s > 0 and .useful_s > 0" "$live_folder/json"
	wait
else
	skip "a program that still runs" "$row_reason"
fi

if ! command -v gfortran >/dev/null || ! matrix_row omp19-gcc-O2; then
	skip "Fortran" "no gfortran, or no libomp 19"
elif (cd "$live_folder" && gcc -I"$srcdir/include" -c "$srcdir/include/ompprof_fortran.c" &&
	gfortran -Wall -Werror -O1 -g -fopenmp "$srcdir/include/ompprof.f90" \
		"$srcdir/tests/gcc/phases.f90" ompprof_fortran.o -o phases) >"$live_folder/log" 2>&1; then
	is "Fortran: without a tool" "$("$live_folder/phases")" " -2 -2 -2 -2 -2 -2 T"
	is "Fortran: what the subroutines say" "$(LD_LIBRARY_PATH=$row_lib "$ompprof" run -q \
		-o "$live_folder/fortran" -- "$live_folder/phases" 2>"$live_folder/messages")" \
		"  0  0  0  0  1  0 T"
	"$ompprof" report -i "$live_folder/fortran" --format json >"$live_folder/json"
	check "Fortran: its phases" jq -e '[.phases[] | select(.times > 0) | .path] == ["assemble", "7"]' \
		"$live_folder/json"
else
	not_ok "Fortran: it builds" "$(cat "$live_folder/log")"
fi
plan
