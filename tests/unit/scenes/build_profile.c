/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files made in memory for tests; see build_profile.h. */
#include "tests/unit/scenes/build_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MSEC 1000000ull

void build_begin(struct build *build)
{
	memset(build, 0, sizeof(*build));
	build->size = PROFILE_SEGMENT_BYTES;
	build->bytes = calloc(1, build->size);
	if (!build->bytes)
		abort();
	*build_header(build) = (struct profile_header){
		.magic = PROFILE_MAGIC,
		.version = PROFILE_VERSION,
		.sizes.header_bytes = sizeof(struct profile_header),
		.sizes.segment_bytes = PROFILE_SEGMENT_BYTES,
		.flags = PROFILE_COMPLETE | PROFILE_OMPT_STARTED,
		.n_segments = 1,
		.n_reserved = 1,
		.start_realtime_ns = 1767225600000 * MSEC,
		.start_monotonic_ns = 5000 * MSEC,
		.end_ns = 1000 * MSEC,
		.last_ns = 1000 * MSEC,
		.pid = 4711,
		.n_cpus = 4,
		.clock_kind = PROFILE_CLOCK_CPU,
		.signal = 27,
		.period = MSEC,
		.frequency_hz = 1000,
		.ticks_per_s = 1000 * MSEC,
		.start_ticks = 1,
		.clock_name = "cpu",
		.walker = "cfi",
		.host = "testhost",
		.runtime = "test runtime 1.0",
		.tool = "0.1.0",
	};
}

void build_release(struct build *build)
{
	free(build->bytes);
	memset(build, 0, sizeof(*build));
}

int build_write(const struct build *build, const char *path)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		return -1;
	if (fwrite(build->bytes, 1, build->size, file) != build->size) {
		fclose(file);
		return -1;
	}
	return fclose(file) ? -1 : 0;
}

struct profile_header *build_header(struct build *build)
{
	return (struct profile_header *)build->bytes;
}

struct profile_segment *build_segment_at(struct build *build, uint32_t segment)
{
	return (struct profile_segment *)(build->bytes + (size_t)segment * PROFILE_SEGMENT_BYTES);
}

struct profile_node *build_node_at(struct build *build, uint32_t id)
{
	return (struct profile_node *)(build->bytes + (size_t)id * PROFILE_NODE_BYTES);
}

/* The number'th record (1, 2, ...) over all segments of a kind. */
static void *record_at(struct build *build, uint32_t kind, uint32_t number)
{
	uint32_t n_segments = (uint32_t)(build->size / PROFILE_SEGMENT_BYTES);

	for (uint32_t i = 1; i < n_segments; i++) {
		struct profile_segment *segment = build_segment_at(build, i);

		if (segment->kind != kind)
			continue;
		if (number <= segment->used)
			return (unsigned char *)segment + (size_t)number * segment->record_bytes;
		number -= segment->used;
	}
	return NULL;
}

struct profile_thread *build_thread_at(struct build *build, uint32_t thread)
{
	return record_at(build, PROFILE_SEGMENT_THREADS, thread);
}

struct profile_module *build_module_at(struct build *build, uint32_t module)
{
	return record_at(build, PROFILE_SEGMENT_MODULES, module);
}

static uint32_t record_bytes(uint32_t kind)
{
	switch (kind) {
	case PROFILE_SEGMENT_THREADS:
		return PROFILE_THREAD_BYTES;
	case PROFILE_SEGMENT_MODULES:
		return PROFILE_MODULE_BYTES;
	case PROFILE_SEGMENT_NODES:
		return PROFILE_NODE_BYTES;
	case PROFILE_SEGMENT_REGIONS:
		return PROFILE_REGION_BYTES;
	case PROFILE_SEGMENT_LOCKS:
		return PROFILE_LOCK_BYTES;
	case PROFILE_SEGMENT_DEVICES:
		return PROFILE_DEVICE_BYTES;
	case PROFILE_SEGMENT_PHASES:
		return PROFILE_PHASE_BYTES;
	case PROFILE_SEGMENT_COLLECTIVES:
		return sizeof(struct profile_collective);
	default:
		return 1;
	}
}

