/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile file, byte for byte: the whole agreement between the half of ompprof that runs inside
 * the profiled program (profile/core/writer.c) and the half that reads (profile/reader/reader.c).
 * Both include this header, which depends on nothing but <stddef.h>, <stdint.h> and the .def files
 * beside it. ompprof-profile(5) describes the file in prose.
 *
 * A file is a sequence of segments of PROFILE_SEGMENT_BYTES. Segment 0 holds the file header. Every
 * other segment begins with a struct profile_segment and holds records of one kind and one size;
 * record i of a segment starts at i * record_bytes, i = 1 .. used (slot 0 is the header's). Text
 * and records of less than 64 bytes start right after the header.
 *
 * All integers are little-endian. A writer fills text, a node or a moment before it raises `used`
 * with release order. A record of another kind is valid once its field is set that says "stored
 * last", or for a module `end` and for a thread `index`. A segment's `kind` is set after the rest
 * of its header. So a reader of a file that stopped at any moment sees a valid prefix. Counters are
 * changed in place, most of them only by the thread that owns the record. A 64-bit store is never
 * torn.
 *
 * Times named *_ns are CLOCK_MONOTONIC nanoseconds since header.start_monotonic_ns, unless the
 * field says otherwise. Times in ticks are readings of the machine's tick counter, which advances
 * by header.ticks_per_s in a second. Both stand still while the program pauses the tool.
 *
 * A node id is a file offset divided by PROFILE_NODE_BYTES; 0 is "none". A node's parent lies
 * before it in the file, as a thread claims its segments in order.
 */
#ifndef OMPPROF_PROFILE_SHARED_LAYOUT_H
#define OMPPROF_PROFILE_SHARED_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define PROFILE_MAGIC   "OMPPROF\n"
#define PROFILE_VERSION 6
/* the oldest readable version: it has no timelines and no moments */
#define PROFILE_VERSION_READ  4
#define PROFILE_SEGMENT_BYTES 16384
#define PROFILE_NODE_BYTES    64
#define PROFILE_THREAD_BYTES  1024
#define PROFILE_REGION_BYTES  1024
#define PROFILE_LOCK_BYTES    128
#define PROFILE_MODULE_BYTES  1024
#define PROFILE_DEVICE_BYTES  1024
#define PROFILE_PHASE_BYTES   512
#define PROFILE_MOMENT_BYTES  32
#define PROFILE_HEADER_BYTES  4096
#define PROFILE_MAX_BYTES     (256 << 20) /* of a file: nobody writes or reads beyond it */

/* The content of a segment. */
enum profile_segment_kind {
	PROFILE_SEGMENT_FREE = 0,         /* not begun; a reader skips it */
	PROFILE_SEGMENT_RUN = 1,          /* text, see struct profile_segment.used */
	PROFILE_SEGMENT_THREADS = 2,      /* struct profile_thread */
	PROFILE_SEGMENT_MODULES = 3,      /* struct profile_module */
	PROFILE_SEGMENT_NODES = 4,        /* struct profile_node */
	PROFILE_SEGMENT_REGIONS = 5,      /* struct profile_region */
	PROFILE_SEGMENT_LOCKS = 6,        /* struct profile_lock */
	PROFILE_SEGMENT_DEVICES = 7,      /* struct profile_device */
	PROFILE_SEGMENT_PHASES = 8,       /* struct profile_phase */
	PROFILE_SEGMENT_TIMELINE = 9,     /* one struct profile_timeline_segment, all of it */
	PROFILE_SEGMENT_MOMENTS = 10,     /* struct profile_moment; the first at byte 64 */
	PROFILE_SEGMENT_COLLECTIVES = 11, /* struct profile_collective; the first at byte 64 */
	PROFILE_SEGMENT_N_KINDS = 12,
};

/* The class of a sample; classes.def describes each. */
enum profile_class {
#define CLASS(NAME, value, ...) PROFILE_##NAME = (value),
#include "profile/shared/classes.def"
	PROFILE_N_CLASSES
};

/* The reason for a measured wait; waits.def describes each. */
enum profile_wait {
	PROFILE_NO_WAIT = 0,
#define WAIT(NAME, value, ...) PROFILE_##NAME = (value),
#include "profile/shared/waits.def"
	PROFILE_N_WAITS
};

/*
 * The key of a wait: the kind in the highest byte, and an id below it. For LOCK, NEST_LOCK,
 * CRITICAL and ATOMIC the id is the runtime's wait id of the mutex (0: all mutexes without a
 * record). In a BLAME node the id of any other kind up to REDUCTION tells the region whose team
 * waits, and the construct at which it waits (PROFILE_TEAM_ID).
 */
#define PROFILE_WAIT_KEY(kind, id) ((uint64_t)(kind) << 56 | ((uint64_t)(id)&0xffffffffffffffULL))
#define PROFILE_WAIT_KIND(key)     ((uint32_t)((key) >> 56))
#define PROFILE_WAIT_ID(key)       ((key)&0xffffffffffffffULL)

/*
 * The node id of a region, and above it the lowest 32 bits of the return address of the call in
 * which its team waits. These are 0 for the closing barrier, where the call is not known, for a
 * call that returns to the runtime, and up to version 5.
 */
#define PROFILE_TEAM_ID(region, site) ((uint64_t)(uint32_t)(site) << 24 | (region))
#define PROFILE_TEAM_REGION(id)       ((uint32_t)(id)&0xffffff)
#define PROFILE_TEAM_SITE(id)         ((uint32_t)((id) >> 24))

/*
 * The events that are counted at the place in the program that caused them; events.def describes
 * each. A callback that can be counted has the specification's number (ompt_callbacks_t). Other
 * events of the host have numbers from 40 on, events that a device records of its own work from 64
 * on. The detail of a key tells events of one kind apart; 0 if nothing does.
 */
enum profile_event {
	PROFILE_NO_EVENT = 0,
#define COUNTED(NAME, number, ...) PROFILE_##NAME = (number),
#define EVENT(NAME, number, ...)   PROFILE_##NAME = (number),
#include "profile/shared/events.def"
	PROFILE_N_EVENTS
};

/* The key of an event: the kind in the highest byte, the detail below it. */
#define PROFILE_EVENT_KEY(kind, detail) PROFILE_WAIT_KEY(kind, detail)
#define PROFILE_EVENT_KIND(key)         PROFILE_WAIT_KIND(key)
#define PROFILE_EVENT_DETAIL(key)       PROFILE_WAIT_ID(key)

/* The device of an event whose device is not known. */
#define PROFILE_NO_DEVICE (-0x7fffffff - 1)

/* The kind of a node in the calling-context tree. */
enum profile_node_kind {
	PROFILE_NODE_THREAD = 1, /* root of a thread's or device's tree; addr = segment's owner */
	PROFILE_NODE_FRAME = 2,  /* a frame; addr = instruction address, see PROFILE_FRAME_* */
	PROFILE_NODE_REGION = 3, /* parallel region, under its creation path; addr = codeptr_ra */
	PROFILE_NODE_TASK = 4,   /* explicit task, under its creation path; addr = codeptr_ra */
	/*
	 * under a root or PHASE node; addr = id of the REGION, TASK or TARGET node, often another
	 * thread's, that the nodes below belong to
	 */
	PROFILE_NODE_CONTEXT = 5,
	PROFILE_NODE_SAMPLES = 6, /* a leaf: samples taken here; addr = enum profile_class */
	/* in place of outer frames, which are missing; addr = enum profile_walk_end: why */
	PROFILE_NODE_TRUNCATED = 7,
	PROFILE_NODE_WAIT = 8, /* a leaf: measured waiting here; addr = wait key, without region */
	/* a leaf: waiting of others that the path is blamed for; addr = wait key */
	PROFILE_NODE_BLAME = 9,
	PROFILE_NODE_EVENT = 10, /* a leaf: events counted here; addr = event key */
	/* target construct, under its thread's call path; addr = codeptr_ra */
	PROFILE_NODE_TARGET = 11,
	/* under a thread's root: the nodes below belong to a phase; addr = the phase's number */
	PROFILE_NODE_PHASE = 12,
	/*
	 * a leaf: counters up to the samples of a class, in time_ns, events, blame_ns and spare, in
	 * this order; addr = PROFILE_COUNTS_KEY
	 */
	PROFILE_NODE_COUNTS = 13,
};

/*
 * The counters of a run (`--counters`) have the numbers 0, 1, ... in the order of the user's list.
 * A COUNTS node has the counters from 4 * set on, and the class of the samples.
 */
#define PROFILE_MOST_COUNTERS          8
#define PROFILE_COUNTER_BYTES          24 /* of a name, with its end */
#define PROFILE_COUNTERS_OF_NODE       4
#define PROFILE_COUNTS_KEY(class, set) ((uint64_t)(set) << 8 | (class))
#define PROFILE_COUNTS_CLASS(key)      ((uint32_t)((key)&0xff))
#define PROFILE_COUNTS_SET(key)        ((key) >> 8)

/* Flags of a PROFILE_NODE_SAMPLES: the runtime's state, where the class does not show it. */
enum profile_state {
	PROFILE_STATE_PLAIN = 0,
	PROFILE_STATE_UNKNOWN = 1, /* neither the specification nor the runtime names it */
	PROFILE_STATE_UNDEFINED = 2,
	PROFILE_STATE_REDUCTION = 3,
	PROFILE_STATE_BARRIER_TEAMS = 4,
	PROFILE_STATE_MUTEX = 5, /* wait_mutex, without a kind */
	PROFILE_STATE_TARGET_MAP = 6,
	PROFILE_STATE_TARGET_UPDATE = 7,
	PROFILE_STATE_N_STANDARD = 8,
	PROFILE_STATE_OWN = 16, /* and above: the runtime's own, see `state` of the RUN text */
};

/* Flags of a PROFILE_NODE_BLAME. */
enum profile_blame_flags {
	/*
	 * for a mutex: sampled while it was held; without the flag, measured at its release. No
	 * other kind has the flag: waits for devices are measured, all others sampled
	 */
	PROFILE_BLAME_SAMPLED = 1,
	/* tasks waited for the end of a task that the thread executed; not for a mutex */
	PROFILE_BLAME_DEPENDENCE = 2,
	/* the thread that others waited for was ready, but had no CPU; for a mutex with SAMPLED */
	PROFILE_BLAME_NO_CPU = 4,
	/* it slept in a call of the C library: measured at its end; for a mutex with SAMPLED */
	PROFILE_BLAME_ASLEEP = 8,
};

/* Flags of a PROFILE_NODE_FRAME. */
enum profile_frame_flags {
	/* addr is the executed instruction; else a return address: the call is at addr - 1 */
	PROFILE_FRAME_EXACT = 1,
	/* the runtime's: from an enter frame inwards to the next exit frame, or to the end */
	PROFILE_FRAME_RUNTIME = 2,
	PROFILE_FRAME_GUESSED = 4, /* found without call frame information */
	/* outermost user frame of a region or task: the function made of its body */
	PROFILE_FRAME_OUTLINED = 8,
};

/* Flags of a PROFILE_NODE_REGION and PROFILE_NODE_TASK. */
enum profile_region_flags {
	PROFILE_REGION_LEAGUE = 1,   /* a teams region (OpenMP 5.1, ompt_parallel_league) */
	PROFILE_TASK_TARGET = 4,     /* a target task */
	PROFILE_TASK_UNDEFERRED = 8, /* if(0) or a similar reason, at least once */
};

/* Flags of a PROFILE_NODE_TARGET: the kind of construct; NOWAIT may be added. */
enum profile_target_flags {
	PROFILE_TARGET_ROUTINE = 0,   /* no construct: a routine such as omp_target_memcpy */
	PROFILE_TARGET_CONSTRUCT = 1, /* target */
	PROFILE_TARGET_ENTER_DATA = 2,
	PROFILE_TARGET_EXIT_DATA = 3,
	PROFILE_TARGET_UPDATE = 4,
	PROFILE_TARGET_OTHER = 7, /* an unknown kind */
	PROFILE_TARGET_KIND = 7,  /* the mask of the kinds */
	PROFILE_TARGET_NOWAIT = 8,
};

/* How a walk ended. */
enum profile_walk_end {
	PROFILE_WALK_COMPLETE = 0,  /* reached the outermost frame of the stack or of the context */
	PROFILE_WALK_NO_CFI = 1,    /* code without call frame information */
	PROFILE_WALK_BAD_CFI = 2,   /* a rule that is malformed or not supported */
	PROFILE_WALK_OFF_STACK = 3, /* left the thread's stack (another stack, or damage) */
	PROFILE_WALK_NO_PROGRESS = 4,  /* the canonical frame address did not grow */
	PROFILE_WALK_LIMIT = 5,        /* deeper than the walker's bound */
	PROFILE_WALK_UNKNOWN_CODE = 6, /* the address is in no loaded object */
	PROFILE_WALK_N_ENDS = 7,
};

/* Why a sample (or another part of the profile) was lost. */
enum profile_loss {
	/* no space in the file: disk full, limit, or the file was growing */
	PROFILE_LOST_NO_SPACE = 0,
	PROFILE_LOST_UNREGISTERED = 1, /* the signal met a thread that the tool does not know */
	/* not lost: the signal met a callback of the tool, at whose end it was sampled */
	PROFILE_LOST_NESTED = 2,
	/* a region or task has no node: its samples are kept further out, or under the thread */
	PROFILE_LOST_CONTEXT = 3,
	PROFILE_LOST_THREADS = 4, /* a thread could not be registered or its clock not started */
	PROFILE_LOST_MODULES = 5, /* a loaded object could not be recorded */
	PROFILE_LOST_HANDLER = 6, /* the program replaced the tool's signal handler */
	PROFILE_LOST_STACK = 7,   /* of former versions: the signal met a small alternate stack */
	PROFILE_LOST_REGIONS = 8, /* a region got no record: it has no statistics of its own */
	/* an event of a mutex without a record: counted in the record with wait id 0 */
	PROFILE_LOST_LOCKS = 9,
	/* a wait whose end or place is not known: not counted. Also an event of unknown length */
	PROFILE_LOST_WAITS = 10,
	/* a thread that is not OpenMP's has blocked the signal since its begin: no samples */
	PROFILE_LOST_BLOCKED = 11,
	/* the stack of a thread that is not OpenMP's is too small for the handler */
	PROFILE_LOST_NO_ROOM = 12,
	/* a device got no buffer, as none was left: it dropped records */
	PROFILE_LOST_TRACE_BUFFERS = 13,
	/* a device's record, or the data behind it, was not readable or had no place */
	PROFILE_LOST_TRACE_RECORDS = 14,
	PROFILE_LOST_EVENTS = 15, /* an event to be counted whose leaf had no space */
	PROFILE_N_LOSSES = 16,
};

enum profile_header_flags {
	PROFILE_COMPLETE = 1,        /* the tool finished in an orderly way */
	PROFILE_OMPT_STARTED = 2,    /* an OpenMP runtime started the tool */
	PROFILE_SPACE_OUT = 4,       /* the file could not grow: later data is missing in part */
	PROFILE_PAUSED = 8,          /* the program has paused the tool, or never started it */
	PROFILE_ENDED = 16,          /* the program ended the tool, and continued */
	PROFILE_LOCKED_DOWN = 32,    /* the program took the tick counter or system calls away */
	PROFILE_OTHER_TOOL = 64,     /* the program has an OpenMP tool of its own */
	PROFILE_PYTHON_UNREAD = 128, /* frames of this CPython are not known: all are native */
};

enum profile_clock_kind {
	PROFILE_CLOCK_CPU = 1,   /* the thread's CPU time */
	PROFILE_CLOCK_WALL = 2,  /* wall-clock time */
	PROFILE_CLOCK_EVENT = 3, /* a perf event; period counts events */
};

/* Tables of call frame information, at the profile's end or, before that, at its start. */
struct profile_tables {
	/* objects with a table; 0: the walker reads call frame information in place */
	uint64_t objects;
	uint64_t rows;
	uint64_t bytes;    /* not part of bytes_private */
	uint64_t build_ns; /* CPU time of making tables, also of tables that are gone */
	uint64_t missing;  /* objects with call frame information and without a table */
};

/* Bit k: enum profile_event k. */
struct profile_counted {
	uint64_t asked;     /* the events that were to be counted */
	uint64_t never;     /* of these, the events that the runtime never reports */
	uint64_t sometimes; /* of these, the events that the runtime does not always report */
};

/*
 * Why threads can lack a CPU, from the profile's start to its end. Only quota_per_s is known
 * if the program was killed.
 */
struct profile_contention {
	/* CPU time of all processes on the CPUs that the process may run on; 0 not known */
	uint64_t busy_ns;
	uint64_t process_ns;   /* CPU time of the process meanwhile */
	uint64_t quota_per_s;  /* CPU time that its control group gets in a second; 0: no limit */
	uint64_t throttled_ns; /* time for which it was used up, as a sum over CPUs */
};

/* The counters that were read at each sample. */
struct profile_counters {
	char names[PROFILE_MOST_COUNTERS][PROFILE_COUNTER_BYTES]; /* as they were asked for */
	uint32_t n;                                               /* names */
	uint32_t counted;      /* bit k: the first thread could open counter k */
	uint32_t refusal;      /* errno of the first counter that it could not open; 0: none */
	uint32_t is_user_only; /* the system lets hardware counters count outside the kernel only */
};

/* Phases that have no record of their own, and threads that have no place on the thread board. */
struct profile_left_out {
	uint32_t n_unbegun; /* ends of phases while no phase was open */
	uint32_t n_deep; /* phases begun within too many phases: their time is the outer phase's */
	uint32_t n_threads; /* begun while the board was full: others do not see what they do */
};

/* The job and the machine of the process. */
struct profile_around {
	uint32_t rank;         /* in a job of several processes + 1; 0: none */
	uint32_t n_ranks;      /* of the job; 0 not known */
	uint32_t machine_cpus; /* online CPUs of the machine; 0 not known */
};

/* Collective calls of MPI on MPI_COMM_WORLD. */
struct profile_collectives {
	uint32_t n;     /* calls begun, also before the profile began */
	uint32_t level; /* all records are there of calls that profile_is_kept at this level */
};

/* The process and the kernel. If the program was killed only setup_ns is known. */
struct profile_usage {
	uint64_t setup_ns;   /* CPU time to start ompprof, in the command and in the process */
	uint64_t system_ns;  /* CPU time in the kernel from the profile's start on */
	uint64_t n_faults;   /* page faults meanwhile */
	uint64_t peak_bytes; /* the most physical memory that it had at a time */
	uint32_t python;     /* PY_VERSION_HEX of its CPython; 0: none from 3.11 on */
	/* paths with frames of the interpreter, since not all Python frames were read */
	uint32_t n_python_lost;
};

struct profile_sizes {
	uint32_t header_bytes;  /* sizeof(struct profile_header) */
	uint32_t segment_bytes; /* PROFILE_SEGMENT_BYTES */
};

/* At offset 0 of the file. */
struct profile_header {
	char magic[8];
	uint32_t version;
	struct profile_sizes sizes;
	uint32_t flags;              /* enum profile_header_flags */
	uint32_t n_segments;         /* claimed so far, segment 0 included */
	uint32_t n_reserved;         /* segments that the file has room for */
	uint64_t start_realtime_ns;  /* since the epoch */
	uint64_t start_monotonic_ns; /* CLOCK_MONOTONIC at the start of the profile */
	uint64_t end_ns;             /* 0 while the program runs, and forever if it was killed */
	/* the latest moment that the tool has noted */
	uint64_t last_ns;
	uint64_t cpu_before_ns; /* the process' CPU time before the profile began */
	uint32_t pid;
	uint32_t n_cpus;     /* CPUs that the process may run on */
	uint32_t clock_kind; /* enum profile_clock_kind */
	uint32_t signal;     /* number of the signal used */
	/* ns between two samples of a thread, or events; 0: the kernel chooses, by frequency_hz */
	uint64_t period;
	uint32_t frequency_hz; /* samples a second, rounded; 0 for an event with a period */
	uint32_t n_threads;    /* number of struct profile_thread records */
	uint64_t ticks_per_s;  /* rate of the tick counter; 0 if not known yet */
	uint64_t lost[16];     /* by enum profile_loss: losses that belong to no thread */
	/* memory that the tool took for itself beside this file and tables */
	uint64_t bytes_private;
	char clock_name[32]; /* as `-e` spells it */
	char walker[16];
	char host[64];
	char runtime[128]; /* the runtime's name for itself, "" without OpenMP */
	char note[256];    /* one sentence on what the run had to do without, or "" */
	char tool[32];     /* ompprof's version */
	/* Equal for all processes of one `ompprof run`; without `ompprof run` the start time. */
	uint64_t run_id;
	struct profile_tables tables;
	uint64_t start_ticks; /* the tick counter at start_monotonic_ns */
	uint32_t waits;       /* bit k: waits of enum profile_wait k are measured */
	struct profile_around around;
	struct profile_counted counted;
	uint64_t paused_ns; /* length of the pauses that ended: part of no other time in the file */
	uint32_t n_pauses;  /* pauses that were begun */
	struct profile_left_out left_out;
	struct profile_contention contention;
	struct profile_counters counters;
	struct profile_collectives collectives;
	struct profile_usage usage;
};

/*
 * The owner of a device's tree, with the device's index in the lower bits: CONTEXT nodes for TARGET
 * nodes, and EVENT nodes below them. The nodes belong to the thread that made the TARGET node.
 */
#define PROFILE_OWNER_DEVICE 0x80000000u

/* At the start of every segment but segment 0. */
struct profile_segment {
	uint32_t kind;         /* enum profile_segment_kind, stored last */
	uint32_t record_bytes; /* 1 for text */
	uint32_t used;         /* records; in text, bytes after the first 64 */
	uint32_t owner;        /* index of the thread; 0: none; PROFILE_OWNER_DEVICE: a device */
	uint8_t reserved[48];
};

/*
 * Text in a RUN segment, from byte 64 on: entries "KEY=VALUE\0", in order. An entry is never split;
 * an entry that is too long for a segment is cut. Keys:
 *
 *   arg       a command-line argument, each in an entry of its own
 *   env       a variable OMP_*, KMP_*, GOMP_* or OMPPROF_*; value "NAME=TEXT"
 *   cwd, exe  the working folder and the executable
 *   state     a state of the runtime's own; "MARK VALUE CLASS NAME": its enum profile_state, the
 *             answer of ompt_get_state, the class in a team
 *   impl      an implementation of mutexes; "NUMBER NAME"; a later entry with the number is valid
 */

/* One node of the calling-context tree: PROFILE_NODE_BYTES. */
struct profile_node {
	uint64_t addr;    /* by kind, see enum profile_node_kind */
	uint32_t parent;  /* node id; 0 for a thread's root */
	uint32_t child;   /* the writer's index of children; readers ignore it */
	uint32_t link[2]; /* likewise the writer's */
	uint8_t kind;     /* enum profile_node_kind */
	uint8_t flags;    /* by kind */
	/* FRAME, REGION, TASK: generation of the module at addr; 0: not known, take the latest */
	uint16_t module;
	/*
	 * SAMPLES, BLAME: samples (of a mutex: releases). REGION, TARGET: executions begun. TASK:
	 * tasks created. WAIT: waits. CONTEXT: ended executions, by this thread, of the region's
	 * implicit tasks or of explicit tasks. EVENT: events whose path was looked at.
	 */
	uint32_t n;
	/*
	 * SAMPLES: CPU (or wall) time of the thread that the samples represent, ns. WAIT: ticks
	 * waited. CONTEXT: ticks in the region, or executing the tasks. EVENT, TARGET: ticks from
	 * begin to end of the events that have a length. PHASE: ticks of the thread's life.
	 */
	uint64_t time_ns;
	/*
	 * SAMPLES: perf events that the samples represent, 0 for the time clocks. WAIT, CONTEXT,
	 * TARGET: the longest, ticks. EVENT: the amount, by kind (iterations, bytes).
	 */
	uint64_t events;
	/*
	 * BLAME: waiting of others, ns (of a mutex, not sampled, and of a device: ticks). CONTEXT
	 * of a task: how many of n another thread created. EVENT: the longest, ticks.
	 */
	uint64_t blame_ns;
	/*
	 * TASK, TARGET: node id of the context in which it was created. REGION: its record's offset
	 * in the file / PROFILE_REGION_BYTES, 0 none. CONTEXT of a task: tasks that this thread
	 * created, without the tasks in the task node's own n. EVENT: events that n, the times and
	 * the amount represent in addition to n. SAMPLES, WAIT: ns in which the thread was ready to
	 * run there, but had no CPU; 0 also if that is not known.
	 */
	uint64_t spare;
};

/* Flags of WAIT nodes, and of CONTEXT nodes of tasks. */
enum profile_time_flags {
	PROFILE_UNSEEN = 1, /* samples estimate its time; a wait's n is counted */
};

/*
 * A thread's present state: two cache lines of its record that its events and samples write and
 * other threads read. In the profile of a killed program they tell the waits that never ended.
 */
struct profile_now {
	/* identity of the innermost region that the thread is a member of; 0 none */
	uint64_t team;
	uint32_t instance; /* number of the execution */
	uint16_t thread_num;
	uint8_t wait;    /* enum profile_wait of the present wait; 0: the thread works */
	uint8_t is_idle; /* an OpenMP worker without a team */
	uint64_t since;  /* ticks: the begin of the wait, plus the time in other tasks since */
	/*
	 * ticks of its arrival at the team's latest two barriers, one even, one odd. Bits 5..1:
	 * number of the barrier; bit 0: tasks were created before it
	 */
	uint64_t arrived[2];
	uint32_t region; /* node id of the region */
	uint32_t leaf;   /* WAIT node that the wait will be added to; 0 not known yet */
	uint32_t root;   /* PHASE node that the thread's nodes are under; 0: the thread's root */
	uint32_t helped; /* node id of the region whose task a helper executes; 0 none */
	uint64_t root_since; /* ticks: since when `root` is valid, or the thread exists */

	/* wait id of the mutex that the thread waits for, or waited for last */
	uint64_t mutex;
	uint64_t mutex_since; /* ticks: the begin of that wait; 0: not known */
	/* ticks; 0: it waits for it; 1: it holds it; 2: it held it, since when is not known */
	uint64_t mutex_until;
	uint32_t mutex_kind; /* enum profile_wait */
	uint32_t mutex_leaf; /* like `leaf` */
	uint64_t held;       /* bit k: the thread holds a mutex of enum profile_wait k */
	/* ticks: begin of its membership in the execution that the next fields name */
	uint64_t begun;
	uint32_t begun_region;   /* node id of the region */
	uint32_t begun_instance; /* number of the execution */
	/*
	 * return address of the call that waits, or waited last, for the team or for tasks; of no
	 * meaning while it waits at a closing barrier
	 */
	uint64_t site;
};

/*
 * Other intervals that had not ended at the thread's latest sample. Their end clears them. In the
 * profile of a killed program they are only here.
 */
struct profile_open {
	uint32_t task;     /* node id of the executed explicit task; 0 none. Stored last */
	uint8_t is_stolen; /* another thread created the task */
	uint8_t wait;      /* enum profile_wait of the task below; 0: it does not wait */
	uint16_t reserved;
	/* ticks: the begin of the task, plus the time in waits and tasks since */
	uint64_t task_since;
	uint64_t wait_since;  /* ticks: the begin of the wait, plus the time in tasks since */
	uint64_t wait_until;  /* ticks: when a task began on top of the wait */
	uint64_t mutex;       /* wait key of the mutex that the thread got last and holds; 0 none */
	uint64_t mutex_since; /* ticks: when it got the mutex */
	uint64_t reserved_2[2];
};

enum profile_thread_flags {
	PROFILE_THREAD_ENDED = 1,
	/* member of a team of the runtime's own: it executes target tasks, and its type is 3 */
	PROFILE_THREAD_HELPER = 2,
};

/* The addresses of a thread's stack, [lo, hi); both 0 if they are not known. */
struct profile_stack {
	uint64_t lo;
	uint64_t hi;
};

/* More about a thread. */
struct profile_thread_more {
	uint64_t run_delay_at_ns; /* moment of run_delay_ns; 0: the thread's end, or never */
	uint64_t n_unseen;        /* part of n_callbacks: events of tasks that were only counted */
	/*
	 * of its counters: ns for which they were open, and ns of these for which they counted.
	 * The kernel can let several users take turns; figures in COUNTS nodes are for all the time
	 */
	uint64_t counters_open_ns;
	uint64_t counters_ran_ns;
	uint64_t n_uncounted; /* samples whose counters could not be read or stored */
	uint64_t uncounted;   /* errno: why its counters could not be opened; 0: they were */
	uint64_t team_number; /* OpenMP's in teams of several + 1, PROFILE_TEAM_NUMBERS; 0: none */
	uint64_t waited_asleep_ns; /* time in waits and without a team in which it slept */
};

/* The thread had different numbers in its teams. */
#define PROFILE_TEAM_NUMBERS UINT64_MAX

/* One thread: PROFILE_THREAD_BYTES. */
struct profile_thread {
	uint32_t index;     /* 1, 2, ... in order of registration */
	uint32_t tid;       /* the kernel's id */
	uint32_t type;      /* ompt_thread_t: 1 initial, 2 worker, 3 other; 0 if not OpenMP's */
	uint32_t flags;     /* enum profile_thread_flags */
	uint32_t root;      /* id of its THREAD node */
	uint32_t n_signals; /* signals of its clock */
	uint64_t start_ns;
	uint64_t end_ns;       /* 0 while the thread runs */
	uint64_t last_ns;      /* time of its latest sample */
	uint64_t cpu_start_ns; /* the thread's CPU clock when it was registered */
	uint64_t cpu_last_ns;  /* the thread's CPU clock at its latest sample or at its end */
	uint64_t n_samples;
	uint64_t n_same;   /* samples in the same wait as the previous sample, not walked */
	uint64_t n_frames; /* frames that the handler walked */
	/* ticks in the handler; a run that the scheduler interrupted counts as the mean */
	uint64_t handler_ticks;
	/* ticks of creation paths' captures; the timed captures represent all */
	uint64_t capture_ticks;
	uint64_t n_captures;
	uint64_t n_callbacks; /* OMPT callbacks taken */
	uint64_t n_regions;   /* parallel regions begun by this thread */
	uint64_t n_tasks;     /* explicit tasks created by this thread */
	uint64_t n_overruns;  /* periods that fell together with another period */
	uint64_t lost[16];    /* by enum profile_loss */
	uint64_t ends[8];     /* sample walks by enum profile_walk_end */
	uint64_t time_ns[16]; /* by enum profile_class */
	char name[16];
	struct profile_stack stack;
	uint64_t n_guessed;          /* samples (of n_samples) whose path has a guessed frame */
	uint64_t n_cut_captures;     /* creation paths that were cut short */
	uint64_t n_guessed_captures; /* creation paths with a guessed frame */
	/*
	 * time in which the thread was ready to run but had no CPU, up to more.run_delay_at_ns,
	 * as the kernel counts; 0 if it does not tell
	 */
	uint64_t run_delay_ns;
	uint64_t n_waits; /* WAITs that ended */
	/*
	 * start function of a thread that the program created itself, whose cpu_start_ns is 0; 0:
	 * another thread
	 */
	uint64_t start;
	/*
	 * Such a thread's record, or a worker's, serves n_lives threads one after another: counters
	 * and times are sums, start_ns is of the first thread, end_ns and tid are of the latest. 0
	 * counts as 1
	 */
	uint32_t n_lives;
	uint32_t timeline; /* number of the thread's TIMELINE segment; 0 none */
	uint64_t begun_ns; /* start of the latest thread */
	uint64_t lived_ns; /* lifetime of the threads before the latest */
	/* CPU time without a clock, or while its clock was paused at the begin or at the end */
	uint64_t unsampled_ns;
	struct profile_now now;
	struct profile_open open;
	struct profile_thread_more more;
};

/*
 * The executions of one region, as seen by the thread that encountered it: PROFILE_REGION_BYTES.
 * Regions beyond a bound have no record. The thread also compares the arrivals of all members at
 * its team's barriers: at each, or at a part of them that then represents all.
 */
struct profile_region {
	uint32_t node;  /* id of the REGION node, stored last */
	uint32_t outer; /* node id of the region that it was encountered in, 0 none */
	uint32_t min_team;
	uint32_t max_team;
	uint64_t n;              /* executions that ended */
	uint64_t wall;           /* ticks of these executions */
	uint64_t min;            /* ticks of the shortest execution */
	uint64_t max;            /* ticks of the longest execution */
	uint64_t team_wall;      /* sum of ticks times team size */
	uint64_t open_since;     /* ticks: the begin of an execution that has not ended; 0 none */
	uint64_t last_end;       /* ticks: the end of the latest execution that ended */
	uint64_t n_barriers;     /* barriers that the following fields represent */
	uint64_t imbalance;      /* thread ticks from each member's arrival to the last arrival */
	uint64_t release;        /* thread ticks from the last arrival to the barrier's end */
	uint64_t starved;        /* thread ticks from arrival to end where tasks had been created */
	uint32_t open_team;      /* size of the open execution's team */
	uint32_t n_others;       /* barriers at which a member with a higher number arrived last */
	uint32_t n_last[32];     /* by thread number: barriers at which it arrived last */
	uint64_t own[2];         /* private to the writer */
	uint64_t elsewhere;      /* part of `wall` in phases other than the node's phase */
	uint64_t team_elsewhere; /* the same part of team_wall */
	uint64_t own_timed;      /* private to the writer */
	uint64_t reserved[3];
	/* executions by length; bucket b > 0 begins at (4 + b % 4) << (b / 4) << 4 ticks */
	uint32_t lengths[128];
};

/* One thread's use of one mutex: PROFILE_LOCK_BYTES. */
struct profile_lock {
	uint64_t wait_id; /* the runtime's; 0: all mutexes without a record */
	uint32_t kind;    /* enum profile_wait; stored last */
	uint32_t thread;  /* index of the thread */
	uint64_t codeptr; /* of the acquisition after the longest wait, or of the first */
	uint64_t n_acquired;
	uint64_t n_contended; /* acquisitions that had to wait */
	uint64_t wait;        /* ticks waited in these */
	uint64_t max_wait;
	uint64_t n_held; /* holds that the following fields represent */
	uint64_t held;   /* ticks from acquisition to release */
	uint64_t max_held;
	uint32_t impl;  /* of mutex_acquire: see `impl` of the RUN text; 0 not known */
	uint32_t hints; /* of mutex_acquire: all omp_sync_hint_t that were given */
	/* the part of n_acquired that may be acquisitions of other mutexes; see mutex_fast.h */
	uint64_t n_estimated;
	uint64_t reserved[4];
};

enum profile_device_flags {
	PROFILE_DEVICE_TRACED = 1,    /* its trace could be started */
	PROFILE_DEVICE_KERNELS = 2,   /* it records kernels */
	PROFILE_DEVICE_TRANSFERS = 4, /* it records data operations */
	/* it records kernels or data operations in records of its own kind */
	PROFILE_DEVICE_OWN_KIND = 8,
	/* the runtime translates its times; the latest pair of clocks places them */
	PROFILE_DEVICE_TRANSLATES = 16,
	PROFILE_DEVICE_ENDED = 32, /* it was finalized */
};

/* Why a part of a device's trace does not count, or does not count in full. */
enum profile_trace_loss {
	PROFILE_TRACE_UNKNOWN = 0, /* a record of no known type */
	PROFILE_TRACE_SHORT = 1,   /* a record that does not end within its buffer */
	/* a buffer with an endless list of records, or fuller than it can be */
	PROFILE_TRACE_CURSOR = 2,
	/* an operation whose times are missing, in wrong order or cannot be translated */
	PROFILE_TRACE_TIMES = 3,
	/* a buffer of a device that was finalized, or whose lock stayed taken */
	PROFILE_TRACE_LATE = 4,
	PROFILE_TRACE_FOREIGN = 5, /* a buffer that is not the tool's, or not lent */
	/* an operation of an unknown target construct: only in `ops` */
	PROFILE_TRACE_UNMATCHED = 6,
	PROFILE_TRACE_DECLINED = 7, /* a request for a buffer when none was left */
	PROFILE_TRACE_N_LOSSES = 8,
};

/* Sums over operations of a device. */
struct profile_device_ops {
	uint64_t n;
	uint64_t time; /* ticks of the operations with times */
	uint64_t longest;
	uint64_t bytes;
};

/* A device, and the content of its trace: PROFILE_DEVICE_BYTES. Times are the host's ticks. */
struct profile_device {
	uint32_t index; /* 1, 2, ...; stored last */
	int32_t number; /* the runtime's number */
	uint32_t flags; /* enum profile_device_flags */
	uint32_t n_procs;
	uint64_t since;  /* ticks: since when it has been traced; 0: it is not traced */
	uint64_t traced; /* ticks of tracing before `since` */
	/* ticks in which it executed any kernel, transfer or operation of its own kind */
	uint64_t busy;
	uint64_t n_records;
	uint64_t n_lent;     /* buffers lent to it */
	uint64_t n_complete; /* completions of buffers, or of parts of buffers */
	uint64_t n_resets;   /* restarts of its clock */
	uint64_t lost[PROFILE_TRACE_N_LOSSES];
	/* By kind, from KERNEL on. */
	struct profile_device_ops ops[PROFILE_N_EVENTS - PROFILE_DEVICE_KERNEL];
	uint32_t n_of_type[40]; /* records by ompt_callbacks_t; 0: of the device's own kind */
	char native[32];        /* the device's name for its first record of its own kind */
	char type[128];         /* vendor and model, as the device names them */
};

enum profile_phase_flags {
	PROFILE_PHASE_OTHER = 1,    /* all phases for which no number was left */
	PROFILE_PHASE_NUMBERED = 2, /* the program gave a number and no name */
	PROFILE_PHASE_CUT = 4, /* the name was longer than the field, or not readable to its end */
};

/* A phase of the program by name, within the phase around it: PROFILE_PHASE_BYTES. */
struct profile_phase {
	uint32_t number; /* 1, 2, ...: addr of its PHASE nodes; stored last */
	uint32_t outer;  /* number of the phase around it; 0 none */
	uint32_t flags;  /* enum profile_phase_flags */
	uint32_t reserved;
	uint64_t n;          /* how often it was begun */
	uint64_t ticks;      /* ticks in the phase, without phases within it */
	uint64_t open_since; /* ticks: since when the program is in it; 0: it is not in it */
	int64_t id;          /* the number that the program gave; 0 none */
	char name[256];
};

/*
 * The kinds of a thread's time in its timeline. The first three are time of samples, in ns, as
 * profile_thread.time_ns has it. The others are time of measured waits, in ticks. A thread that
 * spins in a wait is counted twice: as IN_WAIT, and by the reason of its wait. Values are stable.
 */
enum profile_time {
	PROFILE_TIME_WORK = 0, /* PROFILE_WORK */
	PROFILE_TIME_OVERHEAD = 1,
	PROFILE_TIME_IN_WAIT = 2, /* samples of all other classes */
	PROFILE_TIME_BARRIER = 3, /* waits for barriers of all kinds */
	PROFILE_TIME_TASKS = 4,   /* taskwait, taskgroup */
	PROFILE_TIME_MUTEX = 5,   /* lock, nest_lock, critical, ordered, atomic */
	PROFILE_TIME_IDLE = 6,
	PROFILE_TIME_TARGET = 7,
	PROFILE_N_TIMES = 8,
};

/* Whether waits of this enum profile_wait are counted as `time` in a timeline. */
static inline int profile_wait_is(uint32_t wait, enum profile_time time)
{
	uint32_t waits = 0;

#define WAIT(NAME, value, script, label, word, class, of, ...)                                     \
	waits |= (uint32_t)(time == PROFILE_TIME_##of) << (value);
#include "profile/shared/waits.def"
	return wait < PROFILE_N_WAITS && waits >> wait & 1;
}

#define PROFILE_TIMELINE_BUCKETS 506  /* an even number */
#define PROFILE_TIMELINE_UNIT    4096 /* ns or ticks of a count in a bucket */

/*
 * A thread's time by kind and moment, in a segment of its own. Bucket i is for the ticks from i <<
 * shift to (i + 1) << shift since header.start_ticks.
 *
 * When time runs past the last bucket, each pair of buckets is merged into one bucket and shift
 * grows by 1. The writer first sets `merged` to 0 and fills `first`. Then it counts `begun` up,
 * before any bucket changes. At the end it sets `settled` to `begun`, in one store with shift.
 * Where the two differ, the merge has not ended. Buckets below `merged` hold merged pairs, and
 * pairs from bucket 2 * merged on are not merged. Buckets from `merged` to 2 * merged are void, and
 * if all pairs are merged, also all buckets from the middle on. The count of bucket 0 is in
 * `first`.
 *
 * This is true at every moment, but not of a copy, which takes time. So a reader of a running
 * program's file reads `settled` first, then the segment, then `begun`. If the two differ, it reads
 * all of it again. Only the segment of a thread that stands still meanwhile is not read again: it
 * does not change any more.
 */
struct profile_timeline_segment {
	struct profile_segment segment; /* record_bytes 64, used 255; owner: the thread's index */
	uint32_t settled;
	uint32_t shift;
	uint32_t merged;
	uint32_t reserved;
	uint32_t rest[PROFILE_N_TIMES]; /* ns or ticks that do not make a whole unit yet */
	uint64_t n_moments;             /* moments in the trace */
	uint64_t n_dropped;             /* moments that the trace had no space for */
	uint32_t count[PROFILE_TIMELINE_BUCKETS][PROFILE_N_TIMES];
	uint32_t begun;
	/* the first merged pair, which has no other place until the merge ends */
	uint32_t first[PROFILE_N_TIMES];
	uint32_t reserved_2;
	uint64_t dropped_from; /* ticks: when the earliest of n_dropped began; 0 not known */
	uint32_t reserved_3[4];
};

enum profile_moment_kind {
	PROFILE_MOMENT_SAMPLE = 1,
	PROFILE_MOMENT_WAIT = 2,
};

/* A sample or a timed wait in a trace: PROFILE_MOMENT_BYTES, in segments of the thread. */
struct profile_moment {
	uint64_t end;    /* ticks: when the sample was taken, or the wait ended */
	uint64_t length; /* SAMPLE: ns that it represents; WAIT: ticks from begin to end */
	uint64_t amount; /* WAIT: ticks that it adds, also for other waits; SAMPLE: events */
	uint32_t node;   /* SAMPLES or WAIT node that it is added to; 0 not known */
	uint8_t kind;    /* enum profile_moment_kind */
	uint8_t time;    /* enum profile_time */
	uint8_t what;    /* SAMPLE: enum profile_class; WAIT: enum profile_wait */
	uint8_t reserved;
};

/*
 * A collective call of MPI on MPI_COMM_WORLD. All ranks call these in one order, so a call has the
 * same number in all of them. Its ticks advance in pauses, too.
 */
struct profile_collective {
	uint64_t begin;  /* ticks */
	uint64_t end;    /* ticks */
	uint64_t caller; /* return address of the call */
	uint32_t number; /* 1, 2, ... in the order of the calls; stored last */
	uint32_t root;   /* the rank that gathers from all others, + 1; 0: no rank, or not known */
};

/* Whether the call is kept at this level: one in 2^level, by a hash, the same in all ranks. */
static inline int profile_is_kept(uint32_t number, uint32_t level)
{
	return number * UINT64_C(0x9e3779b97f4a7c15) >> 1 >> (63 - (level & 63)) == 0;
}

enum profile_module_flags {
	PROFILE_MODULE_MAIN = 1,         /* the executable */
	PROFILE_MODULE_RUNTIME = 2,      /* the OpenMP runtime that started the tool */
	PROFILE_MODULE_TOOL = 4,         /* ompprof itself */
	PROFILE_MODULE_VDSO = 8,         /* no file */
	PROFILE_MODULE_CUT = 16,         /* the path was longer than the field */
	PROFILE_MODULE_FOR_LIBGOMP = 32, /* the OpenMP runtime, found under the name libgomp.so.1 */
	PROFILE_MODULE_PYTHON = 64, /* a Python function: FILE:LINE:NAME; an address is a line */
};

/* One loaded object: PROFILE_MODULE_BYTES. */
struct profile_module {
	uint64_t start; /* first address of its mapping */
	uint64_t end;   /* first address after its mapping */
	uint64_t bias;  /* run-time address minus address in the file's symbol table */
	uint32_t flags; /* enum profile_module_flags */
	/* number in the order of recording; at an address the latest module is valid */
	uint32_t generation;
	uint32_t build_id_bytes; /* 0 if not known */
	uint8_t build_id[32];
	char path[900];
};

_Static_assert(sizeof(struct profile_header) <= PROFILE_HEADER_BYTES, "header outgrew its page");
_Static_assert(sizeof(struct profile_segment) == 64, "segment header");
_Static_assert(sizeof(struct profile_node) == PROFILE_NODE_BYTES, "node");
_Static_assert(PROFILE_MAX_BYTES / PROFILE_NODE_BYTES <= 1 << 24, "bits of a region's id");
_Static_assert(sizeof(struct profile_now) == 128, "two cache lines");
_Static_assert(sizeof(struct profile_open) == 64, "a cache line");
_Static_assert(offsetof(struct profile_thread, now) % 64 == 0, "cache lines of their own");
_Static_assert(sizeof(struct profile_thread) <= PROFILE_THREAD_BYTES, "thread");
_Static_assert(sizeof(struct profile_region) <= PROFILE_REGION_BYTES, "region");
_Static_assert(sizeof(struct profile_lock) <= PROFILE_LOCK_BYTES, "lock");
_Static_assert(sizeof(struct profile_module) <= PROFILE_MODULE_BYTES, "module");
_Static_assert(sizeof(struct profile_device) <= PROFILE_DEVICE_BYTES, "device");
_Static_assert(sizeof(struct profile_timeline_segment) == PROFILE_SEGMENT_BYTES, "timeline");
_Static_assert(sizeof(struct profile_moment) == PROFILE_MOMENT_BYTES, "moment");
_Static_assert(sizeof(struct profile_collective) == 32, "collective");
_Static_assert(sizeof(struct profile_phase) <= PROFILE_PHASE_BYTES, "phase");

#endif
