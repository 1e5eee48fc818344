#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What an event of `--events` costs: constructs of counted.c bare, under ompprof as it is by default, and with the
# event counted, in nanoseconds; medians of all turns, in which the variants alternate. The last two columns are the
# median difference that an event makes within a turn, and the share of events whose call path was looked at.
# `make bench-events` runs it in the build folder.
#
#   BENCH_TURNS    turns (default 11)         BENCH_HZ       samples per second (default 200)
#   BENCH_LIB      folder of the libomp to run on (default: the loader's)
set -u

turns=${BENCH_TURNS:-11}
BENCH_HZ=${BENCH_HZ:-200}
KMP_BLOCKTIME=infinite
OMP_NUM_THREADS=2
OMP_CANCELLATION=true
KMP_WARNINGS=0
export KMP_BLOCKTIME OMP_NUM_THREADS OMP_CANCELLATION KMP_WARNINGS
[ -z "${BENCH_LIB:-}" ] || export LD_LIBRARY_PATH="$BENCH_LIB"

. "${0%/*}/scratch.sh"

# Construct, event, events in one construct.
cat >"$scratch/rows" <<END
flush flush 1
work work 1
single work 1
dispatch dispatch 1
masked masked 1
taskwait sync_region 1
lock lock_init,lock_destroy 2
task task_create 1
task task_schedule 2
dependences dependences 1
awaited task_dependence 1
cancel cancel 1
error error 1
END

profile() {
	./ompprof run -q -F "$BENCH_HZ" "$@"
}

turn=0
while [ "$turn" -lt "$turns" ]; do
	while read -r construct event n; do
		bench/counted "$construct" | sed "s/^/$event $n bare /"
		profile -o "$scratch/profile" -- bench/counted "$construct" | sed "s/^/$event $n default /"
		profile --events="$event" -o "$scratch/profile" -- bench/counted "$construct" |
			sed "s/^/$event $n counted /"
		./ompprof report -i "$scratch/profile" --by event --format csv -f looked%,event 2>/dev/null |
			awk -F , -v e="$event" -v n="$n" -v c="$construct" 'NR == 2 { print e, n, "looked", c, 100 * $1 }'
		rm -rf "$scratch/profile" "$scratch/profile.old"
	done <"$scratch/rows"
	turn=$((turn + 1))
done >"$scratch/figures"

echo "counted events, ns: $BENCH_HZ samples/s a thread, $turns turns"
awk '
	function median(list, n,    i, j, x) {
		for (i = 2; i <= n; i++) {
			x = list[i]
			for (j = i - 1; j > 0 && list[j] > x; j--)
				list[j + 1] = list[j]
			list[j + 1] = x
		}
		return n ? (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2 : 0
	}
	function cell(row, variant, less,    t, list) {
		for (t = 1; t <= count[row, variant]; t++)
			list[t] = f[row, variant, t] - (less ? f[row, less, t] : 0)
		return median(list, count[row, variant])
	}
	{
		row = $4 " " $1 " " $2
		if (!(row in seen)) {
			seen[row] = 1
			rows[++n_rows] = row
		}
		f[row, $3, ++count[row, $3]] = $5
	}
	END {
		printf "%-12s %-24s %8s %8s %8s %10s %8s\n", "construct", "event", "bare", "default", "counted",
			"an event", "looked%"
		for (i = 1; i <= n_rows; i++) {
			split(rows[i], word, " ")
			printf "%-12s %-24s %8.1f %8.1f %8.1f %10.1f %8.2f\n", word[1], word[2], cell(rows[i], "bare"),
				cell(rows[i], "default"), cell(rows[i], "counted"),
				cell(rows[i], "counted", "default") / word[3], cell(rows[i], "looked")
		}
	}' "$scratch/figures"