uint32_t build_segment(struct build *build, uint32_t kind, uint32_t owner)
{
	uint32_t number = (uint32_t)(build->size / PROFILE_SEGMENT_BYTES);

	build->bytes = realloc(build->bytes, build->size + PROFILE_SEGMENT_BYTES);
	if (!build->bytes)
		abort();
	memset(build->bytes + build->size, 0, PROFILE_SEGMENT_BYTES);
	build->size += PROFILE_SEGMENT_BYTES;
	*build_segment_at(build, number) = (struct profile_segment){
		.kind = kind,
		.record_bytes = record_bytes(kind),
		.owner = owner,
	};
	build_header(build)->n_segments = number + 1;
	build_header(build)->n_reserved = number + 1;
	return number;
}

/* A fresh record in the segment *current, or in a new one when that is full. */
static void *add_record(struct build *build, uint32_t *current, uint32_t kind, uint32_t owner)
{
	uint32_t bytes = record_bytes(kind);
	uint32_t capacity = PROFILE_SEGMENT_BYTES / bytes - 1;
	struct profile_segment *segment;

	if (build->max_records && build->max_records < capacity)
		capacity = build->max_records;
	if (!*current || build_segment_at(build, *current)->used >= capacity)
		*current = build_segment(build, kind, owner);
	segment = build_segment_at(build, *current);
	segment->used++;
	return (unsigned char *)segment + (size_t)segment->used * bytes;
}

void build_text(struct build *build, const char *key, const char *value)
{
	size_t bytes = strlen(key) + 1 + strlen(value) + 1;
	size_t room = PROFILE_SEGMENT_BYTES - sizeof(struct profile_segment);
	struct profile_segment *segment;

	if (bytes > room)
		abort();
	if (!build->text_segment ||
		build_segment_at(build, build->text_segment)->used + bytes > room)
		build->text_segment = build_segment(build, PROFILE_SEGMENT_RUN, 0);
	segment = build_segment_at(build, build->text_segment);
	snprintf((char *)(segment + 1) + segment->used, bytes, "%s=%s", key, value);
	segment->used += (uint32_t)bytes;
}

uint32_t build_module(
	struct build *build, const char *path, uint64_t start, uint64_t end, uint32_t flags)
{
	struct profile_module *module =
		add_record(build, &build->module_segment, PROFILE_SEGMENT_MODULES, 0);

	*module = (struct profile_module){
		.start = start,
		.end = end,
		.bias = start,
		.flags = flags,
		.generation = ++build->n_modules,
		.build_id_bytes = 20,
	};
	memset(module->build_id, (int)build->n_modules, module->build_id_bytes);
	snprintf(module->path, sizeof(module->path), "%s", path);
	return build->n_modules;
}

uint32_t build_thread(struct build *build, uint32_t type)
{
	uint32_t index = ++build->n_threads;
	struct profile_thread *thread;
	uint32_t root;

	if (index >= BUILD_MAX_THREADS)
		abort();
	thread = add_record(build, &build->thread_segment, PROFILE_SEGMENT_THREADS, 0);
	*thread = (struct profile_thread){
		.index = index,
		.tid = 4710 + index,
		.type = type,
		.flags = 1,
		.end_ns = 1000 * MSEC,
		.last_ns = 990 * MSEC,
		.cpu_last_ns = 900 * MSEC,
		.name = "test",
	};
	root = build_node(build, index, 0, PROFILE_NODE_THREAD, 0, index);
	build_thread_at(build, index)->root = root;
	build_header(build)->n_threads = index;
	return index;
}

uint32_t build_root(struct build *build, uint32_t thread)
{
	return build_thread_at(build, thread)->root;
}

