/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the objects that the executable needs, by the names in the objects' dynamic sections; see
 * objects_permanent.h. An object that was only preloaded, or loaded by dlopen, is not found in this
 * way. In doubt an object is not listed.
 */
#include "unwinder/prepare/objects_permanent.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#include "unwinder/core/loaded.h"

enum { MAX_PERMANENT = 512 };

static struct {
	const struct link_map *object[MAX_PERMANENT];
	const char *name[MAX_PERMANENT]; /* by which it was found; NULL: the executable */
	uint32_t n;
} permanent;

struct dynamic {
	const char *strings;
	uint64_t soname; /* offset in `strings`; 0: none */
	uint64_t flags_1;
};

/* Pointers in the section are addresses, except in the vdso, where they are offsets. */
static void read_dynamic(const struct link_map *object, struct dynamic *dynamic)
{
	*dynamic = (struct dynamic){ 0 };
	for (const ElfW(Dyn) *d = object->l_ld; d && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_STRTAB)
			dynamic->strings = (const char *)(d->d_un.d_ptr < object->l_addr
								  ? d->d_un.d_ptr + object->l_addr
								  : d->d_un.d_ptr);
		if (d->d_tag == DT_SONAME)
			dynamic->soname = d->d_un.d_val;
		if (d->d_tag == DT_FLAGS_1)
			dynamic->flags_1 = d->d_un.d_val;
	}
}

static int is_listed(const struct link_map *object)
{
	for (uint32_t i = 0; i < permanent.n; i++)
		if (permanent.object[i] == object)
			return 1;
	return 0;
}

/* Whether this object has the name of a DT_NEEDED entry: as its path, its file or its SONAME. */
static int is_named(const struct link_map *object, const char *name)
{
	const char *slash = object->l_name ? strrchr(object->l_name, '/') : NULL;
	struct dynamic dynamic;

	if (object->l_name && strcmp(object->l_name, name) == 0)
		return 1;
	if (strchr(name, '/'))
		return 0;
	if (slash && strcmp(slash + 1, name) == 0)
		return 1;
	read_dynamic(object, &dynamic);
	return dynamic.strings && dynamic.soname &&
	       strcmp(dynamic.strings + dynamic.soname, name) == 0;
}

/*
 * Lists the first object that has the name, if there is one. Most names are listed already: nearly
 * all objects need the C library.
 */
static void list_needed(const char *name)
{
	for (uint32_t i = 0; i < permanent.n; i++)
		if (permanent.name[i] && strcmp(permanent.name[i], name) == 0)
			return;
	for (const struct link_map *object = _r_debug.r_map; object; object = object->l_next) {
		if (!is_named(object, name))
			continue;
		if (!is_listed(object) && permanent.n < MAX_PERMANENT) {
			permanent.name[permanent.n] = name;
			permanent.object[permanent.n++] = object;
		}
		return;
	}
}

/* The loader's entries up to the last permanent object stay. From 2.35 on glibc needs no list. */
static void note_last(void)
{
	if (loaded_state.ask)
		return;
	for (const struct link_map *object = _r_debug.r_map; object; object = object->l_next)
		if (is_listed(object))
			loaded_state.last_kept = object;
}

int objects_take_permanent(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info;
	(void)size;
	(void)data;
	permanent.n = 0;
	permanent.name[0] = NULL;
	if (!_r_debug.r_map)
		return 1;
	permanent.object[permanent.n++] = _r_debug.r_map;
	for (uint32_t i = 0; i < permanent.n; i++) { /* at most MAX_PERMANENT rounds */
		const struct link_map *object = permanent.object[i];
		struct dynamic dynamic;

		read_dynamic(object, &dynamic);
		for (const ElfW(Dyn) *d = object->l_ld; d && d->d_tag != DT_NULL; d++)
			if (d->d_tag == DT_NEEDED && dynamic.strings)
				list_needed(dynamic.strings + d->d_un.d_val);
	}
	note_last();
	return 1;
}

int objects_is_permanent(const struct link_map *object)
{
	uint64_t begin = (uint64_t)(uintptr_t)object->l_ld;
	uint64_t loader = getauxval(AT_BASE), vdso = getauxval(AT_SYSINFO_EHDR);
	struct dynamic dynamic;

	if (is_listed(object) || object->l_addr == loader ||
		(vdso && begin > vdso && begin - vdso < 0x10000))
		return 1;
	read_dynamic(object, &dynamic);
	return (dynamic.flags_1 & DF_1_NODELETE) != 0;
}
