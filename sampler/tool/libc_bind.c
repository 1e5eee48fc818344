/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the C library that reach the C library. A program may define functions by the names of libc's, for itself or
 * for all that it is made of; the loader would have ours call them, too. The linker's --wrap turns each call of NAME
 * into one of __wrap_NAME, a jump to where bound_NAME says: libc's own function, once the library is initialised, and what
 * the loader found until then. The jump leaves the return address and all arguments as they are.
 *
 * Builds that are linked without --wrap (the scripted runtime, ThreadSanitizer) leave this file out, and call by name.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>

#include "unwinder/core/arch.h"

#define BOUND(name)                                                                                \
	extern char __real_##name[];                                                               \
	void *bound_##name = __real_##name;                                                        \
	__asm__(".pushsection .text\n"                                                             \
		".globl __wrap_" #name "\n"                                                        \
		".hidden __wrap_" #name "\n"                                                       \
		".type __wrap_" #name ", @function\n"                                              \
		"__wrap_" #name ":\n"                                                              \
		"	.cfi_startproc\n" ARCH_JUMP_THROUGH(                                       \
			"bound_" #name) "	.cfi_endproc\n"                                          \
					".size __wrap_" #name ", . - __wrap_" #name "\n"           \
					".popsection\n");
#include "sampler/tool/libc_bind.def"
#undef BOUND

static void bind(void *libc, const char *name, void **bound)
{
	void *function = dlsym(libc, name);

	if (function)
		__atomic_store_n(bound, function, __ATOMIC_RELAXED);
}

/*
 * Before the other constructor. Of the program only its dlopen and dlsym are called, if it defines them. ThreadSanitizer
 * keeps signals back until a call that it knows: without ours they come so late that walks find other frames.
 */
__attribute__((constructor(101))) static void bind_all(void)
{
	int saved = errno;
	void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);

	if (libc && !dlsym(RTLD_DEFAULT, "__tsan_init")) {
#define BOUND(name) bind(libc, #name, &bound_##name);
#include "sampler/tool/libc_bind.def"
#undef BOUND
	}
	errno = saved;
}
