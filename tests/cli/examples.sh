#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every example of README and the manual pages that reads a profile is run, on one of a program that has the names that
# they use: it succeeds, and selects something.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_row omp19-clang19-O2 omp14-clang14-O2
cd "$live_folder" || broken "cannot enter the scratch folder"

# Four threads, two phases, and more than two seconds in all.
cat >ljmd.c <<'END'
#include <ompprof.h>
#include <omp.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
#define BURN(s)                                                                                     \
	for (double until = omp_get_wtime() + (s); omp_get_wtime() < until;)                       \
		sink += 1
static volatile double sink;
NOINLINE static void spmv(void)
{
	BURN(0.02);
}
NOINLINE static void solve_cg(void)
{
	spmv();
	sink += 1;
}
NOINLINE static void add_forces(void)
{
	BURN(0.02);
}
NOINLINE static void assemble(void)
{
#pragma omp parallel
#pragma omp critical
	BURN(0.01);
	sink += 1;
}
NOINLINE static void solve(void)
{
	for (int i = 0; i < 3; i++) {
#line 90
#pragma omp parallel
		BURN(0.01 * omp_get_thread_num());
#pragma omp parallel
		{
			solve_cg();
			spmv();
			add_forces();
		}
	}
	BURN(0.02);
}
int main(void)
{
	ompprof_phase_begin("assemble");
	assemble();
	ompprof_phase_end();
	usleep(1900000);
	ompprof_phase_begin("solve");
	for (int i = 0; i < 3; i++)
		solve();
	ompprof_phase_end();
	return 0;
}
END
# Options are split into words on purpose.
# shellcheck disable=SC2086
"$row_cc" $row_flags -I"$srcdir/include" $row_include ljmd.c -o app $row_link 2>log || broken "$(head -n 3 log)"
# record FOLDER: four ranks of a job.
record() {
	pids=
	for rank in 0 1 2 3; do
		OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=4 LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=4 \
			KMP_BLOCKTIME=0 \
			"$ompprof" run -q --trace -o "$1" -- ./app >"said.$rank" 2>&1 &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid" || broken "no profile: $(cat said.*)"
	done
}
record ompprof.out
cp -R ompprof.out ompprof.out.old
for name in before base; do cp -R ompprof.out $name.out; done
for name in after new; do cp -R ompprof.out $name.out; done
mkdir bin && ln -s "$ompprof" bin/ompprof
PATH=$live_folder/bin:$PATH
export HOME="$live_folder"

# What a reader would type: lines of README that begin with "$ ", and displayed lines of the pages.
{
	sed -n 's/^\$ \(build\/\)*ompprof /ompprof /p' "$srcdir/README.md"
	sed -n 's/^\(\.Dl \)*\(\$ \)*ompprof /ompprof /p' "$srcdir"/man/*.[1-9]
} | sed 's/  *#.*//' | grep -E '^ompprof (report|annotate|export|diff|info|merge)\>' | grep -v '^ompprof [a-z]*$' |
	sort -u >examples
{ printf 'ompprof %s\n' report annotate diff info; cat examples; } >all
# example COMMAND
example() {
	got=0
	sh -c "$1" >out 2>err || got=$?
	head -n 3 out
	cat err
	[ "$got" -eq 0 ] && ! grep "^filtered: nothing" out
}
while read -r line; do
	tool=$(printf '%s\n' "$line" | sed -n 's/^[^|]*| *\([a-z.]*\).*/\1/p')
	if [ "$tool" ] && ! command -v "$tool" >/dev/null; then
		skip "$line" "$tool is not installed"
	else
		check "$line" example "$line"
	fi
done <all
check "there are examples" [ "$(wc -l <examples)" -ge 20 ]
plan
