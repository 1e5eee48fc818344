#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether the advice for the demo is true: its four faults are named, in the order of what mending each
# wins, and each wins about as much as was promised. Medians of several runs, as other programs run, too.
#
#   demo.sh [RUNS]
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

runs=${1:-5}
error=20 # percent that what is won may differ from what was promised
demo=$builddir/demo/ljmd
source=$srcdir/demo/ljmd.c
faults="imbalance lock tasks serial"

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

# advise: profiles the demo; a line "FAULT GAIN_S" for each advice, in its order.
advise() {
	rm -rf "$live_folder/out"
	OMP_NUM_THREADS=2 "$ompprof" run -q -o "$live_folder/out" -- "$demo" >/dev/null &&
		"$ompprof" report -i "$live_folder/out" --format json |
		jq -r '.advice[] | [.line, .cause, .gain_s] | @tsv' | name_functions |
		sed -n 's/^\(find\|list\)_neighbours .*	/imbalance /p
			s/^\(add_forces\|pair_forces\)[a-z_]* .*	/lock /p
			s/^\(measure_order\|order_of\) .*	/tasks /p
			s/^\(write_frame\|format_particle\) .*	/serial /p
			s/^\([a-z_]*\) .*	/\1 /p'
}

# seconds FIXES: wall time of one run.
seconds() {
	begin=$(date +%s%N)
	OMP_NUM_THREADS=2 "$demo" "--fix=$1" >/dev/null || broken "the demo fails"
	end=$(date +%s%N)
	awk -v ns=$((end - begin)) 'BEGIN { printf "%.4f\n", ns / 1e9 }'
}

# median: of numbers on stdin.
median() {
	sort -n | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

: >"$live_folder/promised"
: >"$live_folder/taken"
n=0
while [ $n -lt "$runs" ]; do
	advise >>"$live_folder/promised"
	for fix in none $faults; do
		echo "$fix $(seconds $fix)" >>"$live_folder/taken"
	done
	n=$((n + 1))
done

promised() { # promised FAULT: the median of its first advice in each run, 0 where it has none
	awk -v fault="$1" -v runs="$runs" '$1 == fault { print $2; n++ } END { for (; n < runs; n++) print 0 }' \
		"$live_folder/promised" | median
}

taken() {
	awk -v fix="$1" '$1 == fix { print $2 }' "$live_folder/taken" | median
}

base=$(taken none)
for fault in $faults; do
	awk -v fault="$fault" -v promised="$(promised "$fault")" -v taken="$(taken "$fault")" -v base="$base" \
		'BEGIN { printf "%s %.3f %.3f\n", fault, promised, base - taken }'
done >"$live_folder/gains"
echo "demo: $base s of wall time, median of $runs"
printf '%-10s %10s %10s %8s\n' fault "promised s" "won s" "error %"
sort -k 2,2nr "$live_folder/gains" | awk -v error=$error '
	{
		off = $2 > 0 ? 100 * ($3 - $2) / $2 : 100
		good = off <= error && -off <= error
		bad += !good
		printf "%-10s %10.3f %10.3f %+8.1f  %s\n", $1, $2, $3, off, good ? "PASS" : "FAIL"
	}
	END { exit bad > 0 }'
status=$?
if [ "$(sort -k 2,2nr "$live_folder/gains" | cut -d ' ' -f 1)" != \
	"$(sort -k 3,3nr "$live_folder/gains" | cut -d ' ' -f 1)" ]; then
	echo "the order is another one: FAIL"
	status=1
fi
exit $status
