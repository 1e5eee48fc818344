/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the loaded objects and lets them be compiled; see objects.h. Not for the signal handler.
 *
 * The loader's list, and the data of objects that can be unloaded, are read only inside the
 * callback of dl_iterate_phdr, which keeps the loader from unloading.
 */
#include "unwinder/core/objects.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "unwinder/prepare/objects_functions.h"
#include "unwinder/prepare/objects_permanent.h"
#include "unwinder/prepare/objects_sections.h"
#include "unwinder/core/loaded.h"
#include "unwinder/core/objects_state.h"
#include "unwinder/core/table_memory.h"
#include "unwinder/core/walk.h"

enum {
	HEADER_BYTES = 16, /* of .eh_frame_hdr, which are compared */
	BUSY_PAUSE_NS = 1000000,
	COST_TRIES = 200, /* of objects_cost, while another thread works on the list */
	LOOK_PAUSE_NS = 100000,
	FORK_TRIES = 1000, /* of a fork, while another thread looks at the loader's list */
	SPARE_OBJECTS = 8, /* objects that may be loaded between the count and the look */
	MAX_RETIRED = 16,  /* lists that wait for the end of their last walks */
	/* The object's file is read if more than 1 in FILE_SHARE bytes of code have no rule, or if
	   FILE_GAPS bytes lie in gaps. */
	FILE_SHARE = 10,
	FILE_GAPS = 512,
	PAGE = 4096,
};

#define LARGE_CODE          (UINT64_C(20) << 20)
#define LOOK_EVERY_NS       20000000
#define BUILDER_STACK_BYTES (256u << 10)

/* A replaced list. It is freed when each counter of walks has been at zero since. */
struct retired {
	struct objects *list;
	uint64_t waiting[OBJECTS_COUNTERS / 64]; /* a bit for each of these counters */
};

static struct {
	uint32_t is_busy;     /* a thread works on the list. Atomic */
	uint32_t is_building; /* the builder's thread runs; under the lock */
	uint32_t last_tried;  /* id of the latest object that the builder took; under the lock */
	uint32_t is_looking;  /* a thread reads the loader's list, or forks. Atomic */
	uint32_t is_fork_known;
	uint64_t looked_ns;
	unsigned long long n_added, n_removed; /* the loader's counts at the last look */
	uint32_t last_id;
	uint64_t build_ns;
	struct retired retired[MAX_RETIRED];
} state;

/* A look at the loader's list, which makes a new list of objects. */
struct look {
	const struct objects *old;
	struct objects *list;
	struct table_scratch scratch;
	unsigned long long n_added, n_removed;
	int is_first;
	int is_changed;
	int is_incomplete; /* an object could not be listed: the next look must take place */
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * The system call, as the C library's nanosleep is a cancellation point: this thread may be the
 * program's, and holds a lock here.
 */
static void pause_ns(long ns)
{
	syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = ns }, NULL);
}

static int try_lock(uint32_t *lock)
{
	return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
}

/* Tries to take the lock n_tries times. Returns 0, or -1. */
static int lock_for(uint32_t *lock, unsigned int n_tries, long pause)
{
	for (; n_tries > 0; n_tries--) {
		if (try_lock(lock))
			return 0;
		pause_ns(pause);
	}
	return -1;
}

static void lock(uint32_t *lock, long pause)
{
	while (lock_for(lock, 1, pause) != 0)
		;
}

