#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A release has every file that git tracks.
. "$srcdir/tests/tap.sh"
cd "$srcdir" && [ -e .git ] && git ls-files >/dev/null 2>&1 || skip_all "this is no checkout of git"
tap_scratch

# Files that a release leaves out: set up around a checkout by people or machines.
around='^\.ci/|^\.gitignore$'

# Paths as git has them; a folder means all files in it.
make -s -C "$builddir" list-dist | sed "s|^$srcdir/||; s|^\(\.\./\)*||; s|^\./||" >"$scratch/released"
[ -s "$scratch/released" ] || broken "make says of no file that it is released"

# check_released LIST: names each file of git that the list does not have.
check_released() {
	missing=$(git ls-files | grep -vE "$around" | awk '
		NR == FNR { has[$0] = 1; next }
		{
			path = $0
			while (!(path in has) && sub("/[^/]*$", "", path))
				;
			if (!(path in has))
				print
		}' "$1" -)
	[ -z "$missing" ] || { echo "$missing"; return 1; }
}

check "a release has every file (EXTRA_DIST, SOURCES)" check_released "$scratch/released"
grep -v '/endless_waits.c$' "$scratch/released" >"$scratch/fewer"
check_fails "one that is missing is found" check_released "$scratch/fewer"
plan
