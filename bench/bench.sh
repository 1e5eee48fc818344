#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What profiling costs: each kernel bare, under an empty handler at the same rate, under ompprof
# and under perf. `make bench` runs it in the build folder. The variants take turns, each ratio is
# to the bare run of the same turn, and the table shows their median and range. It judges nothing.
#
#   BENCH_TURNS    turns (default 7)          BENCH_HZ       samples per second (default 200)
#   BENCH_KERNELS  kernels (default all)      BENCH_FACTOR   length of a run (default 1)
#   OMP_NUM_THREADS (default 2)
set -u

turns=${BENCH_TURNS:-7}
factor=${BENCH_FACTOR:-1}
kernels=${BENCH_KERNELS:-compute regions tasks locks}
BENCH_HZ=${BENCH_HZ:-200}
OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
export BENCH_HZ OMP_NUM_THREADS

. "${0%/*}/scratch.sh"

# run VARIANT KERNEL: prints `WALL CPU INNER`, or fails.
run() {
	program=bench/kernels/$2
	case $1 in
	bare) bench/measure "$program" "$factor" ;;
	empty) OMP_TOOL_LIBRARIES=$here/bench/empty_handler.so bench/measure "$program" "$factor" ;;
	ompprof)
		bench/measure ./ompprof run -q -F "$BENCH_HZ" -o "$scratch/profile" -- \
			"$program" "$factor" && rm -rf "$scratch/profile"
		;;
	perf)
		bench/measure perf record -q -g -F "$BENCH_HZ" -o "$scratch/perf" "$program" \
			"$factor" && rm -f "$scratch/perf"
		;;
	esac
}

# usable VARIANT: whether it works here at all; says why not.
usable() {
	if [ "$1" = perf ] && ! command -v perf >/dev/null; then
		echo "left out: perf (not installed)"
		return 1
	fi
	run "$1" compute >"$scratch/try" 2>"$scratch/why" && ! grep -q ' 0$' "$scratch/try" && return 0
	[ -s "$scratch/why" ] || echo "the program did not run" >"$scratch/why"
	echo "left out: $1 ($(head -n 1 "$scratch/why"))"
	return 1
}

variants=bare
for variant in empty ompprof perf; do
	usable "$variant" && variants="$variants $variant"
done

echo "$(nproc) CPUs, $OMP_NUM_THREADS threads, $BENCH_HZ samples/s a thread, $turns turns"
turn=0
while [ "$turn" -lt "$turns" ]; do
	for kernel in $kernels; do
		for variant in $variants; do
			if figures=$(run "$variant" "$kernel" 2>/dev/null); then
				echo "$turn $kernel $variant $figures"
			else
				echo "$kernel under $variant failed in turn $turn" >&2
			fi
		done
	done
	turn=$((turn + 1))
done >"$scratch/figures"

awk -v kernels="$kernels" -v variants="$variants" -v turns="$turns" '
	function sort(list, n,    i, j, x) {
		for (i = 2; i <= n; i++) {
			x = list[i]
			for (j = i - 1; j > 0 && list[j] > x; j--)
				list[j + 1] = list[j]
			list[j + 1] = x
		}
	}
	# Median and range, over all turns, of column c: of the ratio to bare, or of bare seconds.
	function cell(k, v, c,    n, t, list) {
		n = 0
		for (t = 0; t < turns; t++) {
			if (!((t, k, v, c) in f) || !f[t, k, "bare", c])
				continue
			list[++n] = v == "bare" ? f[t, k, v, c] / 1e9 : f[t, k, v, c] / f[t, k, "bare", c]
		}
		if (!n)
			return sprintf("%-22s", "-")
		sort(list, n)
		return sprintf("%6.3f (%.3f-%.3f) ", (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2,
			list[1], list[n])
	}
	{ for (c = 4; c <= 6; c++) f[$1, $2, $3, c] = $c }
	END {
		printf "%-8s %-8s  %-22s %-22s %s\n", "kernel", "run", "wall", "CPU", "computing"
		n_k = split(kernels, k_name, " ")
		n_v = split(variants, v_name, " ")
		for (i = 1; i <= n_k; i++)
			for (j = 1; j <= n_v; j++)
				printf "%-8s %-8s %s%s%s\n", k_name[i], v_name[j], cell(k_name[i], v_name[j], 4),
					cell(k_name[i], v_name[j], 5), cell(k_name[i], v_name[j], 6)
		print "bare: seconds; others: ratio to bare in the same turn; median (lowest-highest)"
	}' "$scratch/figures"
