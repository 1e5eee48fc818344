#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests that man/ompprof-ompt.7 names show what they are named for: of each row one fails if the runtime leaves out
# what the row is of (SCRIPTED_WITHOUT, tests/runtime/leave_out.h), as it would if the tool ignored that. What the
# tool does not look for is not asked for in a case.
. "$srcdir/tests/tap.sh"
player=$builddir/tests/runtime/scripted
page=$srcdir/man/ompprof-ompt.7
tap_scratch

# rows FILE: lines `PART<tab>SCRIPT<tab>CASE`, with the whole name of the part; a row without a script has one without.
rows() {
	awk '
		BEGIN {
			prefix["callbacks"] = prefix["buffer callbacks"] = "ompt_callback_"
			prefix["states"] = "ompt_state_"
			prefix["entry points"] = prefix["device entry points"] = "ompt_"
			prefix["records"] = "ompt_record_"
		}
		function flush() {
			if (part != "" && !n)
				print part "\t\t"
			part = ""
		}
		sub(/^\.\\" /, "") { table = $0 }
		/^\.El/ { flush(); table = "" }
		/^\.It / && table in prefix { flush(); part = prefix[table] $2; n = 0 }
		part != "" && sub(/^Test: /, "") && sub(/\.$/, "") && match($0, /\.txt: /) {
			print part "\t" substr($0, 1, RSTART + 3) "\t" substr($0, RSTART + 6)
			n++
		}' "$1"
}

# fails_without PART SCRIPT CASE: the case is not as expected then.
fails_without() {
	SCRIPTED_WITHOUT=$1 "$player" "$srcdir/$2" "$3" 2>/dev/null </dev/null | grep -q '^not ok'
}

# asks_not PART SCRIPT CASE: the case says that the tool does not look for it.
asks_not() {
	awk -v name="$3" '/^case / { inside = $0 == "case " name } inside' "$srcdir/$2" |
		grep -qx "  expect not asked $1"
}

# unshown FILE: the parts that no test shows. A part's tests follow each other.
unshown() {
	rows "$1" >"$scratch/rows"
	[ -s "$scratch/rows" ] || { echo "no row seen"; return 99; }
	part=
	is_shown=1
	while IFS='	' read -r name script case; do
		if [ "$name" != "$part" ]; then
			[ "$is_shown" = 1 ] || echo "$part"
			part=$name
			is_shown=0
		fi
		[ "$is_shown" = 1 ] || [ -z "$script" ] || ! { fails_without "$name" "$script" "$case" ||
			asks_not "$name" "$script" "$case"; } || is_shown=1
	done <"$scratch/rows"
	[ "$is_shown" = 1 ] || echo "$part"
}

# all_shown FILE
all_shown() {
	parts=$(unshown "$1") || return 99
	[ -z "$parts" ] || { echo "$parts"; return 1; }
}

check "each row has a test that fails without what the row is of" all_shown "$page"

# This test itself.
row() {
	printf '.\\" %s\n.It %s\nWhat.\nCost: none.\nTest: tests/runtime/cases/%s.\n.El\n' "$@" >"$scratch/page"
}
row callbacks flush "events.txt: one of them"
check "a test that shows it" all_shown "$scratch/page"
row callbacks flush "events.txt: masked"
check_fails "a test that does not" all_shown "$scratch/page"
row states wait_lock "states.txt: wait_lock"
check "a state that is shown" all_shown "$scratch/page"
row states wait_lock "states.txt: wait_mutex"
check_fails "a state that is not" all_shown "$scratch/page"
row "entry points" get_unique_id "handshake.txt: entry points that are not needed"
check "an entry point that is not looked for" all_shown "$scratch/page"
row "entry points" get_unique_id "handshake.txt: again"
check_fails "one of which nobody says so" all_shown "$scratch/page"
row records flush "trace.txt: every type of record of OpenMP 5.1"
check "a record that is shown" all_shown "$scratch/page"
row "buffer callbacks" buffer_complete "handshake.txt: again"
check_fails "a buffer callback that is not" all_shown "$scratch/page"
{
	row callbacks flush "events.txt: one of them"
	sed '$d' "$scratch/page"
	printf '.It cancel\nTest: tests/runtime/cases/events.txt: masked.\n.El\n'
} >"$scratch/two"
is "of two rows the later is not shown" "$(unshown "$scratch/two")" ompt_callback_cancel
printf '.\\" callbacks\n.It flush\nWhat.\nTest: tests/unit/profile/layout.c.\n.El\n' >"$scratch/page"
check_fails "a row without a script" all_shown "$scratch/page"
plan
