/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a profile file (layout.h) into plain arrays. Trusts nothing: every offset, count, id and
 * string of the file is checked, a node's parent chain ends at a root, and any bytes whatever give
 * either a profile or one sentence. Used by attribution/ and src/; never inside the profiled
 * program.
 */
#ifndef OMPPROF_PROFILE_READER_READER_H
#define OMPPROF_PROFILE_READER_READER_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "profile/shared/layout.h"

/* More than 36 years: what a number of ticks is cut to. */
#define PROFILE_MOST_NS ((uint64_t)1 << 60)

/* Of more phases than this the rest is dropped: what is in them is in none. */
#define PROFILE_MOST_PHASES 256

/* What the times, events and blame of all nodes together are cut to, each; so are those of all moments. */
#define PROFILE_MOST_SUM ((uint64_t)1 << 62)

/* States of a runtime's own, and implementations of mutexes, that are read. */
#define PROFILE_MOST_WORDS 128
#define PROFILE_WORD_BYTES 64 /* what their names are cut to */

/*
 * A node of the file, with ids turned into indices. There are millions of them: figures that no kind has both of
 * share their place, so look at the kind first.
 */
struct profile_tree_node {
	uint64_t addr;   /* as in struct profile_node; for PROFILE_NODE_CONTEXT see `context` */
	uint32_t parent; /* index into profile.nodes, always smaller than the node's own; UINT32_MAX
			       for a thread's root */
	uint32_t
		context; /* PROFILE_NODE_CONTEXT: index of the region, task or target node, or UINT32_MAX if
			       the file does not hold it; PROFILE_NODE_BLAME of a region's team: of
			       that region's node, likewise; PROFILE_EVENT_AWAITED_TASK: of the
			       task's node, likewise; otherwise UINT32_MAX */
	uint32_t owner; /* index into profile.threads of the thread that made the node */
	uint32_t n;
	uint8_t kind; /* enum profile_node_kind */
	uint8_t flags;
	uint8_t wait;  /* PROFILE_NODE_WAIT, _BLAME: enum profile_wait; addr is then the wait id of
				a mutex, or 0 */
	uint8_t event; /* PROFILE_NODE_EVENT: enum profile_event; addr is then what tells events of
				one kind apart */
	uint16_t module; /* generation of its module; 0 not known */
	uint16_t phase;  /* index into profile.phases + 1 of that in which it counts; 0 none */
	uint64_t time_ns;
	union {
		uint64_t events;   /* all but PROFILE_NODE_CONTEXT */
		uint64_t n_stolen; /* PROFILE_NODE_CONTEXT of a task */
	};
	union {
		uint64_t blame_ns;   /* PROFILE_NODE_BLAME */
		uint64_t longest_ns; /* PROFILE_NODE_WAIT, _CONTEXT, _TARGET, _EVENT */
	};
	union {
		uint64_t
			n_events; /* PROFILE_NODE_EVENT: how many events it is of; n of them were looked at */
		uint64_t n_created; /* PROFILE_NODE_CONTEXT of a task: by this thread; part of the
					task's n, too */
		uint32_t record; /* PROFILE_NODE_REGION: index into profile.regions or UINT32_MAX */
	};
};
_Static_assert(sizeof(struct profile_tree_node) == 64, "a line of the cache");

/* struct profile_region in terms of indices and nanoseconds. */
struct profile_region_record {
	uint32_t node;  /* index into profile.nodes */
	uint32_t outer; /* likewise, or UINT32_MAX */
	uint32_t min_team, max_team;
	uint64_t n;
	uint64_t wall_ns, min_ns, max_ns, team_wall_ns;
	uint64_t n_barriers;
	uint64_t imbalance_ns, release_ns, starved_ns;
	uint64_t elsewhere_ns, team_elsewhere_ns; /* of wall_ns and team_wall_ns: in other phases */
	uint32_t n_last[32];
	uint32_t n_others;
	uint32_t lengths[128];
};

/* struct profile_lock, likewise. */
struct profile_lock_record {
	uint64_t wait_id;
	uint8_t kind;
	uint32_t thread; /* index into profile.threads */
	uint64_t codeptr;
	uint64_t n_acquired, n_contended, wait_ns, max_wait_ns, n_held, held_ns, max_held_ns;
	uint32_t impl;  /* see profile_impl_name; 0 not known */
	uint32_t hints; /* omp_sync_hint_t */
};

