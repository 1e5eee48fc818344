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

# live_has_perf: whether perf events of one's own threads can be opened here, as rates above the
# kernel's tick need.
live_has_perf() {
	! "$ompprof" run -o "$live_folder/try" -e task-clock true 2>&1 |
		grep -q 'cannot open perf event'
}

# live_fast: the option for a rate of 1000 a second, or the most that can be had without perf events.
live_fast() {
	if live_has_perf; then
		echo "-F 1000"
	else
		echo "-F 250"
	fi
}

# live_is_emulated: whether the processor is an emulator's. It stands still while its host has other work, and takes long
# for code that is new to it.
live_is_emulated() {
	[ -n "${OMPPROF_TEST_STALL:-}" ]
}

# live_least PERCENT: at least this share of the work is expected in a function that works. In an emulator the C library's
# first calls have a part of a short program.
live_least() {
	if live_is_emulated; then
		echo $(($1 * 7 / 8))
	else
		echo "$1"
	fi
}

# live_check_time DESCRIPTION COMMAND...: as check, for times and numbers of samples.
live_check_time() {
	if live_is_emulated; then
		skip "$1" "an emulated processor keeps no time"
	else
		check "$@"
	fi
}

# live_share JSON REGEX: the share of work, in percent with two digits, whose path matches REGEX.
live_share() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$1" | awk -F '\t' -v regex="$2" '
		{ all += $1 }
		$3 ~ regex { good += $1 }
		END { printf "%.2f\n", (all > 0 ? 100 * good / all : 0) }'
}

# live_cut JSON...: the share of all their samples, in percent, whose path was cut short.
live_cut() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$@" | awk -F '\t' '
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

# live_row ROW...: sets the first row that can be built here (see matrix_row), as $row; skips the
# whole test if there is none.
live_row() {
	for row in "$@"; do
		! matrix_row "$row" || return 0
	done
	skip_all "$row_reason"
}

# live_alone: the next program of live_profile keeps other programs off the CPUs, where that is allowed.
live_first=
live_alone() {
	live_first="chrt -r 1"
	$live_first true 2>/dev/null || live_first=
}

# live_try ATTEMPT: from the second try on the program is alone.
live_try() {
	[ "$1" -lt 2 ] || live_alone
}

# live_within NAME GOT LEAST MOST: a test point.
live_within() {
	if at_least "$2" "$3" && at_most "$2" "$4"; then
		ok "$1: $2"
	else
		not_ok "$1: $2, not from $3 to $4" "$(cat "$live_folder/said" "$live_folder/messages")"
	fi
}

# live_profile PROGRAM OPTIONS ARGUMENTS...: runs tests/programs/*/PROGRAM, built for $row, under
# `ompprof run` with 2 threads, and leaves in $live_folder: out (the profile), said (its stdout),
# messages (its stderr) and json (the report). Returns the run's status, or 120 without a report.
# What the report before looked up in objects is kept for the next: libc's debug information takes it a tenth of a second.
# OPTIONS is split into words on purpose.
# shellcheck disable=SC2086
live_profile() {
	live_options=$2
	live_executable=$(matrix_build "$1" "$row") || broken "cannot build $1"
	shift 2
	live_status=0
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} $live_first "$ompprof" run \
		$live_options -o "$live_folder/out" -- "$live_executable" "$@" \
		>"$live_folder/said" 2>"$live_folder/messages" || live_status=$?
	live_first=
	cp "$live_folder/symbols.cache" "$live_folder/out/" 2>/dev/null
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" \
		2>"$live_folder/report-messages" || return 120
	cp "$live_folder/out/symbols.cache" "$live_folder/" 2>/dev/null
	return $live_status
}

# live_wrong NAME DETAILS: a time of the program that $live_folder/json does not show. No point is lost if
# the program's threads had no CPU for more than 2 % of their time: the report takes that out of their waits,
# and the program does not know of it.
live_wrong() {
	live_lacked=$(jq -r '100 * ([.threads[].not_running_s] | add) / ([.threads[].total_s] | add) | floor' \
		"$live_folder/json" 2>/dev/null) || live_lacked=0
	if [ "${live_lacked:-0}" -ge 2 ]; then
		skip "$1" "its threads had no CPU for $live_lacked % of their time"
	else
		not_ok "$1" "${2-}"
	fi
}

# live_work NAME...: seconds of work in these functions and what they call, from
# $live_folder/json.
live_work() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json" | awk -F '\t' -v names="$*" '
		BEGIN { n = split(names, name, " ") }
		{
			for (i = 1; i <= n; i++) {
				if (index(";" $3 ";", ";" name[i] ";")) {
					sum += $1
					break
				}
			}
		}
		END { printf "%.4f\n", sum }'
}

# is_text FILE: nothing that moves a cursor, nothing that is not UTF-8, no mark that turns text round.
is_text() {
	python3 - "$1" <<'END'
import sys, unicodedata
text = open(sys.argv[1], 'rb').read().decode('utf-8')
bad = [c for c in text if c != '\n' and unicodedata.category(c) in ('Cc', 'Cf', 'Zl', 'Zp')]
sys.exit(repr(bad[:9]) if bad else 0)
END
}

# near A B SLACK: A is B, give or take SLACK.
near() {
	awk -v a="$1" -v b="$2" -v slack="$3" 'BEGIN { exit !(a - b <= slack && b - a <= slack) }'
}
