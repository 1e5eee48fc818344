# SPDX-License-Identifier: Apache-2.0
# Regions and tasks in each other, and such that are not what they seem (serialized regions, undeferred
# and included tasks): the work hangs where it was written, in equal parts, on each runtime.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

rate="-q $(live_fast)"

# PROGRAM, the path of a part of its work, and the percentage that it must have.
parts='nested_tasks.c	;main;{region};make_undeferred;{task};undeferred_kernel	12.5
nested_tasks.c	;main;{region};make_included;{task};{task};included_kernel	12.5
nested_tasks.c	;main;{region};make_outer;{task};outer_body;outer_kernel	12.5
nested_tasks.c	;main;{region};make_outer;{task};outer_body;{task};inner_body;inner_kernel	12.5
nested_tasks.c	;main;be_alone;{region};alone_kernel	12.5
nested_tasks.c	;main;be_alone;{region};make_child;{task};child_kernel	12.5
nested_tasks.c	;main;{region};make_team;{task};start_team;{region};under_kernel	12.5
nested_tasks.c	;main;serial_kernel	12.5
tail_call.c	;main;{region};kernel	50
tail_call.c	;main;call_kernel;{region};kernel	50
nested.c	;main;outer;{region};inner;{region};inner_kernel	100
serialized.c	;main;{region};if_kernel	50
serialized.c	;main;{region};one_kernel	50
teams.c	;main;make_team;{region};region_kernel	50
teams.c	;main;make_league;{region};league_kernel	50
testlock.c	;main;{region};region_kernel	50
testlock.c	;main;serial_kernel	50'

# The regions of serialized.c are all that it does: their wall time is the run's.
expect_length() {
	share=$(jq '100 * ([.regions[].wall_s] | add) / .run.wall_s' "$live_folder/json")
	if near "$share" 100 15; then
		ok "$row regions of one thread: $share % of the wall time"
	else
		not_ok "$row regions of one thread: $share % of the wall time, not 100" \
			"$(jq -c '.regions[] | [.name, .executions, .wall_s]' "$live_folder/json")"
	fi
}

# is_near PATH PERCENT: whether that is the share of the path in the latest profile, which is left in $share.
is_near() {
	share=$(live_share "$live_folder/json" "^$(echo "$1" | sed 's/[{}]/[&]/g')$")
	near "$share" "$2" "$(awk -v p="$2" 'BEGIN { print 0.5 + 0.12 * p }')"
}

# as_expected PROGRAM: whether all of its parts are.
as_expected() {
	echo "$parts" | grep "^$1	" >"$live_folder/parts"
	while IFS='	' read -r _ path percent; do
		is_near "$path" "$percent" || return 1
	done <"$live_folder/parts"
}

# profile_calmly PROGRAM: equal loops take equal times only while the machine goes at one speed.
profile_calmly() {
	for _ in 1 2 3; do
		live_profile "$1" "$rate" 0.5 || return
		! as_expected "$1" || return 0
	done
}

# expect PROGRAM: one test point for each of its parts.
expect() {
	echo "$parts" | grep "^$1	" >"$live_folder/parts"
	while IFS='	' read -r _ path percent; do
		if is_near "$path" "$percent"; then
			ok "$row $path: $share %"
		else
			not_ok "$row $path: $share %, not $percent" \
				"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
		fi
	done <"$live_folder/parts"
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp14-gcc-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	for program in nested_tasks.c tail_call.c nested.c serialized.c teams.c testlock.c; do
		if profile_calmly "$program"; then
			expect "$program"
			test "$program" != serialized.c || expect_length
			is "$row $program: no context is lost" \
				"$(jq '.run.lost.context // 0' "$live_folder/json")" 0
		else
			not_ok "$row $program: runs and is reported" "$(cat "$live_folder/messages")"
		fi
	done
done
plan
