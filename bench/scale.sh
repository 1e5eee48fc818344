#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How time and memory of a job's report grow with its files, which are made up (tests/scale/job.h): the summary
# of each size, BENCH_TURNS (default 3) times. BENCH_SCALE is a list of PROCESSES:THREADS:NODES, nodes of each
# thread. `make bench-scale` runs it in the build folder; each job's files are removed before the next is made.
#
# Then how merging them grows, and the report of the merged file: BENCH_MERGE is such a list, too. The files of a large
# job would not fit on a disk: they are made and merged 256 at a time, and then the merged files are merged. The time
# is the sum of all merges, the memory the most of any. A size that fails, as when a disk is full, is left out.
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
for size in ${BENCH_SCALE-1:2:50000 1:64:150 16:64:150 256:64:150 1000:64:150}; do
	IFS=: read -r processes threads nodes <<END
$size
END
	measure_job "$processes" "$threads" "$nodes"
done

piece=256

# merge MB FILE FOLDER: merges the folder to a file, and adds `MB` and what that took to the list.
merge() {
	took=$(bench/measure ./ompprof merge -q -o "$2" "$3") && echo "$1 $took" >>"$folder/merges"
}

# merge_piece FILE PROCESSES THREADS NODES FIRST RANKS
merge_piece() {
	tests/scale/generate "$folder/files" "$2" "$3" "$4" "$5" "$6" &&
		merge "$(du -sm "$folder/files" | cut -f 1)" "$1" "$folder/files" || return 1
	rm -rf "$folder/files"
}

# merge_pieces PROCESSES THREADS NODES: to $folder/job.ompprof.
merge_pieces() {
	first=0
	while [ "$first" -lt "$1" ]; do
		n=$(($1 - first < piece ? $1 - first : piece))
		merge_piece "$folder/pieces/$(printf %05d "$first").ompprof" "$n" "$2" "$3" "$first" "$1" || return 1
		first=$((first + n))
	done
	if [ "$1" -gt "$piece" ]; then
		merge 0 "$folder/job.ompprof" "$folder/pieces" || return 1
	else
		mv "$folder/pieces"/*.ompprof "$folder/job.ompprof"
	fi
	rm -rf "$folder/pieces"
}

# measure_merge PROCESSES THREADS NODES
measure_merge() {
	rm -rf "$folder"
	mkdir -p "$folder/pieces"
	if ! merge_pieces "$@" || ! report=$(bench/measure ./ompprof report -i "$folder/job.ompprof"); then
		echo "scale: left out: $1 files of $2 threads"
		return
	fi
	awk -v n="$1" -v threads="$2" -v nodes="$3" -v report="$report" \
		-v merged="$(du -m --apparent-size "$folder/job.ompprof" | cut -f 1)" '
		{ mb += $1; wall += $2 / 1e9; cpu += $3 / 1e9; if ($5 > kb) kb = $5 }
		END { split(report, of); printf "  %8d %8d %8d %8d %8d %8.2f %8.2f %8.0f %8.2f %8.2f %8.0f\n", n, threads,
			nodes, mb, merged, wall, cpu, kb / 1024, of[1] / 1e9, of[2] / 1e9, of[4] / 1024 }' "$folder/merges"
}

echo "     files  threads    nodes       MB   merged   wall s    CPU s   MB mem report s    CPU s   MB mem"
for size in ${BENCH_MERGE-16:128:150 64:128:150 256:128:150 1000:64:150 1024:128:150}; do
	IFS=: read -r processes threads nodes <<END
$size
END
	measure_merge "$processes" "$threads" "$nodes"
done