static void unlock(uint32_t *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static uint64_t code_bytes(const struct object *object)
{
	return object->code.hi - object->code.lo;
}

static size_t list_bytes(uint32_t room)
{
	return sizeof(struct objects) + room * (sizeof(uint64_t) + sizeof(struct object));
}

/* The child could not take the loader's lock if another thread held it during the fork. */
static void before_fork(void)
{
	lock_for(&state.is_looking, FORK_TRIES, LOOK_PAUSE_NS);
}

static void after_fork(void)
{
	unlock(&state.is_looking);
}

/* Calls dl_iterate_phdr while no thread forks. */
static void iterate(int (*look)(struct dl_phdr_info *, size_t, void *), void *data)
{
	lock(&state.is_looking, LOOK_PAUSE_NS);
	dl_iterate_phdr(look, data);
	unlock(&state.is_looking);
}

static struct objects *new_list(uint32_t room)
{
	struct objects *list = pages_take(list_bytes(room), 0);

	if (!list)
		return NULL;
	list->room = room;
	list->object = (struct object *)(list + 1);
	list->lo = (uint64_t *)(list->object + room);
	return list;
}

static void unmap_list(struct objects *list)
{
	pages_give(list, list_bytes(list->room));
}

static int has_table(const struct objects *list, const struct object *wanted)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->object[i].id == wanted->id &&
			list->object[i].table.memory == wanted->table.memory)
			return 1;
	return 0;
}

/* Whether the current list or a replaced list has this object's table. */
static int is_used(const struct object *object)
{
	if (has_table(objects_state.current, object))
		return 1;
	for (int i = 0; i < MAX_RETIRED; i++)
		if (state.retired[i].list && has_table(state.retired[i].list, object))
			return 1;
	return 0;
}

static void free_list(struct objects *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->object[i].table.memory && !is_used(&list->object[i]))
			table_free(&list->object[i].table);
	unmap_list(list);
}

/* Looks at the counters. Returns whether one has not been zero since the list was replaced. */
static int is_waiting(struct retired *retired)
{
	uint64_t waiting = 0;

	for (unsigned int c = 0; c < OBJECTS_COUNTERS; c++)
		if (__atomic_load_n(&objects_state.walks[c].n, __ATOMIC_SEQ_CST) == 0)
			retired->waiting[c / 64] &= ~(UINT64_C(1) << c % 64);
	for (unsigned int i = 0; i < OBJECTS_COUNTERS / 64; i++)
		waiting |= retired->waiting[i];
	return waiting != 0;
}

/* Frees the lists whose walks have all ended. Returns whether there is room for one more list. */
static int collect(void)
{
	int n_free = 0;

	for (int i = 0; i < MAX_RETIRED; i++) {
		struct retired *retired = &state.retired[i];
		struct objects *list = retired->list;

		if (list && !is_waiting(retired)) {
			retired->list = NULL;
			free_list(list);
		}
		n_free += !retired->list;
	}
	return n_free > 0;
}

/* Makes the list the current list. collect() has said that there is room for the old list. */
static void publish(struct objects *list)
{
	static uint64_t n_published;
	struct objects *old = (struct objects *)(uintptr_t)objects_state.current;

	list->serial = ++n_published;
	__atomic_store_n(&objects_state.current, list, __ATOMIC_SEQ_CST);
	for (int i = 0; i < MAX_RETIRED && old; i++) {
		if (state.retired[i].list)
			continue;
		state.retired[i].list = old;
		memset(state.retired[i].waiting, 0xff, sizeof(state.retired[i].waiting));
		old = NULL;
	}
}

/* Finds the GNU build-id within a note segment in memory. */
static uint64_t find_build_id(uint64_t at, uint64_t end)
{
	while (end - at >= sizeof(ElfW(Nhdr)) + 4 && at < end) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(uintptr_t)at;
		uint64_t name = (note->n_namesz + 3ULL) & ~3ULL;
		uint64_t bytes = (note->n_descsz + 3ULL) & ~3ULL;
		uint64_t text = at + sizeof(*note);

		if (name + bytes > end - text)
			return 0;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz >= 16 &&
			note->n_namesz == 4 && memcmp((const void *)(uintptr_t)text, "GNU", 4) == 0)
			return text + name;
		at = text + name + bytes;
	}
	return 0;
}

/*
 * Whether [lo, hi) is in a readable segment, in the part that is in the file: [*data_lo, *data_hi).
 */
