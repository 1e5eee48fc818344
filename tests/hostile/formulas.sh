#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A spreadsheet executes text that begins as a formula does. No verb writes such text into CSV: names of functions
# and lines of the source begin with each of the bytes that begin a formula.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
for tool in gcc objcopy python3; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"

# A thread for each function, which is outermost in its stack and has no debug information: the linker's names count.
cat >burn.c <<'END'
static volatile long sum;
#define BURN(n)                                                                                    \
	void *burn##n(void *unused)                                                                \
	{                                                                                          \
		for (long i = 0; i < 60000000; i++)                                                \
			sum++;                                                                     \
		return unused;                                                                     \
	}
BURN(0) BURN(1) BURN(2) BURN(3) BURN(4) BURN(5)
void burn6(void)
{
#pragma omp parallel num_threads(2)
	burn5(0);
}
END
cat >app.c <<'END'
#include <pthread.h>
void *burn0(void *), *burn1(void *), *burn2(void *), *burn3(void *), *burn4(void *), *burn5(void *), burn6(void);
static volatile long sum;
int main(void)
{
	void *(*const burn[])(void *) = { burn0, burn1, burn2, burn3, burn4, burn5 };
	pthread_t threads[6];
	for (int i = 0; i < 6; i++)
		pthread_create(&threads[i], 0, burn[i], 0);
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], 0);
	burn6();
	for (int i = 0; i < 100000000; i++)
		sum /*
@x
=1
-1 */
+= i;
	return 0;
}
END
tab=$(printf '\t') cr=$(printf '\r')
gcc -O1 -fopenmp -c burn.c 2>log && gcc -g -O1 app.c burn.o -o app -fopenmp 2>log || broken "$(head -n 1 log)"
objcopy --redefine-sym "burn0==cmd|' /C calc'!A0" --redefine-sym 'burn1=+SUM(1)' --redefine-sym 'burn2=-2+3' \
	--redefine-sym "burn4=$tab=1" --redefine-sym "burn5=$cr=1" --redefine-sym 'burn6==SUM(2)' app || broken "no such names"
"$ompprof" run -q -F 200 --label one -o p ./app >said 2>&1 || broken "no profile: $(head -n 1 said)"

# safe OPTION...: no cell of the CSV begins a formula, numbers excepted, and at least one had to be guarded.
cat >safe.py <<'END'
import csv, re, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))
cells = [cell for row in rows for cell in row]
bad = [cell for cell in cells if re.match(r"[=+@\t\r-]", cell) and not re.fullmatch(r"[-+]?[0-9.]+", cell)]
print(len(rows), "rows;", bad)
sys.exit(bool(bad) or not any(re.match(r"'[=+@-]", cell) for cell in cells))
END
safe() {
	"$ompprof" "$@" >csv 2>err || { cat err; return 1; }
	python3 safe.py csv || { cat csv; return 1; }
}

for view in --tree --flat --bottom-up --by=function --by=thread; do
	check "report $view" safe report -i p --format csv $view
done
check "annotate" safe annotate -i p --all --format csv app.c
for text in @x =1 '-1 \*/' '+= i;'; do
	check "... a line of the source: $text" grep -q ",\"'$text\"" csv
done
check "export" safe export -i p --format csv -o - --per-thread
check "diff" safe diff p p --format csv --all --by function
"$ompprof" run -q -F 200 --label two -o q ./app >said 2>&1 || broken "no profile: $(head -n 1 said)"
check "history" safe history p q --format csv
check "scale" safe scale -q -t 1,2 -o s --format csv --all --by function -- ./app
"$ompprof" export -i p --format csv -o export.csv -q
for name in "'=cmd|' /C calc'!A0" "'+SUM(1)" "'-2+3" "?=1"; do
	check "a name, which begins its stack: $name" env NAME="$name" awk 'BEGIN { name = ",\"" ENVIRON["NAME"] "\"" }
		index($0, name ",") && substr($0, length($0) - length(name) + 1) == name { found = 1 }
		END { exit !found }' export.csv
done
is "no other verb writes CSV" "$("$ompprof" help | awk '/^  [a-z]/ { print $1 }' | while read -r verb; do
	! "$ompprof" "$verb" --help | grep -q '\<csv\>' || printf '%s ' "$verb"
done)" "report annotate diff scale history export "
plan
