#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All figures of every format, added up, are those of `ompprof report --format json`: of recorded profiles with
# and without filters, of a job, of views, and of a program that ran.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"

has python3 || skip_all "python3 is not installed"
scene cg faults waits counted native plain killed events unblamed guessed hostile long empty target
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"

# agrees FORMAT PROFILE OPTION...: the options are of report and of export.
agrees() {
	format=$1 profile=$2
	shift 2
	"$ompprof" report --format json -i "$profile" "$@" >json || return 1
	python3 "$srcdir/tests/export/totals.py" "$ompprof" "$format" "$profile" json "$@"
}

for format in $formats; do
	for name in cg faults waits counted native plain killed events unblamed guessed hostile long empty target; do
		check "$format: $name" agrees "$format" "$name.ompprof"
	done
	check "$format: a job" agrees "$format" job
	check "$format: a rank of it" agrees "$format" job --rank 2
	check "$format: all frames" agrees "$format" waits.ompprof --view full
	check "$format: as walked" agrees "$format" waits.ompprof --view machine
	check "$format: some threads" agrees "$format" waits.ompprof --thread 1-2
	check "$format: waits for barriers" agrees "$format" faults.ompprof --state barrier
	check "$format: a function's" agrees "$format" cg.ompprof --focus 0x1
	check "$format: all but a function's" agrees "$format" cg.ompprof --ignore 0x1390
done

# A report with other figures must not agree.
"$ompprof" report --format json -i cg.ompprof | sed 's/"work_s":\([0-9.]*\)[1-9]/"work_s":\10/' >spoilt
for format in $formats; do
	check_fails "$format: a report with other figures is found" python3 "$srcdir/tests/export/totals.py" \
		"$ompprof" "$format" cg.ompprof spoilt
done

if [ -x "$builddir/demo/ljmd" ] && "$ompprof" run -q -o live -- "$builddir/demo/ljmd" >said 2>&1; then
	for format in $formats; do
		check "$format: a program that ran" agrees "$format" live
	done
else
	skip "a program that ran" "the demo is not built, or does not run"
fi
plan