static int is_readable(const struct dl_phdr_info *info, uint64_t lo, uint64_t hi, uint64_t *data_lo,
	uint64_t *data_hi)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		*data_lo = info->dlpi_addr + segment->p_vaddr;
		*data_hi = *data_lo + segment->p_filesz;
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_R && lo >= *data_lo &&
			lo <= hi && hi <= *data_hi)
			return 1;
	}
	return 0;
}

/* Fills the object's code, and in its identity the place and the build-id, from program headers. */
static void find_extent(const struct dl_phdr_info *info, struct object *object)
{
	struct object_identity *identity = &object->identity;
	uint64_t data_lo, data_hi;

	identity->lo = object->code.lo = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + segment->p_vaddr, hi = lo + segment->p_memsz;

		if (segment->p_type == PT_LOAD) {
			identity->lo = lo < identity->lo ? lo : identity->lo;
			identity->hi = hi > identity->hi ? hi : identity->hi;
		}
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
			object->code.lo = lo < object->code.lo ? lo : object->code.lo;
			object->code.hi = hi > object->code.hi ? hi : object->code.hi;
		}
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
			segment->p_flags & PF_R &&
			hi - lo > object->code.text_hi - object->code.text_lo) {
			object->code.text_lo = lo;
			object->code.text_hi = hi;
		}
		if (segment->p_type == PT_NOTE && !identity->note &&
			is_readable(info, lo, lo + segment->p_filesz, &data_lo, &data_hi))
			identity->note = find_build_id(lo, lo + segment->p_filesz);
	}
}

/* Fills the rest of the identity after find_extent. */
static void identify(const struct dl_phdr_info *info, struct object_identity *identity,
	const struct loaded *found)
{
	uint64_t lo = found->lo, hi = found->hi, eh_frame = found->eh_frame, data_lo, data_hi;

	identity->link_map = (uintptr_t)found->link_map;
	identity->eh_frame = eh_frame;
	/* The loader knows only a part of a static program. */
	if (lo <= identity->lo && identity->hi <= hi) {
		identity->lo = lo;
		identity->hi = hi;
	}
	if (eh_frame && is_readable(info, eh_frame, eh_frame + HEADER_BYTES, &data_lo, &data_hi)) {
		identity->data_lo = data_lo;
		identity->data_hi = data_hi;
		memcpy(identity->header, (const void *)(uintptr_t)eh_frame,
			sizeof(identity->header));
	}
	/* Memory where another object may have nothing mapped is not read. */
	if (identity->note < identity->lo || identity->note - identity->lo > PAGE - 16) {
		identity->note = 0;
		identity->name_hash = objects_name_hash(identity);
		return;
	}
	memcpy(identity->build_id, (const void *)(uintptr_t)identity->note,
		sizeof(identity->build_id));
}

/* The object with this identity in the previous list, or NULL. */
static const struct object *find_old(
	const struct objects *old, const struct object_identity *identity)
{
	const struct object *object = old ? objects_find(old, identity->lo) : NULL;

	return object && memcmp(&object->identity, identity, sizeof(*identity)) == 0 ? object
										     : NULL;
}

/* Compiles an object again, with what its file has in addition. */
static void build_by_file(
	struct object *object, struct cfi_image *image, struct table_scratch *scratch)
{
	struct objects_sections sections;
	struct cfi_image *first = image->n_entries ? image : NULL, *second = NULL;
	struct table table;

	if (objects_sections_open(&sections, object->identity.lo,
		    (const struct link_map *)(uintptr_t)object->identity.link_map) != 0)
		return;
	if (!first && sections.has_eh_frame)
		first = &sections.eh_frame;
	if (sections.has_debug_frame)
		second = &sections.debug_frame;
	if (!first) {
		first = second;
		second = NULL;
	}
	if (first && (first != image || second) &&
		table_build(&table, first, second, &object->code, scratch) == 0) {
		table_free(&object->table);
		object->table = table;
	}
	objects_add_functions(&object->table, &sections.symbols, object->code.text_lo,
		object->code.text_hi, scratch);
	objects_sections_close(&sections);
}

