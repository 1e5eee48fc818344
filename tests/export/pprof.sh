#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What go tool pprof shows of a program that ran has the report's functions, in their order with those that are inlined,
# their lines, and the regions that they are in.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"
has go python3 || skip_all "go or python3 is not installed"
[ -x "$builddir/demo/ljmd" ] || skip_all "the demo is not built"
cd "$scratch" || broken "cannot enter the scratch folder"
"$ompprof" run -q -o live -- "$builddir/demo/ljmd" >said 2>&1 || skip_all "the demo does not run: $(tail -n 1 said)"

"$ompprof" report --format json -i live >json || broken "no report"
export_to pprof file live
go tool pprof -raw file >raw 2>err
check "stacks, lines, inlined calls and regions are the report's" python3 "$srcdir/tests/export/pprof.py" raw json
# The comparison finds what is another line, another order of inlined calls, and another region.
sed 's/\(ljmd\.c:[0-9]*\)\([^0-9]\)/\11\2/' raw >spoilt
check_fails "other lines are found" python3 "$srcdir/tests/export/pprof.py" spoilt json
sed 's/region:\[ljmd\.c:/region:[ljmd.c:1/' raw >spoilt
check_fails "other regions are found" python3 "$srcdir/tests/export/pprof.py" spoilt json
plan
