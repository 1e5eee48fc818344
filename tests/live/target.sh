# SPDX-License-Identifier: Apache-2.0
# Target regions on LLVM's offload runtime, on the device that is the host itself: executions, transfers and kernels are
# exactly those of target.c, their times within bounds, and the program runs as it does alone.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq clang-19

offload=$(runtimes_folder)/offload
[ -r "$offload/lib/libomptarget.so" ] || skip_all "libomptarget 19 is not there: run ./quickstart check"
program=$live_folder/target
# The wrapper of the linker looks for `clang` beside itself, and then in PATH.
mkdir "$live_folder/bin"
ln -s "$(command -v clang-19)" "$live_folder/bin/clang"
PATH=$live_folder/bin:$offload/bin:/usr/lib/llvm-19/bin:$PATH clang-19 -O1 -g -fopenmp \
	-fopenmp-targets=x86_64-pc-linux-gnu -I"$offload/include" -o "$program" \
	"$srcdir/tests/live/target.c" -L"$offload/lib" >"$live_folder/log" 2>&1 ||
	skip_all "clang-19 makes no code for devices: $(head -n 1 "$live_folder/log")"
export LD_LIBRARY_PATH="$offload/lib"
alone=$("$program" 2>&1)
case $? in
0) ;;
77) skip_all "there is no device" ;;
*) skip_all "the program fails alone: $alone" ;;
esac

# run: a profile of it, and its report as $json.
json=$live_folder/json
run() {
	said=$("$ompprof" run -q -F 1000 -o "$live_folder/out" -- "$program" 2>&1)
	status=$?
	"$ompprof" report -i "$live_folder/out" --format json >"$json" 2>"$live_folder/messages"
}
run
is "it runs as alone" "$status: $said" "0: $alone"

# target LINE NUMBER: the NUMBER-th construct at that line, of those with the same kind.
# holds WHAT JQ: of the report.
holds() {
	if result=$(jq -c "$2" "$json") && [ "$result" = true ]; then
		ok "$1"
	else
		not_ok "$1" "$(jq -c '.targets[] | {name, executions, time_s, to, from, alloc, delete, kernel}' "$json")"
	fi
}

# row WHAT KIND FUNCTION EXECUTIONS TO_N TO_BYTES FROM_N FROM_BYTES ALLOCS DELETES KERNELS: the sum over the constructs of
# a kind in a function whose transfers go the same ways.
row() {
	holds "$1: $4 executions, $6 bytes to and $8 from the device, $9 allocations" \
		"[.targets[] | select(.function == \"$3\" and (.name | startswith(\"[omp $2 @\")) and
			(.to.count > 0) == ($5 > 0) and (.from.count > 0) == ($7 > 0) and
			(.kernel.teams == ${12:-.kernel.teams}) and .device == 0)] |
		[(map(.executions) | add), (map(.to.count) | add), (map(.to.bytes) | add),
			(map(.from.count) | add), (map(.from.bytes) | add), (map(.alloc.count) | add),
			(map(.delete.count) | add), (map(.kernel.count) | add)] ==
		[$4, $5, $6, $7, $8, $9, ${10}, ${11}]"
}
row "target data, its begin" "target enter data" main 1 1 8388608 0 0 2 0 0
row "target data, its end" "target exit data" main 1 0 0 1 4194304 0 2 0
row "target, a kernel of one thread" "target" compute 5 0 0 0 0 0 0 5 5
row "target update to" "target update" compute 3 3 3145728 0 0 0 0 0
row "target update from" "target update" compute 2 0 0 2 4194304 0 0 0
row "target teams" "target" compute 2 0 0 0 0 0 0 2 4
row "target enter data" "target enter data" move_pieces 4 4 262144 0 0 4 0 0
row "target exit data" "target exit data" move_pieces 4 0 0 4 262144 0 4 0
row "target nowait, on other threads" "target" later 2 2 2097152 2 2097152 2 2 2
row "target in a region" "target" in_parallel 6 6 24576 6 24576 6 6 6
row "omp_target_memcpy" "target routine" with_routines 1 1 1000 0 0 0 0 0
holds "omp_target_alloc and omp_target_free" '[.targets[] | select(.function == "with_routines")] |
	[length, (map(.alloc.count) | add), (map(.alloc.bytes) | add), (map(.delete.count) | add)] == [3, 1, 1000, 1]'
holds "target if(0) is on no device" '[.targets[].executions] | add == 33'
holds "each device is there, and one has code" '(.devices | length >= 1) and all(.devices[]; .initialized == 1) and
	.devices[0].loaded == 1 and .devices[0].loaded_bytes > 1000'
holds "all bytes" '.devices[0] | .to.bytes == 13919208 and .from.bytes == 10772480'
holds "a region is as long as what is in it" 'all(.targets[]; .time_s >= .to.time_s + .from.time_s + .kernel.time_s)'
holds "transfers are waiting, kernels are not" '([.targets[].data_wait_s] | add) as $wait |
	([.targets[] | .to.time_s + .from.time_s + .alloc.time_s + .delete.time_s] | add) as $moved |
	([.targets[].kernel_wait_s] | add) == 0 and $wait >= $moved and $wait < $moved * 1.2 + 0.002'

# Figures of time can be spoilt by others: again, then.
for try in 1 2 3; do
	# The kernels have so much CPU time; how long that takes is the machine's affair, but no less.
	kernels=$(jq '[.targets[] | select(.function == "compute") | .kernel.time_s] | add' "$json")
	work=$(live_share "$json" "spin_on_device")
	spun=$(jq -r -f "$srcdir/tests/live/paths.jq" "$json" | awk -F '\t' '$3 ~ /spin_on_device/ { s += $1 } END { print s }')
	! at_least "$kernels" 0.28 || ! at_least "$work" 90 || ! at_least "$spun" 0.34 || ! at_most "$spun" 0.5 || break
	run
done
if at_least "$kernels" 0.28; then
	ok "7 kernels of 40 ms of CPU time took $kernels s"
else
	not_ok "7 kernels of 40 ms of CPU time took $kernels s"
fi
if at_least "$spun" 0.34 && at_most "$spun" 0.5; then
	ok "11 times 40 ms are in the kernels: $spun s"
else
	not_ok "11 times 40 ms are in the kernels: $spun s"
fi
paths=$(jq -r -f "$srcdir/tests/live/paths.jq" "$json")
inside=$(printf '%s\n' "$paths" | awk -F '\t' '/spin_on_device/ { all += $1; if ($3 ~ /target[^;]*;.*spin_on_device/) good += $1 }
	END { printf "%.1f\n", (all > 0 ? 100 * good / all : 0) }')
if at_least "$inside" 99; then
	ok "$inside % of the kernels' work is in target constructs"
else
	not_ok "$inside % of the kernels' work is in target constructs" "$paths"
fi
check "the table" sh -c 'COLUMNS=80 "$0" report -i "$1" --by target >"$1.table" && grep -q "target enter data" "$1.table" &&
	! awk "length > 80" "$1.table" | grep .' "$ompprof" "$live_folder/out"
plan
