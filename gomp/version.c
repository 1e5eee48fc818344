/* SPDX-License-Identifier: Apache-2.0 */
/* The version of a libgomp. */
#include "gomp/version.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>

/*
 * libgomp has no function that tells its version. But each GCC since 9 has brought new functions,
 * so the functions that are there show it.
 */
void gomp_name(char *name, size_t bytes, void *handle)
{
	static const struct {
		const char *function;
		int gcc; /* the first with the function */
	} news[] = {
		{ "omp_target_memset", 16 },
		{ "GOMP_interop", 15 },
		{ "GOMP_target_map_indirect_ptr", 14 },
		{ "GOMP_taskwait_depend_nowait", 13 },
		{ "GOMP_teams4", 12 },
		{ "GOMP_alloc", 11 },
		{ "omp_alloc", 10 },
		{ "GOMP_loop_start", 9 },
	};

	snprintf(name, bytes, "GCC libgomp");
	for (size_t i = 0; i < sizeof(news) / sizeof(news[0]); i++) {
		if (!dlsym(handle, news[i].function))
			continue;
		snprintf(name, bytes, "GCC libgomp %d%s", news[i].gcc, i ? "" : " or later");
		return;
	}
}

/* GCC 6 to 15 say OpenMP 4.5, and GCC 16 says 5.2. libgomp has no function that returns it. */
unsigned gomp_openmp(void *handle)
{
	return dlsym(handle, "omp_target_memset") ? 202111 : 201511;
}

/* The newest version of a function that this library knows: GCC 17's. */
enum { KNOWN_MAJOR = 6, KNOWN_MINOR = 0, KNOWN_PATCH = 2 };

/* Whether a version's name is GOMP_ and a number beyond the known. */
static int is_newer(const char *version)
{
	int major = 0, minor = 0, patch = 0;

	if (sscanf(version, "GOMP_%d.%d.%d", &major, &minor, &patch) < 1)
		return 0;
	if (major != KNOWN_MAJOR)
		return major > KNOWN_MAJOR;
	return minor > KNOWN_MINOR || patch > KNOWN_PATCH;
}

/* The address that an entry of the object's dynamic section gives; 0 without the entry. */
static uintptr_t find_dynamic(const struct link_map *map, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *entry = map->l_ld;
	uintptr_t at;

	while (entry->d_tag != DT_NULL && entry->d_tag != tag)
		entry++;
	at = entry->d_tag == tag ? (uintptr_t)entry->d_un.d_ptr : 0;
	/* The loader relocates some entries in place. */
	return at && at < map->l_addr ? at + map->l_addr : at;
}

/* Whether the object defines a version that is too new. */
static int has_newer(const struct link_map *map)
{
	uintptr_t at = find_dynamic(map, DT_VERDEF);
	const char *names = (const char *)find_dynamic(map, DT_STRTAB);
	const ElfW(Verdef) *version;

	for (; at && names; at = version->vd_next ? at + version->vd_next : 0) {
		version = (const ElfW(Verdef) *)at;
		if (is_newer(names + ((const ElfW(Verdaux) *)(at + version->vd_aux))->vda_name))
			return 1;
	}
	return 0;
}

int gomp_is_foreign(void *handle, const void *function)
{
	void *ompt = dlsym(handle, "ompt_start_tool");
	struct link_map *map, *ompt_map;
	Dl_info info;

	if (!dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP))
		return 1;
	if (ompt && dladdr1(ompt, &info, (void **)&ompt_map, RTLD_DL_LINKMAP) && ompt_map == map)
		return 1;
	if (!has_newer(map))
		return 0;
	fprintf(stderr,
		"ompprof-gomp: '%s' is newer than this library knows: a tool sees none of its "
		"regions and waits\n",
		map->l_name);
	return 1;
}
