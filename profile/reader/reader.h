/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a profile file (layout.h) into plain arrays. Trusts nothing: every offset, count, id and
 * string of the file is checked, and a node's parent chain ends at a root. Any bytes give either a
 * profile or one sentence. Used by attribution/ and src/; never inside the profiled program.
 */
#ifndef OMPPROF_PROFILE_READER_READER_H
#define OMPPROF_PROFILE_READER_READER_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "profile/shared/layout.h"

/* More than 36 years: the bound of times in ns. */
#define PROFILE_MOST_NS ((uint64_t)1 << 60)

/* Further phases are dropped; their time is in no phase. */
#define PROFILE_MOST_PHASES 256

/*
 * The bound of the sum of all nodes' times, of their events and of their blame, and of the same
 * sums over all moments.
 */
#define PROFILE_MOST_SUM ((uint64_t)1 << 62)

/* The most states of a runtime's own that are read, and the most implementations of mutexes. */
#define PROFILE_MOST_WORDS 128
#define PROFILE_WORD_BYTES 64 /* longer names are truncated */

/*
 * A node of the file, with indices instead of ids. There are millions of them. So figures that no
 * kind has both of share their place: look at the kind first.
 */
struct profile_tree_node {
	uint64_t addr; /* as in struct profile_node; for PROFILE_NODE_CONTEXT see `context` */
	/*
	 * index into profile.nodes, always smaller than the node's own; UINT32_MAX for a thread's
	 * root
	 */
	uint32_t parent;
	/*
	 * index of another node, or UINT32_MAX if the file lacks it: of PROFILE_NODE_CONTEXT the
	 * region, task or target construct; of PROFILE_NODE_BLAME of a region's team the region; of
	 * PROFILE_EVENT_AWAITED_TASK the task. Otherwise UINT32_MAX
	 */
	uint32_t context;
	uint32_t owner; /* index into profile.threads of the thread that made the node */
	uint32_t n;
	uint8_t kind; /* enum profile_node_kind */
	uint8_t flags;
	/*
	 * PROFILE_NODE_WAIT, _BLAME: enum profile_wait; addr is then the wait id of a mutex, or 0
	 */
	uint8_t wait;
	uint8_t event;   /* PROFILE_NODE_EVENT: enum profile_event; addr is then the detail */
	uint16_t module; /* generation of its module; 0: not known */
	uint16_t phase;  /* index into profile.phases + 1 of the phase that it counts in; 0: none */
	uint64_t time_ns;
	union {
		uint64_t events;   /* all kinds except PROFILE_NODE_CONTEXT */
		uint64_t n_stolen; /* PROFILE_NODE_CONTEXT of a task */
	};
	union {
		uint64_t blame_ns;   /* PROFILE_NODE_BLAME */
		uint64_t longest_ns; /* PROFILE_NODE_WAIT, _CONTEXT, _TARGET, _EVENT */
	};
	union {
		/* PROFILE_NODE_EVENT: number of events, n of which were looked at */
		uint64_t n_events;
		/*
		 * PROFILE_NODE_CONTEXT of a task: created by this thread; included in the task's n
		 */
		uint64_t n_created;
		/* PROFILE_NODE_REGION: index into profile.regions, or UINT32_MAX */
		uint32_t record;
	};
};
_Static_assert(sizeof(struct profile_tree_node) == 64, "a line of the cache");

/* struct profile_region with indices and nanoseconds. */
struct profile_region_record {
	uint32_t node;  /* index into profile.nodes */
	uint32_t outer; /* index into profile.nodes, or UINT32_MAX */
	uint32_t min_team, max_team;
	uint64_t n;
	uint64_t wall_ns, min_ns, max_ns, team_wall_ns;
	uint64_t n_barriers;
	uint64_t imbalance_ns, release_ns, starved_ns;
	/* the part of wall_ns and of team_wall_ns in other phases */
	uint64_t elsewhere_ns, team_elsewhere_ns;
	uint32_t n_last[32];
	uint32_t n_others;
	uint32_t lengths[128];
};

/* struct profile_lock with indices and nanoseconds. */
struct profile_lock_record {
	uint64_t wait_id;
	uint8_t kind;
	uint32_t thread; /* index into profile.threads */
	uint64_t codeptr;
	uint64_t n_acquired, n_contended, wait_ns, max_wait_ns, n_held, held_ns, max_held_ns;
	uint32_t impl;  /* see profile_impl_name; 0: not known */
	uint32_t hints; /* omp_sync_hint_t */
};

