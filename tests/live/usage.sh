#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Page faults, time in the kernel and memory of a process, beside what getrusage(2) tells its parent. The parent has
# 300 MB, which are none of the program's.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq python3
live_row omp19-clang19-O2 omp14-clang14-O2

# figure NAME LEAST MOST
figure() {
	live_within "$1" "$(jq ".processes[0].$1 // -1" "$live_folder/json")" "$2" "$3"
}

library=$(dirname "$ompprof")/.libs/libompprof.so
executable=$(matrix_build faults.c "$row") || broken "cannot build faults.c"
LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 OMP_TOOL_LIBRARIES=$library OMPPROF_OUTPUT=$live_folder/out \
	python3 - "$executable" >"$live_folder/said" 2>"$live_folder/messages" <<'END' || broken "$(cat "$live_folder/messages")"
import resource, subprocess, sys
memory = b"a" * 300000000
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_stime, used.ru_minflt + used.ru_majflt)
END
"$ompprof" info "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/messages"
# faults F, in touch T, switches S; then the parent's line
read -r _ faults _ <"$live_folder/said"
system=$(awk 'END { print $1 + 0.01 }' "$live_folder/said")
figure page_faults "${faults%,}" "$(awk 'END { print $2 }' "$live_folder/said")"
figure system_s "$(awk "BEGIN { print $system / 4 }")" "$system"
figure peak_bytes 1000000 100000000
plan
