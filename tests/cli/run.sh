# SPDX-License-Identifier: Apache-2.0
# ompprof run as a command: it ends as its child ends, leaves streams, signals and environment as
# they were, keeps what was there before, and says why there is no profile when there is none.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq env timeout
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
LD_LIBRARY_PATH=$row_lib
export LD_LIBRARY_PATH OMP_NUM_THREADS=2
for program in exits.c hog.c noomp.c own_tool.c; do
	matrix_build "$program" "$row" >/dev/null 2>&1 || broken "cannot build $program"
done
programs=$builddir/tests/programs/$row
ulimit -c 0
cd "$live_folder" || broken "no scratch folder"

# status COMMAND...: runs it with its output in the files out and err; prints the exit status.
status() {
	got=0
	"$@" >out 2>err || got=$?
	echo "$got"
}

run() {
	"$ompprof" run -q -o p "$@"
}

# printed FILE: what hog printed, without what it measured.
printed() {
	sed 's/[0-9.]* CPU/N CPU/' "$1"
}

samples() {
	"$ompprof" report -i "$1" --format json 2>/dev/null | jq .run.samples
}

# --- how it ends
# The shell reports 128 + N for a command that signal N ended.
while read -r how expected complete; do
	is "$how: status $expected" "$(status run -- "$programs/exits" "$how" 0.1)" "$expected"
	is "$how: stdout" "$(cat out)" "exits: $how"
	# But for the shell's own word on signals.
	is "$how: nothing said" "$(grep -vE '^(Aborted|Killed)' err)" ""
	is "$how: a profile, complete or not" "$("$ompprof" report -i p --format json |
		jq -c '[.run.complete, .run.samples > 0]')" "[$complete,true]"
done <<END
exit 7 true
_exit 3 false
abort 134 false
kill 137 false
exec 0 true
END
matrix_build crash.c "$row" >/dev/null 2>&1 || broken "cannot build crash.c"
is "crash: status" "$(status run -- "$programs/crash" 0.1)" 139
is "crash: a profile, incomplete" "$("$ompprof" report -i p --format json |
	jq -c '[.run.complete, .run.samples > 0]')" "[false,true]"
is "a label" "$(status run --label 'v1 "x"' "$programs/exits" exit 0.1)" 7
is "... in JSON" "$("$ompprof" report -i p --format json | jq -r .run.label)" 'v1 "x"'
is "... in the summary" "$("$ompprof" report -i p | sed -n 's/^label: //p')" 'v1 "x"'
is "... in info" "$("$ompprof" info -i p | sed -n 's/^Label  *//p')" 'v1 "x"'
is "... in a comparison" "$("$ompprof" diff p p | sed -n 's/^after:  //p')" 'v1 "x"'
is "SIGSEGV" "$(status run sh -c 'kill -SEGV $$')" 139
is "status 0" "$(status run true)" 0
is "status 255" "$(status run sh -c 'exit 255')" 255

# --- what cannot be run
is "no such program" "$(status "$ompprof" run -o none ./no-such)" 127
is "... one line" "$(cat err)" "ompprof: cannot run './no-such': No such file or directory"
check "... no empty folder stays" [ ! -e none ]
mkdir mine
is "no such program, in folders to be made" "$(status "$ompprof" run -o mine/a/b/none ./no-such)" 127
is "... of which none stays" "$(ls mine)" ""
is "not in PATH" "$(status run no-such-program-at-all)" 127
echo 'text' >file
is "not executable" "$(status run ./file)" 126
is "... one line" "$(cat err)" "ompprof: cannot run './file': Permission denied"
mkdir folder
is "a folder" "$(status run ./folder)" 126
is "an output folder below a file" "$(status "$ompprof" run -o file/p true)" 125
is "... one line" "$(sed 's/: [^:]*$//' err)" \
	"ompprof: cannot make the folder '$PWD/file/p'"
is "the folders above the output are made" "$(status "$ompprof" run -o no/p true)$(ls no)" 0p
echo precious >folder/data
is "a folder that is no profile" "$(status "$ompprof" run -o folder true)" 125
is "... one line" "$(cat err)" \
	"ompprof: cannot write to '$PWD/folder': it holds something that is no profile"
