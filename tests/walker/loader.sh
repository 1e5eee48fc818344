#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The list of objects while libraries are replaced and loaded slowly, while the process forks, and without
# memory: loader.c has the cases.
. "$srcdir/tests/tap.sh"

src=$srcdir/tests/walker
walker=$builddir/.libs/libwalker.a

# must_build ARGUMENTS...
must_build() {
	gcc -O2 -g -D_GNU_SOURCE -I"$srcdir" -I"$builddir" "$@" >"$scratch/log" 2>&1 ||
		broken "$(cat "$scratch/log")"
}

# library NAME FLAGS...: without the start files' code, which has no call frame information.
library() {
	library=$scratch/$1.so
	shift
	must_build -shared -fPIC -nostartfiles "$@" "$src/loader_library.c" -o "$library"
}


# judge NAME CASE LIBRARY...
judge() {
	name=$1
	shift
	status=0
	"$scratch/loader" "$@" >"$scratch/out" 2>&1 || status=$?
	case $status in
	0) ok "$name: $(tail -n 1 "$scratch/out")" ;;
	77) skip "$name" 'did not come about' ;;
	*) not_ok "$name: status $status" "$(tail -n 40 "$scratch/out")" ;;
	esac
}

tap_scratch
[ -r "$walker" ] || broken "the archive '$walker' is not there"
command -v gcc >/dev/null || skip_all 'no gcc'
# With frame pointers a path is the same as the one before, up to the library.
must_build -fno-omit-frame-pointer "$src/loader.c" "$walker" -o "$scratch/loader" -lpthread -ldl -lrt
for version in 1 2; do
	library id$version -DVERSION=$version -Wl,--build-id
	library bare$version -DVERSION=$version -Wl,--build-id \
		-fno-asynchronous-unwind-tables -fno-unwind-tables
done
library slow -DVERSION=3 -DSLOW

judge 'a replaced library' replaced "$scratch/id1.so" "$scratch/id2.so"
judge 'a replaced library, listed' replaced-listed "$scratch/id1.so" "$scratch/id2.so"
judge 'a replaced library without rules' replaced "$scratch/bare1.so" "$scratch/bare2.so"
judge 'a replaced library without rules, listed' replaced-listed \
	"$scratch/bare1.so" "$scratch/bare2.so"
judge 'a library that is being loaded' slow "$scratch/slow.so"
judge 'forks while the list is refreshed' fork-refresh "$scratch/id1.so" "$scratch/id2.so"
judge 'forks while objects are listed' fork-start "$scratch/id1.so" "$scratch/id2.so"
judge 'no memory' memory
plan
