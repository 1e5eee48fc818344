#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-true-cost` at a small size: for regions, locks and undeferred tasks the cost that ompprof prints is about the
# cost that the programs have. On a busy machine the two differ more than in RESULTS.md: a figure that is off by a
# factor is found, not one that is off by a few points. Rows whose turns differ much are not judged.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/bench/bench.sh"

bench_programs kernels/regions kernels/tiny
bench_measure
cat >programs <<'END'
some-regions bench/kernels/regions 0.4
some-locks bench/kernels/tiny 0.3 locks
some-tasks bench/kernels/tiny 0.25 undeferred
END

bench_runs "it runs" true_cost.py BENCH_TURNS=3 BENCH_PROGRAMS=programs \
	BENCH_KERNELS="some-regions some-locks some-tasks"
is "a JSON file" "$(jq -r '.format, .version, .turns' json/true_cost.json | tr '\n' ' ')" "ompprof-bench-true-cost 1 3 "
is "a line for each program" "$(awk '/^some-/ { print $1 }' table | tr '\n' ' ')" "some-regions some-locks some-tasks "
for row in some-regions some-locks some-tasks; do
	jq --arg row $row '.rows[] | select(.row == $row) | .measured = 100 * (.cpu_ratio.median - 1) |
		.spread = 100 * (.cpu_ratio.most - .cpu_ratio.least)' json/true_cost.json >row.json
	said=$(jq -r '"\(.printed_percent.median | round) % printed, \(.measured | round) % measured"' row.json)
	if jq -e '.spread > 20 + 0.3 * .measured' row.json >/dev/null; then
		skip "$row: $said" "the turns differ"
	else
		check "$row: $said" jq -e '(.printed_percent.median - .measured | fabs) as $off |
			$off <= 15 or $off <= 0.6 * .measured' row.json
	fi
done
bench_told json/true_cost.json
plan
