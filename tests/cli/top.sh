#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof top on running programs: as text, on a terminal, and what it refuses; and reports on one that runs, of which
# each can be read and none has less than the one before.
srcdir=$(cd "$srcdir" && pwd) builddir=$(cd "$builddir" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/cli/tmux.sh"
live_need timeout jq pgrep
ompprof=$builddir/ompprof
cd "$live_folder" || broken "no scratch folder"

# begin SECONDS: the program, in the background; $pid is its own number, as it is profiled.
begin() {
	rm -rf out out.old ompprof.out
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -o out "$program" "$1" &
	runner=$!
	pid=
	for try in $(seq 200); do
		pid=$(pgrep -P $runner) && [ -n "$(ls out 2>/dev/null | grep ompprof$)" ] && break
		sleep 0.05
	done
	[ -n "$pid" ] || broken "the program did not begin: try $try"
	sleep 1
}

# figures: what a report on the program has now, a number in each line.
figures() {
	"$ompprof" report -i out --format json >json 2>said || { cat said; return 1; }
	jq -r '[.. | objects | .samples? | numbers] | max' json
	jq -r '[.waits[].wait_s, .threads[].not_running_s] | add // 0' json
}

# judge_waits: a program whose threads hardly have a CPU has hardly a wait for each other.
judge_waits() {
	"$ompprof" top -n 1 -v waits out >text
	lacked=$(sed -n 's/.*off cpu \([0-9]*\).*/\1/p' text)
	if [ "${lacked:-0}" -ge 50 ] && ! grep -q "closing barrier" text; then
		skip "$row: waits" "the program had no CPU for $lacked % of its time"
	else
		check "$row: waits" grep "closing barrier  *busy.c:[0-9]" text
	fi
}

for row in omp14-clang14-O2 omp19-clang14-O2; do
	if ! matrix_row "$row" || ! program=$(matrix_build busy.c "$row"); then
		skip "$row: readings" "${row_reason:-cannot build the program}"
		continue
	fi
	begin 60
	: >readings
	bad=
	while [ "$(wc -l <readings)" -lt 12 ]; do
		figures >figures || bad="$bad $(cat figures)"
		paste -s figures >>readings
	done
	# Samples are counted; of waits the rate of the clock is set right once, and their end tells how
	# long the thread had no CPU in them.
	is "$row: readings can be read, and never shrink" "$bad$(awk '
		$1 < samples || $2 < waits - 0.002 { print "after " samples " " waits ": " $0 }
		{ samples = $1; waits = $2 }
		END { if (samples < 20) print "only " samples " samples" }' readings)" ""
	check "$row: a report says that it runs" sh -c '"$0" report -i out --warnings | grep "^still running: this is the first"' \
		"$ompprof"
	COLUMNS=80 "$ompprof" top -n 2 -d 0.5 "$pid" >text 2>said
	is "$row: as text" "$? $(cat said)$(grep -c '^Efficiency now [0-9.]*%, so far [0-9.]*%$' text)" "0 2"
	check "$row: the function that works" grep -q " spin  *busy.c$" text
	check "$row: lines fit" awk 'length > 80 { print; bad = 1 } END { exit bad }' text
	"$ompprof" top -n 1 -v threads out >text
	is "$row: threads and what they are at" "$(grep -cE '^ +[0-9.]+ +[0-9.]+ +[0-9.]+ (closing barrier|in a region|outside regions|idle) +[0-9]+ (initial|worker)' text)" 2
	judge_waits
	kill -KILL "$pid"
	wait $runner 2>/dev/null
	timeout 20 "$ompprof" top -b out >text 2>said
	is "$row: one that was killed" "$? $(grep -c '^ended after' text) $(cat said | sed 's/ in .*//')" \
		"0 1 ompprof: the program has ended; its profile is"
done

# A file of another device that has the number of the running program's.
mkdir one two
# shellcheck disable=SC2016
double='
	mount -t tmpfs one one && mount -t tmpfs two two || exit 77
	"$0" run -q -o one/out "$1" 4 &
	runner=$!
	for try in $(seq 100); do
		file=$(ls one/out/*.ompprof 2>/dev/null) && break
		sleep 0.05
	done
	sleep 0.5
	for try in $(seq 100); do
		: >two/$try
		[ "$(stat -c %i two/$try)" != "$(stat -c %i "$file")" ] || break
	done
	[ "$(stat -c %i two/$try)" = "$(stat -c %i "$file")" ] || exit 99
	cat "$file" >two/$try
	for path in "$file" two/$try; do
		"$0" report -i "$path" --warnings | grep -c "^still running"
	done
	kill $(pgrep -P $runner)
	wait $runner'
if matrix_row omp14-clang14-O2 && program=$(matrix_build busy.c "$row") && unshare -rm true 2>/dev/null; then
	is "a file of the same number on another device is not what runs" "$(LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 \
		unshare -rm sh -c "$double" "$ompprof" "$program" 2>messages | paste -sd ' ')" "1 0"
else
	skip "a file of the same number on another device" "no namespaces here, or no runtime"
fi

if matrix_row omp14-clang14-O2 && program=$(matrix_build busy.c "$row") && command -v tmux >/dev/null; then
	begin 40
	tmux new-session -d -x 80 -y 24 "stty -a >before; '$ompprof' top $pid; echo status \$?; stty -a >after; exec cat"
	check "a terminal: the screen" shows '^Efficiency now [0-9]'
	is "... has a line for keys at its end" "$(sed -n '/./p' screen | sed -n '$p')" "f w r t o: view  p: pause  ?: help  q: quit"
	tmux send-keys t
	check "... threads" shows '[0-9]+ initial'
	tmux send-keys Right
	check "... the next view" shows ' busy'
	tmux send-keys '?'
	check "... help" shows 'q  quit'
	tmux send-keys w
	check "... waits" shows 'closing barrier'
	tmux send-keys p
	check "... paused" shows '; paused'
	first=$(sed -n 2p screen)
	sleep 1.5
	tmux capture-pane -p >screen
	is "... stays as it is" "$(sed -n 2p screen)" "$first"
	tmux send-keys p
	tmux resize-window -x 60 -y 12
	sleep 1
	tmux capture-pane -p >screen
	is "... has all of its lines" "$(sed -n '/./p' screen | sed -n '$p')" "f w r t o: view  p: pause  ?: help  q: quit"
	tmux send-keys q
	check "... q ends it" shows '^status 0$'
	is "... and leaves the terminal as it was" "$(sed -i '1s/rows.*line/line/' before after; diff before after)" ""
	tmux kill-server
	sleep 1
	tmux new-session -d -x 80 -y 24 "trap : INT; '$ompprof' top $pid; echo status \$?; exec cat"
	check "a terminal again" shows '^Efficiency now [0-9]'
	tmux send-keys C-c
	check "Ctrl-C ends it" shows '^status 130$'
	tmux kill-server
	sleep 1
	tmux new-session -d -x 80 -y 24 "'$ompprof' top $pid; echo status \$?; exec cat"
	check "a terminal once more" shows '^Efficiency now [0-9]'
	tmux capture-pane -ep >coloured
	is "... in colour" "$(grep -c "$(printf '\033\[[0-9;]*m')" coloured | sed 's/^[1-9].*/some/')" some
	kill -KILL "$pid"
	wait $runner 2>/dev/null
	check "the program's end ends it" shows '^status 0$'
	check "... with the last picture" grep -q '^ended after' screen
	check "... and a line" grep -q 'the program has ended' screen
	tmux kill-server
	sleep 1
else
	skip "a terminal" "tmux or the program is not there"
fi

if matrix_row omp14-clang14-O2 && program=$(matrix_build busy.c "$row") && command -v tmux bash >/dev/null; then
	begin 40
	first=$pid first_runner=$runner
	tmux new-session -d -x 80 -y 24 "PS1='$ ' exec bash --norc --noprofile -i"
	shows '^[$]'
	tmux send-keys "clear; ln -sfn out ompprof.out; NO_COLOR=1 $ompprof top" Enter
	check "no argument: the folder's program" shows '^ompprof top: busy 40'
	tmux capture-pane -ep >coloured
	is "NO_COLOR: none" "$(grep -c "$(printf '\033\[[0-9;]*m')" coloured)" 0
	tmux send-keys C-z
	check "Ctrl-Z gives the terminal back" shows 'Stopped'
	tmux send-keys "clear; fg" Enter
	check "... and fg brings the view back" shows '^Efficiency now [0-9]'
	tmux send-keys wrq
	check "... with keys that come together" shows '^[$]$'
	tmux kill-server
	mkdir elsewhere
	(cd elsewhere && "$ompprof" top -n 1 >../text 2>&1)
	# There may be other people's here.
	check "from elsewhere: the only program" grep -qE '^ompprof top: busy 40$|[0-9] processes are being profiled$' text
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -o other "$program" 40 &
	runner=$!
	for try in $(seq 200); do
		pid=$(pgrep -P $runner) && [ -n "$(ls other 2>/dev/null | grep ompprof$)" ] && break
		sleep 0.05
	done
	sleep 0.5
	(cd elsewhere && "$ompprof" top -n 1 >../text 2>../said)
	is "two programs: which one?" "$(grep -c 'processes are being profiled$' said) $(sed -n 2p said)" \
		"1 ompprof: hint: say which: ompprof top PID"
	if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$ompprof" top "$pid" >text 2>said
		is "another user's process" "$? $(head -n 1 said)" "1 ompprof: cannot look at process $pid: Permission denied"
	else
		skip "another user's process" "only root can try that"
	fi
	kill -KILL "$first" "$pid"
	wait $first_runner $runner 2>/dev/null
	rm -rf out
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -o out sh -c '"$0" 5 & "$0" 5; wait' "$program" &
	runner=$!
	sleep 2.5
	"$ompprof" top -n 1 -v processes out >text
	is "several processes: added up" "$(grep -cE '^running after .*, 2 of 2 processes run' text)" 1
	is "... and each" "$(grep -cE ' running +[0-9]+ busy' text)" 2
	wait $runner
else
	skip "a shell with jobs" "tmux, bash or the program is not there"
fi

"$ompprof" top 999999999 >text 2>said
is "no such process" "$? $(cat said)" "1 ompprof: cannot find a process 999999999"
"$ompprof" top $$ >text 2>said
is "a process that is not profiled" "$? $(head -n 1 said)" "1 ompprof: process $$ is not being profiled"
"$ompprof" top nothing >text 2>said
is "no such folder" "$? $(head -n 1 said)" "1 ompprof: cannot read 'nothing': No such file or directory"
"$ompprof" top -d 0 out >text 2>said
is "no interval" "$? $(head -n 1 said)" "2 ompprof: option '--interval' wants seconds from 0.1 to 3600, not '0'"
plan
