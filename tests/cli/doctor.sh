#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof doctor: what it says of programs that lack something, of a machine that is made to lack
# something, how it ends, and that it executes nothing.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
confine=$builddir/tests/harmless/confine
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
command -v jq >/dev/null || skip_all "jq is not installed"
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"

# doctor ARGUMENT...: findings as lines "TOPIC STATE TEXT" in the file found; its status in $status.
doctor() {
	status=0
	"$ompprof" doctor --format json "$@" >out 2>err || status=$?
	jq -r '.findings[] | .topic + " " + .state + " " + .text' out >found
}

# finds DESCRIPTION PATTERN: a line of found has it.
finds() {
	check "$1" sh -c 'grep -E "$0" found || { cat found err; exit 1; }' "$2"
}

# --- the machine, as it is
"$ompprof" doctor >text 2>err
status=$?
is "the machine: nothing is wrong with the command" "$(cat err)" ""
check "... a line for each state" grep -qE '^  (ok|limited|missing) +timers ' text
# A path is never broken.
check "... 80 columns of ASCII" sh -c '! grep -v "/.*/.*/" text | awk "length > 80" | grep . &&
	! LC_ALL=C grep -n "[^ -~]" text'
doctor
is "... as JSON with the same state" "$status $(jq -r .state out | sed 's/missing/1/; s/limited/0/; s/ok/0/')" \
	"$status $status"
is "... and a remedy for all that is not ok" \
	"$(jq '[.findings[] | select((.state == "ok") != (.remedy == null))] | length' out)" 0
is "... as many findings as in the text" "$(jq '.findings | length' out)" \
	"$(grep -cE '^  (ok|limited|missing) ' text)"
finds "the profiler is found" "^profiler ok .*libompprof.so'$"
finds "... and what tells of libgomp" "^libgomp ok .*libompprof-gomp.so'$"

needed=$(grep -cE '^(COUNTED|CALLBACK)\(.*, (THREADS|CONSTRUCTS)[,)]' "$srcdir/profile/shared/events.def")
if grep -q 'all [0-9]* events of OMPT' found; then
	finds "a runtime is asked for the callbacks that the table needs" "all $needed events of OMPT"
else
	skip "a runtime is asked for the callbacks that the table needs" "no runtime has them all"
fi

# --- the machine, with something taken away
if [ -x "$confine" ]; then
	# Numbers of system calls: timer_create, perf_event_open, process_vm_readv.
	confined() {
		number=$1
		shift
		status=0
		"$confine" 1 "$number" -- "$ompprof" doctor --format json >out 2>err || status=$?
		jq -r '.findings[] | .topic + " " + .state + " " + .text' out >found
	}
	confined 222
	finds "without timers" "^timers missing .*: Operation not permitted"
	is "... status" "$status" 1
	confined 298
	finds "without perf events" "^perf events limited cannot open 'task-clock': Operation not permitted"
	finds "... samples are taken on the tick" "^perf events limited .*on the kernel's tick, .*30 points too"
	check "... no word on counters" sh -c '! grep ^counters found'
	confined 310
	finds "without copies of memory" "^memory limited "
else
	skip "a machine that lacks something" "tests/harmless/confine is not built"
