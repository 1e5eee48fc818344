/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of MPI that can wait, in C and in Fortran. Where the library is preloaded, the
 * program calls the functions here, and each calls the next definition with the same arguments; see
 * mpi_wait.h. No header of MPI is needed: MPI's implementations agree on the names and on the
 * number of arguments. Each argument is one word, whatever its type, as the calling conventions of
 * Linux pass integers and addresses alike: in 64-bit registers and then in 64-bit places of the
 * stack. The returned word is passed on as it is, too. Fortran's functions return nothing.
 *
 * Left out of builds that are linked without --wrap, as wrap_blocking.c is.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>

#include "sampler/threads/mpi_wait.h"

typedef uint64_t word;

#define PARAMETERS_0  void
#define PARAMETERS_1  word a
#define PARAMETERS_2  PARAMETERS_1, word b
#define PARAMETERS_3  PARAMETERS_2, word c
#define PARAMETERS_4  PARAMETERS_3, word d
#define PARAMETERS_5  PARAMETERS_4, word e
#define PARAMETERS_6  PARAMETERS_5, word f
#define PARAMETERS_7  PARAMETERS_6, word g
#define PARAMETERS_8  PARAMETERS_7, word h
#define PARAMETERS_9  PARAMETERS_8, word i
#define PARAMETERS_10 PARAMETERS_9, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define PARAMETERS_12 PARAMETERS_11, word l
#define PARAMETERS_13 PARAMETERS_12, word m

#define ARGUMENTS_0
#define ARGUMENTS_1  a
#define ARGUMENTS_2  ARGUMENTS_1, b
#define ARGUMENTS_3  ARGUMENTS_2, c
#define ARGUMENTS_4  ARGUMENTS_3, d
#define ARGUMENTS_5  ARGUMENTS_4, e
#define ARGUMENTS_6  ARGUMENTS_5, f
#define ARGUMENTS_7  ARGUMENTS_6, g
#define ARGUMENTS_8  ARGUMENTS_7, h
#define ARGUMENTS_9  ARGUMENTS_8, i
#define ARGUMENTS_10 ARGUMENTS_9, j
#define ARGUMENTS_11 ARGUMENTS_10, k
#define ARGUMENTS_12 ARGUMENTS_11, l
#define ARGUMENTS_13 ARGUMENTS_12, m

/* Fortran's functions have the error code as another argument. */
#define AND_1_0  1
#define AND_1_1  2
#define AND_1_2  3
#define AND_1_3  4
#define AND_1_4  5
#define AND_1_5  6
#define AND_1_6  7
#define AND_1_7  8
#define AND_1_8  9
#define AND_1_9  10
#define AND_1_12 13

/*
 * The next definition of a function. An object that was loaded with RTLD_LOCAL has MPI among its
 * own dependences. NULL: there is no MPI, and the program calls what is not there.
 */
static __attribute__((noinline, cold)) void *find(const char *name, void *caller)
{
	int saved = errno;
	void *function = dlsym(RTLD_NEXT, name), *handle;
	Dl_info object;

	if (!function && dladdr(caller, &object)) {
		handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		function = handle ? dlsym(handle, name) : NULL;
	}
	errno = saved;
	return function;
}

#define FORWARD(function, n)                                                                       \
	word function(PARAMETERS_##n);                                                             \
	__attribute__((visibility("default"))) word function(PARAMETERS_##n)                       \
	{                                                                                          \
		static word (*next)(PARAMETERS_##n);                                               \
		void *caller = __builtin_return_address(0);                                        \
		int is_timed;                                                                      \
		word value;                                                                        \
                                                                                                   \
		if (!next)                                                                         \
			next = (word(*)(PARAMETERS_##n))find(#function, caller);                   \
		is_timed = mpi_begin((uint64_t)next, (uint64_t)__builtin_frame_address(0));        \
		value = next(ARGUMENTS_##n);                                                       \
		if (is_timed)                                                                      \
			mpi_end(caller);                                                           \
		return value;                                                                      \
	}
#define FORWARD_TO(function, n) FORWARD(function, n)
#define MPI_CALL(KIND, n, comm, Name, name)                                                        \
	FORWARD(MPI_##Name, n)                                                                     \
	FORWARD_TO(mpi_##name##_, AND_1_##n)                                                       \
	FORWARD_TO(mpi_##name##_f08_, AND_1_##n)                                                   \
	FORWARD_TO(mpi_##name##_f08ts_, AND_1_##n)
#include "profile/shared/mpi_calls.def"
#undef MPI_CALL
