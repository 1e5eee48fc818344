#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signals to ompprof run, ompprof run --live and ompprof scale: each that ends a process reaches the program, once, as
# if it had been sent there, and the command ends as the program does. Those of the terminal come once.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
signals=$(cd "$builddir" && pwd)/tests/cli/signals
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
[ -x "$signals" ] || broken "'$signals' is not there"
ompprof=$(realpath "$ompprof")
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"
ulimit -c 0

# The C library keeps 32 and 33 for itself; 9 and 19 nobody catches; 12 ends the program; the others do not end one.
ending=$(seq 1 64 | grep -vxE '9|12|17|18|19|2[0-3]|28|3[23]')
[ "$(echo "$ending" | wc -l)" -eq 52 ] || broken "signals are missing"

# until COMMAND...: waits for it to succeed, for half a minute.
until_so() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 1500 ] || return 1
		sleep 0.02
	done
}

# begin COMMAND...: starts it in a group of its own, and waits for the program to be ready; $pid is the command's.
begin() {
	rm -f ready
	setsid "$@" >out 2>&1 &
	pid=$!
	until_so [ -e ready ] || broken "'$*' does not become ready: $(cat out)"
}

# came N: N lines have come to the file out.
came() {
	[ "$(wc -l <out)" -ge "$1" ]
}

# send_all: all of them, each twice where signals are queued, one with a value; the next when the one before came.
send_all() {
	n=0
	for number in $ending; do
		kill -"$number" $pid
		n=$((n + 1))
		[ "$number" -lt 34 ] || { kill -"$number" $pid; n=$((n + 1)); }
		until_so came $n || return
	done
	"$signals" send $pid 40 1234
	"$signals" send $pid 10 -5
	until_so came $((n + 2))
}

# caught COMMAND...: what a program below it catches, and how the command ends.
caught() {
	begin "$@"
	send_all
	kill -USR2 $pid
	got=0
	wait $pid || got=$?
	grep -E '^[0-9]' out | sort
	echo "status $got"
}

alone=$(caught "$signals" catch ready)
is "alone: all come" "$(echo "$alone" | wc -l)" 87
for command in "run -q -o p --" "run -q --live -o p --" "scale -q -t 1 -o s --"; do
	rm -rf s
	# Options are words on purpose.
	# shellcheck disable=SC2086
	is "$command: as alone" "$(caught "$ompprof" $command "$signals" catch ready)" "$alone"
done
is "signals that are blocked and ignored before: as alone" \
	"$(trap '' HUP TERM XCPU && caught "$signals" blocked "$ompprof" run -q -o p "$signals" catch ready)" "$alone"

# ends COMMAND...: for each signal the status with which the command ends, where the program does nothing about it.
ends() {
	for number in $ending; do
		begin "$@"
		kill -"$number" $pid
		got=0
		wait $pid 2>/dev/null || got=$?
		echo "$number $((got - 128))"
	done
}

# Shells leave SIGINT and SIGQUIT ignored in what they start in the background.
want=$(for number in $ending; do echo "$number $number"; done)
if env --default-signal true 2>/dev/null; then
	is "each ends the program and the command" \
		"$(ends env --default-signal "$ompprof" run -q -o p sh -c ': >ready; exec sleep 60' 2>/dev/null)" "$want"
	check "... no program is left behind" sh -c '! pgrep -x -g "$1" sleep' - "$pid"
else
	skip "each ends the program and the command" "env has no --default-signal"
fi

# --- of the group and the terminal
press() {
	rm -f ready
	got=0
	"$signals" press ready "$@" >out 2>err || got=$?
	# The terminal shows the keys.
	echo "$(tr -d '\r' <out | sed 's/^\^[C\\]*//' | grep -E '^[0-9]+$' | tr '\n' ' ')$got"
}
is "keys: alone" "$(press "$signals" catch ready)" "2 3 12 7"
rm -rf s
for command in "run -q -o p --" "scale -q -t 1 -o s --"; do
	# shellcheck disable=SC2086
	is "keys: $command: once" "$(press "$ompprof" $command "$signals" catch ready)" "2 3 12 7"
done
# hang_up SHELL COMMAND...: what the program gets where the terminal of this shell's words goes away.
hang_up() {
	rm -f ready out
	shell=$1
	shift
	"$signals" hangup ready /bin/sh -c "$shell" - "$@"
	until_so grep -qx 12 out
	sort -n out | tr '\n' ' '
}
for shell in '"$@" >out; :' 'exec "$@" >out'; do
	alone=$(hang_up "$shell" "$signals" catch ready)
	is "a terminal that goes away, $shell: once" "$(hang_up "$shell" "$ompprof" run -q -o "p-${shell%% *}" "$signals" catch ready)" \
		"$alone"
	is "... as alone" "$alone" "1 12 "
done
# A program that signals its group has got that itself.
got=0
setsid "$ompprof" run -q -o p sh -c 'trap "echo caught" USR1; kill -USR1 0; sleep 0.3; exit 4' >out 2>err || got=$?
is "what the program sends to its group does not come back" "$got $(cat out)" "4 caught"
plan