/*
 * Compiles an object from its own memory, or from a copy of its unwind data. If much of its code
 * has no rule then, and there is no copy, uses the object's file, too.
 */
static void build(struct object *object, const uint8_t *copy, struct table_scratch *scratch)
{
	const struct object_identity *identity = &object->identity;
	uint64_t begin = now_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t from = copy ? identity->eh_frame : identity->data_lo;
	uint64_t n_bytes = code_bytes(object);
	struct table_code code = object->code;
	struct cfi_image image = { 0 };

	if (copy)
		code.text_hi = code.text_lo;
	if (identity->data_hi &&
		cfi_image_init(&image, copy ? copy : (const uint8_t *)(uintptr_t)from,
			identity->data_hi - from, from, identity->eh_frame) == 0)
		table_build(&object->table, &image, NULL, &code, scratch);
	else
		image.n_entries = 0;
	if (!copy && (object->table.covered < n_bytes - n_bytes / FILE_SHARE ||
			     object->table.in_gaps >= FILE_GAPS))
		build_by_file(object, &image, scratch);
	if (!copy && !object->table.memory && object->is_permanent)
		table_build_bare(&object->table, object->code.lo, scratch);
	if (!copy) {
		struct objects_symbols symbols = objects_dynamic_symbols(
			(const struct link_map *)(uintptr_t)identity->link_map, identity->lo,
			identity->hi);

		objects_add_functions(&object->table, &symbols, object->code.text_lo,
			object->code.text_hi, scratch);
		object->table.text_lo = object->code.text_lo;
		object->table.text_bytes = object->code.text_hi - object->code.text_lo;
	}
	__atomic_fetch_add(
		&state.build_ns, now_ns(CLOCK_THREAD_CPUTIME_ID) - begin, __ATOMIC_RELAXED);
}

/* Compiles a permanent object, once, and unless that takes long. */
static void build_permanent(struct object *object, struct table_scratch *scratch)
{
	if (!object->id || !object->is_permanent || object->table.memory || object->is_tried ||
		code_bytes(object) > LARGE_CODE)
		return;
	object->is_tried = 1;
	build(object, NULL, scratch);
}

/* Inserts a copy of the object into the list, in the order of addresses. */
static void insert(struct objects *list, const struct object *object)
{
	uint64_t lo = object->identity.lo;
	uint32_t at = list->n++;

	for (; at > 0 && list->lo[at - 1] > lo; at--) {
		list->object[at] = list->object[at - 1];
		list->lo[at] = list->lo[at - 1];
	}
	list->lo[at] = lo;
	list->object[at] = *object;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *look = data;
	struct loaded found;
	struct object met = { 0 };
	const struct object *old;

	(void)size;
	if (!look->is_first && info->dlpi_adds == look->n_added &&
		info->dlpi_subs == look->n_removed)
		return 1;
	look->n_added = info->dlpi_adds;
	look->n_removed = info->dlpi_subs;
	look->is_first = look->is_changed = 1;
	find_extent(info, &met);
	if (met.code.lo == UINT64_MAX)
		return 0;
	/* The loader counts a new object before the object can be found. */
	if (look->list->n == look->list->room || loaded_find(met.code.lo, &found) != 0) {
		look->is_incomplete = 1;
		return 0;
	}
	identify(info, &met.identity, &found);
	old = find_old(look->old, &met.identity);
	if (old) {
		insert(look->list, old);
		return 0;
	}
	met.id = state.last_id < WALK_NO_OBJECT - 1 ? (uint16_t)++state.last_id : 0;
	met.is_permanent = (uint8_t)objects_is_permanent(found.link_map);
	/* Permanent objects are compiled later, without the loader's lock. */
	if (met.id && !met.is_permanent && code_bytes(&met) <= LARGE_CODE)
		build(&met, NULL, &look->scratch);
	insert(look->list, &met);
	return 0;
}

