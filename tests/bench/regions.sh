#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-regions` at a tiny size: the program that has its profiler switched on and off (bench/in_turns.c), and what
# is made of its figures.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

live_need python3 jq
live_row omp14-clang14-O2 omp19-clang19-O2
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
python=$(python3 -c 'import sys; print(sys.executable)')

cd "$live_folder" || broken "cannot enter the scratch folder"
mkdir -p bench .libs
row_flags="$row_flags -D_GNU_SOURCE $row_include -I$srcdir -rdynamic -ldl"
matrix_compile "$srcdir/bench/in_turns.c" bench/in_turns || broken "cannot build in_turns"
cp "$builddir/.libs/libompprof.so" .libs/
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2 OMPPROF_QUIET=1

check "it runs" sh -c 'OMPPROF_OUTPUT=out bench/in_turns .libs/libompprof.so 1000 0.2 >said'
is "a time for each way" "$(awk '$2 > 0 { print $1 }' said | tr '\n' ' ')" "without ignored profiled "
"$ompprof" report -i out --format json >report.json
check "regions are profiled" jq -e '.regions | length == 1 and .[0].executions > 1000' report.json
check "... while the profiler is on: for a third of the time" jq -e '.regions[0].wall_s < .run.wall_s * 0.6' report.json
bench/in_turns /nowhere/libompprof.so 1000 0.2 >said 2>messages
is "without a library" "$?: $(cat said messages)" "77: in_turns: the library is no tool here"

if env BENCH_TURNS=2 BENCH_SECONDS=0.02 BENCH_JSON=out.json "$python" "$srcdir/bench/in_turns.py" >table 2>messages; then
	ok "the driver runs"
else
	not_ok "the driver runs" "$(cat messages)"
fi
is "a JSON file" "$(jq -r '.format, .version, .turns' out.json | tr '\n' ' ')" "ompprof-bench-regions 1 2 "
is "bodies of six lengths" "$(jq -c '[.rows[].body_ns]' out.json)" "[0,500,1000,3000,10000,30000]"
for figure in without_ns ignored_more_ns profiled_more_ns ratio; do
	check "$figure: of both turns" jq -e --arg f $figure '[.rows[][$f] | .n == 2 and .least <= .median and
		.median <= .most] | all' out.json
done
is "... and in the table" "$(awk '/^[0-9]+ +[0-9]/ && NF == 9 { print $1 }' table | tr '\n' ' ')" "0 500 1000 3000 10000 30000 "
rm .libs/libompprof.so
env BENCH_TURNS=2 BENCH_SECONDS=0.02 BENCH_JSON=none.json "$python" "$srcdir/bench/in_turns.py" >table 2>messages
is "without a library" "$?: $(cat table messages)" "0: left out: in_turns: the library is no tool here"
plan
