#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Inlined code in the format callgrind: functions of their own, or with --no-inline lines of another file in the
# function that it is inlined into; and names, which are written once. How deep it is in firefox.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"
has gcc jq callgrind_annotate || skip_all "gcc, jq or callgrind_annotate is not installed"
cd "$scratch" || broken "cannot enter the scratch folder"

cat >churn.h <<'END'
static void burn(double *x);
static inline __attribute__((always_inline)) double step(double x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 1.000002 + 0.25;
	return x;
}
static inline __attribute__((always_inline)) double churn(double x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 1.000001 + 0.5;
	burn(&x);
	return step(x);
}
END
cat >main.c <<'END'
#include <time.h>
#include "churn.h"
__attribute__((noinline)) static void burn(double *x)
{
	for (int i = 0; i < 20000; i++)
		*x = *x * 1.000001 + 0.5;
	__asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) static double solve(double x)
{
	return churn(x) + 1;
}
int main(void)
{
	double x = 1;
	while (clock() < CLOCKS_PER_SEC / 3)
		x = solve(x);
	return x == 0;
}
END
gcc -g -O2 main.c -o app || broken "no program"
"$ompprof" run -q -F 1000 -o p -- ./app >said 2>&1 || broken "no profile: $(head -n 1 said)"
"$ompprof" report --format json -i p >json || broken "no report"
# ns NAME...: thread time of nodes of these names themselves.
ns() {
	jq '[.nodes[] | select(.name as $name | $ARGS.positional | index($name)) | .work_s + .overhead_s] | add * 1e9 | round' \
		json --args "$@"
}
# figure FILE TEXT OPTION...: the first figure of lines that have the text.
figure() {
	file=$1 text=$2
	shift 2
	callgrind_annotate --threshold=100 --show=time --sort=time --auto=no "$@" "$file" >out 2>err
	[ -s err ] && cat err
	tr -d , <out | awk -v text="$text" 'index($0, text) && $1 ~ /^[0-9]+$/ { sum += $1 } END { printf "%.0f\n", sum }'
}

check "churn is inlined, and there" [ "$(jq '[.nodes[] | select(.name == "churn" and .kind == "inlined")] | length' json)" -gt 0 ]
check "calls of inlined functions" export_to callgrind calls p
is "... have their own time" "$(figure calls churn.h:churn)" "$(ns churn)"
is "... all of it is there" "$(figure calls 'PROGRAM TOTALS')" \
	"$(jq '[.nodes[] | .work_s + .overhead_s] | add * 1e9 | round' json)"
check "... and no file changes within a function" sh -c '! grep -q "^f[ie]=" calls'

check "inlined code as lines" export_to callgrind lines p --no-inline
is "... in the function that holds it" "$(figure lines churn.h:solve)" "$(ns churn step)"
is "... with the time of both" "$(figure lines :solve)" "$(ns churn step solve)"
is "... all of it is there" "$(figure lines 'PROGRAM TOTALS')" "$(figure calls 'PROGRAM TOTALS')"
is "... the inlined function is none" "$(grep -c 'fn=.*churn' lines)" 0
figure lines solve --tree=calling >all
is "... what it calls is called by the one that holds it" "$(tr -d , <out | awk '/ \* / { on = index($0, "churn.h:solve") }
	on && / > .*:burn / { sum += $1 } END { printf "%.0f\n", sum }')" "$(ns burn)"
# Lines of the source: the header's have what churn has.
callgrind_annotate --threshold=100 --show=time --sort=time --auto=no lines churn.h >out 2>&1
is "... its lines have its time" "$(sed -n '/User-annotated source: churn.h/,$p' out | tr -d , |
	awk '/=>/ { next } $1 ~ /^[0-9]+$/ && !/events annotated/ { sum += $1 } END { printf "%.0f\n", sum }')" "$(ns churn step)"

# once FILE: each number of a kind gets its name at its first use, and only there.
once() {
	awk 'match($0, /^c?(ob|fl|fi|fe|fn)=/) {
		kind = substr($0, RLENGTH - 2, 2)
		if (kind != "ob" && kind != "fn")
			kind = "fl"
		number = substr($0, RLENGTH + 1)
		if (number !~ /^\([0-9]+\)/) {
			print "no number: " $0
			wrong++
		}
		name = number
		sub(/ .*/, "", number)
		if ((name != number) == (kind number in seen)) {
			print "first or named again: " $0
			wrong++
		}
		seen[kind number]
	} END { exit wrong > 0 || NR == 0 }' "$1"
}
for file in calls lines; do
	check "$file: each name is written once, where it is first needed" once $file
done
sed 's/^fn=(\([0-9]*\))$/fn=(\1) again/' calls >spoilt
check_fails "... a second time is found" once spoilt

case $formats in
*firefox*)
	check "firefox: calls" export_to firefox json p
	is "... and how deep they are inlined" "$(jq -c '.shared as $it | $it.frameTable | [.func, .inlineDepth] | transpose |
		map([$it.stringArray[$it.funcTable.name[.[0]]], .[1]] | select(.[0] | IN("burn", "churn", "main", "solve", "step"))) |
		unique' json)" '[["burn",0],["churn",1],["main",0],["solve",0],["step",2]]'
	;;
*) not_ok "there is the format firefox" "$formats" ;;
esac
plan