uint32_t build_node(struct build *build, uint32_t owner, uint32_t parent,
	enum profile_node_kind kind, uint8_t flags, uint64_t addr)
{
	/* No thread has number 0. */
	uint32_t *segment = &build->node_segment[owner & PROFILE_OWNER_DEVICE ? 0 : owner];
	struct profile_node *node = add_record(build, segment, PROFILE_SEGMENT_NODES, owner);

	*node = (struct profile_node){
		.addr = addr, .parent = parent, .kind = (uint8_t)kind, .flags = flags
	};
	return (uint32_t)(((unsigned char *)node - build->bytes) / PROFILE_NODE_BYTES);
}

static uint32_t owner_of(struct build *build, uint32_t id)
{
	return build_segment_at(build, id / (PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES))->owner;
}

uint32_t build_frame(struct build *build, uint32_t parent, uint64_t addr, uint8_t flags)
{
	return build_node(build, owner_of(build, parent), parent, PROFILE_NODE_FRAME, flags, addr);
}

uint32_t build_region(struct build *build, uint32_t parent, uint64_t codeptr, uint32_t n)
{
	uint32_t id =
		build_node(build, owner_of(build, parent), parent, PROFILE_NODE_REGION, 0, codeptr);

	build_node_at(build, id)->n = n;
	return id;
}

uint32_t build_task(struct build *build, uint32_t parent, uint64_t codeptr, uint32_t n)
{
	uint32_t id =
		build_node(build, owner_of(build, parent), parent, PROFILE_NODE_TASK, 0, codeptr);

	build_node_at(build, id)->n = n;
	return id;
}

uint32_t build_target(
	struct build *build, uint32_t parent, uint8_t flags, uint64_t codeptr, uint32_t n)
{
	uint32_t id = build_node(
		build, owner_of(build, parent), parent, PROFILE_NODE_TARGET, flags, codeptr);

	build_node_at(build, id)->n = n;
	return id;
}

uint32_t build_truncated(struct build *build, uint32_t parent, enum profile_walk_end end)
{
	return build_node(build, owner_of(build, parent), parent, PROFILE_NODE_TRUNCATED, 0, end);
}

uint32_t build_context(struct build *build, uint32_t thread, uint32_t region)
{
	return build_node(
		build, thread, build_root(build, thread), PROFILE_NODE_CONTEXT, 0, region);
}

uint32_t build_samples(struct build *build, uint32_t parent, enum profile_class class, uint32_t n,
	uint64_t time_ns)
{
	uint32_t owner = owner_of(build, parent);
	uint32_t id = build_node(build, owner, parent, PROFILE_NODE_SAMPLES, 0, class);
	struct profile_thread *thread = build_thread_at(build, owner);

	build_node_at(build, id)->n = n;
	build_node_at(build, id)->time_ns = time_ns;
	if (thread) {
		thread->n_samples += n;
		thread->n_signals += n;
		thread->time_ns[class] += time_ns;
	}
	return id;
}

uint32_t build_wait(struct build *build, uint32_t parent, enum profile_wait kind, uint64_t mutex,
	uint32_t n, uint64_t ticks)
{
	uint32_t id = build_node(build, owner_of(build, parent), parent, PROFILE_NODE_WAIT, 0,
		PROFILE_WAIT_KEY(kind, mutex));
	struct profile_node *node = build_node_at(build, id);

	node->n = n;
	node->time_ns = ticks;
	node->events = n ? ticks / n : 0;
	return id;
}

uint32_t build_blame(
	struct build *build, uint32_t parent, uint64_t key, uint8_t flags, uint32_t n, uint64_t ns)
{
	uint32_t id =
		build_node(build, owner_of(build, parent), parent, PROFILE_NODE_BLAME, flags, key);

	build_node_at(build, id)->n = n;
	build_node_at(build, id)->blame_ns = ns;
	return id;
}

