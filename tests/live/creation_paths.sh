#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Constructs that are created by turns on two ways, which look the same but for a return address: each
# execution counts for its own way, exactly (tests/programs/regions/two_paths.c).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

expected='200 task large_left
200 task left
400 task large_right
400 task right'
expected_regions='200 region large_left
200 region left
400 region large_right
400 region right'

for row in omp14-clang14-O0 omp14-clang14-O2 omp19-clang19-O2 omp14-gcc-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	if ! live_profile two_paths.c -q; then
		not_ok "$row: runs and is reported" "$(cat "$live_folder/messages")"
		continue
	fi
	# EXECUTIONS KIND WAY of each construct in `create`.
	jq -r '.nodes as $nodes | $nodes[] |
		select((.kind == "region" or .kind == "task") and .executions > 1) |
		$nodes[.parent] as $create | $nodes[$create.parent] as $way |
		"\(.executions) \(.kind) \($way.name)"' "$live_folder/json" | sort >"$live_folder/ways"
	is "$row: tasks of each way" "$(grep ' task ' "$live_folder/ways")" "$expected"
	# How a runtime executes a team of one is its choice: gcc's code calls the body by itself.
	is "$row: regions of each way" "$(grep ' region ' "$live_folder/ways")" "$expected_regions"
done
plan
