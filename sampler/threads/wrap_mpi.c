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

#include "sampler/threads/collective.h"
#include "sampler/threads/mpi_wait.h"

/* MPI_COMM_WORLD of MPICH, in C and in Fortran; 0 in Open MPI's Fortran. */
#define MPICH_WORLD 0x44000000u

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
 * The next definition of a function, or with RTLD_DEFAULT the first definition of a name. An object
 * that was loaded with RTLD_LOCAL has MPI among its own dependences. NULL: there is no MPI, and the
 * program calls what is not there.
 */
static __attribute__((noinline, cold)) void *find(void *from, const char *name, void *caller)
{
	int saved = errno;
	void *found = dlsym(from, name), *handle;
	Dl_info object;

	if (!found && dladdr(caller, &object)) {
		handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		found = handle ? dlsym(handle, name) : NULL;
	}
	errno = saved;
	return found;
}

/* Whether it is MPI_COMM_WORLD, which is an object's address in Open MPI, and a number in MPICH. */
static int is_world_in_c(word communicator, void *caller)
{
	static word world; /* 0: not sought yet */

	if (!world)
		world = (word)find(RTLD_DEFAULT, "ompi_mpi_comm_world", caller);
	if (!world)
		world = MPICH_WORLD;
	return world == MPICH_WORLD ? (uint32_t)communicator == world : communicator == world;
}

/* The same for the address of a handle of Fortran. */
static int is_world_in_fortran(word handle, void *caller)
{
	uint32_t number = *(const uint32_t *)handle;

	(void)caller;
	return number == 0 || number == MPICH_WORLD;
}

static uint32_t number_in_c(word number)
{
	return (uint32_t)number;
}

static uint32_t number_in_fortran(word number)
{
	return *(const uint32_t *)number;
}

enum kind { POINT, COMPLETION, COLLECTIVE, GATHER, ONE_SIDED, IO };

/* The argument with this index; 0: the index is -1. */
#define ARGUMENT(index, n) ((const word[]){ 0, ARGUMENTS_##n })[(index) + 1]

#define FORWARD(function, n, language, KIND, comm)                                                 \
	word function(PARAMETERS_##n);                                                             \
	__attribute__((visibility("default"))) word function(PARAMETERS_##n)                       \
	{                                                                                          \
		static word (*next)(PARAMETERS_##n);                                               \
		void *caller = __builtin_return_address(0);                                        \
		uint64_t frame = (uint64_t)__builtin_frame_address(0);                             \
		struct collective collective = { 0, 0, 0 };                                        \
		int is_timed;                                                                      \
		word value;                                                                        \
                                                                                                   \
		if (!next)                                                                         \
			next = (word(*)(PARAMETERS_##n))find(RTLD_NEXT, #function, caller);        \
		if ((comm) >= 0 && is_world_in_##language(ARGUMENT(comm, n), caller))              \
			collective = collective_begin(frame);                                      \
		if ((KIND) == GATHER && collective.number)                                         \
			collective.root =                                                          \
				number_in_##language(ARGUMENT((comm) - ((KIND) == GATHER), n)) +   \
				1;                                                                 \
		is_timed = mpi_begin((uint64_t)next, frame);                                       \
		value = next(ARGUMENTS_##n);                                                       \
		if (is_timed)                                                                      \
			mpi_end(caller);                                                           \
		if ((comm) >= 0)                                                                   \
			collective_end(&collective, is_timed, caller);                             \
		return value;                                                                      \
	}
#define FORWARD_TO(function, n, language, KIND, comm) FORWARD(function, n, language, KIND, comm)
#define MPI_CALL(KIND, n, comm, Name, name)                                                        \
	FORWARD(MPI_##Name, n, c, KIND, comm)                                                      \
	FORWARD_TO(mpi_##name##_, AND_1_##n, fortran, KIND, comm)                                  \
	FORWARD_TO(mpi_##name##_f08_, AND_1_##n, fortran, KIND, comm)                              \
	FORWARD_TO(mpi_##name##_f08ts_, AND_1_##n, fortran, KIND, comm)
#include "profile/shared/mpi_calls.def"
#undef MPI_CALL
