#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counters of the kernel (--counters) beside what a program's threads are told of themselves (tests/programs/system/faults.c),
# and what is said of counters that there are none of. No machine of ours has counters of the processor.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_has_perf || skip_all "there are no perf events here"
live_row omp19-clang19-O2 omp14-clang14-O2

# sum FILTER: a counter, over the nodes that the filter of jq passes.
sum() {
	jq "[.nodes[] | select(.counters and ($2)) | .counters[\"$1\"]] | add // 0" "$live_folder/json"
}

# On a busy machine a spinning worker can be switched thousands of times after the program has counted its own switches.
for try in 1 2 3; do
	live_try $try
	live_profile faults.c "--counters=page-faults,context-switches,task-clock" || broken "$(cat "$live_folder/messages")"
	# faults F, in touch T, switches S
	read -r _ faults _ _ touched _ switches <"$live_folder/said"
	faults=${faults%,} touched=${touched%,}
	most=$((switches * 12 / 10 + 50))
	[ "$(sum context-switches true)" -gt $most ] || break
done
if grep -q . "$live_folder/messages" && grep -q 'not counted' "$live_folder/messages"; then
	skip "all figures" "$(grep 'not counted' "$live_folder/messages")"
	plan
	exit
fi
# A thread's intervals are some milliseconds long, and at both ends of a function one belongs to its neighbour. What
# the program did before its threads looked is counted, too.
live_within "faults in touch(), which had $touched" "$(sum page-faults '.name == "touch"')" $((touched * 85 / 100)) $((touched + 20))
live_within "faults in compute(), which had none" "$(sum page-faults '.name == "compute"')" 0 $((touched / 10))
live_within "all faults, which were $faults" "$(sum page-faults true)" $((faults * 95 / 100)) $((faults + 3000))
live_within "all switches, which were $switches" "$(sum context-switches true)" $((switches * 8 / 10)) $most
work=$(jq '[.nodes[] | select(.name == "compute") | .work_s] | add' "$live_folder/json")
live_within "CPU time in compute(), by samples $work s" "$(sum task-clock '.name == "compute"' | awk '{ print $1 / 1e9 }')" \
	"$(awk -v a="$work" 'BEGIN { print 0.8 * a - 0.05 }')" "$(awk -v a="$work" 'BEGIN { print 1.2 * a + 0.05 }')"
threads=$(jq '[.threads[].counters["page-faults"]] | add' "$live_folder/json")
nodes=$(sum page-faults true)
live_within "threads have what nodes have" "$threads" "$nodes" "$nodes"
"$ompprof" report -i "$live_folder/out" --by function -f faults,name --format csv >"$live_folder/functions"
touch=$(awk -F , '/touch/ { print $1 }' "$live_folder/functions")
live_within "the column of functions" "${touch:-0}" "$(sum page-faults '.name == "touch"')" "$(sum page-faults '.name == "touch"')"
"$ompprof" report -i "$live_folder/out" >"$live_folder/summary"
if grep -q '^counters: .* faults, .* switches' "$live_folder/summary"; then
	ok "the summary has a line"
else
	not_ok "the summary has a line" "$(cat "$live_folder/summary")"
fi

# A raw event that no CPU has: one line, and the profile is as ever.
live_profile faults.c "--counters=rffffffffffffffff,page-faults" || broken "$(cat "$live_folder/messages")"
if grep -c 'not counted: rffffffffffffffff' "$live_folder/messages" | grep -qx 1 &&
	"$ompprof" report -i "$live_folder/out" --warnings | grep -q 'not counted: rffffffffffffffff'; then
	ok "a counter that is not there: the run and the report say so"
else
	not_ok "a counter that is not there: the run and the report say so" "$(cat "$live_folder/messages")"
fi
live_within "its neighbour counts" "$(sum page-faults true)" $((touched * 85 / 100)) $((faults + 6000))
plan