/* A state of the runtime's own. */
struct profile_own_state {
	uint8_t mark;  /* flags of its samples: PROFILE_STATE_OWN or more */
	uint8_t class; /* enum profile_class that it counts as in a team */
	uint32_t value;
	char *name;
};

/* An implementation of mutexes. */
struct profile_impl {
	uint32_t number;
	char *name;
};

/*
 * The names of the runtime's own states and implementations, in the order of the file. If
 * implementations have the same number, the last is valid.
 */
struct profile_runtime {
	struct profile_own_state *states;
	size_t n_states;
	struct profile_impl *impls;
	size_t n_impls;
};

/* struct profile_phase with indices and nanoseconds. */
struct profile_phase_record {
	uint32_t number; /* in the file */
	/* index into profile.phases, always smaller than its own; UINT32_MAX: none */
	uint32_t outer;
	uint32_t flags; /* enum profile_phase_flags */
	uint64_t n;
	uint64_t own_ns; /* in the phase and in no phase within it */
	int64_t id;
	char name[256];
};

/*
 * A thread's time by bucket and enum profile_time, in ns. Bucket i begins at begin_ns + span_ns * i
 * / PROFILE_TIMELINE_BUCKETS. The buckets of all threads of a process begin at 0. They have the
 * same length, or lengths that differ by a power of two. Time of a thread's life that is in no
 * bucket is no CPU time and no wait that the runtime reports.
 *
 * The first three times add up to thread.time_ns, the others to the thread's WAIT nodes, each less
 * 4096 ns or ticks at most. (A bucket can lack more if one of its counts has reached its bound,
 * after weeks.) The samples IN_WAIT are of the same time as waits: do not add both up where waits
 * are measured. Time is measured time: it stands still while the program pauses the tool.
 */
struct profile_timeline {
	/*
	 * of bucket 0, on the clock of header.start_ns = 0; of several processes since the begin of
	 * the first process
	 */
	uint64_t begin_ns;
	uint64_t span_ns; /* of PROFILE_TIMELINE_BUCKETS buckets; 0: the thread has no timeline */
	uint32_t shift;   /* a bucket has 1 << shift ticks */
	size_t n;         /* number of buckets up to the last that is not empty */
	uint64_t (*ns)[PROFILE_N_TIMES]; /* n buckets; the profile owns them */
	uint64_t n_dropped;              /* moments that the trace had no room for */
	uint64_t dropped_from_ns; /* when the earliest of them began; UINT64_MAX: not known */
	/*
	 * it was read while its buckets were joined in pairs, and the reader joined the rest: exact
	 * if the program was killed, maybe slightly wrong if it runs
	 */
	int is_torn;
};

/* struct profile_moment with indices and ns. */
struct profile_moment_record {
	uint64_t begin_ns, end_ns; /* on the clock of the timelines */
	/* of a sample its CPU time; of a wait its time and that of the waits it represents */
	uint64_t ns;
	uint64_t events; /* of a sample: the perf events that it represents */
	uint32_t thread; /* index into profile.threads */
	/* index into profile.nodes of a SAMPLES or WAIT node; UINT32_MAX: not known */
	uint32_t node;
	uint8_t kind;    /* enum profile_moment_kind */
	uint8_t time;    /* enum profile_time */
	uint8_t what;    /* SAMPLE: enum profile_class; WAIT: enum profile_wait */
	uint8_t is_open; /* a WAIT that had not ended; from the reader, not from the trace */
};

/*
 * The part of the run that a profile was reduced to (attribution/select/select_time.h); all 0: the
 * whole run.
 */
struct profile_part {
	int is_cut;
	int has_paths; /* nodes have the figures of the part; otherwise no node has figures */
	/*
	 * since the profile's start; of several processes since the start of the first
	 * process
	 */
	uint64_t begin_ns, end_ns;
	uint64_t whole_ns; /* wall time of the whole run */
	/* the longest bucket of the timelines that tell the time; 0: the trace tells it exactly */
	uint64_t bucket_ns;
	/* up to when the trace has everything; UINT64_MAX: to its end; 0: there is no trace */
	uint64_t traced_ns;
	size_t n_unknown; /* threads without a timeline, which have nothing in the part */
};

/* The segments of one kind and their contents. */
struct profile_section {
	uint64_t n_segments;
	uint64_t n_records; /* of text: bytes */
	uint64_t used_bytes;
};

/* Addresses that one module covers. Ranges do not overlap and are in ascending order. */
struct profile_range {
	uint64_t start;
	uint64_t end;
	uint32_t module; /* index into profile.modules */
};

