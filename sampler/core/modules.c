/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded objects; see modules.h. Part of the signal-safe core. */
#include "sampler/core/modules.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "profile/core/writer.h"
#include "unwinder/core/loaded.h"

enum {
	N_HINTS = 61,   /* a prime, as objects lie at round addresses */
	MAX_NOTES = 64, /* notes looked at for a build-id */
};

/* Facts about the process that the loader does not know; set when the tool starts. */
static struct modules_process process;

/*
 * The identity of a loaded object. Another object can be loaded at the same place once it is
 * unloaded.
 */
struct identity {
	uint64_t start;
	uint64_t end;
	uint64_t eh_frame;
	uint64_t name_hash; /* of link_map.l_name */
};

static struct object {
	_Atomic uint64_t start; /* 0: the slot is not filled */
	struct identity identity;
	struct profile_module *module;
	uint32_t stays; /* nothing can unload it; written before threads are sampled */
} objects[MODULES_MOST];
static _Atomic uint32_t n_objects;

/*
 * By the page of an object's start, modulo N_HINTS: the generation (index into objects, plus 1)
 * that was found last, to be tried first.
 */
static _Atomic uint16_t hints[N_HINTS];

/*
 * FNV-1a by words, as each object of each path is hashed. Hashes at most as many characters as a
 * record holds.
 */
static uint64_t hash_of(const char *name)
{
	size_t n = name ? strlen(name) : 0;
	uint64_t hash = 0xcbf29ce484222325ULL ^ n;

	if (n > sizeof(objects->module->path))
		n = sizeof(objects->module->path);
	for (; n >= 8; n -= 8, name += 8) {
		uint64_t word;

		memcpy(&word, name, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3ULL;
		hash ^= hash >> 32;
	}
	for (; n > 0; n--, name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	return hash;
}

static struct identity identity_of(const struct loaded *found)
{
	return (struct identity){
		.start = found->lo,
		.end = found->hi,
		.eh_frame = found->eh_frame,
		.name_hash = hash_of(found->link_map->l_name),
	};
}

/* Whether the object of this generation is filled in, and has this identity. */
static int is_known(uint32_t generation, const struct identity *identity)
{
	const struct object *object = &objects[generation - 1];
	uint64_t start = atomic_load_explicit(&object->start, memory_order_acquire);

	return start == identity->start && object->identity.end == identity->end &&
	       object->identity.eh_frame == identity->eh_frame &&
	       object->identity.name_hash == identity->name_hash;
}

/* The generation of a known object, or 0. */
static uint32_t find(const struct identity *identity)
{
	_Atomic uint16_t *hint = &hints[(identity->start >> 12) % N_HINTS];
	uint32_t guess = atomic_load_explicit(hint, memory_order_relaxed);
	uint32_t n = atomic_load_explicit(&n_objects, memory_order_acquire);

	if (guess && is_known(guess, identity))
		return guess;
	for (uint32_t i = 1; i <= n && i <= MODULES_MOST; i++) {
		if (!is_known(i, identity))
			continue;
		atomic_store_explicit(hint, (uint16_t)i, memory_order_relaxed);
		return i;
	}
	return 0;
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

/*
 * Adds `path` to the module's path, which has `used` characters, as far as there is room. Returns
 * how many characters it has then.
 */
static size_t add_path(struct profile_module *module, size_t used, const char *path)
{
	size_t i = 0;

	while (path[i] && used < sizeof(module->path) - 1)
		module->path[used++] = path[i++];
	if (path[i])
		module->flags |= PROFILE_MODULE_CUT;
	return used;
}

static void describe(struct profile_module *module, const struct loaded *found)
{
	uint64_t start = found->lo, end = found->hi;
	const char *path = found->link_map->l_name;
	size_t used = 0;

	module->start = start;
	module->bias = found->link_map->l_addr;
	if (!path || !path[0]) {
		path = process.exe;
		module->flags |= PROFILE_MODULE_MAIN;
	} else if (start == process.vdso) {
		module->flags |= PROFILE_MODULE_VDSO;
	} else if (path[0] != '/' && process.cwd[0]) {
		used = add_path(module, used, process.cwd);
		used = add_path(module, used, "/");
	}
	if ((uint64_t)objects >= start && (uint64_t)objects < end)
		module->flags |= PROFILE_MODULE_TOOL;
	add_path(module, used, path);
	read_headers(module, start, end);
}

static void lost(void)
{
	__atomic_fetch_add(&writer_header()->lost[PROFILE_LOST_MODULES], 1, __ATOMIC_RELAXED);
}

/* Records the object. Returns its generation, or 0. */
static uint32_t add(const struct loaded *found, const struct identity *identity)
{
	uint32_t slot = atomic_fetch_add_explicit(&n_objects, 1, memory_order_acq_rel);
	struct profile_module *module = NULL;

	if (slot < MODULES_MOST)
		module = writer_record(PROFILE_SEGMENT_MODULES, PROFILE_MODULE_BYTES);
	if (!module) {
		lost();
		return 0;
	}
	describe(module, found);
	module->generation = slot + 1;
	__atomic_store_n(&module->end, identity->end, __ATOMIC_RELEASE);
	objects[slot].identity = *identity;
	objects[slot].module = module;
	atomic_store_explicit(&objects[slot].start, identity->start, memory_order_release);
	return slot + 1;
}

void modules_begin(struct modules_cursor *cursor)
{
	for (int i = 0; i < MODULES_CURSOR; i++) {
		if (!cursor->object[i].stays)
			cursor->object[i].end = 0;
	}
}

uint16_t modules_at(struct modules_cursor *cursor, uint64_t addr)
{
	struct loaded found;
	struct identity identity;
	uint32_t generation, i;

	for (i = 0; i < MODULES_CURSOR; i++) {
		if (addr >= cursor->object[i].start && addr < cursor->object[i].end)
			return cursor->object[i].generation;
	}
	if (loaded_find(addr, &found) != 0)
		return 0;
	identity = identity_of(&found);
	generation = find(&identity);
	if (!generation)
		generation = add(&found, &identity);
	i = cursor->oldest++ % MODULES_CURSOR;
	cursor->object[i].start = identity.start;
	cursor->object[i].end = identity.end;
	cursor->object[i].generation = (uint16_t)generation;
	cursor->object[i].stays = generation && objects[generation - 1].stays;
	return (uint16_t)generation;
}

const char *modules_folder(void)
{
	return process.cwd;
}

uint16_t modules_note(uint64_t addr)
{
	return modules_at(&(struct modules_cursor){ 0 }, addr);
}

void modules_mark_permanent(uint64_t addr)
{
	uint16_t generation = modules_note(addr);

	if (generation)
		objects[generation - 1].stays = 1;
}

void modules_mark_runtime(uint64_t addr)
{
	uint16_t generation = modules_note(addr);

	if (generation)
		objects[generation - 1].module->flags |= PROFILE_MODULE_RUNTIME;
}

void modules_mark_for_libgomp(uint64_t addr, const char *path)
{
	uint16_t generation = modules_note(addr);
	struct profile_module *module;

	if (!generation)
		return;
	module = objects[generation - 1].module;
	memset(module->path, 0, sizeof(module->path));
	module->flags &= ~(uint32_t)PROFILE_MODULE_CUT;
	module->flags |= PROFILE_MODULE_FOR_LIBGOMP;
	add_path(module, 0, path);
}

void modules_forget(const struct modules_process *now)
{
	uint32_t n = atomic_exchange(&n_objects, 0);

	process = *now;
	memset(objects, 0, (n < MODULES_MOST ? n : MODULES_MOST) * sizeof(objects[0]));
}
