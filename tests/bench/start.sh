#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-start` at a tiny size: its program is built and started, and its figures are told.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/bench/bench.sh"

bench_measure
printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$row_cc" "$row_link" >compiler && chmod +x compiler

# start VARIABLE=VALUE...
start() {
	bench_run start.py BENCH_OBJECTS=3 BENCH_FUNCTIONS=5 OMP_CC="$live_folder/compiler" "$@"
}

bench_runs "it runs" start.py BENCH_TURNS=2 BENCH_OBJECTS=3 BENCH_FUNCTIONS=5 OMP_CC="$live_folder/compiler"
is "a JSON file" "$(jq -r '.format, .version, .turns, .objects, .functions' json/start.json | tr '\n' ' ')" \
	"ompprof-bench-start 1 2 3 5 "
is "each way to run it" "$(jq -r '.runs[].run' json/start.json | tr '\n' ,)" "bare,ompprof run,OMP_TOOL_LIBRARIES,"
for figure in wall_ms cpu_ms; do
	check "$figure: of both turns" jq -e "[.runs[].$figure | .n == 2 and .least > 0 and .least <= .median and
		.median <= .most] | all" json/start.json
	check "more_$figure: the same, bare is its own measure" jq -e "[.runs[].more_$figure.n] == [2, 2, 2] and
		.runs[0].more_$figure.most == 0" json/start.json
done
is "... and in the table" "$(awk '/\(/ && NF == 9 + ($1 == "ompprof") { print $1 }' table |
	tr '\n' ' ')" "bare ompprof OMP_TOOL_LIBRARIES "
bench_told json/start.json

start OMP_CC=/nowhere/compiler
is "without a compiler" "$? $(cut -c 1-19 table)" "0 left out: [Errno 2]"
check "... no file, also not of the time before" test ! -e json/start.json
rm bench/measure
start
is "without a program that measures" "$? $(cut -c 1-19 table)" "0 left out: [Errno 2]"
check "... no file" test ! -e json/start.json
plan
