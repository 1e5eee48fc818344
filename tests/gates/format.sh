#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C file looks as clang-format 14 and .clang-format make it. Other versions differ in details.
. "$srcdir/tests/tap.sh"

for formatter in clang-format-14 clang-format; do
	"$formatter" --version 2>/dev/null | grep -q 'version 14\.' && break
	formatter=
done
[ -n "$formatter" ] || skip_all "clang-format 14 is not installed"

# check_format FOLDER...: shows the first lines that would change.
check_format() {
	(cd "$srcdir" && find "$@" -name '*.[ch]' -o -name '*.cpp') | sort >"$scratch/files"
	[ -s "$scratch/files" ] || broken "no C file seen"
	(cd "$srcdir" && xargs "$formatter" --style="file:$srcdir/.clang-format" --dry-run -Werror <"$scratch/files") \
		>"$scratch/log" 2>&1 || { head -n 40 "$scratch/log"; return 1; }
}

tap_scratch
check "each C file is formatted (make format)" \
	check_format unwinder profile sampler gomp attribution src tests demo bench
printf 'int main( void ){return 0;}\n' >"$scratch/bad.c"
check_fails "a file that is not formatted is found" check_format src "$scratch"
plan
