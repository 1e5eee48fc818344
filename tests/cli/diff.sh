#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof diff as a command, for profiles whose programs do not exist (names are addresses then): its operands,
# formats and limits, conditions and their statuses, what cannot be compared; and ompprof scale --report of runs
# that are made up.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR
cd "$scratch" || broken "cannot enter the scratch folder"
for scene in cg waits mutexes killed hostile events empty faults; do
	"$builddir/tests/unit/scenes/write_scene" "$scene" "$scene.ompprof" ||
		broken "cannot write the scene '$scene'"
done
mkdir ompprof.out ompprof.out.old empty
cp cg.ompprof ompprof.out.old/host-1.ompprof
cp cg.ompprof ompprof.out/host-2.ompprof

# ends STATUS OPTION...: the command must end so; its output is left in out and err.
ends() {
	want=$1 got=0
	shift
	"$ompprof" "$@" >out 2>err || got=$?
	[ "$got" -eq "$want" ] || { echo "status $got, not $want"; cat err; return 1; }
}

# prints REGEX OPTION...: status 0, nothing on stderr, and a line of the output matches.
prints() {
	regex=$1
	shift
	ends 0 diff "$@" && cat out err && [ ! -s err ] && grep -qE "$regex" out
}

# refuses STATUS STDERR COMMAND OPTION...: nothing on stdout.
refuses() {
	want=$1 message=$2
	shift 2
	ends "$want" "$@" && [ ! -s out ] && printf '%s\n' "$message" | diff - err
}

# --- what is compared
check "the kept profile and the last one" prints '^ompprof: ompprof.out.old -> ompprof.out$'
check "another one and the last one" prints '^ompprof: waits.ompprof -> ompprof.out$' waits.ompprof
check "two files" prints '^ompprof: waits.ompprof -> cg.ompprof$' waits.ompprof cg.ompprof
check "nothing changed" prints '^  No place changed by more than twice its error$'
check "... though the threads' order is another" prints 'efficiency 54.3 -> 54.3 %  4 threads$'
check "all is shown" prints '^  same +0 useful ' --all
check "... in limits" sh -c '[ "$("$1" diff --all -n 2 | grep -c "^  same ")" = 2 ]' - "$ompprof"
check "... and says what is not" sh -c '"$1" diff --all -n 2 |
	grep -qE "^\([0-9]+ smaller changes: -n [0-9]+ shows them\)$"' - "$ompprof"
check "other numbers of threads, and little in common: no speed-up" prints '^wall .* s, 1 -> 4 threads$' \
	empty.ompprof cg.ompprof
check "... weak" prints '^wall .* s, 1 -> 4 threads$' --weak empty.ompprof cg.ompprof
check "a killed program" prints "^warning: 'killed.ompprof' is incomplete: the program was killed" \
	cg.ompprof killed.ompprof
check "hostile names" sh -c '! "$1" diff --all empty.ompprof hostile.ompprof | tr -d "\n" |
	LC_ALL=C grep -q "[[:cntrl:]]"' - "$ompprof"

# --- tables
check "by function" prints '^before after +self .*function \(thread-s\)$' --by function --all
check "by region" prints '^before after change .*region \(wall s\)$' --by region --all
check "... sorted" prints '[+]0.607  cg[+]0x1020' --by function --all -s wait -n 1 empty.ompprof cg.ompprof
check "events" prints '^before after total after  function \(events\)$' --by function --all \
	events.ompprof events.ompprof
is "CSV" "$("$ompprof" diff --all --format csv | sed -n '1s/\r//p')" \
	"is,change_s,error_s,cause,before_s,after_s,kind,place,function,construct,file,line,line_before"
check "CSV by function" sh -c '"$1" diff --all --format csv --by function |
	grep -q "^before_s,after_s,self_s,error_s,"' - "$ompprof"
check "chosen columns" prints '^change_s,cause,place' --format csv -f change,cause,place --all
check "no colour in a pipe" sh -c '! "$1" diff | grep -q "$(printf "\033")"' - "$ompprof"
check "colour when asked for" sh -c '"$1" diff --color=always | grep -q "$(printf "\033")"' - "$ompprof"
if command -v jq >/dev/null; then
	check "JSON" sh -c '"$1" diff cg.ompprof waits.ompprof --format json | jq -en "
		input | ([.causes[].change_s] | add) - .wall.change_s | fabs < 1e-8"' - "$ompprof"
	check "JSON: places" sh -c '"$1" diff --format json | jq -en "
		input | (.places | length) > 5 and all(.places[]; .change_s == 0 and .hidden)"' - "$ompprof"
	check "JSON: conditions" sh -c '"$1" diff --fail-if "wall<+5%" --format json 2>/dev/null |
		jq -en "input | .conditions[0].holds"' - "$ompprof"