/* A state of the runtime's own. */
struct profile_own_state {
	uint8_t mark;  /* flags of the samples in it: PROFILE_STATE_OWN or more */
	uint8_t class; /* that it counts as in a team, enum profile_class */
	uint32_t value;
	char *name;
};

/* An implementation of mutexes. */
struct profile_impl {
	uint32_t number;
	char *name;
};

/* What the runtime named of its own, in the order of the file. If impls have the same number, the last one holds. */
struct profile_runtime {
	struct profile_own_state *states;
	size_t n_states;
	struct profile_impl *impls;
	size_t n_impls;
};

/* struct profile_phase, likewise. */
struct profile_phase_record {
	uint32_t number; /* in the file */
	uint32_t
		outer; /* index into profile.phases, always smaller than its own; UINT32_MAX none */
	uint32_t flags; /* enum profile_phase_flags */
	uint64_t n;
	uint64_t own_ns; /* in it and in none within it */
	int64_t id;
	char name[256];
};

/*
 * When a thread did what: its time, by bucket and enum profile_time, in ns. Bucket i is of the time from
 * begin_ns + span_ns * i / PROFILE_TIMELINE_BUCKETS on; of all threads of a process buckets begin at 0, and are as
 * long as another's, or so by a power of two. What is in no bucket of a thread's life is no CPU time and no wait that
 * the runtime tells of. The first three times add up to thread.time_ns, the others to the thread's WAIT nodes, each
 * less 4096 ns or ticks at most (and more in a bucket of which a count has come to its most, after weeks). As the
 * samples IN_WAIT are of the same time as waits, do not add those up where waits are measured. Time is measured
 * time: it stands still while the program pauses the tool.
 */
struct profile_timeline {
	uint64_t
		begin_ns; /* of bucket 0, on the clock of header.start_ns = 0; of several processes'
			      after the first one of them began */
	uint64_t span_ns; /* of PROFILE_TIMELINE_BUCKETS; 0: the thread has no timeline */
	uint32_t shift;   /* a bucket has 1 << shift ticks */
	size_t n;         /* buckets up to the last one that has something */
	uint64_t (*ns)[PROFILE_N_TIMES]; /* n of them; the profile's */
	uint64_t n_dropped;              /* moments that the trace had no room for, */
	uint64_t dropped_from_ns; /* and when the earliest of them began; UINT64_MAX not known */
	int is_torn; /* it was met while pairs of its buckets became one, and these were made one by the
			reader: right of a program that was killed, maybe a little off of one that runs */
};

/* struct profile_moment, in terms of indices and ns. */
struct profile_moment_record {
	uint64_t begin_ns, end_ns; /* on the clock of the timelines */
	uint64_t
		ns; /* what it counts for: a sample's CPU time, a wait's, also that of others like it */
	uint64_t events; /* of a sample: perf events that it stands for */
	uint32_t thread; /* index into profile.threads */
	uint32_t node;   /* into profile.nodes, a SAMPLES or WAIT node; UINT32_MAX not known */
	uint8_t kind;    /* enum profile_moment_kind */
	uint8_t time;    /* enum profile_time */
	uint8_t what;    /* SAMPLE: enum profile_class; WAIT: enum profile_wait */
	uint8_t is_open; /* a WAIT that had not ended: the reader's, and not the trace's */
};

/* The part of the run that a profile was cut down to (attribution/select/select_time.h); all 0: it is the whole. */
struct profile_part {
	int is_cut;
	int has_paths; /* nodes have the figures that they have in it; else none has any */
	uint64_t begin_ns,
		end_ns; /* since the profile's start; of several processes since the first one's */
	uint64_t whole_ns; /* the wall time that it is a part of */
	uint64_t
		bucket_ns; /* the longest bucket of a timeline that tells of it; 0: the trace does, exactly */
	uint64_t
		traced_ns; /* up to when the trace has all; UINT64_MAX to its end, 0: there is none */
	size_t n_unknown; /* threads without a timeline: nothing of them is in it */
};

/* The segments of one kind, and what is in them. */
struct profile_section {
	uint64_t n_segments;
	uint64_t n_records; /* of text: bytes */
	uint64_t used_bytes;
};