/* A process of several, and its threads. */
struct profile_process {
	uint32_t rank; /* rank + 1; 0: it has no rank */
	uint32_t pid;
	size_t first_thread, n_threads;
};

struct profile {
	struct profile_header header; /* a copy, every string terminated */
	/*
	 * in order of index; every node's owner has a record. If the file lacks it, the reader adds
	 * a record that is zero except for the index
	 */
	struct profile_thread *threads;
	size_t n_threads;
	struct profile_module *modules; /* in order of generation, every path terminated */
	size_t n_modules;
	struct profile_range *ranges; /* the ranges that profile_module_at uses */
	size_t n_ranges;
	struct profile_tree_node *nodes; /* parents before children */
	size_t n_nodes;
	struct profile_region_record *regions;
	size_t n_regions;
	struct profile_lock_record *locks;
	size_t n_locks;
	/*
	 * times in ns instead of ticks; `traced` lasts up to the end of the profile; every string
	 * is terminated, no figure exceeds PROFILE_MOST_NS
	 */
	struct profile_device *devices;
	size_t n_devices;
	struct profile_phase_record *phases; /* in order of their numbers */
	size_t n_phases;                     /* at most PROFILE_MOST_PHASES */
	/*
	 * By index into `threads`; NULL in files of version 4, and if the rate of the tick counter
	 * is not known.
	 */
	struct profile_timeline *timelines;
	/* of run --trace, by their ends; n_moments is 0 without a trace */
	struct profile_moment_record *moments;
	size_t n_moments;
	struct profile_part part;
	uint64_t cut_ns; /* wall time that was removed (attribution/select/select_phase.h) */
	char **args;     /* command line, NULL-terminated */
	size_t n_args;
	char **env; /* "NAME=TEXT", NULL-terminated */
	size_t n_env;
	struct profile_runtime runtime;
	char *exe; /* path of the executable, or "" */
	char *cwd;
	/* the program ran on this host when the file was read: header.last_ns is that moment */
	int is_running;
	int is_truncated; /* the file is shorter than its header says */
	/*
	 * the rate of the tick counter is known. Otherwise there are no WAIT and BLAME nodes, no
	 * regions and no mutexes, and contexts have no times
	 */
	int has_ticks;
	uint32_t waits; /* bit k: waits of enum profile_wait k are measured, and read */
	/*
	 * waits that never ended, as the program was killed; they count up to its last sign of life
	 */
	size_t n_open_waits;
	/* of several processes (attribution/merge/merge.h); NULL for one process */
	struct profile_process *processes;
	size_t n_processes;
	uint64_t file_bytes;
	/*
	 * By enum profile_segment_kind: the contents of the segments after the first. Segments of
	 * an unknown kind count as free.
	 */
	struct profile_section sections[PROFILE_SEGMENT_N_KINDS];
	/*
	 * records that made no sense and were left out. If a node's path to a root is broken, its
	 * leaves (samples, waits, blame) are kept under its thread's root
	 */
	size_t n_dropped;
};

/*
 * Parses `size` bytes, which need no alignment and may be freed afterwards. If a file is shorter
 * than its header says, the existing part is read and is_truncated is set. A sample of an unknown
 * class counts as PROFILE_WORK; a wait or blame of an unknown kind is dropped. Ticks become
 * nanoseconds, no more than PROFILE_MOST_NS.
 *
 * Waits, executions of regions and tasks, the time of members in them, and holds that have not
 * ended count up to the end of their thread, or to profile_end_ns.
 *
 * Returns 0 and fills *profile (release it with profile_release), or -1 with the reason in *diag.
 * `name` is used in messages only.
 */
int profile_parse(struct profile *profile, const void *bytes, size_t size, const char *name,
	struct diag *diag);

/*
 * Reads the file at `path`, which may be the file of a running program. The segments are read from
 * the last to the first: a node's parent is always older, so it exists when the node's segment is
 * read. Unfinished waits and executions of its threads count up to now, and once (reader_live.c).
 * Figures of later readings are no smaller, except for estimates such as blame. Returns as
 * profile_parse.
 */
int profile_open(struct profile *profile, const char *path, struct diag *diag);

/* Frees what *profile owns; harmless on a zeroed struct. */
void profile_release(struct profile *profile);

/*
 * A flag that the reader sets in profile_thread.flags, beside enum profile_thread_flags; a file
 * does not have it.
 */
enum { PROFILE_THREAD_NATIVE = 1 << 16 };

/*
 * Whether a thread is a native thread: the program created it beside OpenMP's threads, it did not
 * use OpenMP, and its creation was seen. Its record is of thread->n_lives native threads.
 */
