/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a profile file (layout.h) into plain arrays. Every offset, count, id and string of the file
 * is checked, and a node's parents end at a root: any bytes give either a profile or one sentence.
 * Used by attribution/ and src/; never inside the profiled program.
 */
#ifndef OMPPROF_PROFILE_READER_READER_H
#define OMPPROF_PROFILE_READER_READER_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "profile/shared/layout.h"

/* The bound of times in ns: more than 36 years. */
#define PROFILE_MOST_NS ((uint64_t)1 << 60)

/* Further phases are dropped; their time counts as time in no phase. */
#define PROFILE_MOST_PHASES 256

/* The bound of the sums over all nodes, and over all moments, of times, of events and of blame. */
#define PROFILE_MOST_SUM ((uint64_t)1 << 62)

/* The most states of a runtime's own, and the most implementations of mutexes. */
#define PROFILE_MOST_WORDS 128
#define PROFILE_WORD_BYTES 64 /* of their names; longer names are truncated */

/*
 * A node of the file, with indices instead of ids. There can be millions of nodes, so two figures
 * share a place if no kind of node has both: look at the kind first.
 */
struct profile_tree_node {
	/* as in struct profile_node, but for CONTEXT, WAIT, BLAME and EVENT: see below */
	uint64_t addr;
	/* index into profile.nodes, smaller than the node's own; UINT32_MAX: a thread's root */
	uint32_t parent;
	/*
	 * index of another node: of a CONTEXT its region, task or target construct; of the BLAME of
	 * a team its region; of PROFILE_EVENT_AWAITED_TASK the task. UINT32_MAX: the file lacks it,
	 * or another kind
	 */
	uint32_t context;
	uint32_t owner; /* index into profile.threads: who made it, or its TARGET */
	uint32_t n;
	uint8_t kind; /* enum profile_node_kind */
	uint8_t flags;
	/*
	 * WAIT, BLAME: enum profile_wait; addr is then the wait id of a mutex, of the BLAME of a
	 * team its PROFILE_TEAM_SITE, or 0
	 */
	uint8_t wait;
	/* EVENT: enum profile_event; addr is then the detail, or 0 with a `context` */
	uint8_t event;
	uint16_t module; /* generation of its module; 0: not known */
	/* 1 + the index into profile.phases of the phase that it counts in; 0: none */
	uint16_t phase;
	uint64_t time_ns;
	union {
		uint64_t events;   /* all kinds except CONTEXT */
		uint64_t n_stolen; /* CONTEXT of a task: how many of n another thread created */
	};
	union {
		uint64_t blame_ns;   /* BLAME */
		uint64_t longest_ns; /* WAIT, CONTEXT, TARGET, EVENT */
	};
	union {
		/* EVENT: number of events; the call path was walked for n of them */
		uint64_t n_events;
		/* CONTEXT of a task: tasks that this thread created; included in the TASK's n */
		uint64_t n_created;
		/* SAMPLES, WAIT: time there in which the thread was ready, but had no CPU */
		uint64_t delay_ns;
		/* REGION: index into profile.regions, or UINT32_MAX */
		uint32_t record;
	};
};
_Static_assert(sizeof(struct profile_tree_node) == 64, "a line of the cache");

/* The time of a WAIT, less the part in which its thread was ready, but had no CPU. */
static inline uint64_t profile_waited_ns(const struct profile_tree_node *node)
{
	return node->time_ns > node->delay_ns ? node->time_ns - node->delay_ns : 0;
}

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
	uint64_t n_acquired, n_estimated, n_contended, wait_ns, max_wait_ns, n_held, held_ns,
		max_held_ns;
	uint32_t impl;  /* see profile_impl_name; 0: not known */
	uint32_t hints; /* bits of all omp_sync_hint_t that were reported */
};

struct profile_own_state {
	uint8_t mark;  /* the flags of its samples: PROFILE_STATE_OWN or more */
	uint8_t class; /* the enum profile_class that it counts as */
	uint32_t value;
	char *name;
};

struct profile_impl {
	uint32_t number;
	char *name;
};

/*
 * The runtime's own states and implementations of mutexes, in the order of the file. If
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
	uint32_t number;
	/* index into profile.phases, smaller than its own; UINT32_MAX: no phase around it */
	uint32_t outer;
	uint32_t flags; /* enum profile_phase_flags */
	uint64_t n;
	uint64_t own_ns; /* in the phase and in no phase within it */
	int64_t id;
	char name[256];
};

