#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench` at a tiny size: one turn of two kernels; the table and the JSON file have every column that
# bench/README promises. And median and spread, by themselves.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

live_need python3 jq cc
live_row omp14-clang14-O2 omp19-clang19-O2
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
check "median and spread" python3 "$srcdir/tests/bench/summary.py" "$srcdir/bench"

# A build folder of its own, with what the driver needs of one.
cd "$live_folder" || broken "cannot enter the scratch folder"
mkdir -p bench/kernels
printf '#!/bin/sh\nexec "%s" "$@"\n' "$ompprof" >ompprof && chmod +x ompprof
row_flags="$row_flags -I$srcdir"
for kernel in compute barriers; do
	matrix_compile "$srcdir/bench/kernels/$kernel.c" "bench/kernels/$kernel" || broken "cannot build $kernel"
done
cc -O2 -D_GNU_SOURCE -o bench/measure "$srcdir/bench/measure.c" || broken "cannot build measure"
for library in empty_handler register_threads; do
	# The list of flags is split into words on purpose.
	# shellcheck disable=SC2086
	cc $row_include "-I$srcdir" -O2 -D_GNU_SOURCE -shared -fPIC -Wl,-z,nodelete -o "bench/$library.so" \
		"$srcdir/bench/$library.c" -ldl || broken "cannot build $library"
done
export LD_LIBRARY_PATH="$row_lib"

# By its own path, for tests without any other.
python=$(python3 -c 'import sys; print(sys.executable)')

# driver VARIABLE=VALUE...: runs it; its table is in `table`, its messages in `messages`.
driver() {
	env BENCH_TURNS=1 BENCH_FACTOR=0.1 BENCH_JSON=out.json "$@" "$python" "$srcdir/bench/bench.py" >table 2>messages
}

if driver BENCH_KERNELS="compute barriers"; then
	ok "it runs"
else
	not_ok "it runs" "$(cat messages)"
fi
check "nothing failed" test ! -s messages
is "a JSON file" "$(jq -r '.format, .version, .turns, .hz' out.json | tr '\n' ' ')" "ompprof-bench 1 1 200 "
is "each tool is there, or named with a reason" "$(jq -r '[.tools[].name] | join(" ")' out.json)" \
	"bare empty events ompprof ompprof-all perf-fp perf-dwarf gperftools gprofng"
is "... and in the table" "$(grep -c '^left out: [a-z-]* (..*)$' table)" \
	"$(jq '[.tools[] | select(.left_out)] | length' out.json)"
is "what is not left out has results of both kernels" \
	"$(jq -c '[.rows[] | [.kernel, .results[].tool]]' out.json)" \
	"$(jq -c '[.tools[] | select(.left_out | not).name] as $tools | [["compute"] + $tools, ["barriers"] + $tools]' out.json)"
is "the project's own are never left out" \
	"$(jq -r '[.tools[] | select(.left_out | not).name][:5] | join(" ")' out.json)" "bare empty events ompprof ompprof-all"

# Every figure that is promised is there: of all runs, and of those that take samples.
for figure in wall_ratio cpu_ratio inner_ratio program_kb wall_s cpu_s; do
	is "$figure: of all" "$(jq -c --arg f $figure '[.rows[].results[][$f] | .n == 1 and .median > 0 and
		.least <= .quartile1 and .quartile1 <= .median and .median <= .quartile3 and .quartile3 <= .most] | all' \
		out.json)" true
done
for figure in delivered bytes report_s report_kb samples expected; do
	is "$figure: of those that take samples" "$(jq -c --arg f $figure '[.rows[].results[] |
		if .tool | IN("bare", "empty", "events") then .[$f] == null
		elif .tool | startswith("ompprof") then .[$f].n == 1 and .[$f].median > 0
		else .[$f].n == 1 end] | all' out.json)" true
done
for figure in $(jq -r '[.rows[].results[] | keys[]] | unique[]' out.json) left_out factor threads hz cpus; do
	check "README tells of $figure" grep -q "[\` ]$figure\b" "$srcdir/bench/README"
done
is "bare is what the others are compared with" "$(jq -c '[.rows[].results[] | select(.tool == "bare") |
	.wall_ratio.median, .cpu_ratio.median] | unique' out.json)" "[1]"
is "the table has a line for each" "$(grep -cE '^(compute|barriers)?  +(bare|empty|events|ompprof|perf|gp)' table)" \
	"$(jq '[.rows[].results[]] | length' out.json)"

driver BENCH_KERNELS=compute BENCH_TOOLS="bare gprofng" PATH=/none
is "a tool that is not installed is named and skipped" "$(grep '^left out' table)" \
	"left out: gprofng (not installed)"
driver BENCH_KERNELS="compute nothing"
is "a kernel that is not there is said so" "$? $(cut -c 1-52 messages)" \
	"1 bench: BENCH_KERNELS: there is no 'nothing'; there a"
plan