is "... is left alone" "$(cat folder/data)" precious
is "a file as output" "$(status "$ompprof" run -o file true)" 125
is "... one line" "$(cat err)" "ompprof: cannot write to '$PWD/file': Not a directory"
is "... is left alone" "$(cat file)" text

# --- usage
while IFS='	' read -r options message; do
	# Words on purpose.
	# shellcheck disable=SC2086
	is "run $options" "$(status "$ompprof" run $options)" 2
	is "... says why" "$(cat err)" "ompprof: $message
Try 'ompprof run --help' for more information."
	is "... nothing on stdout" "$(cat out)" ""
done <<END
-q	no command to run
--	no command to run
-F 0 true	option '--frequency' takes 1 to 10000 samples a second or a period from 100us to 100s, not '0'
-F fast true	option '--frequency' takes 1 to 10000 samples a second or a period from 100us to 100s, not 'fast'
-e no-such true	option '--event' takes cpu, wall or a perf event such as cycles or page-faults@100, not 'no-such'
--events=works true	option '--events' does not know 'works': it takes names of events as in OpenMP's specification, without 'ompt_callback_', or all
--events=work,,flush true	option '--events' does not know '': it takes names of events as in OpenMP's specification, without 'ompt_callback_', or all
--unwind=magic true	option '--unwind' takes cfi, fp or libunwind, not 'magic'
--signal=KILL true	option '--signal' takes URG, PROF or the number of a real-time signal, 34 to 64, not 'KILL'
--budget=0 true	option '--budget' takes off or a whole number of percent, 1 to 100, not '0'
--budget=3.5 true	option '--budget' takes off or a whole number of percent, 1 to 100, not '3.5'
--runtime=gcc true	option '--runtime' takes auto, plain, libomp or a path with a slash, not 'gcc'
--no-such true	unknown option '--no-such'
-Z true	unknown option '-Z'
-o	option '-o' needs an argument
END
is "--help" "$(status "$ompprof" run --help)" 0
check "... on stdout" grep -q '^Usage: ompprof run' out

# --- the previous profile
rm -rf p p.old
run -- "$programs/hog" 0.05 >out
first=$(ls p)
run -- "$programs/hog" 0.05 >out
is "the previous profile is kept" "$(ls p.old)" "$first"
second=$(ls p)
check "... beside the new one" [ "$first" != "$second" ]
run -- "$programs/hog" 0.05 >out
is "... one of them" "$(ls p.old)" "$second"
is "... not more" "$(echo p*)" "p p.old"
third=$(ls p)
is "a program that cannot be started" "$(status run ./no-such)" 127
is "... costs no profile" "$(ls p) $(ls p.old)" "$third $second"
"$ompprof" run -q "$programs/hog" 0.05 >out
check "the default folder is ompprof.out" [ -d ompprof.out ]

# --- a run into the folder of one that still runs
"$ompprof" run -q -o busy -- "$programs/hog" 30 >/dev/null 2>&1 &
outer=$!
tries=0
while ! writer=$(ls busy 2>/dev/null) || [ -z "$writer" ]; do
	tries=$((tries + 1))
	[ $tries -lt 200 ] || break
	sleep 0.05
done
hog_pid=$(echo "$writer" | sed 's/.*-\([0-9]*\)[.]ompprof$/\1/')
is "a folder in use is refused" "$(status "$ompprof" run -o busy true)" 125
is "... in one sentence" "$(sed -n 1p err)" \
	"ompprof: cannot write to '$PWD/busy': process $hog_pid still writes its profile there"
is "... and left alone" "$(ls busy) $(echo busy*)" "$writer busy"
kill -KILL "$hog_pid"
wait $outer
is "... but taken when the program was killed" "$(status "$ompprof" run -q -o busy true)" 0
is "... and its profile is kept" "$(ls busy.old)" "$writer"

