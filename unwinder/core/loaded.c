/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded objects by address; see loaded.h. Part of the signal-safe core. */
#include "unwinder/core/loaded.h"

#include <assert.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#include "unwinder/core/remote.h"

enum {
	MOST_ENTRIES = 4096, /* of the loader's list */
	MOST_HEADERS = 32,   /* of an object */
	N_HINTS = 61,
	HINT_SHIFT = 20,
};

/* An entry of the loader's list, and a copy of the part that <link.h> describes. */
struct entry {
	const struct link_map *at; /* NULL: none */
	int is_kept;
	struct link_map copy;
};

struct headers {
	const ElfW(Phdr) *at;
	uint64_t n;
	ElfW(Phdr) copy[MOST_HEADERS];
};

struct loaded_state loaded_state;

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static_assert(sizeof(struct loaded_answer) == sizeof(struct dl_find_object), "the C library's");
#endif

/* As the library is loaded, after libc_bind.c's constructor: finds out how objects are found. */
__attribute__((constructor(102))) static void bind(void)
{
	int saved = errno;
	void *ask = dlsym(RTLD_DEFAULT, "_dl_find_object");

	if (!ask)
		dlerror(); /* no message of ours is left to the program */
	loaded_state.ask = (int (*)(void *, struct loaded_answer *))ask;
	loaded_state.headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	loaded_state.n_headers = getauxval(AT_PHNUM);
	errno = saved;
}

/* By address: the entry that was found last. Entries are read again before they are used. */
static const struct link_map *hints[N_HINTS];

/* Unlike remote_read this never reads directly. Returns 0 or -1. */
static int copy_memory(uint64_t address, void *to, size_t n)
{
	return remote_process ? remote_read(address, to, n) : -1;
}

static int read_entry(const struct link_map *at, int is_kept, struct entry *entry)
{
	entry->at = at;
	entry->is_kept = is_kept;
	if (!is_kept)
		return copy_memory((uintptr_t)at, &entry->copy, sizeof(entry->copy));
	entry->copy = *at;
	return 0;
}

/* Finds the object's program headers. Returns 0 or -1. */
static int read_headers(const struct entry *entry, struct headers *headers)
{
	uint64_t address = entry->copy.l_addr;
	ElfW(Ehdr) elf;

	if (entry->at == _r_debug.r_map) {
		headers->at = loaded_state.headers;
		headers->n = loaded_state.n_headers;
		return 0;
	}
	if (!entry->is_kept) {
		if (copy_memory(address, &elf, sizeof(elf)) != 0)
			return -1;
	} else {
		memcpy(&elf, (const void *)(uintptr_t)address, sizeof(elf));
	}
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_phentsize != sizeof(ElfW(Phdr)) ||
		elf.e_phnum > MOST_HEADERS)
		return -1;
	headers->n = elf.e_phnum;
	headers->at = (const ElfW(Phdr) *)(uintptr_t)(address + elf.e_phoff);
	if (entry->is_kept)
		return 0;
	if (copy_memory((uintptr_t)headers->at, headers->copy, headers->n * sizeof(ElfW(Phdr))) !=
		0)
		return -1;
	headers->at = headers->copy;
	return 0;
}

/* Fills *found from the object's headers. Returns 0, or -1 unless the object contains pc. */
static int describe(const struct entry *entry, uint64_t pc, struct loaded *found)
{
	uint64_t base = entry->copy.l_addr, dynamic = 0;
	struct headers headers;

	if (read_headers(entry, &headers) != 0)
		return -1;
	*found = (struct loaded){ .lo = UINT64_MAX, .link_map = entry->at };
	for (uint64_t i = 0; i < headers.n; i++) { /* at most 65535 */
		const ElfW(Phdr) *segment = &headers.at[i];
		uint64_t lo = base + segment->p_vaddr, hi = lo + segment->p_memsz;

		if (segment->p_type == PT_GNU_EH_FRAME)
			found->eh_frame = lo;
		else if (segment->p_type == PT_DYNAMIC)
			dynamic = lo;
		else if (segment->p_type == PT_LOAD) {
			lo &= ~(segment->p_align - 1);
			found->lo = lo < found->lo ? lo : found->lo;
			found->hi = hi > found->hi ? hi : found->hi;
		}
	}
	return dynamic == (uintptr_t)entry->copy.l_ld && pc >= found->lo && pc < found->hi ? 0 : -1;
}

/* Whether the entry before this one leads to it. */
static int is_linked(const struct entry *entry)
{
	struct entry before;

	if (entry->at == _r_debug.r_map)
		return 1;
	return entry->copy.l_prev && read_entry(entry->copy.l_prev, 0, &before) == 0 &&
	       before.copy.l_next == entry->at;
}

/* Finds the object by the entry that was found last in its neighbourhood. Returns 0 or -1. */
static int try_hint(const struct link_map *hint, uint64_t pc, struct loaded *found)
{
	struct entry entry;

	return hint && read_entry(hint, 0, &entry) == 0 && is_linked(&entry) &&
			       describe(&entry, pc, found) == 0
		       ? 0
		       : -1;
}

/*
 * Scans the list from `at` on: to the last entry that stays, or to the end. *nearest becomes the
 * entry with the greatest base that is not above pc. The executable's base can be 0, below its
 * mapping. Returns the entry where the next scan begins.
 */
static const struct link_map *scan(
	const struct link_map *at, int is_kept, uint64_t pc, struct entry *nearest)
{
	struct entry entry;
	int is_last = 0;

	/* The list after the last entry that stays can change at any moment. */
	for (int i = 0; at && !is_last && i < MOST_ENTRIES; i++) {
		if (read_entry(at, is_kept, &entry) != 0)
			return NULL;
		if (entry.copy.l_addr <= pc &&
			(!nearest->at || entry.copy.l_addr >= nearest->copy.l_addr))
			*nearest = entry;
		is_last = is_kept && at == loaded_state.last_kept;
		at = entry.copy.l_next;
	}
	return at;
}

/* Does what _dl_find_object does. Returns 0 or -1. */
static int search(uint64_t pc, struct loaded *found)
{
	const struct link_map **hint = &hints[(pc >> HINT_SHIFT) % N_HINTS];
	const struct link_map *at = _r_debug.r_map;
	struct entry nearest = { .at = NULL };

	if (loaded_state.last_kept)
		at = scan(at, 1, pc, &nearest);
	if (nearest.at && describe(&nearest, pc, found) == 0)
		return 0;
	if (try_hint(__atomic_load_n(hint, __ATOMIC_RELAXED), pc, found) == 0)
		return 0;
	scan(at, 0, pc, &nearest);
	if (!nearest.at || nearest.is_kept || !is_linked(&nearest) ||
		describe(&nearest, pc, found) != 0)
		return -1;
	__atomic_store_n(hint, nearest.at, __ATOMIC_RELAXED);
	return 0;
}

int loaded_find(uint64_t pc, struct loaded *found)
{
	struct loaded_answer answer;

	if (!loaded_state.ask)
		return search(pc, found);
	if (loaded_state.ask((void *)(uintptr_t)pc, &answer) != 0)
		return -1;
	*found = (struct loaded){ .lo = (uintptr_t)answer.lo,
		.hi = (uintptr_t)answer.hi,
		.eh_frame = (uintptr_t)answer.eh_frame,
		.link_map = answer.link_map };
	return 0;
}
