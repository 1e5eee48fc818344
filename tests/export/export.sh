# SPDX-License-Identifier: Apache-2.0
# What tests of ompprof export have in common: `. "$srcdir/tests/export/export.sh"`, after tests/tap.sh.

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"

formats=$("$ompprof" export --help | awk '/^$/ { found = 0 } found { print $1 } /^Formats:/ { found = 1 }')
[ -n "$formats" ] || broken "'ompprof export --help' lists no format"
# The one that a build can be without.
has_sqlite=yes
grep -q '^#define HAVE_SQLITE3 1' "$builddir/config.h" || {
	has_sqlite=
	formats=$(printf '%s\n' "$formats" | grep -vx sqlite)
}

# export FORMAT FILE PROFILE [OPTION...]: quietly, and nothing may be said.
export_to() {
	format=$1 file=$2 profile=$3
	shift 3
	"$ompprof" export --force --format "$format" -o "$file" -i "$profile" -q "$@" >"$scratch/said" 2>&1 &&
		! [ -s "$scratch/said" ] || { cat "$scratch/said"; return 1; }
}

# sums VERDICT NAME PROFILE REPORT [OPTION...]: a point for each format. The VERDICT is "agrees" if its figures add up to
# those of the JSON report, a file, and "differs" if they do not. Chrome's has no stacks, but times: chrome.sh.
sums() {
	verdict=$1 name=$2 profile=$3 report=$4
	shift 4
	stacked=$(echo "$formats" | grep -vx chrome)
	python3 "$srcdir/tests/export/totals.py" "$ompprof" "$stacked" "$profile" "$report" "$@" >"$scratch/sums" 2>&1
	for format in $stacked; do
		case $(grep "^$format: " "$scratch/sums") in
		"$format: $verdict"*) ok "$format: $name" ;;
		*) not_ok "$format: $name" "$(cat "$scratch/sums")" ;;
		esac
	done
}

# has TOOL...: whether they are all installed.
has() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || return 1
	done
}
