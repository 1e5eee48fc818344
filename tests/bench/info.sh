#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `ompprof info` says that a run cost, within bounds; and that a profile grows with the paths that there are, not
# with how long the program runs.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

live_need jq
live_row omp14-clang14-O2 omp19-clang19-O2
export OMP_NUM_THREADS=2 KMP_BLOCKTIME=infinite LD_LIBRARY_PATH="$row_lib"
row_flags="$row_flags -I$srcdir"

# profile KERNEL FACTOR [OPTION...]: leaves what info says of its cost and sections in $live_folder/info.
profile() {
	pf_kernel=$1
	pf_factor=$2
	shift 2
	matrix_compile "$srcdir/bench/kernels/$pf_kernel.c" "$live_folder/$pf_kernel" || broken "cannot build $pf_kernel"
	rm -rf "$live_folder/out"
	"$ompprof" run -q -o "$live_folder/out" "$@" -- "$live_folder/$pf_kernel" "$pf_factor" >"$live_folder/said" ||
		broken "$pf_kernel does not run"
	"$ompprof" info -i "$live_folder/out" --format json | jq '.processes[0]' >"$live_folder/info" ||
		broken "no profile of $pf_kernel"
}

# of FILTER: what it makes of the figures.
of() {
	jq -c "$1" "$live_folder/info"
}

# holds DESCRIPTION FILTER [FILE...]: whether the filter is true of the figures, or of those files, together.
holds() {
	hd_description=$1
	hd_filter=$2
	shift 2
	[ $# -gt 0 ] || set -- "$live_folder/info"
	if jq -s -e "$hd_filter" "$@" >/dev/null; then
		ok "$hd_description"
	else
		not_ok "$hd_description" "$(jq -c '[.samples, .bytes, .cost]' "$@")"
	fi
}

profile compute 1
holds "compute: samples and signals" '.[0] | .samples > 20 and .cost.signals >= .samples'
holds "... a handler of 0.1 to 100 us" '.[0].cost | .handler_s / .signals * 1e6 | . > 0.1 and . < 100'
holds "... CPU time of the threads, as the kernel has it" \
	".[0].cost.cpu_s / ($(sed -n 's/^cpu_ns //p' "$live_folder/said") / 1e9) | . > 0.9 and . < 1.1"
holds "... hardly a signal met a callback" '.[0] | .cost | .callbacks_met <= 2 + .signals / 50'
holds "... paths with samples are nodes" '.[0] | .cost | .paths > 0 and .paths < .nodes'
holds "... some memory for each thread" '.[0] | .cost.memory_bytes / (.threads | length) |
	. > 10000 and . < 4e6'
cp "$live_folder/info" "$live_folder/once"

profile compute 2
check "twice as long: no larger a file" test "$(of .bytes)" -le "$(jq .bytes "$live_folder/once")"
holds "... about as many nodes" '.[1].cost.nodes <= 1.3 * .[0].cost.nodes + 16' \
	"$live_folder/once" "$live_folder/info"

# About one signal of 50: none of 300 is one case of many.
for _ in 1 2 3; do
	profile tasks 2
	[ "$(of .cost.callbacks_met)" = 0 ] || break
done
holds "2 million tasks: three callbacks each" '.[0] | .cost.callbacks >= 5.9e6 and .cost.callbacks < 6.2e6'
holds "... that signals meet" '.[0] | .cost | .callbacks_met > 0 and .callbacks_met < .signals'
holds "... and have the time of walks, and time around them" '.[0].cost |
	.callback_s >= .capture_s and .announce_s > 0'
is "... text and JSON say the same" "$("$ompprof" info -i "$live_folder/out" |
	sed -n 's/^  callbacks  *about .* s: \([0-9]*\) calls, met by \([0-9]*\) of [0-9]* samples$/\1 \2/p')" \
	"$(of '"\(.cost.callbacks) \(.cost.callbacks_met)"' | tr -d '"')"
profile locks 0.1 -e wall
is "... which signals of other clocks do not tell" "$(of .cost.callback_s)" null

# Once a second: nearly all nodes are those of events, all of which are looked at.
OMPPROF_BUDGET=off
export OMPPROF_BUDGET
for kernel in regions tasks; do
	profile "$kernel" 0.25 -F 1
	cp "$live_folder/info" "$live_folder/once"
	profile "$kernel" 0.5 -F 1
	holds "$kernel: twice as many creation paths" '.[1].cost.captures / .[0].cost.captures |
		. > 1.9 and . < 2.1' "$live_folder/once" "$live_folder/info"
	check "... no larger a file" test "$(of .bytes)" -le "$(jq .bytes "$live_folder/once")"
	holds "... no more nodes, but for a few samples" '.[1].cost.nodes <= .[0].cost.nodes + 30' \
		"$live_folder/once" "$live_folder/info"
done
plan
