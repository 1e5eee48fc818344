#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real runs compared: the demo with and without one of its faults, conditions on it; and a program run with 1 and
# 2 threads, one that fails with 2, one that does not listen, one that is interrupted, one that reads.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
LD_LIBRARY_PATH=$row_lib
export LD_LIBRARY_PATH
program=$(matrix_build imbalance.c "$row") || broken "cannot build imbalance.c"
cd "$live_folder" || broken "no scratch folder"

# ends STATUS COMMAND...: it must end so; its output is left in out and err.
ends() {
	want=$1 got=0
	shift
	"$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] || { echo "status $got, not $want"; cat out err; return 1; }
}

# --- before and after
demo=${program%/*}/ljmd
row_link="$row_link -lm"
matrix_compile "$srcdir/demo/ljmd.c" "$demo" || broken "cannot build the demo"
largest_change() {
	"$ompprof" diff --format json none imbalance | jq -en 'input | [.places[] | select(.cause == "imbalance")][0]
		| .is == "better" and .function == "find_neighbours" and (.hidden | not)'
}
# Other programs may change one of the two runs more than the fault does.
for try in 1 2 3; do
	live_try $try
	for fix in none imbalance; do
		OMP_NUM_THREADS=2 $live_first "$ompprof" run -q -o "$fix" -- "$demo" --fix=$fix --steps=20 >said 2>&1 ||
			broken "the demo fails: $(cat said)"
	done
	live_first=
	! largest_change >said 2>&1 || break
done
check "a fault that was mended is the largest change of its kind (try $try)" largest_change
check "... which a condition sees" ends 1 "$ompprof" diff --fail-if 'imbalance@find_neighbours<-50%' \
	none imbalance
check "... and names" grep -q "^ompprof: condition 'imbalance@find_neighbours<-50%' holds: " err
check "... and another does not" ends 0 "$ompprof" diff --fail-if 'imbalance@find_neighbours>+0%' \
	none imbalance
check "both programs are the same code: what was executed by both matches" sh -c '"$1" diff --all \
	--format json none imbalance | jq -en "input | [.places[] | select(.kind == \"region\")
	| select(.is == \"new\" or .is == \"gone\") | .function] | unique - [\"find_neighbours\"] == []"' \
	- "$ompprof"

# --- numbers of threads
check "1 and 2 threads" ends 0 "$ompprof" scale -q -t 2,1,2 -r 2 -o s --format json -- "$program" 0.2
check "... each run is kept" sh -c '[ "$(echo s/*)" = "s/t1-1 s/t1-2 s/t2-1 s/t2-2" ]'
check "... has so many threads" sh -c 'jq -en "input | [.points[] | .run.team] == [1, 2]
	and [.points[] | .walls_s | length] == [2, 2] and .warnings == []" out'
check "... is compared with the ideal" jq -en 'input | .points[1] | .speed_up > 0.2 and .speed_up < 2.5
	and (.speed_up / 2 - .of_ideal | fabs < 1e-6)' out
# POP: speed-up is that of the threads, times both ratios of efficiency.
check "... by factors" jq -e '.points as $p | ($p[1].global_efficiency / $p[0].global_efficiency
	/ $p[1].of_ideal - 1) | fabs < 1e-4' out
check "... and loses most by imbalance, or because the CPUs are not its own" jq -e '.points[1]
	| .lost_by_cause_s | to_entries | sort_by(-.value)[0].key
	| IN("imbalance", "not_running", "useful")' out
check "... can be shown again" ends 0 "$ompprof" scale --report s
check "... with a range" grep -qE '^threads runs wall s +least +most ' out
check "the program's output goes to stderr" ends 0 "$ompprof" scale -q -t 1 -o o --format csv -- sh -c \
	"echo mine; exec $program 0.02"
check "... and the report's to stdout" sh -c 'grep -qx mine err && ! grep -q mine out'
check "the runs before are kept" sh -c '"$1" scale -q -t 1 -o o -- "$2" 0.02 >/dev/null 2>&1 &&
	"$1" scale -q -t 1 -o o/ -- "$2" 0.02 >/dev/null 2>&1 && [ "$(echo o/* o.old/*)" = "o/t1-1 o.old/t1-1" ]' - "$ompprof" "$program"
mkdir other
: >other/mine
check "a folder of others is left alone" ends 125 "$ompprof" scale -q -t 1 -o other -- "$program" 0.02
check "... as it is" sh -c '[ "$(echo other/*)" = other/mine ] && [ ! -e other.old ]'

cat >picky <<'END'
#!/bin/sh
[ "$OMP_NUM_THREADS" -lt 2 ] || exit 3
exec "$@"
END
cat >deaf <<'END'
#!/bin/sh
OMP_NUM_THREADS=1 exec "$@"
END
chmod +x picky deaf
check "a program that fails with 2 threads" ends 3 "$ompprof" scale -q -t 1,2,4 -o p -- ./picky "$program" 0.02
check "... ends it" sh -c '[ ! -s out ] && [ "$(echo p/*)" = "p/t1-1 p/t2-1.failed" ]'
is "... with a sentence" "$(grep '^ompprof: ' err)" \
	"ompprof: './picky' ended with status 3 with 2 threads: nothing more is run, 1 run before it is kept"
check "... and what was run can be shown" ends 0 "$ompprof" scale --report p
check "a program that does not listen" ends 0 "$ompprof" scale -q -t 1,2 -o d -- ./deaf "$program" 0.02
check "... is told of" grep -q \
	'^warning: asked for 2 threads, the largest team had 1: the program decides itself$' out
check "no such program" ends 127 "$ompprof" scale -q -t 1 -o n -- ./no-such
check "a program that kills itself" ends 143 "$ompprof" scale -q -t 1 -o k -- sh -c 'kill -TERM $$'
check "more threads than CPUs" sh -c '"$1" scale -t 64 -o m -- "$2" 0.001 2>&1 |
	grep -q "^ompprof: 64 threads on [0-9]* cpus\{0,1\} take turns"' - "$ompprof" "$program"

# A file is read by each run, a pipe by none.
printf '1\n2\n' >input
"$ompprof" scale -q -t 1,2 -o i -- sh -c 'echo "read $(wc -l)"' <input >/dev/null 2>err
is "standard input that is a file" "$(grep read err | tr '\n' ' ')" "read 2 read 2 "
printf '1\n2\n' | "$ompprof" scale -q -t 1,2 -o i -- sh -c 'echo "read $(wc -l)"' >/dev/null 2>err
is "... that is a pipe" "$(grep read err | tr '\n' ' ')" "read 0 read 0 "

# Interrupted as by Ctrl-C: the program survives it, the next one is not begun.
setsid -w sh -c 'trap : INT; "$1" scale -q -t 1,2 -o c -- sh -c "trap : INT; kill -INT 0; sleep 0.2; exec $2 0.02" \
	>/dev/null 2>err; echo $? >status' - "$ompprof" "$program"
is "an interrupt that the program survives" "$(cat status)" 130
check "... ends it" sh -c '[ "$(echo c/*)" = c/t1-1.failed ]'

# --- a program that still runs
"$ompprof" run -q -o r -- sh -c "exec $program 30" >/dev/null 2>&1 &
runner=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.3
	"$ompprof" diff s/t2-1 r >out 2>err && break
done
check "a program that still runs" grep -q "^warning: 'r' is incomplete: " out
kill -TERM "$runner"
wait "$runner" 2>/dev/null
plan