else
	skip "JSON" "no jq"
fi

# --- conditions
check "a condition that does not hold" ends 0 diff --fail-if 'wall>+0%'
check "... and none is said" sh -c '[ ! -s err ]'
check "one that holds" ends 1 diff --fail-if 'wall>+5%' cg.ompprof waits.ompprof
check "... is said" grep -qE "^ompprof: condition 'wall>\+5%' holds: 1.00 -> 2.00 s, \+1.00 s \
\(\+100.0 %\), one run each" err
check "... and the comparison is shown all the same" grep -q '^wall 1.00 -> 2.00 s' out
check "two, of which the second holds" ends 1 diff --fail-if 'wall>+500%' --fail-if 'efficiency<50%' \
	cg.ompprof waits.ompprof
check "... is the one that is said" sh -c '[ "$(wc -l <err)" -eq 1 ] && grep -q "efficiency<50%" err'
check "a place that is not there" ends 2 diff --fail-if 'lock@nowhere>+1s'
check "... is said" grep -qx "ompprof: condition 'lock@nowhere>+1s' names a place that neither profile has" \
	err
check "a sure one that is not" ends 0 diff --fail-if 'wall>+5% sure' cg.ompprof waits.ompprof
check "... is said" grep -q "^ompprof: condition 'wall>+5% sure' is not sure: .* how much such runs differ is not known$" err

# --- for continuous integration
# junit_of STATUS OPTION...: the XML is valid.
junit_of() {
	status=$1
	shift
	ends "$status" diff --format junit "$@" && cat err &&
		{ ! command -v xmllint >/dev/null || xmllint --noout --schema "$srcdir/tests/cli/junit.xsd" out; }
}
check "JUnit" junit_of 0 --fail-if 'wall>+500%' cg.ompprof waits.ompprof
check "... a test that passes" grep -q '<testcase name="wall&gt;+500%" classname="cg" time="2.0"/>' out
check "... that fails" junit_of 1 --fail-if 'wall>+5%' --fail-if 'efficiency<1%' cg.ompprof waits.ompprof
check "... its figures" grep -q '<failure message="1.00 -&gt; 2.00 s, +1.00 s (+100.0 %), ' out
check "... the counts" grep -q 'tests="2" failures="1" errors="0"' out
check "... that cannot be judged" junit_of 2 --fail-if 'lock@nowhere>+1s' cg.ompprof waits.ompprof
check "... hostile names" junit_of 0 --fail-if 'wall>+500%' cg.ompprof hostile.ompprof
check "... no command line" junit_of 0 --fail-if 'wall>+500%' cg.ompprof empty.ompprof
check "... without a condition" refuses 2 "ompprof: option '--format junit' needs '--fail-if': each condition is a test case
Try 'ompprof diff --help' for more information." diff --format junit
check "annotations of GitHub" ends 1 diff --format github --fail-if 'wall>+5%' cg.ompprof waits.ompprof
check "... are all" sh -c '! grep -vE "^::(error|warning|notice) ([a-z]+=[^:,]*,)*title=[^:,]*::[^%]*(%25[^%]*)*$" out'
check "... a condition" grep -q '^::error title=wall>+5%25::1.00 -> 2.00 s, +1.00 s (+100.0 %25), ' out
check "... not where the profiles have little in common" sh -c '! grep -q "^::warning" out && grep -q "^::notice" out'
check "... places that are worse" sh -c '"$0" diff --format github waits.ompprof mutexes.ompprof >out &&
	grep -q "^::warning title=ompprof diff::+0.016 s lock (0 -> 0.016 s), lock in 0x2930$" out' "$ompprof"
check "... one that is not sure is a warning" sh -c '"$0" diff --format github --fail-if "wall>+5% sure" cg.ompprof \
	waits.ompprof 2>err | grep -q "^::warning title=wall>+5%25 sure::"' "$ompprof"

check "no condition" refuses 2 "ompprof: condition 'wall' has no '>' or '<', as in 'wall>+5%'
Try 'ompprof diff --help' for more information." diff --fail-if wall
check "an unknown metric" ends 2 diff --fail-if 'speed>1%'
check "a full disk" sh -c '[ ! -w /dev/full ] || { "$1" diff >/dev/full 2>err; [ $? -eq 2 ]; }' - \
	"$ompprof"