/* Addresses that one module covers; ranges do not overlap and go up. */
struct profile_range {
	uint64_t start;
	uint64_t end;
	uint32_t module; /* index into profile.modules */
};

/* A process of several, and which threads are its. */
struct profile_process {
	uint32_t rank; /* + 1; 0: it has none */
	uint32_t pid;
	size_t first_thread, n_threads;
};

struct profile {
	struct profile_header header;   /* a copy, every string terminated */
	struct profile_thread *threads; /* in order of index; every node's owner has one, made up
					     (all zero but the index) if the file lacks it */
	size_t n_threads;
	struct profile_module *modules; /* in order of generation, every path terminated */
	size_t n_modules;
	struct profile_range *ranges; /* what profile_module_at looks into */
	size_t n_ranges;
	struct profile_tree_node *nodes; /* parents before children */
	size_t n_nodes;
	struct profile_region_record *regions;
	size_t n_regions;
	struct profile_lock_record *locks;
	size_t n_locks;
	struct profile_device
		*devices; /* times in ns instead of ticks, `traced` up to the end of the
					   profile; every string terminated, no figure beyond
					   PROFILE_MOST_NS */
	size_t n_devices;
	struct profile_phase_record *phases; /* in order of their numbers */
	size_t n_phases;                     /* at most PROFILE_MOST_PHASES */
	/* By index into `threads`; NULL in files of version 4, and where the tick counter's rate is not known. */
	struct profile_timeline *timelines;
	struct profile_moment_record
		*moments; /* of run --trace, by their ends; n_moments 0: none */
	size_t n_moments;
	struct profile_part part;
	uint64_t cut_ns; /* wall time that was cut away (attribution/select/select_phase.h) */
	char **args;     /* command line, NULL-terminated */
	size_t n_args;
	char **env; /* "NAME=TEXT", NULL-terminated */
	size_t n_env;
	struct profile_runtime runtime;
	char *exe; /* path of the executable, or "" */
	char *cwd;
	int is_running; /* the program ran on this host when it was read: header.last_ns is that moment */
	int is_truncated; /* the file is shorter than its header says */
	int has_ticks;    /* the tick counter's rate is known. Otherwise there are no WAIT and BLAME
			     nodes, no regions and no locks, and contexts have no times */
	uint32_t waits;   /* bit k: waits of enum profile_wait k are measured, and read */
	size_t n_open_waits; /* that never ended, as the program was killed: counted up to its last
				sign of life */
	struct profile_process
		*processes; /* of several processes' together (attribution/merge/merge.h); NULL
					      of one */
	size_t n_processes;
	uint64_t file_bytes;
	/* By enum profile_segment_kind: what the segments after the first hold; those of an unknown kind count
	   as free. */
	struct profile_section sections[PROFILE_SEGMENT_N_KINDS];
	size_t n_dropped; /* records that made no sense and were left out; of a node whose path to
			     a root is broken the leaves (samples, waits, blame) are kept under
			     its thread's root */
};

/*
 * Parses `size` bytes, which need no alignment and may be freed afterwards. Of a file that is
 * shorter than its header says the part that is there is read, and is_truncated set. A sample of
 * an unknown class counts as PROFILE_WORK; a wait or blame of an unknown kind is dropped. Ticks become
 * nanoseconds, no more than PROFILE_MOST_NS. Waits, executions of regions and tasks, the time of members in them, and
 * holds that have not ended count up to the end of their thread, or to profile_end_ns. Returns 0 and fills *profile
 * (release it with profile_release), or -1 with the reason in *diag. `name` is used in messages only.
 */
int profile_parse(struct profile *profile, const void *bytes, size_t size, const char *name,
	struct diag *diag);

/*
 * Reads the file at `path`. A running program's file can be read: the segments are taken from the
 * last to the first, and a node's parent is always older, so it is there when its segment is read. What
 * its threads are at counts up to now, and once (reader_live.c); figures of later readings are no smaller
 * but for what is estimated, such as blame. Returns as profile_parse.
 */
int profile_open(struct profile *profile, const char *path, struct diag *diag);

/* Frees what *profile owns; harmless on a zeroed struct. */
void profile_release(struct profile *profile);

/* The reader sets this in profile_thread.flags, beside enum profile_thread_flags; a file does not have it. */
enum { PROFILE_THREAD_NATIVE = 1 << 16 };