/*
 * A thread's time by bucket and enum profile_time, in ns. Bucket i begins at begin_ns + span_ns * i
 * / PROFILE_TIMELINE_BUCKETS. The buckets of the threads of a process begin at the same moment, and
 * their lengths are equal or differ by a power of two.
 *
 * The times of samples add up to thread.time_ns, the times of waits to the thread's WAIT nodes,
 * each less 4096 ns or ticks at most (and less what a count beyond its bound lost, after weeks).
 * The samples IN_WAIT are of the same time as the waits: do not add both where waits are measured.
 * Time stands still while the program pauses the tool.
 */
struct profile_timeline {
	/*
	 * begin of bucket 0, since the begin of the process, or of the first of several processes
	 */
	uint64_t begin_ns;
	/* length of all PROFILE_TIMELINE_BUCKETS; 0: the thread has no timeline */
	uint64_t span_ns;
	uint32_t shift;                  /* a bucket has 1 << shift ticks */
	size_t n;                        /* up to the last bucket that is not empty */
	uint64_t (*ns)[PROFILE_N_TIMES]; /* n buckets; the profile owns them */
	uint64_t n_dropped;              /* moments that did not fit into the trace */
	uint64_t dropped_from_ns;        /* begin of the earliest of them; UINT64_MAX: not known */
	/*
	 * the file was read while the writer joined buckets in pairs; the reader joined the rest.
	 * Exact for a killed program, maybe slightly wrong for a running program
	 */
	int is_torn;
};

/* struct profile_moment with indices and ns. */
struct profile_moment_record {
	uint64_t begin_ns, end_ns; /* on the clock of the timelines */
	/* SAMPLE: its time; WAIT: its time and the time of waits that it represents */
	uint64_t ns;
	uint64_t events; /* SAMPLE: the perf events that it represents */
	uint32_t thread; /* index into profile.threads */
	/* index into profile.nodes of a SAMPLES or WAIT node; UINT32_MAX: not known */
	uint32_t node;
	uint8_t kind; /* enum profile_moment_kind */
	uint8_t time; /* enum profile_time */
	uint8_t what; /* SAMPLE: enum profile_class; WAIT: enum profile_wait */
	/* a WAIT that had not ended: the reader made it, the trace does not have it */
	uint8_t is_open;
};

/* The part of the run that select_time.h reduced a profile to. All 0: it is of the whole run. */
struct profile_part {
	int is_cut;
	int has_paths; /* the nodes have figures, which are of the part; 0: no node has figures */
	/* since the begin of the process; of several processes since the begin of the first */
	uint64_t begin_ns, end_ns;
	uint64_t whole_ns; /* wall time of the whole run */
	/* the length of the longest bucket, if timelines tell the time; 0: the trace tells it */
	uint64_t bucket_ns;
	/* the trace is complete up to then; UINT64_MAX: to its end; 0: there is no trace */
	uint64_t traced_ns;
	size_t n_unknown; /* threads without a timeline, which have nothing in the part */
};

/* The segments of one kind and their contents. */
struct profile_section {
	uint64_t n_segments;
	uint64_t n_records; /* of text: bytes */
	uint64_t used_bytes;
};

/* Addresses that one module covers. Ranges are sorted and do not overlap. */
struct profile_range {
	uint64_t start;
	uint64_t end;
	uint32_t module; /* index into profile.modules */
};

/* One of several processes, and its threads. */
struct profile_process {
	uint32_t rank; /* rank + 1; 0: it has no rank */
	uint32_t pid;
	size_t first_thread, n_threads;
};

/* Collective calls of MPI at the header's level, sorted by number; each has begin <= end. */
struct profile_calls {
	struct profile_collective *all;
	size_t n;
};

struct profile_program {
	char *exe; /* path of the executable, or "" */
	char *cwd;
};