static inline int profile_is_native(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_NATIVE) != 0;
}

/*
 * Whether a thread is a hidden helper of the runtime, which executes target tasks. A native thread
 * is no hidden helper.
 */
static inline int profile_is_helper(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_HELPER) != 0;
}

/* Whether a thread is a native thread or a hidden helper: it has no part in the run's capacity. */
static inline int profile_is_beside(const struct profile_thread *thread)
{
	return (thread->flags & (PROFILE_THREAD_NATIVE | PROFILE_THREAD_HELPER)) != 0;
}

/*
 * When the run ended: the end of the profile, or the last known moment of a program that was
 * killed.
 */
uint64_t profile_end_ns(const struct profile_header *header);

/*
 * How long a thread lived, or all threads of its record together, if the run ended at end_ns; at
 * most PROFILE_MOST_NS.
 */
uint64_t profile_life_ns(const struct profile_thread *thread, uint64_t end_ns);
/* A file of a folder, as far as its header and its threads tell. */
struct profile_entry {
	char *path;
	char *exe;                    /* path of the executable; NULL if the file does not tell */
	struct profile_header header; /* a copy, unchecked except for the end of `host` */
	uint64_t n_samples;
	uint32_t n_threads;
	uint64_t file_bytes;
};

struct profile_list {
	struct profile_entry *entries;
	size_t n; /* at least 1 */
};

/*
 * Lists the profile files of `path`: the file itself, the members of a merged file (merged.h), or
 * the files of the latest run in a folder. They are in order of their ranks and then of their
 * begins. Returns 0, or -1 with the reason in *diag (no such path, no profile in it). Release with
 * profile_list_release in either case.
 */
int profile_list_read(struct profile_list *list, const char *path, struct diag *diag);

/*
 * Adds an entry and takes `path` over, which malloc made. Returns NULL when out of memory; then, or
 * if `path` is NULL, nothing is added and `path` is freed.
 */
struct profile_entry *profile_list_add(struct profile_list *list, char *path);

/*
 * Keeps the entries of the latest run, and sorts them by rank and then by begin. If a process has
 * several entries, its latest state is kept.
 */
void profile_list_settle(struct profile_list *list);

/* Drops the entries of other runs than the latest. Returns how many entries were dropped. */
size_t profile_list_drop_runs(struct profile_list *list);

/* The name of the file: the part of its path behind the last slash. */
const char *profile_entry_name(const struct profile_entry *entry);

void profile_list_release(struct profile_list *list);
void profile_entry_release(struct profile_entry *entry);

/* The index of the entry with the most samples. */
size_t profile_list_most(const struct profile_list *list);

/* The runtime's name of an implementation of mutexes, or NULL. */
const char *profile_impl_name(const struct profile *profile, uint32_t number);

/*
 * Adds an implementation; beyond PROFILE_MOST_WORDS it is dropped. Returns 0, or -1 when out of
 * memory.
 */
int profile_add_impl(struct profile *profile, uint32_t number, const char *name, size_t n);

/* The process of thread `i` (index into profile.threads), or NULL if there is only one process. */
const struct profile_process *profile_process_of(const struct profile *profile, size_t i);

/*
 * The ns from the profile's start at which bucket i of a timeline begins; i can be one past the
 * last bucket.
 */
uint64_t profile_bucket_ns(const struct profile_timeline *timeline, size_t i);

/* Frees timelines and moments; the profile then has none. */
void profile_drop_timelines(struct profile *profile);

/* Whether waits of this enum profile_wait are for a mutex, which their wait id identifies. */
static inline int profile_is_mutex(uint32_t wait)
{
	return wait != PROFILE_ORDERED && profile_wait_is(wait, PROFILE_TIME_MUTEX);
}

/* Whether waits of this enum profile_wait are for a device. */
static inline int profile_is_device(uint32_t wait)
{
	return profile_wait_is(wait, PROFILE_TIME_TARGET);
}

/* The enum profile_time of waits of this enum profile_wait. */
uint32_t profile_time_of_wait(uint32_t wait);

/* The enum profile_time of a thread's time in this enum profile_class, where waits are measured. */
uint32_t profile_time_of_class(uint32_t class);

/* The module that covers addr at the end of the run, or NULL. The latest generation wins. */
const struct profile_module *profile_module_at(const struct profile *profile, uint64_t addr);

/* The module of this generation if it exists and covers addr; otherwise as profile_module_at. */
const struct profile_module *profile_module_of(
	const struct profile *profile, uint32_t generation, uint64_t addr);

#endif
