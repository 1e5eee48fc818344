#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --phase the figures of every format add up to those of `ompprof report --phase --format json`.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/export/export.sh"
has python3 jq || skip_all "python3 or jq is not installed"
row=omp14-clang14-O2
matrix_row $row || skip_all "$row_reason"
live_profile control.c "-q" phases 0.3 || broken "$(cat "$live_folder/messages")"
cd "$scratch" || broken "cannot enter the scratch folder"
profile=$live_folder/out

# report_of NAME OPTION...
report_of() {
	file=$1
	shift
	"$ompprof" report --format json -i "$profile" "$@" >"$file" 2>said || broken "$(cat said)"
}

report_of all
for phase in '^setup$' solve write; do
	report_of "$phase" --phase "$phase"
	check "$phase is a part of the run" jq -en --slurpfile all all --slurpfile part "$phase" '
		([$part[0].nodes[].work_s] | add) as $work | $work > 0 and $work < ([$all[0].nodes[].work_s] | add)'
	sums agrees "$phase" "$profile" "$phase" --phase "$phase"
done
report_of both --phase solve --focus solve
check "a function in a phase has work" jq -e '[.nodes[].work_s] | add > 0' both
sums agrees "a phase, and a function in it" "$profile" both --phase solve --focus solve
sums differs "without --phase it is found" "$profile" solve

# A phase that is not there is refused, of one process and of a job, and the sentence says what there is.
program=$(matrix_build control.c "$row") || broken "cannot build control.c"
for rank in 0 1; do
	OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH=$row_lib "$ompprof" run -q -o job -- "$program" \
		phases 0.1 >said 2>&1 || broken "$(cat said)"
done
for run in "$profile" job; do
	for verb in "report" "report --format json" "export --format folded -o -"; do
		# The verb has options.
		# shellcheck disable=SC2086
		is "no such phase: $verb, $(basename "$run")" "$("$ompprof" $verb -i "$run" --phase nosuch 2>&1; echo $?)" \
			"ompprof: no phase matches 'nosuch' (phases: 'setup', 'solve', 'solve/2', 'write')
1"
	done
	check "... one that is there" sh -c '"$1" report -i "$2" --phase write | head -n 1 | grep "^phases: 0.[0-9]* of"' - \
		"$ompprof" "$run"
done
plan