struct profile {
	struct profile_header header; /* a copy, every string terminated */
	/*
	 * in order of `index`; every node's owner has a record, which is empty if the file lacks it
	 */
	struct profile_thread *threads;
	size_t n_threads;
	struct profile_module *modules; /* in order of generation, every path terminated */
	size_t n_modules;
	struct profile_range *ranges; /* for profile_module_at */
	size_t n_ranges;
	struct profile_tree_node *nodes; /* parents before children */
	size_t n_nodes;
	struct profile_region_record *regions;
	size_t n_regions;
	struct profile_lock_record *locks;
	size_t n_locks;
	/* times in ns, not ticks; `traced` up to the profile's end; none above PROFILE_MOST_NS */
	struct profile_device *devices;
	size_t n_devices;
	struct profile_phase_record *phases; /* in order of their numbers */
	size_t n_phases;                     /* at most PROFILE_MOST_PHASES */
	/* by index into `threads`; NULL: version 4, or the rate of the tick counter is not known */
	struct profile_timeline *timelines;
	/* of `run --trace`, sorted by their ends */
	struct profile_moment_record *moments;
	size_t n_moments;
	struct profile_calls collectives;
	struct profile_part part;
	uint64_t cut_ns; /* wall time that select_phase.h or select_time.h removed */
	char **args;     /* command line, NULL-terminated */
	size_t n_args;
	char **env; /* "NAME=TEXT", NULL-terminated */
	size_t n_env;
	struct profile_runtime runtime;
	struct profile_program program;
	/* it ran on this host when the file was read; header.last_ns is that moment */
	int is_running;
	int is_truncated; /* the file is shorter than its header says */
	/*
	 * whether the rate of the tick counter is known. If not, there are no WAIT and BLAME nodes,
	 * no regions, mutexes, devices, timelines, moments and collectives, and contexts have no
	 * times
	 */
	int has_ticks;
	uint32_t waits; /* bit k: waits of enum profile_wait k are measured, and read */
	/* waits that had not ended when their thread or the profile ended; they count up to then */
	size_t n_open_waits;
	/* of several processes (attribution/merge/merge.h); NULL: of a single process */
	struct profile_process *processes;
	size_t n_processes;
	uint64_t file_bytes;
	/* by enum profile_segment_kind, without the first segment; unknown kinds count as free */
	struct profile_section sections[PROFILE_SEGMENT_N_KINDS];
	/*
	 * records that made no sense and were left out. If a node's path to a root is broken, its
	 * leaves (samples, waits, blame, events) are kept under their thread's root
	 */
	size_t n_dropped;
};

/*
 * Parses `size` bytes, which need no alignment and may be freed afterwards. A file that is shorter
 * than its header says is read as far as it goes. A sample of an unknown class counts as
 * PROFILE_WORK; a wait, blame or event of an unknown kind is dropped. Waits, executions, stays in
 * regions and holds that have not ended count up to the end of their thread, or to profile_end_ns.
 *
 * Returns 0 and fills *profile (release it with profile_release), or -1 with the reason in *diag.
 * `name` is used in messages only.
 */
int profile_parse(struct profile *profile, const void *bytes, size_t size, const char *name,
	struct diag *diag);

/*
 * Reads the file at `path`. The program may still run: then the segments are read from the last to
 * the first, since a node's parent is always older, and unfinished waits and executions count up to
 * now (reader_live.c). Figures of a later reading are no smaller, except for estimates such as
 * blame. Returns as profile_parse.
 */
int profile_open(struct profile *profile, const char *path, struct diag *diag);

/* Counter i of a COUNTS node, i < PROFILE_COUNTERS_OF_NODE. */
static inline uint64_t profile_count(const struct profile_tree_node *node, uint32_t i)
{
	return i == 0   ? node->time_ns
	       : i == 1 ? node->events
	       : i == 2 ? node->blame_ns
			: node->n_events;
}

/* Frees what *profile owns; a zeroed struct is allowed. */
void profile_release(struct profile *profile);

/* A flag that the reader adds to profile_thread.flags; no file has it. */
enum { PROFILE_THREAD_NATIVE = 1 << 16 };

/* Whether the program created the thread itself, and the thread did not use OpenMP. */
static inline int profile_is_native(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_NATIVE) != 0;
}

/* Whether a thread is a hidden helper of the runtime, which executes target tasks. */
static inline int profile_is_helper(const struct profile_thread *thread)
{
	return (thread->flags & PROFILE_THREAD_HELPER) != 0;
}

/* Whether a thread is native or a hidden helper: it has no part in the run's capacity. */
static inline int profile_is_beside(const struct profile_thread *thread)
{
	return (thread->flags & (PROFILE_THREAD_NATIVE | PROFILE_THREAD_HELPER)) != 0;
}

/* When the run ended; for a program that was killed or runs, the latest moment that is known. */
uint64_t profile_end_ns(const struct profile_header *header);

/*
 * Writes OpenMP's number of the thread in its teams. Returns 0 if it was in no team of several
 * threads, or if its numbers differ.
 */
static inline int profile_team_number(const struct profile_thread *thread, uint32_t *number)
{
	*number = (uint32_t)(thread->more.team_number - 1);
	return thread->more.team_number - 1 <= UINT16_MAX;
}

