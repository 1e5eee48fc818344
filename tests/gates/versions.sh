#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What programs load runs with every glibc from 2.28 on: no function has a later version there.
. "$srcdir/tests/tap.sh"

newest=2.28

# newer FILE: the functions that the library needs in a later version than the newest allowed, and
# what it asks of glibc without a number, such as GLIBC_ABI_DT_RELR of 2.36.
newer() {
	objdump -p "$1" | sed -n '/^Version References/,$s/.* \(GLIBC_[^0-9].*\)/\1 is not of every glibc/p'
	objdump -T "$1" | sed -n 's/.*\*UND\*.*(*GLIBC_\([0-9.]*\))* *\(.*\)/\1 \2/p' | while read -r version function; do
		[ "$(printf '%s\n' "$version" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
			echo "$function is of glibc $version: list it in sampler/tool/old_glibc.txt"
	done
}

check_library() {
	newer_found=$(newer "$1")
	[ -z "$newer_found" ] || { echo "$newer_found"; return 1; }
}

tap_scratch
objdump -T "$builddir/.libs/libompprof.so" | grep -q 'UND.*GLIBC_' || broken "no version was seen in libompprof.so"
for library in libompprof libompprof-gomp libompprof-gomp-events ompprof-walk-libunwind; do
	file=$builddir/.libs/$library.so
	if [ ! -r "$file" ] && [ "$library" = ompprof-walk-libunwind ]; then
		skip "$library needs glibc 2.28 at most" "it was not built"
		continue
	fi
	[ -r "$file" ] || broken "the library '$file' is not there"
	check "$library needs glibc $newest at most" check_library "$file"
done

echo 'extern int newer_one(void); int call(void) { return newer_one(); }' >"$scratch/bad.c"
echo 'int newer_one(void) { return 0; }' >"$scratch/new.c"
echo 'GLIBC_2.29 { newer_one; };' >"$scratch/new.map"
${CC:-cc} -shared -fPIC -Wl,--version-script="$scratch/new.map" -o "$scratch/libnew.so" "$scratch/new.c" &&
	${CC:-cc} -shared -fPIC -o "$scratch/bad.so" "$scratch/bad.c" "$scratch/libnew.so" || broken "cannot link"
check_fails "a function of a later glibc is found" check_library "$scratch/bad.so"
echo 'GLIBC_ABI_NEW { newer_one; };' >"$scratch/new.map"
${CC:-cc} -shared -fPIC -Wl,--version-script="$scratch/new.map" -o "$scratch/libnew.so" "$scratch/new.c" &&
	${CC:-cc} -shared -fPIC -o "$scratch/bad.so" "$scratch/bad.c" "$scratch/libnew.so" || broken "cannot link"
check_fails "... and so is a version without a number" check_library "$scratch/bad.so"
plan
