#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether programs that repeat something are sampled fairly at the default rate: two phases of one
# thread take turns by its own CPU clock, and the report's shares are compared with the program's.
#
#   periods.sh [SECONDS [POINTS]]     of each run; what a share may be off
#
# A share of half has a standard deviation of 5 / sqrt(SECONDS) points: 0.9 with 30 seconds.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp19-gcc-O2 omp14-clang14-O2
live_has_perf || skip_all "perf events are not to be had"

seconds=${1:-30}
points=${2:-3}

for phases in "50 50" "500 500" "1000 1000" "1000 3000" "2000 2000" "2000 6000" "4000 4000" "4000 12000" \
	"10000 10000" "25000 25000"; do
	# shellcheck disable=SC2086
	OMP_NUM_THREADS=1 live_profile alternate.c -q ${phases% *} "$seconds" ${phases#* } || :
	even=$(live_work even_phase)
	share=$(awk -v even="$even" -v odd="$(live_work odd_phase)" \
		'BEGIN { printf "%.1f\n", 100 * even / (even + odd) }')
	truth=$(sed -n 's/.* \([0-9.]*\) % even$/\1/p' "$live_folder/said")
	check "$phases us: $share % of $truth %" near "$share" "${truth:-0}" "$points"
done
plan