# --- streams
printf 'one\ntwo\n' >in
run sh -c 'cat; echo error >&2; exit 4' <in >out 2>err
is "stdin and the status pass" "$? $(cat out) $(cat err)" "4 one
two error"
"$ompprof" run -o p "$programs/hog" 0.1 >out 2>err
is "one closing line" "$(sed 's/[0-9.]\+/N/g' err)" \
	"ompprof: N samples, N threads, N s -> p (N kB); view with: ompprof report -i p"
is "... not on stdout" "$(printed out)" "hog: 2 threads, N CPU seconds"
status "$ompprof" run -o p "$programs/exits" kill 0.1 >/dev/null
is "... says that the program was killed" "$(grep '^ompprof' err | sed 's/[0-9.]\+/N/g')" \
	"ompprof: N samples, N threads, N s, incomplete (killed by SIGKILL) -> p (N kB); view with: \
ompprof report -i p"
status "$ompprof" run -o p "$programs/exits" _exit 0.1 >/dev/null
check "... or that its exit was not seen" \
	grep -q 's, incomplete (its exit was not seen: _exit, a signal or exec) -> p' err
status "$ompprof" run -o p sh -c '"$1" kill 0.1; exit 3' - "$programs/exits" >/dev/null
check "... also if a child was killed" grep -q 's, incomplete (its exit was not seen: ' err
status "$ompprof" run -o p sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; exec true' >/dev/null
check "... but not if it became another program" sh -c '! grep incomplete err'
status "$ompprof" run -o p sh -c \
	'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; exec "$1" kill 0.01' - "$programs/exits" >/dev/null
check "... unless that one was killed" grep -q '2 processes, .* incomplete (killed by SIGKILL)' err
run sh -c 'ls /proc/self/fd' >out 2>err
sh -c 'ls /proc/self/fd' >plain
is "no descriptor is left open" "$(cat out)" "$(cat plain)"
run sh -c 'exec >&- 2>&-; exit 6'
is "closed streams" $? 6
"$ompprof" "$programs/hog" 0.1 >out 2>err
is "ompprof CMD: its stdout alone" "$(printed out)" "hog: 2 threads, N CPU seconds"
check "... the summary on stderr" grep -q 'useful work' err
is "ompprof CMD: the status" "$(status "$ompprof" "$programs/exits" exit 0.05)" 7
is "ompprof CMD: not found" "$(status "$ompprof" ./no-such)" 127
is "... one line" "$(cat err)" "ompprof: cannot run './no-such': No such file or directory"
is "ompprof VERB: mistyped" "$(status "$ompprof" reprot)" 127
is "... a hint, too" "$(cat err)" "ompprof: cannot run 'reprot': No such file or directory
ompprof: hint: did you mean 'ompprof report'?"
is "ompprof VERB: unknown" "$(status "$ompprof" nothing-like-it)" 127
is "... where the verbs are" "$(tail -n 1 err)" "ompprof: hint: 'ompprof help' lists the verbs"

# --- options and arguments
run -- sh -c 'echo "$1 $2"' - -o x >out
is "what follows the command is its own" "$(cat out)" "-o x"
run echo -q -- --help >out
is "... without --, too" "$(cat out)" "-q -- --help"
cp "$programs/hog" ./-hog
is "a command that looks like an option" "$(status run -- ./-hog 0.01)" 0
run --freq=100 --unw fp "$programs/hog" 0.05 >out
is "abbreviated options" "$("$ompprof" info -i p | sed -n 's/^Walker *//p')" fp

# --- signals; those that come meanwhile are tried by signals.sh
run sh -c 'grep -E "Sig(Ign|Blk)" /proc/self/status' >out
is "no signal is ignored or blocked" "$(cat out)" "$(grep -E 'Sig(Ign|Blk)' /proc/self/status)"

# --- environment
OMP_TOOL_LIBRARIES=/no/such/tool.so LD_PRELOAD=$row_lib/libomp.so \
	run sh -c 'echo "$OMP_TOOL_LIBRARIES"; echo "$LD_PRELOAD"; echo "$OMP_TOOL"' >out
is "the user's tools stay, behind ours" "$(sed -n 1p out | sed 's,^[^:]*/libompprof.so:,,')" \
	/no/such/tool.so
