/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded objects by address. */
#include "gomp/extent.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/* The result of _dl_find_object of glibc 2.35; old headers do not declare it. */
struct answer {
	unsigned long long flags;
	void *lo;
	void *hi;
	void *rest[9];
};

static int (*ask)(void *address, struct answer *answer);

/* Before all other constructors of the library, as they look for objects. */
__attribute__((constructor(101))) static void on_load(void)
{
	ask = (int (*)(void *, struct answer *))dlsym(RTLD_DEFAULT, "_dl_find_object");
	dlerror();
}

/* By the object's own headers, which its first page has. */
static int read_extent(const ElfW(Ehdr) *header, struct extent *extent)
{
	const char *begin = (const char *)header;
	const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(begin + header->e_phoff), *first = NULL;
	uintptr_t bytes = 0;

	for (int i = 0; i < header->e_phnum; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		first = first ? first : &segment[i];
		bytes = segment[i].p_vaddr + segment[i].p_memsz - first->p_vaddr;
	}
	*extent = (struct extent){ (uintptr_t)begin, (uintptr_t)begin + bytes };
	return first ? 0 : -1;
}

int gomp_find_extent(const void *address, struct extent *extent)
{
	struct answer answer;
	Dl_info info;

	if (!ask)
		return dladdr(address, &info) ? read_extent(info.dli_fbase, extent) : -1;
	if (ask((void *)address, &answer) != 0)
		return -1;
	*extent = (struct extent){ (uintptr_t)answer.lo, (uintptr_t)answer.hi };
	return 0;
}
