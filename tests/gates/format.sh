#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C file looks as clang-format 14 and .clang-format make it. Other versions differ in details.
. "$srcdir/tests/tap.sh"

for formatter in clang-format-14 clang-format; do
	"$formatter" --version 2>/dev/null | grep -q 'version 14\.' && break
	formatter=
done
[ -n "$formatter" ] || skip_all "clang-format 14 is not installed"

# check_format FILE: shows the lines that would change.
check_format() {
	"$formatter" --style="file:$srcdir/.clang-format" "$1" | diff -u "$1" - | head -n 40 |
		grep . && return 1
	return 0
}

tap_scratch
files=$(cd "$srcdir" && find unwinder profile sampler attribution src tests demo bench \
	-name '*.[ch]' -o -name '*.cpp' | sort)
[ -n "$files" ] || broken "no C file seen under '$srcdir'"
for file in $files; do
	check "$file is formatted (make format)" check_format "$srcdir/$file"
done
printf 'int main( void ){return 0;}\n' >"$scratch/bad.c"
check_fails "a file that is not formatted is found" check_format "$scratch/bad.c"
plan