/* A copy of the unwind data of an object that can be unloaded, for the builder's thread. */
struct large {
	const struct object *object;
	uint8_t *copy;
	size_t copy_bytes;
};

static int copy_large(struct dl_phdr_info *info, size_t size, void *data)
{
	struct large *large = data;
	const struct object_identity *identity = &large->object->identity;

	(void)info;
	(void)size;
	if (!objects_is_here(large->object, identity->lo) ||
		identity->data_hi <= identity->eh_frame)
		return 1;
	large->copy_bytes = identity->data_hi - identity->eh_frame;
	large->copy = pages_take(large->copy_bytes, 0);
	if (large->copy)
		memcpy(large->copy, (const void *)(uintptr_t)identity->eh_frame, large->copy_bytes);
	return 1;
}

/* Whether the builder's thread has to compile the object's table. */
static int is_large(const struct object *object)
{
	return object->id > state.last_tried && object->identity.data_hi && !object->table.memory &&
	       code_bytes(object) > LARGE_CODE;
}

/* Publishes the list again with this table, or frees the table. Takes the lock. */
static void publish_table(uint16_t id, const struct table *table)
{
	struct objects *list;
	uint32_t i;

	lock(&state.is_busy, BUSY_PAUSE_NS);
	list = new_list(objects_state.current->room);
	for (i = 0; list && i < objects_state.current->n; i++) {
		if (objects_state.current->object[i].id == id)
			break;
	}
	if (!list || i == objects_state.current->n || !collect()) {
		struct table unused = *table;

		table_free(&unused);
		if (list)
			unmap_list(list);
	} else {
		list->n = objects_state.current->n;
		memcpy(list->lo, objects_state.current->lo, list->n * sizeof(list->lo[0]));
		memcpy(list->object, objects_state.current->object,
			list->n * sizeof(list->object[0]));
		list->object[i].table = *table;
		publish(list);
	}
	unlock(&state.is_busy);
}

/*
 * Copies the large object with the lowest id to *object and returns its id. Returns 0 if there is
 * none: then the builder's thread has to end.
 */
static uint16_t next_large(struct object *object)
{
	uint16_t best = 0;

	lock(&state.is_busy, BUSY_PAUSE_NS);
	for (uint32_t i = 0; i < objects_state.current->n; i++) {
		const struct object *other = &objects_state.current->object[i];

		if (is_large(other) && (!best || other->id < best)) {
			best = other->id;
			*object = *other;
		}
	}
	if (best)
		state.last_tried = best;
	else
		state.is_building = 0;
	unlock(&state.is_busy);
	return best;
}

static void *build_large(void *unused)
{
	struct table_scratch scratch = { 0 };
	struct object object;
	uint16_t id;

	while ((id = next_large(&object)) != 0) {
		struct large large = { .object = &object };

		if (!object.is_permanent)
			iterate(copy_large, &large);
		if (object.is_permanent || large.copy)
			build(&object, large.copy, &scratch);
		pages_give(large.copy, large.copy_bytes);
		if (object.table.memory)
			publish_table(id, &object.table);
	}
	table_scratch_release(&scratch);
	return unused;
}

/* Starts the builder's thread if it has work and does not run. Under the lock. */
static void start_builder(void)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	pthread_t thread;
	int has_large = 0;

	for (uint32_t i = 0; i < objects_state.current->n && !has_large; i++)
		has_large = is_large(&objects_state.current->object[i]);
	if (!has_large || state.is_building || pthread_attr_init(&attributes) != 0)
		return;
	state.is_building = 1;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, BUILDER_STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, &attributes, build_large, NULL) != 0)
		state.is_building = 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

static int count_object(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)info;
	(void)size;
	++*(uint32_t *)n;
	return 0;
}

