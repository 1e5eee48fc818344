/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library in the place of libgomp. Each of its functions notes its caller, and variadic functions
 * a sum of their arguments. With FOREIGN it is a runtime that supports tools itself.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

const void *fake_caller;
long fake_sum; /* of the arguments of a variadic function */
unsigned fake_n_calls;

#define NOTE (fake_n_calls++, fake_caller = __builtin_return_address(0))
#define FUNCTION(returns, name, parameters)                                                        \
	returns name parameters;                                                                   \
	returns name parameters                                                                    \
	{                                                                                          \
		NOTE;                                                                              \
		return (returns)1;                                                                 \
	}
#define VERSION_OMP_1_0(...)
#define VERSION_OMP_3_0(returns, name, parameters)  FUNCTION(returns, name, parameters)
#define VERSION(returns, name, version, parameters) VERSION_##version(returns, name, parameters)
#define VARIADIC(name, type)                                                                       \
	void name(type first, ...)                                                                 \
	{                                                                                          \
		va_list others;                                                                    \
                                                                                                   \
		NOTE;                                                                              \
		fake_sum = (long)first;                                                            \
		va_start(others, first);                                                           \
		for (int i = 1; i < 12; i++)                                                       \
			fake_sum = fake_sum * 3 + (long)va_arg(others, type);                      \
		va_end(others);                                                                    \
	}
#include "gomp/functions.def"

#ifdef FOREIGN
void *ompt_start_tool(unsigned int omp_version, const char *version)
{
	return NULL;
}
#endif
