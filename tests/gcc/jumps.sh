# SPDX-License-Identifier: Apache-2.0
# A call that the provider only passes on is a jump: the next library sees the program as its caller. So it is for each
# function that the provider exports, without a tool and on a runtime that supports tools itself.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc nm
provider=$builddir/.libs/libompprof-gomp.so
case "${OMPPROF_SANITIZER-}$(nm -D --undefined-only "$provider")" in
*_asan_* | *_tsan_* | *_gcov_* | *_ubsan_*) skip_all "instrumented code does not jump" ;;
esac

# try WHAT FLAGS: the functions that do not jump.
try() {
	mkdir -p "$live_folder/$1"
	gcc -O2 -fPIC -shared -w -I"$srcdir" $2 -o "$live_folder/$1/libfake.so" "$srcdir/tests/gcc/fake.c" &&
		gcc -O2 -w -I"$srcdir" -o "$live_folder/$1/jumps" "$srcdir/tests/gcc/jumps.c" "$live_folder/$1/libfake.so" ||
		broken "cannot build the library or the program"
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
