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
formats=$(echo "$formats" | grep -vx chrome)

# report_of NAME OPTION...
report_of() {
	file=$1
	shift
	"$ompprof" report --format json -i "$profile" "$@" >"$file" 2>said || broken "$(cat said)"
}
# agrees FORMAT REPORT OPTION...
agrees() {
	format=$1 report=$2
	shift 2
	python3 "$srcdir/tests/export/totals.py" "$ompprof" "$format" "$profile" "$report" "$@"
}

report_of all
for phase in '^setup$' solve write; do
	report_of "$phase" --phase "$phase"
	check "$phase is a part of the run" jq -en --slurpfile all all --slurpfile part "$phase" '
		([$part[0].nodes[].work_s] | add) as $work | $work > 0 and $work < ([$all[0].nodes[].work_s] | add)'
	for format in $formats; do
		check "$format: $phase" agrees "$format" "$phase" --phase "$phase"
	done
done
for format in $formats; do
	check "$format: a phase, and a function in it" sh -c '"$1" report --format json -i "$2" --phase solve \
		--focus solve >both && [ -s both ]' - "$ompprof" "$profile"
	check "... agrees" agrees "$format" both --phase solve --focus solve
	check_fails "$format: without --phase it is found" agrees "$format" solve
done
plan
