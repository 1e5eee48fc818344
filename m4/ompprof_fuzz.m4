# SPDX-License-Identifier: Apache-2.0
# A clang with libFuzzer and its sanitizers, for the tests of hostile input. FUZZ_CC names another one.
# Optional. In a cross build no test runs it.
AC_DEFUN([OMPPROF_FUZZ], [
	AC_ARG_VAR([FUZZ_CC], [clang with libFuzzer, for the tests of hostile profiles and objects])
	AC_MSG_CHECKING([for a clang with libFuzzer])
	cat >conftest.fuzz.c <<_FUZZ
#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return size > 9 && data[[0]] > 300; }
_FUZZ
	ompprof_fuzz_cc=no
	for candidate in "$FUZZ_CC" clang-19 clang-14 clang; do
		AS_IF([test "$ompprof_fuzz_cc$cross_compiling" = nono && test -n "$candidate" &&
			$candidate -fsanitize=fuzzer,address,undefined -o conftest.fuzz conftest.fuzz.c \
				>&AS_MESSAGE_LOG_FD 2>&1],
			[ompprof_fuzz_cc=$candidate])
	done
	rm -f conftest.fuzz conftest.fuzz.c
	AC_MSG_RESULT([$ompprof_fuzz_cc])
	AS_IF([test "$ompprof_fuzz_cc" = no],
		[FUZZ_CC=
		OMPPROF_ABSENT([ompprof_fuzz_cc], [hostile profiles and objects are not tried],
			[clang-19 libclang-rt-19-dev], [clang compiler-rt])],
		[FUZZ_CC=$ompprof_fuzz_cc])
	AM_CONDITIONAL([HAVE_FUZZ], [test -n "$FUZZ_CC"])
])
