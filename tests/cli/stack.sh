#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ulimit -s 64: every verb does its work with a stack of 64 KiB, and the profiled program has the limit that it would
# have alone.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
ompprof=$(realpath "$ompprof")
! grep -q '^SANITIZER_CFLAGS = .*fsanitize' "$builddir/Makefile" ||
	skip_all "the sanitizers' own code needs a larger stack"
command -v gcc >/dev/null || skip_all "gcc is not installed"
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"
ulimit -c 0

cat >program.cpp <<'C'
#include <cstdio>
#include <vector>
template <class T> static double spin(std::vector<T> &v)
{
	double sum = 0;

	for (int k = 0; k < 4000; k++)
		for (auto &x : v)
			sum += x * k;
	return sum;
}
int main()
{
	std::vector<double> v(10000, 1.5);
	double sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum += spin(v);
	return sum == 0;
}
C
g++ -fopenmp -g -O1 program.cpp -o program || skip_all "g++ -fopenmp does not work"
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

# small COMMAND...: its status with a small stack; its output is in the files out and err.
small() {
	got=0
	(ulimit -s 64 && exec "$@") >out 2>err || got=$?
	echo "$got"
}

# does DESCRIPTION ARGUMENT...: ends with 0 as it does with the usual stack.
does() {
	what=$1
	shift
	is "$what" "$(small "$ompprof" "$@") $(grep -c . err)" "0 0"
	check "... says something" [ -s out ]
}

is "the shell's program alone" "$(small /bin/echo hi)" 0
is "run" "$(small "$ompprof" run -o p ./program) $(grep -c 'samples.* -> p' err)" "0 1"
is "run: the program's limit" "$(small "$ompprof" run -q -o q sh -c 'ulimit -s') $(cat out)" "0 64"
is "run: with little address space, too" "$(ulimit -v 12000 && small "$ompprof" run -q -o q /bin/echo hi)" 0
is "without a verb" "$(small "$ompprof" ./program) $(grep -c 'Where the time went' err)" "0 1"
for view in "" --tree --flat --bottom-up "--by region" "--by function" "--by line" --pop --warnings "--format json" \
	"--format csv"; do
	# Options are words on purpose.
	# shellcheck disable=SC2086
	does "report $view" report --no-cache -i p $view
done
is "report --html" "$(small "$ompprof" report --no-cache -i p --html page.html) $(grep -c '</html>' page.html)" "0 1"
does "annotate" annotate --no-cache -i p
does "info" info -i p
does "info --format json" info -i p --format json
does "diff" diff --no-cache p ompprof.out
is "top" "$(small "$ompprof" top --no-cache -b -n 1 p)" 0
# What the machine lacks makes it fail.
want=0
"$ompprof" doctor ./program >want 2>&1 || want=$?
is "doctor" "$(small "$ompprof" doctor ./program) $(grep -cE '^  (ok|limited|missing) ' out)" \
	"$want $(grep -cE '^  (ok|limited|missing) ' want)"
does "help" help
for verb in $("$ompprof" help | awk '/^  [a-z]+  / { print $1 }'); do
	does "help $verb" help "$verb"
	does "$verb --help" "$verb" --help
done
for format in $("$ompprof" export --help | awk '/^Formats:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'); do
	is "export --format $format" "$(small "$ompprof" export -q --no-cache -i p --format "$format" -o "x.$format")" 0
	check "... writes something" [ -s "x.$format" ]
done
cp -R p job
cp "$(ls -d p/*.ompprof)" job/other.ompprof
is "merge" "$(small "$ompprof" merge -q -o merged.ompprof job)$(cat err)" 0
check "... writes something" [ -s merged.ompprof ]
is "scale" "$(small "$ompprof" scale -t 1,2 -o s -- ./program) $(grep -c . out | sed 's/[0-9]*/n/')" "0 n"
plan
