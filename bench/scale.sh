#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How time and memory of a job's report grow with its files, which are made up (tests/scale/job.h): the summary
# of each size, BENCH_TURNS (default 3) times. BENCH_SCALE is a list of PROCESSES:THREADS:NODES, nodes of each
# thread. `make bench-scale` runs it in the build folder; each job's files are removed before the next is made.
set -u

turns=${BENCH_TURNS:-3}
folder=bench/scale.tmp
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# measure_job PROCESSES THREADS NODES
measure_job() {
	rm -rf "$folder"
	if ! tests/scale/generate "$folder" "$1" "$2" "$3"; then
		echo "scale: left out: $1 files of $2 threads"
		return
	fi
	megabytes=$(du -sm "$folder" | cut -f 1)
	turn=0
	while [ "$turn" -lt "$turns" ]; do
		bench/measure ./ompprof report -i "$folder"
		turn=$((turn + 1))
	done | sort -n | awk -v n="$1" -v threads="$2" -v nodes="$3" -v mb="$megabytes" '
		{ wall[NR] = $1 / 1e9; cpu += $2 / 1e9; if ($4 > kb) kb = $4 }
		END { printf "  %8d %8d %8d %8d %8.2f %8.2f %8.2f %8.2f %8.0f\n", n, threads, nodes, mb,
			wall[int((NR + 1) / 2)], wall[1], wall[NR], cpu / NR, kb / 1024 }'
}

echo "     files  threads    nodes       MB   wall s    least     most    CPU s   MB mem"
for size in ${BENCH_SCALE:-1:2:50000 1:64:150 16:64:150 256:64:150 1000:64:150}; do
	IFS=: read -r processes threads nodes <<END
$size
END
	measure_job "$processes" "$threads" "$nodes"
done
