#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the events of a region or a task cost, and the capture of its creation path within: capture_cost.c
# bare, under a tool whose callbacks return at once, and under ompprof; in nanoseconds a construct.
# `make bench-captures` runs it in the build folder. Of each cell the fastest of BENCH_TURNS (default 5)
# runs counts: other load only adds.
set -u

turns=${BENCH_TURNS:-5}
. "${0%/*}/scratch.sh"

# own_cost: nanoseconds of a capture as ompprof itself counts it, or "-".
own_cost() {
	./ompprof info -i "$scratch/profile" | awk '
		/^  captures / && $(NF - 2) + 0 > 0 { ns = $(NF - 2) * ($(NF - 1) == "us" ? 1000 : 1) }
		END { print ns ? ns : "-" }'
}

# once KIND DEPTH: prints `BARE EMPTY OMPPROF CAPTURE`, the last as ompprof itself counts it.
once() {
	bare=$(bench/capture_cost "$1" "$2") || return 1
	empty=$(BENCH_HZ=0 BENCH_IGNORE=1 OMP_TOOL_LIBRARIES=$here/bench/empty_handler.so bench/capture_cost "$1" "$2") ||
		return 1
	ompprof=$(./ompprof run -q -o "$scratch/profile" -- bench/capture_cost "$1" "$2") || return 1
	own=$(own_cost)
	rm -rf "$scratch/profile"
	echo "${bare% *} ${empty% *} ${ompprof% *} $own"
}

echo "events of a construct, ns     bare  empty callbacks  ompprof  difference  capture within"
for kind in region task; do
	for depth in 1 10 40; do
		turn=0
		while [ "$turn" -lt "$turns" ]; do
			once "$kind" "$depth" || echo "failed"
			turn=$((turn + 1))
		done | awk -v name="$kind in $depth calls" '
			NF == 4 {
				for (c = 1; c <= 4; c++)
					if ($c != "-" && (!(c in least) || $c + 0 < least[c]))
						least[c] = $c + 0
				n++
			}
			END {
				if (n)
					printf "%-26s %7.0f %16.0f %8.0f %11.0f %15s\n", name, least[1], least[2],
						least[3], least[3] - least[2], 4 in least ? int(least[4]) : "-"
				else
					printf "%-26s failed\n", name
			}'
	done
done
