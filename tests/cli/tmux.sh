# SPDX-License-Identifier: Apache-2.0
# Functions for tests that look at a terminal: `. "$srcdir/tests/cli/tmux.sh"`. There is a server of tmux's for each test.
unset TMUX

tmux() {
	command tmux -L "ompprof-$$${server-}" -f /dev/null "$@"
}

# shows REGEX: whether a line of the terminal comes to match, within fifteen seconds; leaves it in the file screen.
shows() {
	for try in $(seq 150); do
		tmux capture-pane -p >screen
		! grep -qE "$1" screen || return 0
		sleep 0.1
	done
	echo "after try $try:"
	cat screen
	return 1
}
