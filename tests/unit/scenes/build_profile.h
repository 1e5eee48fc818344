/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembles a profile file (profile/shared/layout.h) in memory, record by record, the way the writer
 * would lay it out: a segment per thread for nodes, a new one when it is full, threads' segments
 * interleaved. For unit tests of everything that reads profiles. Fails the test program by abort()
 * when out of memory; checks nothing else, so that broken files can be built too.
 *
 *	struct build b;
 *	build_begin(&b);
 *	uint32_t thread = build_thread(&b, 1);
 *	uint32_t main_frame = build_frame(&b, build_root(&b, thread), 0x1000, 0);
 *	build_samples(&b, main_frame, PROFILE_WORK, 3, 3000000);
 *	profile_parse(&profile, b.bytes, b.size, "test", &diag);
 *	build_release(&b);
 */
#ifndef OMPPROF_TESTS_UNIT_SCENES_BUILD_PROFILE_H
#define OMPPROF_TESTS_UNIT_SCENES_BUILD_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

#define BUILD_MAX_THREADS 1024

struct build {
	unsigned char *bytes; /* the file */
	size_t size;          /* always a whole number of segments */
	uint32_t n_threads;
	uint32_t n_modules;
	uint32_t max_records;  /* records per segment at most; 0 (default): as many as fit. Small
				       values make segments of several threads interleave */
	uint32_t text_segment; /* segment in use for text, threads, modules; 0: none yet */
	uint32_t thread_segment;
	uint32_t module_segment;
	uint32_t region_segment;
	uint32_t lock_segment;
	uint32_t device_segment;
	uint32_t phase_segment;
	uint32_t node_segment[BUILD_MAX_THREADS]; /* likewise, by thread index */
};

/* A file with nothing but a sensible header of a finished run of 1 s at 1 kHz of CPU time. */
void build_begin(struct build *build);
void build_release(struct build *build);

/* Writes the file to `path`; returns 0, or -1 with errno set. */
int build_write(const struct build *build, const char *path);

/* Pointers into the file, to change what was built; good until the next build_* call. */
struct profile_header *build_header(struct build *build);
struct profile_segment *build_segment_at(struct build *build, uint32_t segment);
struct profile_thread *build_thread_at(struct build *build, uint32_t thread);
struct profile_module *build_module_at(struct build *build, uint32_t module);
struct profile_node *build_node_at(struct build *build, uint32_t id);

/* Claims a segment; returns its number. */
uint32_t build_segment(struct build *build, uint32_t kind, uint32_t owner);

/* Appends the entry KEY=VALUE to the run's text. */
void build_text(struct build *build, const char *key, const char *value);

/* A loaded object [start, end) with bias = start. Returns its number: 1, 2, ... */
uint32_t build_module(
	struct build *build, const char *path, uint64_t start, uint64_t end, uint32_t flags);

/* A thread of the given ompt_thread_t and its root node. Returns its index: 1, 2, ... */
uint32_t build_thread(struct build *build, uint32_t type);

/* The id of a thread's root node. */
uint32_t build_root(struct build *build, uint32_t thread);

/* A node of any kind in a segment of `owner`; returns its id. */
uint32_t build_node(struct build *build, uint32_t owner, uint32_t parent,
	enum profile_node_kind kind, uint8_t flags, uint64_t addr);

/* Nodes made by the thread that made `parent`; each returns the id of the new node. */
uint32_t build_frame(struct build *build, uint32_t parent, uint64_t addr, uint8_t flags);
uint32_t build_region(struct build *build, uint32_t parent, uint64_t codeptr, uint32_t n);
uint32_t build_task(struct build *build, uint32_t parent, uint64_t codeptr, uint32_t n);
uint32_t build_target(
	struct build *build, uint32_t parent, uint8_t flags, uint64_t codeptr, uint32_t n);

uint32_t build_truncated(struct build *build, uint32_t parent, enum profile_walk_end end);

/* A context node under `thread`'s root for a region or task node. */
uint32_t build_context(struct build *build, uint32_t thread, uint32_t region);

/* A leaf with n samples of time_ns in all; counted in its thread's record too. */
uint32_t build_samples(struct build *build, uint32_t parent, enum profile_class class, uint32_t n,
	uint64_t time_ns);

/*
 * A leaf of n waits of so many ticks in all, the longest of which took them divided by n; of mutex
 * `mutex` or 0. A tick of build_begin's clock is a nanosecond.
 */
uint32_t build_wait(struct build *build, uint32_t parent, enum profile_wait kind, uint64_t mutex,
	uint32_t n, uint64_t ticks);

/* A leaf of n samples or releases that others waited for so long, for `key` (PROFILE_WAIT_KEY). */
uint32_t build_blame(
	struct build *build, uint32_t parent, uint64_t key, uint8_t flags, uint32_t n, uint64_t ns);

/* A leaf of events with `key` (PROFILE_EVENT_KEY): those that were looked at, those beyond, and their amount. */
uint32_t build_event(struct build *build, uint32_t parent, uint64_t key, uint32_t looked,
	uint64_t more, uint64_t amount);

/* Likewise n events that took so many ticks in all, the longest of them `longest`. */
uint32_t build_timed_event(struct build *build, uint32_t parent, uint64_t key, uint32_t n,
	uint64_t amount, uint64_t ticks, uint64_t longest);

/* What a context node says of its thread's executions of the region's or of tasks. */
void build_stays(struct build *build, uint32_t context, uint32_t n, uint64_t ticks);

/*
 * The record of a region node: n executions of equal length by a team of `team`, so many ticks in all.
 * Good until the next build_* call.
 */
struct profile_region *build_region_record(
	struct build *build, uint32_t region, uint64_t n, uint64_t ticks, uint32_t team);

/* The record of what a thread did with a mutex; only these fields are set. Likewise. */
struct profile_lock *build_lock(
	struct build *build, uint32_t thread, enum profile_wait kind, uint64_t wait_id);

/* The record of a device; only these fields are set. Likewise. */
struct profile_device *build_device(struct build *build, uint32_t index, int32_t number);

/* A phase of the program, begun once; `outer` is the number of the one around it, or 0. */
void build_phase(
	struct build *build, uint32_t number, uint32_t outer, const char *name, uint64_t ticks);

/* The node of a phase under a thread's root, in which the thread lived so long. */
uint32_t build_phase_node(struct build *build, uint32_t thread, uint32_t number, uint64_t ticks);

/* A collective call of MPI, in the segment for them that build_segment made; valid until the profile grows. */
struct profile_collective *build_collective(struct build *build, uint32_t segment, uint32_t number,
	uint64_t begin, uint64_t end, uint64_t caller);

/* A context node of a target construct in the tree of the only device, whose root this is: a THREAD node of owner
   PROFILE_OWNER_DEVICE | index. */
uint32_t build_device_context(struct build *build, uint32_t root, uint32_t target);

#endif