is "the user's preloaded libraries stay" "$(sed -n 2p out | sed 's,^[^:]*/libompprof.so:,,')" \
	"$row_lib/libomp.so"
is "tools are switched on" "$(sed -n 3p out)" enabled

# shares PROFILE: the regions and the share of work in them, by name.
shares() {
	"$ompprof" report -i "$1" --format json | jq -r '[.nodes[] | select(.kind == "region") |
		.name] | unique | join(" ")'
}
loops=$(matrix_build loops.c "$row" 2>/dev/null) || broken "cannot build loops.c"
run -F 1000 -- "$loops" 0.5 >out
"$ompprof" report -i p --format json >json
with=$(live_share json heavy_kernel) with_regions=$(shares p)
library=$(dirname "$ompprof")/.libs/libompprof.so
rm -rf alone
OMP_TOOL_LIBRARIES=$library OMPPROF_OUTPUT=alone OMPPROF_FREQUENCY=1000 "$loops" 0.5 >out 2>err
is "without the wrapper: stdout" "$(cat out)" "loops: 3540"
is "... nothing said" "$(cat err)" ""
"$ompprof" report -i alone --format json >json
is "... the same regions" "$(shares alone)" "$with_regions"
check "... the same shares ($with, $(live_share json heavy_kernel))" \
	near "$with" "$(live_share json heavy_kernel)" 5

# --- programs without OMPT
is "no OpenMP: the status" "$(status "$ompprof" run -o p "$programs/noomp" 0.5)" 0
is "... is said" "$(sed -n 1p err)" \
	"ompprof: '$programs/noomp' started no OpenMP runtime: its threads were sampled, there are no regions"
check "... and it is profiled" sh -c '[ "$1" -gt 5 ]' - "$(samples p)"
check "... no more is said" sh -c '! grep "most were in" err'
status "$ompprof" run -o p sh -c '"$1" 0.5; true' - "$programs/noomp" >/dev/null
check "... of a script's programs: that they have no profile" \
	grep -q 's of CPU time most were in programs that it started: without OpenMP they have no profile' err
status env LD_PRELOAD="$builddir/.libs/usage.so" "$ompprof" run -o p sh -c '"$1" 0.1; true' - "$programs/noomp" >/dev/null
check "... a long time in whole seconds" grep -q 'of 123 s of CPU time most' err
is "a tool of the program's own: the status" "$(LD_LIBRARY_PATH=$row_lib status "$ompprof" run -o p "$programs/own_tool")" 2
is "... which works as alone" "$(cat out)" tool
is "... is said" "$(sed -n 1p err)" \
	"ompprof: '$programs/own_tool' has an OpenMP tool of its own: its threads were sampled, there are no regions"
check "... by the report, too" sh -c '"$0" report -i p | grep -q "has an OpenMP tool of its own: no regions"' "$ompprof"
check "... and by info" sh -c '"$0" info -i p | grep -q "OpenMP  *the program has a tool of its own"' "$ompprof"
matrix_file=$srcdir/tests/accuracy/matrix.txt
if gomp=$(matrix_build hog.c libgomp-gcc 2>log); then
	got=0
	LD_LIBRARY_PATH= "$ompprof" run --runtime=plain -o p "$gomp" 0.3 >out 2>err || got=$?
	is "libgomp: the status" $got 0
	check "... is named, in one line" sh -c '[ "$(grep -c libgomp err)" = 1 ]'
	is "... beside the closing line" "$(wc -l <err)" 2
	check "... and by the report" sh -c '"$0" report -i p | grep -q "no call of GCC.s libgomp was seen"' \
		"$ompprof"
else
	skip "libgomp" "$(head -n 1 log)"
fi
# A parent that ignores SIGCHLD leaves that to its children; the status is not lost for it.
status=0
sh -c 'trap "" CHLD; exec "$0" run -q -o "$1" false' "$ompprof" "$live_folder/ignored" || status=$?
if [ "$status" = 1 ]; then
	ok "exit status with SIGCHLD ignored"
else
	not_ok "exit status with SIGCHLD ignored" "status $status, not 1"
fi
plan
