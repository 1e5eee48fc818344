#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The soak's judge (judge.sh) on programs whose fault is known (faulty.c): it finds what only the profiler does,
# puts aside what the program does alone, too, and counts losses.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
SOAK_LIMIT=1 SOAK_AGAIN=3
. "$srcdir/tests/soak/judge.sh"
live_need jq awk timeout setsid
ulimit -c 0
${CC:-cc} -O1 -o "$live_folder/faulty" "$srcdir/tests/soak/faulty.c" 2>"$live_folder/log" ||
	skip_all "no compiler: $(head -n 1 "$live_folder/log")"
row=row seed=1 options=

# verdict EXPECTED MODE...: of one run, "fine", "failed" (under the profiler alone) or "aside" (alone, too); and why.
verdict() {
	expected=$1
	shift
	judge_begin "$live_folder.kept"
	why=none
	one_run "$live_folder/faulty" "$@" >"$live_folder/notes"
	is "$1" "$n_runs run: $n_failed failed, $n_alone aside, $why" "1 run: $expected"
}

trap 'rm -rf "$live_folder" "$live_folder.kept"' EXIT
verdict "0 failed, 0 aside, none" good
verdict "1 failed, 0 aside, status 3, alone 4" status
check "... what failed is kept" [ -s "$live_folder.kept/row-1/profiled.out" ]
check "... and it was run again, both ways" grep -q "of 3 times 0 failed alone, 3 under" "$live_folder/notes"
verdict "1 failed, 0 aside, status 139, alone 4" signal
verdict "1 failed, 0 aside, its output is not what it is alone" output
verdict "1 failed, 0 aside, it says what it does not say alone" speaks
again=1
verdict "1 failed, 0 aside, status HANGS, alone 4" hangs-profiled
if command -v gdb >/dev/null; then
	check "... its stacks are kept" grep -q 'pause' "$live_folder.kept/row-1/profiled.stacks"
else
	skip "... its stacks are kept" "gdb is not installed"
fi
verdict "0 failed, 1 aside, none" hangs
again=3
verdict "0 failed, 1 aside, its output is not what it is alone" unsteady "$live_folder/turns"
verdict "0 failed, 1 aside, none" alone
verdict "0 failed, 1 aside, it says what it does not say alone" stale

# A profile that cannot be read: the command that makes the report fails.
ompprof_is=$ompprof
printf '#!/bin/sh\ncase $1 in run) exec "%s" "$@" ;; esac\nexit 1\n' "$ompprof" >"$live_folder/command"
chmod +x "$live_folder/command"
ompprof=$live_folder/command
verdict "1 failed, 0 aside, its profile cannot be shown" good
ompprof=$ompprof_is

# few LINE...: whether lines of sums (options, samples, threads, processes, unfinished, guessed, waits,
# losses) pass.
few() {
	printf '%b\n' "$@" >"$live_folder/sums"
	show >"$live_folder/shown"
}
judge_begin "$live_folder.kept"
check "losses within the limit" few '\t100000\t8\t2\t0\t0\t50000\twaits\t50\tno_space\t50\tnested\t9000'
check_fails "losses beyond it" few '\t100000\t8\t2\t0\t0\t50000\tno_space\t99\tunregistered\t2'
check_fails "more than two of 1000 waits" few '\t100000\t8\t2\t0\t0\t50000\twaits\t101'
check_fails "a thread that is not sampled" few '\t100000\t8\t2\t0\t0\t50000\tthreads\t1'
check_fails "an object that is not known" few '\t100000\t8\t2\t0\t0\t50000\tmodules\t1'
check_fails "no samples" few '\t0\t8\t2\t0\t0\t50000'
check_fails "contexts, by rules" few ' -e wall\t1000\t8\t2\t0\t0\t50000\tcontext\t9'
check "contexts where frame pointers were asked for" few ' --unwind fp\t1000\t8\t2\t0\t0\t50000\tcontext\t9'
check "... are shown" grep -q '^# lost, context, with --unwind fp: 9 (not counted)' "$live_folder/shown"
n_runs=100 n_alone=2
check "two of a hundred runs that fail alone" are_few_unsteady
n_alone=3
check_fails "three of them" are_few_unsteady
plan