# --- what cannot be compared
check "events and time" refuses 2 "ompprof: cannot compare 'events.ompprof' with 'cg.ompprof': one \
counts events, cycles, the other time" diff events.ompprof cg.ompprof
head -c 100 cg.ompprof >short.ompprof
printf 'not a profile, but long enough to hold one, if it were one\n' >text.ompprof
: >nothing.ompprof
# one_sentence FILE: status 2 and one line, and perhaps a hint, whichever of the two it is.
one_sentence() {
	for order in "$1 cg.ompprof" "cg.ompprof $1"; do
		# Two words.
		# shellcheck disable=SC2086
		ends 2 diff $order || return 1
		cat err
		[ ! -s out ] && [ "$(grep -vc '^ompprof: hint: ' err)" -eq 1 ] &&
			! grep -qv '^ompprof: ' err || return 1
	done
}
for file in short.ompprof text.ompprof nothing.ompprof empty none; do
	check "not a profile: $file" one_sentence "$file"
done
cut_anywhere() {
	size=$(wc -c <cg.ompprof)
	for part in 1 3 5 7 9; do
		head -c $((size * part / 10)) cg.ompprof >cut.ompprof
		got=0
		"$ompprof" diff cg.ompprof cut.ompprof >out 2>err || got=$?
		[ "$got" -eq 0 ] || [ "$got" -eq 2 ] || { echo "status $got at $part/10"; return 1; }
	done
}
check "a truncated file" cut_anywhere
head -c 81920 cg.ompprof >cut.ompprof
check "... is said to be" prints "^warning: 'cut.ompprof' is incomplete: the file is truncated" \
	cg.ompprof cut.ompprof
# The warning comes before the figures that it makes meaningless.
says_first() {
	ends 0 diff "$@" && head -n 5 out && head -n 5 out | grep -q "^warning: .*: causes cannot"
}
check "causes that were not measured in both" says_first cg.ompprof waits.ompprof
check "an unknown table" ends 2 diff --by loop
check "an unknown column" ends 2 diff --by region -s colour
check "an order without a table" refuses 2 "ompprof: option '--sort' needs '--by' or '--format csv'
Try 'ompprof diff --help' for more information." diff -s change
check "a third profile" ends 2 diff a b c

# --- runs that were kept
mkdir -p runs/t1-1 runs/t4-1 runs/t4-2 runs/t4-3.failed none.scale
cp empty.ompprof runs/t1-1/host-1.ompprof
cp cg.ompprof runs/t4-1/host-1.ompprof
cp cg.ompprof runs/t4-2/host-1.ompprof
# shows REGEX OPTION...
shows() {
	regex=$1
	shift
	ends 0 scale "$@" && cat out err && [ ! -s err ] && grep -qE "$regex" out
}
check "kept runs" shows '^ +4 +2 +1.00 +1.00 +1.00 ' --report runs
check "... by region" shows ' region \(wall s' --report runs --by region --all
check "... with the fewest threads" shows '^ +1 +1 +1.00 ' --report runs --at 1
is "... as CSV" "$("$ompprof" scale --report runs --format csv -f asked,threads,runs,wall | tr -d '\r')" \
	"asked,threads,runs,wall_s
1,1,1,1.0
4,4,2,1.0"
if command -v jq >/dev/null; then
	check "... as JSON" sh -c '"$1" scale --report runs --format json | jq -en "
		input | .points[1] | .of_ideal == 0.25 and (([.lost_by_cause_s[]] | add) - .lost_s | fabs < 1e-8)
		and (.walls_s | length) == 2"' - "$ompprof"
else
	skip "... as JSON" "no jq"
fi
check "threads that were not run" refuses 1 "ompprof: there is no run with 3 threads" scale --report runs \
	--at 3
check "a folder without runs" refuses 1 "ompprof: 'none.scale' has no runs of 'ompprof scale'" scale \
	--report none.scale
check "no folder" refuses 1 "ompprof: cannot read 'no': No such file or directory" scale --report no
cp text.ompprof runs/t4-2/host-1.ompprof
check "a run that is no profile" ends 1 scale --report runs
check "no command" refuses 2 "ompprof: no command to run
Try 'ompprof scale --help' for more information." scale
check "a command to be shown" ends 2 scale --report runs true
for threads in 0 1,,2 a 1, 5000 -1 1.5; do
	check "no numbers of threads: $threads" ends 2 scale -t "$threads" true
done
plan
