# SPDX-License-Identifier: Apache-2.0
# A call that the provider only passes on is a jump: the next library sees the program as its caller. So it is for each
# function that the provider exports, without a tool and on a runtime that supports tools itself.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc nm
gcc_need_plain_provider
grep -qE '^CFLAGS = .*-O[23s]' "$builddir/Makefile" || skip_all "built without optimisation"

# try WHAT FLAGS: tries each function of both libraries. FLAGS is split into words on purpose.
# shellcheck disable=SC2086
try() {
	mkdir -p "$live_folder/$1"
	gcc_build "$1/libfake.so" fake.c -fPIC -shared -fno-openmp -w -I"$srcdir" $2 || broken "cannot build the library"
	gcc_build "$1/jumps" jumps.c -fno-openmp -w -I"$srcdir" "$live_folder/$1/libfake.so" ||
		broken "cannot build the program"
	for library in "$builddir"/.libs/libompprof-gomp*.so; do
		exported=$(nm -D --defined-only "$library" | grep -c -E ' T (GOMP|omp)_')
		LD_PRELOAD=$library "$live_folder/$1/jumps" >"$live_folder/said" || broken "the program fails"
		is "$1: each function of $(basename "$library") jumps" "$(sed '$d' "$live_folder/said")" ""
		is "... each was tried" "$(tail -n 1 "$live_folder/said")" "$exported"
	done
}

try "without a tool" ""
try "on a runtime with OMPT" "-DFOREIGN"
plan
