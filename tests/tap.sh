# SPDX-License-Identifier: Apache-2.0
# TAP for shell tests: `. "$srcdir/tests/tap.sh"`. Each ok, not_ok, check or skip is one test point.
# `plan N` at the start or `plan` at the end states the number of points. A test that has nothing to
# run calls skip_all. A test that cannot judge calls broken, which ends it with status 99.

tap_n=0

# plan [N]: states the number of test points; without N, the number so far.
plan() {
	echo "1..${1:-$tap_n}"
}

# ok DESCRIPTION
ok() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}

# not_ok DESCRIPTION [DETAILS]: details may be several lines.
not_ok() {
	tap_n=$((tap_n + 1))
	echo "not ok $tap_n - $1"
	[ -z "${2-}" ] || note "$2"
}

# skip DESCRIPTION REASON
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

# note TEXT: a comment in the log, several lines allowed.
note() {
	printf '%s\n' "$1" | sed 's/^/# /'
}

# check DESCRIPTION COMMAND...: ok when the command succeeds. Its output goes to the log.
check() {
	tap_description=$1
	shift
	if tap_output=$("$@" 2>&1); then
		ok "$tap_description"
	else
		not_ok "$tap_description" "$tap_output"
	fi
}

# check_fails DESCRIPTION COMMAND...: ok when the command fails with status 1; any other failure
# means that it could not judge.
check_fails() {
	tap_description=$1
	shift
	tap_status=0
	tap_output=$("$@" 2>&1) || tap_status=$?
	if [ "$tap_status" -eq 1 ]; then
		ok "$tap_description"
	else
		not_ok "$tap_description" "status $tap_status: $tap_output"
	fi
}

# is DESCRIPTION GOT EXPECTED: ok when both texts are equal.
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got:      $2
expected: $3"
	fi
}

# jq -e of version 1.6 succeeds if there is no input. Here it fails: no result is not a true result.
if command -v jq >/dev/null; then
	jq() {
		case $1 in
		-e) tap_result=$(command jq "$@") && [ -n "$tap_result" ] && printf '%s\n' "$tap_result" ;;
		*) command jq "$@" ;;
		esac
	}
fi

# skip_all REASON: ends a test that has nothing to run here.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# broken REASON: ends a test that cannot judge; Automake counts it as an error.
broken() {
	echo "Bail out! $1"
	exit 99
}

# tap_scratch: sets $scratch to an empty folder, which is removed at the end of the test.
tap_scratch() {
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-test.XXXXXX") || broken "no scratch folder"
	trap 'rm -rf "$scratch"' EXIT
	trap 'exit 130' INT TERM HUP
}
