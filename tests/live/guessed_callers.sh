#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code without call frame information: its callers are guessed, rightly, and every place says so.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
[ "$(uname -m)" = x86_64 ] || skip_all "no_frame_info.c has code for x86-64 only"

rate="-q $(live_fast)"

# of NAME: what jq's filter gives of the nodes of that name with callees, in the latest report: a sample in the
# function itself needs no guess.
of() {
	jq -c "(.nodes | map(.parent)) as \$callers | [.nodes[] | select(.name == \"$1\" and (.id | IN(\$callers[]))) | $2]" \
		"$live_folder/json"
}

for row in omp19-clang19-O2 omp14-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	if ! live_profile no_frame_info.c "$rate" 0.5; then
		not_ok "$row: runs and is reported" "$(cat "$live_folder/messages")"
		continue
	fi
	share=$(live_share "$live_folder/json" "^;main;[{]region[}];guesses_kernel;gap$")
	if near "$share" 50 12; then
		ok "$row: $share % of the work is in the gap, and under its caller"
	else
		not_ok "$row: $share % of the work is in the gap, and under its caller" \
			"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
	is "$row: that caller is marked" "$(of guesses_kernel .guessed | jq -c unique)" "[true]"
	is "$row: no other function is" "$(jq -c '[.nodes[] | select(.guessed and .name != "guesses_kernel")]' \
		"$live_folder/json")" "[]"
	guessed=$(jq '100 * .run.guessed / .run.samples' "$live_folder/json")
	if near "$guessed" 50 20; then
		ok "$row: $guessed % of the samples are counted as guessed"
	else
		not_ok "$row: $guessed % of the samples are counted as guessed"
	fi
	is "$row: no creation path is" \
		"$(jq '.run.creation_paths.walked > 0 and .run.creation_paths.guessed == 0' "$live_folder/json")" true
	"$ompprof" report -i "$live_folder/out" --tree >"$live_folder/tree"
	if grep -q 'guesses_kernel (guessed)' "$live_folder/tree" &&
		"$ompprof" report -i "$live_folder/out" | grep -q 'samples have a guessed caller' &&
		"$ompprof" info -i "$live_folder/out" | grep -q 'samples with a guessed caller'; then
		ok "$row: people are told"
	else
		not_ok "$row: people are told" "$(cat "$live_folder/tree")"
	fi
done
plan
