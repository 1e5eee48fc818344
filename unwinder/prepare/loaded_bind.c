/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out how objects are found, as the library is loaded; see unwinder/core/loaded.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/auxv.h>

#include "unwinder/core/loaded.h"
#include "unwinder/prepare/objects_permanent.h"

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static_assert(sizeof(struct loaded_answer) == sizeof(struct dl_find_object), "the C library's");
#endif

__attribute__((constructor(101))) static void bind(void)
{
	int saved = errno;
	void *ask = dlsym(RTLD_DEFAULT, "_dl_find_object");

	if (ask) {
		loaded_state.ask = (int (*)(void *, struct loaded_answer *))ask;
	} else {
		dlerror(); /* no message of ours is left to the program */
		loaded_state.headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
		loaded_state.n_headers = getauxval(AT_PHNUM);
		objects_find_permanent();
	}
	errno = saved;
}
