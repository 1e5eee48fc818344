/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the C library that reach the C library even where the program defines functions of the
 * same names. The linker's --wrap turns each call of NAME into a call of __wrap_NAME, which jumps
 * to the address in bound_NAME: libc's own function once the library is initialised, and until then
 * the function that the loader found. Return address and arguments stay as they are.
 *
 * Builds that are linked without --wrap (the scripted runtime, ThreadSanitizer) leave this file
 * out.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <stddef.h>

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

/*
 * Before 2.34 the C library had its threads and timers in libraries of their own. Whatever libc
 * itself lacks is looked for there.
 */
static void bind(void *libc, const char *name, void **bound)
{
	static const char *const parts[] = { LIBPTHREAD_SO, LIBRT_SO, LIBDL_SO };
	void *function = dlsym(libc, name), *part;

	for (size_t i = 0; !function && i < sizeof(parts) / sizeof(parts[0]); i++) {
		part = dlopen(parts[i], RTLD_LAZY | RTLD_NOLOAD);
		function = part ? dlsym(part, name) : NULL;
	}
	if (function)
		__atomic_store_n(bound, function, __ATOMIC_RELAXED);
}

/*
 * Runs before the library's other constructors. The only functions of the program that it calls are
 * dlopen and dlsym, if the program defines them. With ThreadSanitizer nothing is bound: it delivers
 * a signal only at a call that it intercepts, so without our calls the signals would come too late.
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