uint32_t build_event(struct build *build, uint32_t parent, uint64_t key, uint32_t looked,
	uint64_t more, uint64_t amount)
{
	uint32_t id =
		build_node(build, owner_of(build, parent), parent, PROFILE_NODE_EVENT, 0, key);
	struct profile_node *node = build_node_at(build, id);

	node->n = looked;
	node->spare = more;
	node->events = amount;
	return id;
}

uint32_t build_timed_event(struct build *build, uint32_t parent, uint64_t key, uint32_t n,
	uint64_t amount, uint64_t ticks, uint64_t longest)
{
	uint32_t id = build_event(build, parent, key, n, 0, amount);

	build_node_at(build, id)->time_ns = ticks;
	build_node_at(build, id)->blame_ns = longest;
	return id;
}

void build_stays(struct build *build, uint32_t context, uint32_t n, uint64_t ticks)
{
	struct profile_node *node = build_node_at(build, context);

	node->n = n;
	node->time_ns = ticks;
	node->events = n ? ticks / n : 0;
}

struct profile_region *build_region_record(
	struct build *build, uint32_t region, uint64_t n, uint64_t ticks, uint32_t team)
{
	struct profile_region *record =
		add_record(build, &build->region_segment, PROFILE_SEGMENT_REGIONS, 0);

	*record = (struct profile_region){
		.node = region,
		.min_team = team,
		.max_team = team,
		.n = n,
		.wall = ticks,
		.min = n ? ticks / n : 0,
		.max = n ? ticks / n : 0,
		.team_wall = ticks * team,
	};
	build_node_at(build, region)->spare =
		(uint64_t)((unsigned char *)record - build->bytes) / PROFILE_REGION_BYTES;
	return record;
}

struct profile_lock *build_lock(
	struct build *build, uint32_t thread, enum profile_wait kind, uint64_t wait_id)
{
	struct profile_lock *lock =
		add_record(build, &build->lock_segment, PROFILE_SEGMENT_LOCKS, 0);

	*lock = (struct profile_lock){ .wait_id = wait_id, .kind = kind, .thread = thread };
	return lock;
}

struct profile_device *build_device(struct build *build, uint32_t index, int32_t number)
{
	struct profile_device *device =
		add_record(build, &build->device_segment, PROFILE_SEGMENT_DEVICES, 0);

	*device = (struct profile_device){ .index = index, .number = number };
	return device;
}

void build_phase(
	struct build *build, uint32_t number, uint32_t outer, const char *name, uint64_t ticks)
{
	struct profile_phase *phase =
		add_record(build, &build->phase_segment, PROFILE_SEGMENT_PHASES, 0);

	*phase = (struct profile_phase){ .number = number, .outer = outer, .n = 1, .ticks = ticks };
	snprintf(phase->name, sizeof(phase->name), "%s", name);
}

uint32_t build_phase_node(struct build *build, uint32_t thread, uint32_t number, uint64_t ticks)
{
	uint32_t id =
		build_node(build, thread, build_root(build, thread), PROFILE_NODE_PHASE, 0, number);

	build_node_at(build, id)->time_ns = ticks;
	return id;
}

uint32_t build_device_context(struct build *build, uint32_t root, uint32_t target)
{
	uint32_t owner = owner_of(build, root);

	return build_node(build, owner, root, PROFILE_NODE_CONTEXT, 0, target);
}

struct profile_collective *build_collective(struct build *build, uint32_t segment, uint32_t number,
	uint64_t begin, uint64_t end, uint64_t caller)
{
	struct profile_segment *at = build_segment_at(build, segment);
	struct profile_collective *call = (struct profile_collective *)(at + 1) + at->used++;

	*call = (struct profile_collective){ begin, end, caller, number, 0 };
	if (number > build_header(build)->collectives.n)
		build_header(build)->collectives.n = number;
	return call;
}
