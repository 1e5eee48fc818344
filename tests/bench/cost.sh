#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-cost` at a tiny size: the programs that it runs, and what is made of their figures.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/bench/bench.sh"

bench_programs handler constructs sites kernels/compute
bench_library "$srcdir/bench/empty_handler.c" bench/empty_handler.so

# holds DESCRIPTION FILTER: whether it is true of the JSON file.
holds() {
	check "$1" jq -e "$2" json/cost.json
}

bench_runs "it runs" cost.py BENCH_FACTOR=0.05
is "a JSON file" "$(jq -r '.format, .version, .turns' json/cost.json | tr '\n' ' ')" "ompprof-bench-cost 1 1 "
is "paths of four depths, and those of the timer" "$(jq -r '.handler[] | "\(.depth)\(.path[:1])\(.by[:1])"' \
	json/cost.json | tr '\n' ' ')" "5rs 5fs 30rs 30fs 50rs 50fs 200rs 200fs 30rt 30ft "
for figure in median_ns p99_ns calls_ns; do
	holds "$figure: of all" "[.handler[].$figure | .n == 1 and .least > 0 and .median == .most] | all"
done
holds "a handler of less than 1 ms" '[.handler[].median_ns.median < 1e6] | all'
holds "six constructs" '.constructs | length == 6 and ([.[].construct] | unique | length) == 6'
holds "bare_ns: of all" '[.constructs[].bare_ns | .n == 1 and .median > 0] | all'
for figure in over_handler_ns over_events_ns; do
	holds "$figure: of all" "[.constructs[].$figure | .n == 1 and (.median | fabs) < 1e6] | all"
done
# All but memory that was touched, which is what is left of four peaks.
holds "nine sizes" '[.sizes[] | .of != "" and (.bytes > 0 or (.of | test("touched")))] | length == 9 and all'
holds "... a thread takes two to three segments, a region has a record" '[.sizes[].bytes] as $b |
	$b[0] >= 32768 and $b[0] < 60000 and $b[5] > 100'
is "the table has a line for each" "$(grep -cE '^(repeated|first seen) +[0-9]+ ' table) $(
	grep -cE '^(region|barrier|task|lock).* -?[0-9]+ \(' table) $(grep -cE '^(thread|path|region:|file).* -?[0-9]+$' table)" \
	"10 6 9"
bench_told json/cost.json

rm bench/handler bench/sites
bench_run cost.py BENCH_FACTOR=0.05
is "what is not there is left out" "$? $(grep -o '^left out: [a-z]* (.' table | tr '\n' ' ')$(
	jq -c '[.handler, .sizes, (.constructs | length)]' json/cost.json)" \
	"0 left out: handler (o left out: sizes (o [null,null,6]"
bench_run cost.py BENCH_FACTOR=0
is "what cannot be is said so" "$? $(cat messages)" "1 bench: BENCH_FACTOR wants a number above 0, not '0'"
check "... no file, also not of the time before" test ! -e json/cost.json
plan
