#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The signal-safe core calls nothing outside itself except the symbols that core_symbols.txt allows.
. "$srcdir/tests/tap.sh"

allowed=$srcdir/tests/gates/core_symbols.txt

# foreign_symbols ARCHIVE-OR-OBJECT: prints the symbols that it leaves undefined. Returns 99 if it has no code.
foreign_symbols() {
	nm "$1" 2>/dev/null | awk '
		NF == 3 && $2 ~ /[tT]/ { code = 1 }
		NF == 3 && $2 ~ /[A-TV-Z]/ { defined[$3] = 1 }
		NF == 2 && $1 ~ /[UwW]/ { wanted[$2] = 1 }
		END {
			if (!code)
				exit 99
			for (name in wanted)
				if (!(name in defined))
					print name
		}' | sort
}

# check_core ARCHIVE: names each symbol that is not allowed.
check_core() {
	nm "$1" 2>/dev/null | grep -q ' [tT] ' || { echo "no code in '$1'"; return 99; }
	forbidden=$(foreign_symbols "$1" | awk -v allowed="$allowed" '
		BEGIN { while ((getline line < allowed) > 0) { split(line, w, /[ \t]/); ok[w[1]] = 1 } }
		!($1 in ok) { print "not allowed in the signal-safe core: " $1 }')
	[ -z "$forbidden" ] || { echo "$forbidden"; return 1; }
}

tap_scratch
core=$builddir/.libs/libcore.a
[ -r "$core" ] || broken "the core's archive '$core' is not there"
check_core "$core" >/dev/null
[ $? -ne 99 ] || broken "the core's archive '$core' has no code"
check "the core calls only what is allowed" check_core "$core"

reasons=$(awk -F '\t' '!/^#/ && NF < 2' "$allowed")
is "every allowed symbol has a reason" "$reasons" ""

cat >"$scratch/bad.c" <<'END'
#include <stdlib.h>
void *handler_part(size_t size) { return malloc(size); }
END
${CC:-cc} -c -fPIC -o "$scratch/bad.o" "$scratch/bad.c" || broken "cannot compile"
check_fails "a call of malloc is found" check_core "$scratch/bad.o"
: >"$scratch/none.c"
${CC:-cc} -c -o "$scratch/none.o" "$scratch/none.c" || broken "cannot compile"
check_core "$scratch/none.o" >/dev/null
is "an object without code is no pass" "$?" 99

for symbol in $(awk '!/^#/ { print $1 }' "$allowed"); do
	foreign_symbols "$core" | grep -qx "$symbol" || note "allowed but not used: $symbol"
done
plan
