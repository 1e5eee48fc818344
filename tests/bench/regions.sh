#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-regions` at a tiny size: the program that has its profiler switched on and off (bench/in_turns.c), and what
# is made of its figures.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

. "$srcdir/tests/bench/bench.sh"

bench_programs in_turns
export OMP_NUM_THREADS=2 OMPPROF_QUIET=1

check "it runs" sh -c 'OMPPROF_OUTPUT=out bench/in_turns .libs/libompprof.so 1000 1 >said'
is "a time for each way" "$(awk '$2 > 0 { print $1 }' said | tr '\n' ' ')" "without ignored profiled "
"$ompprof" report -i out --format json >report.json
check "regions are profiled" jq -e '.regions | length == 1 and .[0].executions > 1000' report.json
check "... while the profiler is on: for a third of the time" jq -e '.regions[0].wall_s < .run.wall_s * 0.8' report.json
check "two constructs in turns" sh -c 'OMPPROF_OUTPUT=pair bench/in_turns .libs/libompprof.so 1000x2 0.2 >said'
"$ompprof" report -i pair --format json >report.json
check "... are profiled alike" jq -e '.regions | length == 2 and (map(.executions) | max <= 1.01 * min)' report.json
bench/in_turns /nowhere/libompprof.so 1000 0.2 >said 2>messages
is "without a library" "$?: $(cat said messages)" "77: in_turns: the library is no tool here"

bench_runs "the driver runs" in_turns.py BENCH_TURNS=2 BENCH_SECONDS=0.02
is "a JSON file" "$(jq -r '.format, .version, .turns' json/regions.json | tr '\n' ' ')" "ompprof-bench-regions 1 2 "
is "bodies of six lengths" "$(jq -c '[.rows[] | select(.constructs == 1) | .body_ns]' json/regions.json)" \
	"[0,500,1000,3000,10000,30000]"
is "... of three, two constructs in turns" "$(jq -c '[.rows[] | select(.constructs == 2) | .body_ns]' json/regions.json)" \
	"[0,1000,10000]"
for figure in without_ns ignored_more_ns profiled_more_ns ratio; do
	check "$figure: of both turns" jq -e --arg f $figure '[.rows[][$f] | .n == 2 and .least <= .median and
		.median <= .most] | all' json/regions.json
done
is "... and in the table" "$(awk '/^[0-9]+ +[0-9]/ && NF == 10 { print $1 "x" $2 }' table | tr '\n' ' ')" \
	"0x1 500x1 1000x1 3000x1 10000x1 30000x1 0x2 1000x2 1000x10 1000x30 10000x2 "
bench_told json/regions.json

# A program that fails in each second run.
mv bench/in_turns bench/whole
printf '#!/bin/sh\nif mkdir odd 2>/dev/null; then exec bench/whole "$@"; fi\nrmdir odd\nexit 1\n' >bench/in_turns
chmod +x bench/in_turns
bench_run in_turns.py BENCH_TURNS=3 BENCH_SECONDS=0.02
is "runs that fail are named, the others count" "$?: $(grep -c 'failed: bench/in_turns: status 1$' messages) $(
	jq -c '[.rows[].ratio.n] | add' json/regions.json)" "0: 17 16"
mv bench/whole bench/in_turns
rm .libs/libompprof.so
bench_run in_turns.py BENCH_SECONDS=0.02
is "without a library" "$?: $(cat table messages)" "0: left out: in_turns: the library is no tool here"
check "... no file, also not of the time before" test ! -e json/regions.json
plan
