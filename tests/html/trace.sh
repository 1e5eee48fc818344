#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The trace in the page of report --html has the time that --time has of the same trace.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc jq gunzip base64
mkdir "$live_folder/work" && cd "$live_folder/work" || broken "no scratch folder"
unset OMPPROF_PAGER PAGER

cat >busy.c <<'END'
#include <time.h>

static volatile double x;

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 5)
		x = x / 1.0000001 + 1.5;
	return 0;
}
END
gcc -O2 -g busy.c -o busy || broken "no program"
"$ompprof" run -q --trace -F 1000 -o out -- ./busy >said 2>&1 || broken "no profile: $(cat said)"
"$ompprof" report out --html page.html || broken "no page"
"$ompprof" report out --time 0s.. --format json >part.json || broken "no part"
sed -n '/id="data-trace"/,/<.script>/p' page.html | sed -e 1d -e '$d' | base64 -d | gunzip >trace.json
# Sums in ns, of all moments with a figure; and of all nodes.
jq '[.keys as $keys | .threads[] | [.key, .length, .more] | transpose[] | select($keys[.[0]][1] != "") | .[1] + .[2]] | add' \
	trace.json >moments
jq '[.nodes[] | .work_s + .overhead_s + ([.wait | to_entries[] | select(.key != "reduction") | .value] | add // 0)]
	| add * 1e9 | round' part.json >nodes
check "there is time in it" [ "$(cat nodes)" -gt 50000000 ]
is "the page has the time of the trace" "$(cat moments)" "$(cat nodes)"
"$ompprof" report out --html page.html --force --focus main || broken "no filtered page"
check_fails "a page with filters has no trace" grep -q 'id="data-trace"' page.html
"$ompprof" run -q -o plain -- ./busy >said 2>&1 || broken "no profile: $(cat said)"
"$ompprof" report plain --html page.html --force || broken "no page"
check_fails "nor has a page without one" grep -q 'id="data-trace"' page.html
plan
