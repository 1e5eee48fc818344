#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The summary in terminals of several sizes: its head has the program's name in full, and a high terminal shows functions
# and regions that have no room in a low one. Files and pipes get 24 lines.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR COLUMNS
. "$srcdir/tests/cli/scenes.sh"
. "$srcdir/tests/cli/tmux.sh"
scene waits long
cd "$scratch" || broken "cannot enter the scratch folder"

"$ompprof" report waits.ompprof >out
check "in a file the summary has functions" grep -q 'top functions (ompprof report waits.ompprof --flat)' out
check "... and regions" grep -q 'top regions (ompprof report waits.ompprof --tree)' out
check "... and all warnings" sh -c '! grep "^warning: and " out'
COLUMNS=80 "$ompprof" report waits.ompprof >out
check "... with COLUMNS it is one screen" [ "$(wc -l <out)" -le 24 ]
check "... without functions" sh -c '! grep -q "top functions" out'
command -v tmux >/dev/null || { skip "terminals" "tmux is not installed"; plan; exit; }

# terminal COLUMNS LINES COMMAND: its screen is in the file screen. A server that ends is not asked again.
terminal() {
	server=-$2
	tmux new-session -d -x "$1" -y "$2" "cd '$scratch' && $3; echo ended; sleep 100"
	shows '^ended'
	shown=$?
	tmux kill-server
	return $shown
}
check "a low terminal" terminal 80 25 "'$ompprof' report waits.ompprof"
check "... has the whole summary" grep -q '^ompprof: ./cg waits' screen
check "... without functions" sh -c '! grep -q "top functions" screen'
check "a high terminal" terminal 80 60 "'$ompprof' report waits.ompprof"
check "... has functions" grep -q 'top functions (ompprof report waits.ompprof --flat)' screen
check "... and regions" grep -q 'top regions (ompprof report waits.ompprof --tree)' screen
check "... in it" grep -q '^ompprof: ./cg waits' screen
plan
