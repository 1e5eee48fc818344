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

# has TOOL...: whether they are all installed.
has() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || return 1
	done
}
