#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether the events of two threads disturb each other: sharing.c bare, under a tool that ignores the events,
# and under ompprof. For each construct the nanoseconds of one thread alone, and how many times as much it is
# while another thread has its own; the median of BENCH_TURNS (default 5) runs. The last line is the control:
# it has a counter that both threads write. `make bench-sharing` runs it in the build folder. It judges nothing;
# tests/bench/sharing.sh does.
set -u

turns=${BENCH_TURNS:-5}
OMP_NUM_THREADS=2 OMP_PROC_BIND=true KMP_BLOCKTIME=infinite
export OMP_NUM_THREADS OMP_PROC_BIND KMP_BLOCKTIME

. "${0%/*}/scratch.sh"

# run VARIANT: prints lines `CONSTRUCT ALONE BOTH RATIO`.
run() {
	case $1 in
	bare) bench/sharing ;;
	events) BENCH_IGNORE=1 OMP_TOOL_LIBRARIES=$here/bench/empty_handler.so bench/sharing ;;
	ompprof)
		./ompprof run -q -o "$scratch/profile" -- bench/sharing
		rm -rf "$scratch/profile"
		;;
	esac
}

turn=0
while [ "$turn" -lt "$turns" ]; do
	for variant in bare events ompprof; do
		run "$variant" 2>/dev/null | sed "s/^/$variant /"
	done
	turn=$((turn + 1))
done >"$scratch/figures"

awk -v turns="$turns" '
	function median(k, v, c,    i, j, x, n, list) {
		n = count[k, v]
		for (i = 1; i <= n; i++) {
			x = f[k, v, c, i]
			for (j = i - 1; j > 0 && list[j] > x; j--)
				list[j + 1] = list[j]
			list[j + 1] = x
		}
		return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
	}
	function cell(k, v) {
		if (!count[k, v])
			return sprintf("%8s %6s", "-", "-")
		return sprintf("%8.0f %6.2f", median(k, v, 3), median(k, v, 5))
	}
	!($2 in seen) { seen[$2] = 1; name[++n_k] = $2 }
	$3 != "-" {
		i = ++count[$2, $1]
		f[$2, $1, 3, i] = $3
		f[$2, $1, 5, i] = $5
	}
	END {
		printf "%-16s %15s %15s %15s\n", "alone ns, ratio", "bare", "empty events", "ompprof"
		for (k = 1; k <= n_k; k++)
			print sprintf("%-16s", name[k]), cell(name[k], "bare"), cell(name[k], "events"),
				cell(name[k], "ompprof")
	}' "$scratch/figures"
