#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof run --live: the view is there meanwhile, and the program's output, input, signals, job control and end are as
# without it.
srcdir=$(cd "$srcdir" && pwd) builddir=$(cd "$builddir" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/cli/tmux.sh"
live_need timeout tmux bash setsid script stty
live_row omp14-clang14-O2 omp19-clang14-O2
program=$(matrix_build busy.c "$row") || broken "cannot build the program"
LD_LIBRARY_PATH=$row_lib
signals=$(realpath "$builddir/tests/cli/signals")
export LD_LIBRARY_PATH program ompprof signals OMP_NUM_THREADS=2
cd "$live_folder" || broken "no scratch folder"
# A shell with job control in a terminal.
begin() {
	rm -rf went out
	tmux new-session -d -x 80 -y 24 "PS1='$ ' exec bash --norc --noprofile -i"
	shows '^[$]'
}
end() {
	tmux kill-server
	sleep 0.5
}
# typed TEXT: a line of the terminal.
typed() {
	tmux send-keys -l "$1"
	tmux send-keys Enter
}
view='^Efficiency now [0-9]'
keys='^f w r t o: view '

# --- output and end
cat >says <<'END'
#!/bin/sh
echo begin
echo to stderr >&2
"$program" "${1:-3}"
echo end
exit 3
END
chmod +x says
begin
typed "stty -a >before; clear; \$ompprof run --live -o out ./says; echo status \$?; stty -a >after"
check "the view is there" shows "$view"
check "... with keys" grep -qE "$keys" screen
tmux send-keys w
check "... that are heeded" shows '^wait% waits/s'
is "... and nothing of the program's own" "$(grep -c -e begin -e stderr screen)" 0
check "it ends with the program" shows '^status 3$'
is "... whose output is all there, in order" "$(sed -n '/^begin/,/^ompprof/p' screen | cut -c 1-9 | paste -s -d '|')" \
	"begin|to stderr|end|ompprof: "
is "the terminal is as it was" "$(diff before after)" ""

# --- the program sees what it sees without the view
cat >looks <<'END'
#!/bin/sh
for fd in 0 1 2; do [ -t $fd ] && echo "$fd is a terminal"; done
stty size <&1
stty size
ps -o pgid= -p $$ | grep -qx " *$(ps -o pgid= -p $PPID | tr -d ' ')" && echo "in the group of its parent"
: >/dev/tty && echo "has the terminal"
grep -E '^Sig(Blk|Ign)' /proc/self/status
ls -l /proc/self/fd | sed -n 's/.* \([0-9]*\) -> .*/fd \1/p'
END
chmod +x looks
typed 'clear; script -qc "$ompprof run -q -o out ./looks" alone; echo d""one'
shows '^done'
typed 'clear; script -qc "$ompprof run -q --live -o out ./looks" live; echo r""eady'
shows '^ready'
# All but the view's screen, if there was time for one.
clean() {
	sed -z 's/\x1b\[?1049h.*\x1b\[?1049l//' "$1" | sed '/^Script/d' | tr -d '\r'
}
is "terminals, group, signals, descriptors are as without it" "$(clean live)" "$(clean alone)"
check "... that is, a terminal of its size" grep -q '^24 80' live
end

# --- much output
script -qc "$ompprof run -q --live -o out sh -c 'seq 200000; sleep 1; seq 3 >&2'" written >/dev/null </dev/null
clean written | grep -aE '^[0-9]+$' >numbers
is "much output comes in full" "$(cksum <numbers)" "$({ seq 200000; seq 3; } | cksum)"

# --- no room for it: the view ends, and all of the output comes, each line once
script -qc "ulimit -f 32; $ompprof run -q --live -o out sh -c 'sleep 2; seq 20000; sleep 1; seq 3 >&2'" written \
	>/dev/null </dev/null
check "no room to keep it: there was a view" grep -qaF "$(printf '\033[?1049h')" written
clean written | grep -aE '^[0-9]+$' >numbers
is "... the output comes in full, after the view" "$(cksum <numbers)" "$({ seq 20000; seq 3; } | cksum)"
is "... once" "$(grep -caE '^10000.?$' written)" 1

# --- redirected
begin
typed 'clear; $ompprof run -q --live -o out ./says >file; echo status $?'
check "output to a file: the view" shows "$view"
shows '^status 3$'
is "... the file has its part" "$(paste -s -d '|' file)" "begin|end"
is "... the terminal the other" "$(grep -c '^to stderr' screen)" 1
typed 'clear; $ompprof run -q --live -o out ./says >file 2>&1; echo status $?'
check "all output to a file: the view" shows "$view"
shows '^status 3$'
is "... the file has all" "$(paste -s -d '|' file)" "begin|to stderr|end"

# --- signals
typed 'clear; trap : INT; $ompprof run -q --live -o out $program 30; echo status $?'
shows "$view"
tmux send-keys C-c
check "Ctrl-C ends the program" shows '^status 130$'
typed 'clear; $ompprof run -q --live -o out sh -c '\''trap "echo caught" INT; $program 3; $program 2; exit 4'\''; echo status $?'
shows "$view"
tmux send-keys C-c
check "... or is caught by it" shows '^status 4$'
check "... which says so" grep -q '^caught' screen
while read -r signal wanted; do
	typed 'clear; $ompprof run -q --live -o out $program 30; echo status $?'
	shows "$view"
	kill -"$signal" "$(pgrep -o -f "ompprof run -q --live -o out $program 30")"
	check "SIG$signal is passed on" shows "^status $wanted\$"
done <<'END'
TERM 143
INT 130
XCPU 152
XFSZ 153
40 168
END
rm -f ready
typed 'clear; $ompprof run -q --live -o out $signals catch ready; echo status $?'
shows "$keys"
for key in C-c 'C-\'; do
	tmux send-keys "$key"
	sleep 0.3
done
kill -USR2 "$(pgrep -o -f "ompprof run -q --live -o out $signals")"
check "keys that signal" shows '^status 7$'
is "... do so once" "$(grep -xE '[0-9]+ *' screen | tr -d ' ' | paste -s -d ' ')" "2 3 12"

# --- job control
typed 'clear; $ompprof run -q --live -o out ./says 6; echo status $?'
shows "$view"
tmux send-keys C-z
check "Ctrl-Z stops it" shows 'Stopped'
# Other tests run the same program.
ours() {
	for pid in $(pgrep -x busy); do
		[ "$(readlink "/proc/$pid/cwd")" != "$(pwd -P)" ] || echo "$pid"
	done
}
is "... all of it" "$(ps -o stat= -p "$(ours)" | cut -c 1)" T
typed 'clear; echo h""ere; jobs'
check "... and the shell has the terminal" shows '^here$'
typed 'fg; echo fg $?'
check "fg: the view is there again" shows "$view"
check "... to the end" shows '^fg 3$'
is "... with all output, in order" "$(grep -oE '^(begin|to stderr|end)' screen | paste -s -d '|')" "begin|to stderr|end"
typed 'clear; $ompprof run -q --live -o out ./says 8 &'
sleep 2
tmux capture-pane -p >screen
is "in the background: no view" "$(grep -cE "$view" screen)" 0
typed 'fg; echo fg $?'
check "... until it comes to the foreground" shows "$view"
check "... and ends" shows '^fg 3$'

# --- a program that wants the terminal
cat >asks <<'END'
#!/bin/sh
echo question
"$program" 2
read -r answer
echo "answer: $answer"
"$program" 1
END
chmod +x asks
typed 'clear; $ompprof run -q --live -o out ./asks; echo status $?'
shows "$view"
check "a program that reads the terminal ends the view" shows 'the program uses the terminal itself'
check "... its question is there" grep -q '^question' screen
typed 'forty two'
check "... and it gets the answer" shows '^answer: forty two'
check "... goes on and ends" shows '^status 0$'

# --- q, and a view that is lost
typed 'clear; $ompprof run -q --live -o out ./says 6; echo status $?'
shows "$view"
tmux send-keys q
check "q ends the view alone" shows '^to stderr'
is "... the program goes on" "$(grep -c '^end' screen)" 0
check "... and its output comes at once" shows '^end'
check "... to its end" shows '^status 3$'
typed 'clear; stty -a >before; $ompprof run -q --live -o out ./says 6; echo status $?; stty -a >after'
shows "$view"
runner=$(pgrep -o -f "ompprof run -q --live -o out ./says 6")
kill -KILL "$(pgrep -P "$runner" -f "ompprof run -q --live")"
check "a view that is killed leaves the output" shows '^to stderr'
check "... the program's end" shows '^status 3$'
sleep 0.2
is "... and the terminal as it was" "$(diff before after)" ""

# --- what stays behind
typed 'clear; $ompprof run -q --live -o out sh -c '\''(sleep 3; echo late) & echo early'\''; echo status $?'
check "what the program leaves in the background" shows '^status 0$'
check "... still writes to the terminal" shows 'late$'
end

# --- without job control: nobody could continue what stops
tmux new-session -d -x 80 -y 24 "$ompprof run -q --live -o out ./asks; echo status \$?; exec cat"
check "a terminal's only job: the view" shows "$view"
tmux send-keys C-z
check "... Ctrl-Z is nothing to it; it reads the terminal" shows 'the program uses the terminal itself'
typed 'forty three'
check "... and gets the answer" shows '^answer: forty three'
check "... and ends" shows '^status 0$'
end

# --- no terminal
timeout 20 setsid -w "$ompprof" run -q --live -o out ./says 0.1 >file 2>said </dev/null
is "no terminal: it runs without the view" "$? $(paste -s -d '|' file)" "3 begin|end"
is "... which is said" "$(grep ompprof: said)" \
	"ompprof: cannot show the live view: there is no terminal; the program runs without it"
TERM=dumb script -qec "$ompprof run -q --live -o out ./says 0.1" file >/dev/null </dev/null
is "a terminal that can nothing: likewise" "$? $(grep -c 'too simple' file)" "3 1"
plan
