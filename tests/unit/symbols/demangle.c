/* SPDX-License-Identifier: Apache-2.0 */
/* Readable forms of linkage names. */
#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/symbols/demangle.h"

struct row {
	const char *linkage;
	const char *name; /* NULL: readable as it is */
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *name = demangle_name(rows[i].linkage);

		if (rows[i].name) {
			assert_non_null(name);
			assert_string_equal(name, rows[i].name);
		} else if (name) {
			fail_msg("'%s' became '%s'", rows[i].linkage, name);
		}
		free(name);
	}
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(rows[0]))

static void test_c_names(void **state)
{
	static const struct row rows[] = {
		{ "main", NULL },
		{ "", NULL },
		{ "__libc_start_main", NULL },
		{ "puts@plt", NULL },
		{ "_Z", NULL },
		{ "_Q", NULL },
		{ "__MOD_", NULL },
		{ ".cold", NULL },
		{ "solve.cold", "solve" },
		{ "solve.part.0", "solve" },
		{ "solve.isra.0.constprop.1", "solve" },
		{ "solve.llvm.1234567", "solve" },
		{ "version.1", NULL },
	};

	CHECK_ROWS(rows);
}

static void test_openmp_names(void **state)
{
	static const struct row rows[] = {
		{ "main._omp_fn.0", NULL },
		{ "main.omp_outlined", NULL },
		{ "main.omp_outlined_debug__", "main.omp_outlined" },
		{ ".omp_outlined..1", NULL },
		{ ".omp_task_entry.", NULL },
		{ "__mymod_MOD_solve._omp_fn.0", "mymod::solve._omp_fn.0" },
		{ "_QMmymodPsolve..omp_par", "mymod::solve.omp_par" },
	};

	CHECK_ROWS(rows);
}

static void test_fortran_names(void **state)
{
	static const struct row rows[] = {
		{ "__mymod_MOD_solve", "mymod::solve" },
		{ "__my_mod_MOD_my_solve", "my_mod::my_solve" },
		{ "_QMmymodPsolve", "mymod::solve" },
		{ "_QMmymodSsubPsolve", "mymod::sub::solve" },
		{ "_QMmymodFouterPinner", "mymod::outer::inner" },
		{ "_QPsolve", "solve" },
		{ "_QQmain", NULL },
		{ "_QMmymodPSolve", NULL },
		{ "MAIN__", NULL },
		{ "solve_", NULL },
	};

	CHECK_ROWS(rows);
}

static void test_mangled_names(void **state)
{
#ifdef HAVE_LIBIBERTY
	static const struct row rows[] = {
		{ "_ZN1A3runEv", "A::run" },
		{ "_ZNK1A3runEi", "A::run" },
		{ "_Z3addIiET_S0_S0_", "add<int>" },
		{ "_ZN1AC4Ev", "A::A" },
		{ "_ZN1A3runEv.cold", "A::run" },
		{ "_ZN1A3runEv._omp_fn.0", "A::run._omp_fn.0" },
		{ "_ZN1A3runEv.omp_outlined", "A::run.omp_outlined" },
		{ "_ZN1A3runEv.omp_outlined_debug__", "A::run.omp_outlined" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_ZN", NULL },
		{ "_ZNotmangled", NULL },
	};

	CHECK_ROWS(rows);
#else
	print_message("# built without libiberty\n");
#endif
}

/* `n` namespaces of 10 letters each, and a function f: 12 bytes a level, readable as well. */
static char *nested_name(size_t n)
{
	char *linkage = calloc(12, n + 2);

	assert_non_null(linkage);
	strcpy(linkage, "_ZN");
	for (size_t i = 0; i < n; i++)
		memcpy(linkage + 3 + 12 * i, "10namespaces", 12);
	strcpy(linkage + 3 + 12 * n, "1fEv");
	return linkage;
}

static void test_long_name(void **state)
{
#ifdef HAVE_LIBIBERTY
	char *linkage = nested_name(500), *name = demangle_name(linkage);

	assert_non_null(name);
	assert_int_equal(strlen(name), 12 * 500 + 1);
	free(name);
	free(linkage);
#else
	print_message("# built without libiberty\n");
#endif
}

static void test_enormous_name(void **state)
{
	char *linkage = nested_name(900);

	assert_null(demangle_name(linkage));
	free(linkage);
}

/* A template argument that names the one before twice, `n` times over: its readable form doubles
   every other time. */
__attribute__((unused)) static char *expanding_name(size_t n)
{
	char *linkage = calloc(10, n + 8);
	size_t used;

	assert_non_null(linkage);
	strcpy(linkage, "_Z1fISt4pairIiiES_IS0_S0_E");
	used = strlen(linkage);
	for (size_t i = 0; i < n; i++) {
		char digit = i < 9 ? '1' + i : 'A' + i - 9;

		used += sprintf(linkage + used, "S_IS%c_S%c_E", digit, digit);
	}
	strcpy(linkage + used, "Evv");
	return linkage;
}

static void test_expanding_name(void **state)
{
#ifdef HAVE_LIBIBERTY
	char *short_name = expanding_name(4), *long_name = expanding_name(28);
	char *name = demangle_name(short_name);

	assert_non_null(name);
	assert_null(demangle_name(long_name));
	free(name);
	free(short_name);
	free(long_name);
#else
	print_message("# built without libiberty\n");
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c_names),
		cmocka_unit_test(test_openmp_names),
		cmocka_unit_test(test_fortran_names),
		cmocka_unit_test(test_mangled_names),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_enormous_name),
		cmocka_unit_test(test_expanding_name),
	};

	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
