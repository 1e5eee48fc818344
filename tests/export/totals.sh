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

# agrees NAME PROFILE OPTION...: the options are of report and of export.
agrees() {
	name=$1 profile=$2
	shift 2
	"$ompprof" report --format json -i "$profile" "$@" >json || broken "no report of $name"
	sums agrees "$name" "$profile" json "$@"
}

for name in cg faults waits counted native plain killed events unblamed guessed hostile long empty target; do
	agrees $name $name.ompprof
done
agrees "a job" job
agrees "a rank of it" job --rank 2
agrees "all frames" waits.ompprof --view full
agrees "as walked" waits.ompprof --view machine
agrees "some threads" waits.ompprof --thread 1-2
agrees "waits for barriers" faults.ompprof --state barrier
agrees "a function's" cg.ompprof --focus 0x1
agrees "all but a function's" cg.ompprof --ignore 0x1390

"$ompprof" report --format json -i cg.ompprof | sed 's/"work_s":\([0-9.]*\)[1-9]/"work_s":\10/' >spoilt
sums differs "a report with other figures is found" cg.ompprof spoilt

if [ -x "$builddir/demo/ljmd" ] && "$ompprof" run -q -o live -- "$builddir/demo/ljmd" >said 2>&1; then
	agrees "a program that ran" live
else
	skip "a program that ran" "the demo is not built, or does not run"
fi
plan
