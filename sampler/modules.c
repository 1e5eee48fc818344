/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded objects; see modules.h. Part of the signal-safe core. */
#include "sampler/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "profile/layout.h"
#include "profile/writer.h"

enum {
	MAX_MODULES = 4096, /* more are counted as lost */
	MAX_NOTES = 64,     /* notes looked at for a build-id */
};

static char exe[1024]; /* the executable's path; the loader does not know it */

static struct range {
	_Atomic uint64_t start; /* 0: slot claimed but not filled */
	uint64_t end;
	struct profile_module *module;
} ranges[MAX_MODULES];
static _Atomic uint32_t n_ranges;

/* The record of the object that contains addr, or NULL. */
static struct profile_module *find(uint64_t addr)
{
	uint32_t n = atomic_load_explicit(&n_ranges, memory_order_acquire);

	for (uint32_t i = n < MAX_MODULES ? n : MAX_MODULES; i > 0; i--) {
		uint64_t start = atomic_load_explicit(&ranges[i - 1].start, memory_order_acquire);

		if (start && addr >= start && addr < ranges[i - 1].end)
			return ranges[i - 1].module;
	}
	return NULL;
}

/* The GNU build-id note within [at, end), copied to *module. */
static void find_build_id(struct profile_module *module, const char *at, const char *end)
{
	for (int i = 0; i < MAX_NOTES && end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr)); i++) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
		uint64_t name = (note->n_namesz + 3ULL) & ~3ULL;
		uint64_t bytes = (note->n_descsz + 3ULL) & ~3ULL;
		const char *text = at + sizeof(*note);

		if (name + bytes > (uint64_t)(end - text))
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			memcmp(text, "GNU", 4) == 0 && note->n_descsz <= sizeof(module->build_id)) {
			memcpy(module->build_id, text + name, note->n_descsz);
			module->build_id_bytes = note->n_descsz;
			return;
		}
		at = text + name + bytes;
	}
}

/* Reads the object's own headers in memory; the first page of a mapped object holds them. */
static void read_headers(struct profile_module *module, uint64_t start, uint64_t end)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)start;
	const ElfW(Phdr) *segment;

	if (end - start < 4096 || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
		header->e_phentsize != sizeof(ElfW(Phdr)) ||
		header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > 4096)
		return;
	segment = (const ElfW(Phdr) *)(start + header->e_phoff);
	for (int i = 0; i < header->e_phnum && module->build_id_bytes == 0; i++) {
		uint64_t at = module->bias + segment[i].p_vaddr;

		if (segment[i].p_type == PT_NOTE && at >= start && at < end &&
			segment[i].p_memsz <= end - at)
			find_build_id(
				module, (const char *)at, (const char *)at + segment[i].p_memsz);
	}
}

/* At most sizeof(module->path) characters are copied. */
static void copy_path(struct profile_module *module, const char *path)
{
	size_t i = 0;

	while (path[i] && i < sizeof(module->path) - 1) {
		module->path[i] = path[i];
		i++;
	}
	if (path[i])
		module->flags |= PROFILE_MODULE_CUT;
}

static void describe(struct profile_module *module, const struct dl_find_object *found)
{
	uint64_t start = (uint64_t)found->dlfo_map_start, end = (uint64_t)found->dlfo_map_end;
	const char *path = found->dlfo_link_map->l_name;

	module->start = start;
	module->bias = found->dlfo_link_map->l_addr;
	if (!path || !path[0]) {
		path = exe;
		module->flags |= PROFILE_MODULE_MAIN;
	} else if (path[0] != '/') {
		module->flags |= PROFILE_MODULE_VDSO;
	}
	if ((uint64_t)ranges >= start && (uint64_t)ranges < end)
		module->flags |= PROFILE_MODULE_TOOL;
	copy_path(module, path);
	read_headers(module, start, end);
}

static void lost(void)
{
	__atomic_fetch_add(&writer_header()->lost[PROFILE_LOST_MODULES], 1, __ATOMIC_RELAXED);
}

void modules_note(uint64_t addr)
{
	struct dl_find_object found;
	struct profile_module *module;
	uint32_t slot;

	if (find(addr) || _dl_find_object((void *)addr, &found) != 0)
		return;
	slot = atomic_fetch_add_explicit(&n_ranges, 1, memory_order_acq_rel);
	module = slot < MAX_MODULES ? writer_record(PROFILE_SEGMENT_MODULES, PROFILE_MODULE_BYTES)
				    : NULL;
	if (!module) {
		lost();
		return;
	}
	describe(module, &found);
	module->generation = slot + 1;
	__atomic_store_n(&module->end, (uint64_t)found.dlfo_map_end, __ATOMIC_RELEASE);
	ranges[slot].end = module->end;
	ranges[slot].module = module;
	atomic_store_explicit(&ranges[slot].start, module->start, memory_order_release);
}

void modules_mark_runtime(uint64_t addr)
{
	struct profile_module *module;

	modules_note(addr);
	module = find(addr);
	if (module)
		module->flags |= PROFILE_MODULE_RUNTIME;
}

void modules_clear(const char *exe_path)
{
	size_t bytes = strlen(exe_path);

	if (bytes >= sizeof(exe))
		bytes = sizeof(exe) - 1;
	memcpy(exe, exe_path, bytes);
	exe[bytes] = '\0';
	memset(ranges, 0, sizeof(ranges));
	atomic_store(&n_ranges, 0);
}
