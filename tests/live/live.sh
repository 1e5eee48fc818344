# SPDX-License-Identifier: Apache-2.0
# Functions for tests that profile live programs: `. "$srcdir/tests/live/live.sh"` after tap.sh.

ompprof=$builddir/ompprof
live_folder=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-live.XXXXXX") || exit 99
trap 'rm -rf "$live_folder"' EXIT
unset OMP_TOOL OMP_TOOL_LIBRARIES OMP_NUM_THREADS

# live_need COMMAND...: skips the whole test if one is missing.
live_need() {
	for need in "$@"; do
		command -v "$need" >/dev/null || skip_all "$need is not installed"
	done
}

# live_share JSON REGEX: the share of work, in percent with two digits, whose path matches REGEX.
live_share() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$1" | awk -F '\t' -v regex="$2" '
		{ all += $1 }
		$3 ~ regex { good += $1 }
		END { printf "%.2f\n", (all > 0 ? 100 * good / all : 0) }'
}

# live_cut JSON: the share of samples, in percent, whose path was cut short.
live_cut() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$1" | awk -F '\t' '
		{ all += $2 }
		$3 ~ /[{]truncated[}]/ { cut += $2 }
		END { printf "%.2f\n", (all > 0 ? 100 * cut / all : 100) }'
}

# at_least A B, at_most A B: compares decimal numbers.
at_least() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 >= b + 0) }'
}

at_most() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 <= b + 0) }'
}