/*
 * Whether a thread is the program's own beside OpenMP's: a native thread that did not use OpenMP, and whose
 * creation was seen. Its record is of thread->n_lives such threads.
 */
static inline int profile_is_native(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_NATIVE) != 0;
}

/* Whether a thread is one of the runtime's helpers, which execute target tasks. A native thread is none. */
static inline int profile_is_helper(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_HELPER) != 0;
}

/* Whether a thread is either of these: it has no part in the run's capacity. */
static inline int profile_is_beside(const struct profile_thread *thread)
{
	return (thread->flags & (PROFILE_THREAD_NATIVE | PROFILE_THREAD_HELPER)) != 0;
}

/* When the run ended: the end of the profile, or the last moment that is known of one that was killed. */
uint64_t profile_end_ns(const struct profile_header *header);

/* How long a thread lived, or all that its record is of, if the run ended at end_ns; at most
   PROFILE_MOST_NS. */
uint64_t profile_life_ns(const struct profile_thread *thread, uint64_t end_ns);
/* A file of a folder, as far as its header and its threads tell. */
struct profile_entry {
	char *path;
	char *exe; /* of the executable; NULL if the file does not say */
	struct profile_header
		header; /* as it is in the file, unchecked but for the end of `host` */
	uint64_t n_samples;
	uint32_t n_threads;
	uint64_t file_bytes;
};

struct profile_list {
	struct profile_entry *entries;
	size_t n; /* 1 at least */
};

/*
 * Lists what `path` stands for: the file itself, the parts of a merged file (merged.h), or for a folder those of its
 * latest run, by rank and then in the order in which they were begun. Returns 0, or -1 with the reason in *diag (no such path, no
 * profile in it). Release with profile_list_release in either case.
 */
int profile_list_read(struct profile_list *list, const char *path, struct diag *diag);

/*
 * Of entries in any order those of the latest run stay, by rank and then in the order in which they were begun; of a
 * process that is there more than once its latest state.
 */
void profile_list_settle(struct profile_list *list);

/* Drops the entries of other runs than the latest. Returns how many these were. */
size_t profile_list_drop_runs(struct profile_list *list);

/* The name of the file: what is behind the last slash of its path. */
const char *profile_entry_name(const struct profile_entry *entry);

void profile_list_release(struct profile_list *list);
void profile_entry_release(struct profile_entry *entry);

/* The index of the entry with the most samples. */
size_t profile_list_most(const struct profile_list *list);

/* What the runtime calls an implementation of mutexes, or NULL. */
const char *profile_impl_name(const struct profile *profile, uint32_t number);

/* Adds one; beyond PROFILE_MOST_WORDS it is dropped. Returns 0, or -1 when out of memory. */
int profile_add_impl(struct profile *profile, uint32_t number, const char *name, size_t n);

/* The process that thread `i` (index into profile.threads) is of, or NULL: there is only one. */
const struct profile_process *profile_process_of(const struct profile *profile, size_t i);

/* The ns from the profile's start at which bucket i of a timeline begins; i can be one past the last. */
uint64_t profile_bucket_ns(const struct profile_timeline *timeline, size_t i);

/* Frees timelines and moments: the profile has none from then on. */
void profile_drop_timelines(struct profile *profile);

/* Whether waits of this enum profile_wait are for a mutex, which their wait id names. */
static inline int profile_is_mutex(uint32_t wait)
{
	return wait != PROFILE_ORDERED && profile_wait_is(wait, PROFILE_TIME_MUTEX);
}

/* Whether they are for a device. */
static inline int profile_is_device(uint32_t wait)
{
	return profile_wait_is(wait, PROFILE_TIME_TARGET);
}

/* The enum profile_time that waits of this enum profile_wait count for. */
uint32_t profile_time_of_wait(uint32_t wait);

/* The enum profile_time that a thread's time in this enum profile_class counts for, where waits are measured. */
uint32_t profile_time_of_class(uint32_t class);

/* The module that covers addr at the end of the run, or NULL. Latest generation wins. */
const struct profile_module *profile_module_at(const struct profile *profile, uint64_t addr);

/* The module of this generation if there is one and it covers addr; otherwise as profile_module_at. */
const struct profile_module *profile_module_of(
	const struct profile *profile, uint32_t generation, uint64_t addr);

#endif
