#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-programs` at a tiny size: one turn of two kernels; the table and the JSON file have every column that
# bench/README promises. And median and spread, by themselves.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

. "$srcdir/tests/bench/bench.sh"

check "median and spread" python3 "$srcdir/tests/bench/summary.py" "$srcdir/bench"

is "make bench: whole programs first, and no part that fails ends the others" "$(sed -n '/^bench:/,/^$/p' \
	"$srcdir/bench/local.mk" | awk 'NR == 2 { print $NF } NR > 1 && NF && !/^\t-@/')" bench-programs

bench_programs kernels/compute kernels/barriers
bench_measure
bench_library "$srcdir/bench/empty_handler.c" bench/empty_handler.so
bench_library "$srcdir/bench/register_threads.c" bench/register_threads.so

# driver VARIABLE=VALUE...
driver() {
	bench_run bench.py BENCH_FACTOR=0.1 "$@"
}

bench_runs "it runs" bench.py BENCH_FACTOR=0.1 BENCH_KERNELS="compute barriers"
is "a JSON file" "$(jq -r '.format, .version, .turns, .hz' json/bench.json | tr '\n' ' ')" "ompprof-bench 1 1 200 "
is "each tool is there, or named with a reason" "$(jq -r '[.tools[].name] | join(" ")' json/bench.json)" \
	"bare empty events ompprof ompprof-all perf-fp perf-dwarf gperftools gprofng"
is "... and in the table" "$(grep -c '^left out: [a-z-]* (..*)$' table)" \
	"$(jq '[.tools[] | select(.left_out)] | length' json/bench.json)"
is "what is not left out has results of both kernels" \
	"$(jq -c '[.rows[] | [.kernel, .results[].tool]]' json/bench.json)" \
	"$(jq -c '[.tools[] | select(.left_out | not).name] as $tools | [["compute"] + $tools, ["barriers"] + $tools]' json/bench.json)"
is "the project's own are never left out" \
	"$(jq -r '[.tools[] | select(.left_out | not).name][:5] | join(" ")' json/bench.json)" "bare empty events ompprof ompprof-all"

# Every figure that is promised is there: of all runs, and of those that take samples.
for figure in wall_ratio cpu_ratio inner_ratio program_kb wall_s cpu_s; do
	is "$figure: of all" "$(jq -c --arg f $figure '[.rows[].results[][$f] | .n == 1 and .median > 0 and
		.least <= .quartile1 and .quartile1 <= .median and .median <= .quartile3 and .quartile3 <= .most] | all' \
		json/bench.json)" true
done
for figure in delivered bytes report_s report_kb samples expected; do
	is "$figure: of those that take samples" "$(jq -c --arg f $figure '[.rows[].results[] |
		if .tool | IN("bare", "empty", "events") then .[$f] == null
		elif .tool | startswith("ompprof") then .[$f].n == 1 and .[$f].median > 0
		else .[$f].n == 1 end] | all' json/bench.json)" true
done
bench_told json/bench.json
is "bare is what the others are compared with" "$(jq -c '[.rows[].results[] | select(.tool == "bare") |
	.wall_ratio.median, .cpu_ratio.median] | unique' json/bench.json)" "[1]"
is "the table has a line for each" "$(grep -cE '^(compute|barriers)?  +(bare|empty|events|ompprof|perf|gp)' table)" \
	"$(jq '[.rows[].results[]] | length' json/bench.json)"

driver BENCH_KERNELS=compute BENCH_TOOLS="bare gprofng" PATH=/none
is "a tool that is not installed is named and skipped" "$(grep '^left out' table)" \
	"left out: gprofng (not installed)"
driver BENCH_KERNELS="compute nothing"
is "a kernel that is not there is said so" "$? $(cut -c 1-52 messages)" \
	"1 bench: BENCH_KERNELS: there is no 'nothing'; there a"
check "... no file, also not of the time before" test ! -e json/bench.json
plan
