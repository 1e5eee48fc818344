#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether the advice for the demo is true: its four faults are named, in the order of what mending each
# wins, and each wins about as much as was promised.
#
#   demo.sh [SECONDS [ERROR [STEPS [DEMO]]]]
#
# Short runs of the demo as it is and with one fault mended alternate, both profiled. Of each pair the wall
# time of the mended part, by the demo's own clock, is compared with what the first run's report promised. A
# pair counts only if the parts that were not mended took as long in both runs: otherwise the machine
# changed its pace. ERROR is the percentage that the medians may differ by.
#
# Status 77: the machine cannot tell, because too few pairs count, or because two threads at once are each
# slower than one: the promise is that mended work runs as fast as before. What it cannot see: a change of
# pace that meets the mended part alone. What is won includes what the profiler's events cost there, as what is
# promised does.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

seconds=${1:-170}
error=${2:-20}
steps=${3:-40}
demo=${4:-$builddir/demo/ljmd}
source=$srcdir/demo/ljmd.c
faults="imbalance lock tasks serial"
control=6      # percent that the other parts of a pair may differ by
least_pairs=4  # that have to count
least_scale=90 # percent of one thread's pace that each of two must have

# name_functions: puts before each line, which begins with a line of the source, the function it is in.
name_functions() {
	awk 'NR == FNR {
			if (/^[a-z].*[a-z_]+\(.*\)$/) {
				sub(/\(.*/, "")
				sub(/.*[ *]/, "")
				name = $0
			}
			in_function[FNR] = name
			next
		}
		{ print in_function[$1], $0 }' "$source" -
}

# promises: a line "FAULT GAIN_S" for each advice of the last profile, in its order.
promises() {
	"$ompprof" report -i "$live_folder/out" --format json |
		jq -r '.advice[] | [.line, .cause, .gain_s] | @tsv' | name_functions |
		sed -n 's/^\(find\|list\)_neighbours .*	/imbalance /p
			s/^\(add_forces\|pair_forces\)[a-z_]* .*	/lock /p
			s/^\(measure_order\|order_of\) .*	/tasks /p
			s/^\(write_frame\|format_particle\) .*	/serial /p'
}

# parts THREADS COMMAND...: runs the demo; a line "PART SECONDS" for each of its parts.
parts() {
	parts_threads=$1
	shift
	OMP_NUM_THREADS=$parts_threads "$@" "--steps=$steps" --times >"$live_folder/said" ||
		broken "the demo fails"
	sed 1d "$live_folder/said"
}

# profiled FIX: the parts of a run under the profiler.
profiled() {
	rm -rf "$live_folder/out"
	parts 2 "$ompprof" run -q -o "$live_folder/out" -- "$demo" "--fix=$1"
}

# pair FAULT: adds a line "FAULT PROMISED WON CONTROL" to pairs; CONTROL is how much longer the other parts
# took in the second run, in percent.
pair() {
	profiled none >"$live_folder/broken"
	promises >"$live_folder/promises"
	profiled "$1" >"$live_folder/mended"
	awk -v fault="$1" '
		FILENAME ~ /promises$/ { if ($1 == fault && !promised) promised = $2; next }
		FILENAME ~ /broken$/ { if ($1 == fault) won += $2; else before += $2; next }
		{ if ($1 == fault) won -= $2; else after += $2 }
		END { printf "%s %.6f %.6f %.2f\n", fault, promised, won, 100 * (after / before - 1) }' \
		"$live_folder/promises" "$live_folder/broken" "$live_folder/mended" >>"$live_folder/pairs"
}

# scale: adds the pace of each of two threads in the mended loop, in percent of that of one alone.
scale() {
	for threads in 1 2; do
		parts $threads "$demo" --fix=imbalance | awk '$1 == "imbalance" { print $2 }'
	done | awk '{ x[NR] = $1 } END { print 50 * x[1] / x[2] }' >>"$live_folder/scale"
}

# median: of numbers on stdin, 0 of none.
median() {
	sort -n | awk '{ x[NR] = $1 }
		END { print NR == 0 ? 0 : NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

# column FAULT N: of the pairs that count.
column() {
	awk -v fault="$1" -v n="$2" -v control=$control \
		'$1 == fault && $4 <= control && -$4 <= control { print $n }' "$live_folder/pairs"
}

# judge: a line "FAULT PROMISED WON DIFFERENCE PAIRS VERDICT" for each fault.
judge() {
	for fault in $faults; do
		echo "$fault $(column "$fault" 2 | median) $(column "$fault" 3 | median)" \
			"$(column "$fault" 2 | wc -l) $(grep -c "^$fault " "$live_folder/pairs")"
	done | awk -v error="$error" -v least=$least_pairs -v pace="$pace" -v least_scale=$least_scale '{
		off = $2 > 0 ? 100 * ($3 / $2 - 1) : 100
		good = off <= error && -off <= error
		noisy = $4 < least || ($1 == "imbalance" && pace < least_scale)
		printf "%-10s %10.4f %10.4f %+8.1f %5d/%-3d  %s\n", $1, $2, $3, off, $4, $5, \
			noisy ? "NOISY" : good ? "PASS" : "FAIL"
	}'
}

# is_ordered: whether the faults are promised in the order of what was won.
is_ordered() {
	[ "$(sort -k 2,2nr "$live_folder/table" | cut -d ' ' -f 1)" = \
		"$(sort -k 3,3nr "$live_folder/table" | cut -d ' ' -f 1)" ]
}

: >"$live_folder/pairs"
: >"$live_folder/scale"
end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt $end ]; do
	for fault in $faults; do
		pair "$fault"
	done
	scale
done
pace=$(median <"$live_folder/scale")
judge >"$live_folder/table"
printf '%-10s %10s %10s %8s %9s  %s\n' fault "promised s" "won s" "differ %" pairs verdict
cat "$live_folder/table"
echo "each of two threads has $pace % of the pace of one"
status=0
if grep -q NOISY "$live_folder/table"; then
	echo "the machine is too noisy to tell"
	status=77
elif ! is_ordered; then
	echo "what was won has another order: FAIL"
	status=1
fi
! grep -q FAIL "$live_folder/table" || status=1
exit $status
