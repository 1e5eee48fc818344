#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Advice on losses whose cause is known (tests/programs/regions/causes.c): the first entry is for that cause, and no
# entry advises what does not help there.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# advises CASE CAUSE GOOD BAD [OPTION]: the first entry is of CAUSE and its text matches GOOD; no text matches BAD. A
# busy machine can spoil a run, not three.
advises() {
	for attempt in 1 2 3; do
		if ! live_profile causes.c "-q -F 1000 ${5-}" "$1" 0.5; then
			not_ok "$row: $1: runs and is reported" "$(cat "$live_folder/messages")"
			return
		fi
		if jq -e --arg cause "$2" --arg good "$3" --arg bad "$4" '(.advice | map(select(.cause != "not_running"))) as $all
			| $all[0].cause == $cause and ($all[0].text | test($good)) and all($all[]; .text | test($bad) | not)' \
			"$live_folder/json" >/dev/null; then
			ok "$row: $1 (attempt $attempt)"
			return
		fi
	done
	live_wrong "$row: $1" "$(jq -c '.summary, .advice' "$live_folder/json")"
}

for row in omp14-clang14-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	create="create them in parallel"
	advises long_task tasks "^(one task takes|threads wait for tasks of) " "$create"
	advises group tasks "^(one task takes|threads wait for tasks of) " "$create"
	advises starve tasks " outside of tasks: $create" "split"
	advises tiny tasks "^(handling|tasks of) .* (ns|us) " "$create|run out of tasks"
	advises flag overhead "a spin[?]" "fewer regions|larger"
	advises guided imbalance "loop: dynamic[?]$" "guided"
	case $row in
	*clang*)
		advises detached tasks "perhaps for detached tasks" "$create"
		# No schedule is named where there is no loop.
		advises sections imbalance "more work or slower" "dynamic|guided"
		advises master imbalance "more work or slower" "dynamic|guided"
		advises single imbalance "copyprivate[?]$" "dynamic|guided"
		;;
	esac
done
row=omp19-clang19-O2
if matrix_row "$row"; then
	# The runtime tells the schedule.
	advises tail imbalance "long chunks[?]$" "dynamic|guided" --events=work
	advises guided imbalance "schedule[(]dynamic[)]" "guided" --events=work
else
	skip "$row" "$row_reason"
fi
plan
