#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What each construct costs: constructs.c bare, under an empty handler at the same rate, under one whose tool
# also takes the events that ompprof takes (events.h) and ignores them, and under ompprof; in nanoseconds a
# construct. The variants take turns. Of each cell the median of all turns is shown, and the median of the differences of ompprof
# to the empty handler and to the empty events in the same turn. `make bench-constructs` runs it in the build
# folder. It judges nothing: the last column says whether ompprof costs more than the empty handler by at most
# 10 % or 60 ns, whichever is more.
#
# constructs.sh gomp (`make bench-gomp`): gcc's code on GCC's libgomp, whose events come from libompprof-gomp.so. A
# further variant is the program with that library and without a tool.
#
# Threads spin while they wait (KMP_BLOCKTIME=infinite, OMP_WAIT_POLICY=active): whether a barrier of a few
# hundred nanoseconds falls asleep is not what is measured.
#
#   BENCH_TURNS    turns (default 11)         BENCH_HZ       samples per second (default 200)
#   OMP_NUM_THREADS (default 2)
set -u

turns=${BENCH_TURNS:-11}
BENCH_HZ=${BENCH_HZ:-200}
OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
KMP_BLOCKTIME=infinite
OMP_WAIT_POLICY=active
export BENCH_HZ OMP_NUM_THREADS KMP_BLOCKTIME OMP_WAIT_POLICY

. "${0%/*}/scratch.sh"

program=bench/constructs provider='' variants="bare handler events ompprof"
if [ "${1-}" = gomp ]; then
	program=bench/constructs_gomp
	provider=$here/.libs/libompprof-gomp.so
	variants="bare provider handler events ompprof"
fi

# run VARIANT: prints lines `CONSTRUCT NS`.
run() {
	case $1 in
	bare) $program ;;
	provider) LD_PRELOAD=$provider $program ;;
	handler) LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$here/bench/empty_handler.so $program ;;
	events)
		LD_PRELOAD=$provider BENCH_IGNORE=1 OMP_TOOL_LIBRARIES=$here/bench/empty_handler.so $program
		;;
	ompprof)
		./ompprof run -q -F "$BENCH_HZ" -o "$scratch/profile" -- $program
		rm -rf "$scratch/profile"
		;;
	esac
}

turn=0
while [ "$turn" -lt "$turns" ]; do
	for variant in $variants; do
		run "$variant" 2>/dev/null | sed "s/^/$turn $variant /"
	done
	turn=$((turn + 1))
done >"$scratch/figures"

echo "$program, ns: $OMP_NUM_THREADS threads, $BENCH_HZ samples/s a thread, $turns turns, waits spin"
awk -v turns="$turns" -v has_provider="${provider:+1}" '
	function median(n,    i, j, x) {
		for (i = 2; i <= n; i++) {
			x = list[i]
			for (j = i - 1; j > 0 && list[j] > x; j--)
				list[j + 1] = list[j]
			list[j + 1] = x
		}
		return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
	}
	# Over all turns, of a variant, less another if one is given.
	function cell(k, v, less,    t, n) {
		for (t = 0; t < turns; t++)
			if ((t, k, v) in f && (!less || (t, k, less) in f))
				list[++n] = f[t, k, v] - (less ? f[t, k, less] : 0)
		failed = !n
		return n ? median(n) : 0
	}
	{
		f[$1, $3, $2] = $4
		if (!($3 in seen)) {
			seen[$3] = 1
			name[++n_k] = $3
		}
	}
	END {
		printf "%-16s %8s %14s %13s %8s %15s %15s\n", "construct", "bare", "empty handler",
			"empty events", "ompprof", "over handler", "over events"
		for (i = 1; i <= n_k; i++) {
			k = name[i]
			bare = cell(k, "bare")
			handler = cell(k, "handler")
			events = cell(k, "events")
			ompprof = cell(k, "ompprof")
			more = cell(k, "ompprof", "handler")
			least = cell(k, "ompprof", "events")
			if (failed) {
				printf "%-16s failed\n", k
				continue
			}
			allowed = handler / 10 > 60 ? handler / 10 : 60
			alone = has_provider ? sprintf(", provider alone %+.0f", cell(k, "provider", "bare")) : ""
			printf "%-16s %8.0f %14.0f %13.0f %8.0f %8.0f %5.1f%% %8.0f %5.1f%%  %s%s\n", k, bare,
				handler, events, ompprof, more, 100 * more / handler, least,
				100 * least / events, more <= allowed ? "within" : "beyond", alone
		}
	}' "$scratch/figures"
