/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function of LLVM's runtime in which a thread waits in a doacross loop. Where the library is
 * preloaded, the program calls the function here, which calls the definition that the program would
 * have called otherwise; see sampler/threads/doacross.h.
 */
#include <dlfcn.h>
#include <link.h>
#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/threads/doacross.h"
#include "unwinder/core/loaded.h"

#define NAME "__kmpc_doacross_wait"

typedef void wait_function(void *location, int32_t thread, const int64_t *iteration);

static wait_function *next;

/* A module loaded with RTLD_LOCAL has a runtime among its own dependences, or is one itself. */
static wait_function *find_local(const void *code)
{
	wait_function *found = NULL;
	struct loaded module;
	void *handle;

	if (loaded_find((uintptr_t)code, &module) != 0)
		return NULL;
	handle = dlopen(module.link_map->l_name, RTLD_LAZY | RTLD_NOLOAD);
	if (handle) {
		found = (wait_function *)dlsym(handle, NAME);
		dlclose(handle);
	}
	return found;
}

/*
 * The first answer stays: one runtime has the loops. A module without RTLD_LOCAL comes first, as
 * for the loader. GCC's libgomp has no such function.
 */
static wait_function *find(const void *code)
{
	wait_function *found = __atomic_load_n(&next, __ATOMIC_RELAXED);

	if (found)
		return found;
	found = (wait_function *)dlsym(RTLD_NEXT, NAME);
	if (!found)
		found = find_local(code);
	__atomic_store_n(&next, found, __ATOMIC_RELAXED);
	return found;
}

/*
 * For a runtime that the program is linked with. A thread that waits later must not ask the loader
 * then: a constructor that waits for the thread can hold the loader's lock.
 */
__attribute__((constructor)) static void find_early(void)
{
	__atomic_store_n(&next, (wait_function *)dlsym(RTLD_NEXT, NAME), __ATOMIC_RELAXED);
}

__attribute__((visibility("default"))) wait_function __kmpc_doacross_wait;

void __kmpc_doacross_wait(void *location, int32_t thread, const int64_t *iteration)
{
	const void *caller = __builtin_return_address(0);
	wait_function *wait = find(caller);

	doacross_on_wait(ompt_scope_begin, caller);
	wait(location, thread, iteration);
	doacross_on_wait(ompt_scope_end, caller);
}