/* Publishes a new list if the loader's list has changed. Under the lock. Returns 0 or -1. */
static int look(int is_first)
{
	struct look now = { .old = objects_state.current,
		.is_first = is_first,
		.n_added = state.n_added,
		.n_removed = state.n_removed };
	uint32_t n_objects = 0;

	if (!collect())
		return -1;
	iterate(count_object, &n_objects);
	now.list = new_list(n_objects + SPARE_OBJECTS);
	if (!now.list)
		return -1;
	__atomic_store_n(&objects_state.is_missed, 0, __ATOMIC_RELAXED);
	iterate(look_at, &now);
	if (!now.is_changed) {
		unmap_list(now.list);
		return 0;
	}
	state.n_added = now.is_incomplete ? 0 : now.n_added;
	state.n_removed = now.n_removed;
	for (uint32_t i = 0; i < now.list->n; i++)
		build_permanent(&now.list->object[i], &now.scratch);
	table_scratch_release(&now.scratch);
	publish(now.list);
	start_builder();
	return 0;
}

void objects_find_permanent(void)
{
	iterate(objects_take_permanent, NULL);
}

/* This process' id if the kernel copies its memory, else 0. */
static pid_t find_process(void)
{
	static const uint64_t known = 0x6f6d7070726f6600;
	pid_t process = getpid();
	uint64_t seen = 0;

	return remote_copy_by(process, (uintptr_t)&known, &seen, sizeof(seen)) == 0 && seen == known
		       ? process
		       : 0;
}

/*
 * In a child made by fork the parent's list holds. The loader's list is not read again, as a thread
 * that the child lacks may hold the loader's lock for ever. If a walk meets an object that is not
 * in the list, the child itself has loaded it, and the lock is free.
 */
static int start_child(void)
{
	__atomic_store_n(&objects_state.is_missed, 0, __ATOMIC_RELAXED);
	start_builder();
	return 0;
}

static int start_first(void)
{
	objects_find_permanent();
	return look(1);
}

int objects_start(void)
{
	int failure;

	/* A child made by fork has the lists, but none of the threads that used them. */
	memset(objects_state.walks, 0, sizeof(objects_state.walks));
	state.is_building = 0;
	state.is_busy = 1;
	remote_process = find_process();
	if (!state.is_fork_known)
		state.is_fork_known = pthread_atfork(before_fork, after_fork, after_fork) == 0;
	failure = objects_state.current ? start_child() : start_first();
	state.looked_ns = now_ns(CLOCK_MONOTONIC);
	unlock(&state.is_busy);
	return failure;
}

void objects_refresh(void)
{
	int saved = errno;
	uint64_t now;

	if (!__atomic_load_n(&objects_state.is_missed, __ATOMIC_RELAXED) || !objects_state.current)
		return;
	now = now_ns(CLOCK_MONOTONIC);
	if (now - __atomic_load_n(&state.looked_ns, __ATOMIC_RELAXED) < LOOK_EVERY_NS ||
		!try_lock(&state.is_busy))
		return;
	look(0);
	__atomic_store_n(&state.looked_ns, now_ns(CLOCK_MONOTONIC), __ATOMIC_RELAXED);
	unlock(&state.is_busy);
	errno = saved;
}

void objects_cost(struct objects_cost *cost)
{
	*cost = (struct objects_cost){ .build_ns =
					       __atomic_load_n(&state.build_ns, __ATOMIC_RELAXED) };
	if (lock_for(&state.is_busy, COST_TRIES, BUSY_PAUSE_NS) != 0)
		return;
	for (uint32_t i = 0; objects_state.current && i < objects_state.current->n; i++) {
		const struct object *object = &objects_state.current->object[i];

		cost->n_objects += object->table.memory != NULL;
		cost->n_rows += object->table.n_rows;
		cost->n_bytes += object->table.n_bytes;
		cost->n_interpreted += object->identity.eh_frame && !object->table.memory;
	}
	unlock(&state.is_busy);
}