fi
(ulimit -f 100 && "$ompprof" doctor --format json >out 2>err; jq -r '.findings[] | .topic + " " + .state + " " +
	.text' out >found)
finds "a limit on files" "^limits missing files of (51200|102400) bytes"
(ulimit -n 30 && "$ompprof" doctor --format json >out 2>err; jq -r '.findings[] | .topic + " " + .state + " " +
	.text' out >found)
finds "a limit on open files" "^limits limited 30 open files"
(cd /proc && "$ompprof" doctor --format json 2>"$scratch/err") >out
jq -r '.findings[] | .topic + " " + .state + " " + .text' out >found
finds "a folder where nothing can be made" "^output missing cannot make a folder"
mkdir few
ln -s "$(command -v jq)" few/jq
status=0
PATH=$scratch/few "$ompprof" doctor --format json >out 2>err
jq -r '.findings[] | .topic + " " + .state + " " + .text' out >found
finds "no disassembler" "^objdump limited no 'objdump'"
finds "no man" "^man pages limited "

# --- commands that cannot be executed
printf '#!/no/such/interpreter\n' >orphan
printf 'text\n' >file
printf 'touch executed\n' >plain
printf '#!./plain\n' >script
chmod +x orphan plain script
while IFS='	' read -r word want message; do
	doctor "$word"
	is "$word" "$status $(cat err)" "$want ompprof: cannot run '$word': $message"
	is "... nothing on stdout" "$(cat out)" ""
done <<'LINES'
./no-such	127	No such file or directory
no-such-program-at-all	127	No such file or directory
./file	126	Permission denied
./few	126	Permission denied
./orphan	127	its interpreter '/no/such/interpreter' is not there
LINES
doctor ./script
is "a script of a script" "$(grep -c '^script ok' found)" 2
finds "... ends at the shell" "^program ok '/bin/sh'"
check "nothing was executed" [ ! -e executed ]
"$ompprof" doctor --format xml >out 2>err
is "an unknown format" "$? $(head -n 1 err)" "2 ompprof: option '--format' takes text or json, not 'xml'"

# --- programs
cat >program.c <<'C'
#include <stdio.h>
int work(int n)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
int other(int n)
{
	return n + work(n);
}
int main(void)
{
	FILE *file = fopen("executed", "w");

	return !file || other(10) == 0;
}
C
if command -v gcc >/dev/null && gcc -g program.c -o plain_program 2>/dev/null; then
	doctor ./plain_program
	finds "a program without OpenMP" "^runtime ok no OpenMP runtime is linked"
	finds "... with -g" "^lines ok './plain_program' has debug information$"
	finds "... with call frame information" "^walks ok all [0-9]* files"
	gcc program.c -o nog && doctor ./nog
	finds "without -g" "^lines limited './nog' has no debug information: functions have names"
	is "... is no failure" "$status" 0
	gcc program.c -s -o stripped && doctor ./stripped
	finds "stripped" "^lines limited './stripped' has neither"
	gcc -g program.c -fno-asynchronous-unwind-tables -fno-unwind-tables -o bare && doctor ./bare
	finds "without call frame information" "^walks limited 3 of [4-6] functions of './bare'"
	if command -v objcopy >/dev/null; then
		cp plain_program apart
		objcopy --only-keep-debug apart apart.debug && strip -g apart &&
			objcopy --add-gnu-debuglink=apart.debug apart
		doctor ./apart
		finds "debug information in a file of its own" "^lines ok './apart' .* in a file of its own"
		rm apart.debug
		doctor ./apart
		finds "... that is gone" "^lines limited './apart' has no debug information"
	fi
	if gcc -g -gsplit-dwarf program.c -o split 2>/dev/null && ls ./*.dwo >/dev/null 2>&1; then
		doctor ./split
		finds "split debug information" "^lines ok './split' has debug information, split"
		rm ./*.dwo
		doctor ./split
		finds "... that is gone" "^lines limited 1 of 1 split units of './split'"
	fi
	if gcc -static program.c -o static 2>/dev/null; then
		doctor ./static
		finds "linked statically" "^program missing cannot profile './static': it is linked statically"
		is "... status" "$status" 1
	fi
	echo 'int part(void) { return 1; }' | gcc -shared -fPIC -x c - -o libpart.so
	gcc program.c -Wl,--no-as-needed -o lacking -L. -lpart && doctor ./lacking
	finds "a library that is not found" "^libraries missing './lacking' needs 'libpart.so'"
	is "... status" "$status" 1
	LD_LIBRARY_PATH=. doctor ./lacking
	check "... is found with LD_LIBRARY_PATH" sh -c '! grep ^libraries found'
	if command -v patchelf >/dev/null; then
		patchelf --set-interpreter /no/such/loader --output noloader plain_program
		doctor ./noloader
		is "a loader that is not there" "$status $(cat err)" \
			"127 ompprof: cannot run './noloader': its loader '/no/such/loader' is not there"
	fi
	cp plain_program gains
	if [ "$(id -u)" -eq 0 ] && chown 12345 gains 2>/dev/null && chmod u+s gains && [ -u gains ] &&
		"$ompprof" run -o gains.out ./gains 2>&1 | grep -q 'set-user-ID'; then
		doctor ./gains
		finds "a program that gains rights" "^rights missing cannot profile './gains': it is set-user-ID"
	else
		skip "a program that gains rights" "not root, or the folder is mounted nosuid"
	fi
	if gcc -fopenmp -g program.c -o gomp 2>/dev/null; then
		doctor ./gomp
		# What doctor says of the runtime is what run does.
		finds "built for libgomp" "^runtime ok './gomp' runs on GCC's libgomp, and '.*/libompprof-gomp.so' tells"
		said=$("$ompprof" run -v -o gomp.out ./gomp 2>&1 | grep -c "on GCC's libgomp '.*/libompprof-gomp.so' tells")
		rm -f executed
		is "... as run says" "$said" 1
	fi
	# A runtime without OMPT, and one that cannot be loaded.
	echo 'int omp_get_max_threads(void) { return 1; }' | gcc -shared -fPIC -x c - -o libomp.so
	LD_LIBRARY_PATH=. doctor
	finds "a runtime without OMPT" "^runtime limited '.*/libomp.so' starts no tool"
	echo 'int omp_get_num_threads(void) { return 1; }' | gcc -shared -fPIC -x c - -o libomp.so
	LD_LIBRARY_PATH=. doctor
	finds "a runtime that is none" "^runtime limited '.*/libomp.so' cannot be started: "
	printf '%s\n' '#include <stdlib.h>' 'int omp_get_max_threads(void) { abort(); }' |
		gcc -shared -fPIC -x c - -o libomp.so
	LD_LIBRARY_PATH=. doctor
	finds "a runtime that crashes" "^runtime limited '.*/libomp.so' cannot be started: it ended with signal 6"
	check "no program was executed" [ ! -e executed ]
	name=$(printf 'x\033[1m\n%0100d' 7)
	cp plain_program "$name"
	"$ompprof" doctor "./$name" >text 2>&1
	check "a hostile name does no harm" sh -c '! LC_ALL=C grep -n "[^ -~]" text'
else
	skip "programs" "gcc is not installed"
fi
plan
