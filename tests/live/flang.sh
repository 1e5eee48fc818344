#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fortran by flang, on libomp 19: it prints what it prints alone, and its regions are those of its procedures.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need flang-new-19 jq
matrix_row omp19-clang19-O2 || skip_all "$row_reason"
LD_LIBRARY_PATH=$row_lib
export LD_LIBRARY_PATH

for flags in "-O2 -g" "-O0 -g"; do
	# Words on purpose.
	# shellcheck disable=SC2086
	flang-new-19 $flags -fopenmp -o "$live_folder/loops" "$srcdir/tests/gcc/loops.f90" \
		-module-dir "$live_folder" -L"$row_lib" >"$live_folder/log" 2>&1 ||
		skip_all "flang-new-19 -fopenmp does not work: $(head -n 1 "$live_folder/log")"
	gcc_run "-F 1000" "$live_folder/loops"
	# What the tasks sum up differs from run to run: flang 19 gives them no copy of what is firstprivate.
	for said in plain said; do
		sed -i 3d "$live_folder/$said"
	done
	gcc_judge "$flags: as alone, with its regions" \
		"loops.f90:10 loops.f90:21 loops.f90:42 loops.f90:72" "samples, 2 threads"
	is "$flags: what was outlined is part of its region" \
		"$(jq -c '[.nodes[].name | select(contains("omp_par"))]' "$live_folder/json")" "[]"
	check "$flags: procedures have their names" jq -e '[.nodes[] | select(.name == "kernels::total")] |
		length > 0' "$live_folder/json"
	check "$flags: ... and regions those of theirs" jq -e '.regions | map(.function) |
		contains(["kernels::fill", "kernels::total", "kernels::stacked"])' "$live_folder/json"
done
plan
