#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-switched` at a tiny size: the program that has samples and events switched on and off (bench/switched.c),
# and what is made of its figures.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

. "$srcdir/tests/bench/bench.sh"

bench_programs switched
export OMP_NUM_THREADS=2 OMPPROF_QUIET=1

# Runs a command, and writes the seconds of CPU time that it took to cpu_s.
cat >cpu_s.py <<'END'
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open("cpu_s", "w").write(str(used.ru_utime + used.ru_stime))
sys.exit(status)
END

for kernel in compute stencil; do
	check "$kernel runs" sh -c "OMPPROF_OUTPUT=out '$python' cpu_s.py bench/switched .libs/libompprof.so $kernel 2 >said"
	is "... a figure for each way" "$(awk '$2 > 0 { print $1 }' said | tr '\n' ' ')" "turn empty ignored events samples profiled "
	"$ompprof" report -i out --format json >report.json
	# A third of the time is sampled, 200 times in a second of CPU time, which a busy machine gives less of; one
	# sample a second comes in the rest.
	samples=$("$ompprof" info -i out --format json | jq '[.processes[].samples] | add')
	most=$(awk '{ print int($1 * 200) }' cpu_s)
	check "... its samples come for a third of the time ($samples of $most)" \
		test "$samples" -ge $((most / 8)) -a "$samples" -le $((most * 2 / 3))
	check "... and its regions, too" jq -e '.run.wall_s as $all | [.regions[].wall_s] | add > 0 and add < $all * 0.7' report.json
	rm -r out
done
bench/switched /nowhere/libompprof.so compute 1 >said 2>messages
is "without a library" "$?: $(cat said messages)" "77: switched: the library is no tool here"

bench_runs "the driver runs" switched.py BENCH_TURNS=2 BENCH_SECONDS=0.3
is "a JSON file" "$(jq -r '.format, .version, .turns' json/switched.json | tr '\n' ' ')" "ompprof-bench-switched 1 2 "
is "of two kernels" "$(jq -c '[.rows[].kernel]' json/switched.json)" '["compute","stencil"]'
for figure in turn_ns empty_ratio ignored_ratio events_ratio samples_ratio profiled_ratio over_empty; do
	check "$figure: of both turns" jq -e --arg f $figure '[.rows[][$f] | .n == 2 and .least <= .median and
		.median <= .most] | all' json/switched.json
done
is "... and in the table" "$(awk '/^[a-z]+ +[0-9]/ && NF == 13 { print $1 }' table | tr '\n' ' ')" "compute stencil "
bench_told json/switched.json
rm .libs/libompprof.so
bench_run switched.py BENCH_SECONDS=0.02
is "without a library" "$?: $(cat table messages)" "0: left out: switched: the library is no tool here"
check "... no file" test ! -e json/switched.json
plan
