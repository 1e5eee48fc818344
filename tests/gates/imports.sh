#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The in-process library calls functions of the C library itself, not functions of the program with the same names. By
# name it calls only functions that imports.txt lists with a reason (sampler/tool/libc_bind.def has the others).
. "$srcdir/tests/tap.sh"

library=${OMPPROF_TEST_LIBRARY:-$builddir/.libs/libompprof.so}
listed=$srcdir/tests/gates/imports.txt

# imports FILE: the names that the loader looks up for calls and variables. Addresses that are only stored, as
# in bound.c, do not count. On AArch64 the linker makes an entry of the PLT for each of these as well, which nobody calls.
imports() {
	im_kinds='JUMP_SLOT|GLOB_DAT|COPY'
	readelf -h "$1" | grep -q 'Machine: *AArch64' && im_kinds='GLOB_DAT|COPY'
	{
		readelf -rW "$1" | awk -v kinds="^R_[A-Z0-9_]*_($im_kinds)\$" '$3 ~ kinds { sub(/@.*/, "", $5); print $5 }'
		[ "$im_kinds" != 'GLOB_DAT|COPY' ] || objdump -d "$1" | sed -n 's/.*\tbl*\t.*<\(.*\)@plt>$/\1/p'
	} | grep -v '^_' | sort -u
}

# check_imports FILE: names each import that is not listed. Returns 99 if it sees none.
check_imports() {
	found=$(imports "$1")
	[ -n "$found" ] || { echo "no import seen in '$1'"; return 99; }
	wrong=$(echo "$found" | grep -vxF "$(grep -v '^#' "$listed" | cut -f 1)")
	[ -z "$wrong" ] || { echo "the program's own would be called: $wrong"; return 1; }
}

tap_scratch
[ -r "$library" ] || broken "the library '$library' is not there"
check_imports "$library" >/dev/null
[ $? -ne 99 ] || broken "no import seen in '$library'"
check "it calls by name what is listed" check_imports "$library"
is "each has a reason" "$(awk -F '\t' '!/^#/ && NF < 2' "$listed")" ""
is "each is needed" "$(imports "$library" | xargs)" "$(grep -v '^#' "$listed" | cut -f 1 | xargs)"
is "what is bound is sorted, and bound once" "$(sed -n 's/^BOUND(\(.*\))$/\1/p' "$srcdir/sampler/tool/libc_bind.def" | LC_ALL=C sort -uc 2>&1)" ""

echo '#include <unistd.h>
int ids(void) { return getppid(); }' >"$scratch/bad.c"
${CC:-cc} -shared -fPIC -Wl,-z,now -o "$scratch/bad.so" "$scratch/bad.c" || broken "cannot link"
check_fails "a call by name is found" check_imports "$scratch/bad.so"
plan