/*
 * How long a thread lived, at most PROFILE_MOST_NS; if its record has served several threads, the
 * sum of their lives. A thread that has not ended lives until end_ns.
 */
uint64_t profile_life_ns(const struct profile_thread *thread, uint64_t end_ns);

/* A profile file, as far as its header and its threads tell. */
struct profile_entry {
	char *path;
	char *exe;                    /* path of the executable; NULL: the file does not tell */
	struct profile_header header; /* unchecked, but `host` is terminated */
	uint64_t series; /* the number that all runs of `ompprof run --repeat` share, or 0 */
	uint64_t n_samples;
	uint32_t n_threads;
	uint64_t file_bytes;
};

/* A run of several processes or one. */
struct profile_run {
	uint64_t id;                /* profile_header.run_id */
	uint64_t first_ns, last_ns; /* begin of the first process and end of the last */
	uint64_t wall_ns;
	int is_complete; /* all of its processes ended in an orderly way */
};

struct profile_list {
	struct profile_entry *entries;
	size_t n; /* at least 1 after profile_list_read has returned 0 */
	/*
	 * The runs of `ompprof run --repeat`, shortest first; the entries are of the median run. If
	 * some runs are complete, the others are left out. Only in a folder; else there are none.
	 */
	struct profile_run *runs;
	size_t n_runs;
	size_t n_unread;   /* of a folder: files with the name of a profile that are none */
	uint64_t only_run; /* as given to profile_list_read_run */
};

/*
 * Lists the profile files of `path`: the file itself, or the profiles of one run in a merged file
 * (merged.h) or in a folder, sorted by rank, then by begin. That is the latest run; if it was
 * repeated, it is the run with the median wall time, of an even number the shorter of the two in
 * the middle. Returns 0, or -1 with the reason in *diag, for example if there is no such path or no
 * profile in the folder. If `path` is a file and no profile, it is listed all the same. Release
 * with profile_list_release in either case.
 */
int profile_list_read(struct profile_list *list, const char *path, struct diag *diag);

/* The same for the run with this number, or with 0 as profile_list_read. */
int profile_list_read_run(
	struct profile_list *list, const char *path, uint64_t run_id, struct diag *diag);

/*
 * Adds an entry, and takes over `path`, which comes from malloc. Returns NULL if `path` is NULL, or
 * when out of memory; `path` is freed then.
 */
struct profile_entry *profile_list_add(struct profile_list *list, char *path);

/* Keeps the latest state of each process of one run, sorted by rank and then by begin. */
void profile_list_settle(struct profile_list *list);

/* Drops the entries of other runs than profile_list_read lists. Returns how many. */
size_t profile_list_drop_runs(struct profile_list *list);

/* The part of the entry's path behind the last slash. */
const char *profile_entry_name(const struct profile_entry *entry);

void profile_list_release(struct profile_list *list);
void profile_entry_release(struct profile_entry *entry);

/* The index of the entry with the most samples. */
size_t profile_list_most(const struct profile_list *list);

/* The runtime's name of an implementation of mutexes, or NULL. */
const char *profile_impl_name(const struct profile *profile, uint32_t number);

/* Adds a name, or drops it beyond PROFILE_MOST_WORDS. Returns 0, or -1 when out of memory. */
int profile_add_impl(struct profile *profile, uint32_t number, const char *name, size_t n);

/* The process of thread `i` (index into profile.threads); NULL: there is a single process. */
const struct profile_process *profile_process_of(const struct profile *profile, size_t i);

/* When bucket i of a timeline begins, in ns like begin_ns; i can be one past the last bucket. */
uint64_t profile_bucket_ns(const struct profile_timeline *timeline, size_t i);

/* Frees timelines and moments; the profile then has none. */
void profile_drop_timelines(struct profile *profile);

/* Whether waits of this enum profile_wait are for a mutex that has a wait id (not ORDERED). */
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

/* The enum profile_time of a thread's time in this class, where waits are measured. */
uint32_t profile_time_of_class(uint32_t class);

/* The module that covers addr, or NULL; of several the latest loaded. */
const struct profile_module *profile_module_at(const struct profile *profile, uint64_t addr);

/* The module of this generation if it covers addr; otherwise as profile_module_at. */
const struct profile_module *profile_module_of(
	const struct profile *profile, uint32_t generation, uint64_t addr);

/* The text behind `name`, "VARIABLE=", in the run's environment, or "". */
const char *profile_env(const struct profile *profile, const char *name);

/* The text of `ompprof run --label`, or "". */
const char *profile_label(const struct profile *profile);

#endif
