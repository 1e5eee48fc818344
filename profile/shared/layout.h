/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile file, byte for byte: the whole agreement between the half of ompprof that runs
 * inside the profiled program (profile/core/writer.c) and the half that reads (profile/reader/reader.c).
 * Included by both, depends on nothing but <stddef.h> and <stdint.h>. Described in prose in ompprof-profile(5).
 *
 * A file is a sequence of segments of PROFILE_SEGMENT_BYTES. Segment 0 holds the file header.
 * Every other segment begins with a struct profile_segment and holds records of one kind and one
 * size; record i of a segment starts at i * record_bytes, i = 1 .. used (slot 0 is the header's).
 *
 * All integers are little-endian. A writer fills a record completely before it raises `used`
 * with release order, and sets a segment's `kind` after the rest of its header, so a reader of a
 * file that stopped at any moment sees a valid prefix. Counters are changed in place by the one
 * thread that owns the record; a 64-bit store is never torn.
 *
 * Times named *_ns are CLOCK_MONOTONIC nanoseconds since header.start_monotonic_ns, unless the
 * field says otherwise; those in ticks are readings of the machine's tick counter, of which
 * header.ticks_per_s go by in a second. Both stand still while the program pauses the tool. A node id is a file offset divided by PROFILE_NODE_BYTES; 0 is "none". A
 * node's parent lies before it in the file: a thread claims its segments in order.
 */
#ifndef OMPPROF_PROFILE_SHARED_LAYOUT_H
#define OMPPROF_PROFILE_SHARED_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* The file in a folder of profiles that says whose run they are of. */
#define PROFILE_JOB_MARKER ".ompprof-job"

/* The folder that `ompprof run` writes and the other commands read, if none is named. */
#define PROFILE_DEFAULT_FOLDER "ompprof.out"

#define PROFILE_MAGIC         "OMPPROF\n"
#define PROFILE_VERSION       5
#define PROFILE_VERSION_READ  4 /* the oldest that is read: it has no timelines and no moments */
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
#define PROFILE_MAX_BYTES     (256 << 20) /* of a file: nobody writes, or reads, beyond it */

/* What a segment holds. */
enum profile_segment_kind {
	PROFILE_SEGMENT_FREE = 0,     /* not begun; a reader skips it */
	PROFILE_SEGMENT_RUN = 1,      /* text, see struct profile_segment.used */
	PROFILE_SEGMENT_THREADS = 2,  /* struct profile_thread */
	PROFILE_SEGMENT_MODULES = 3,  /* struct profile_module */
	PROFILE_SEGMENT_NODES = 4,    /* struct profile_node */
	PROFILE_SEGMENT_REGIONS = 5,  /* struct profile_region */
	PROFILE_SEGMENT_LOCKS = 6,    /* struct profile_lock */
	PROFILE_SEGMENT_DEVICES = 7,  /* struct profile_device */
	PROFILE_SEGMENT_PHASES = 8,   /* struct profile_phase */
	PROFILE_SEGMENT_TIMELINE = 9, /* one struct profile_timeline_segment, all of it */
	PROFILE_SEGMENT_MOMENTS = 10, /* struct profile_moment; the first at byte 64 */
	PROFILE_SEGMENT_N_KINDS = 11,
};

/* The class of a sample; described in the table. */
enum profile_class {
#define CLASS(NAME, value, ...) PROFILE_##NAME = (value),
#include "profile/shared/classes.def"
	PROFILE_N_CLASSES
};

/* What a measured wait was for; described in the table. */
enum profile_wait {
	PROFILE_NO_WAIT = 0,
#define WAIT(NAME, value, ...) PROFILE_##NAME = (value),
#include "profile/shared/waits.def"
	PROFILE_N_WAITS
};

/*
 * The key of a wait: kind in the highest byte; below it for LOCK, NEST_LOCK, CRITICAL and ATOMIC the
 * runtime's wait id of the mutex (0: of those without a record), in a BLAME node for all others up to
 * REDUCTION the node id of the region whose team waits.
 */
#define PROFILE_WAIT_KEY(kind, id) ((uint64_t)(kind) << 56 | ((uint64_t)(id)&0xffffffffffffffULL))
#define PROFILE_WAIT_KIND(key)     ((uint32_t)((key) >> 56))
#define PROFILE_WAIT_ID(key)       ((key)&0xffffffffffffffULL)

/*
 * What is counted at the place of the program that caused it; the table describes each. A callback of the runtime has the
 * specification's number (ompt_callbacks_t), and what a device says of its own work has a number from 64 on. The
 * detail of a key is the callback's argument that tells its events apart, as the runtime gave it.
 */
enum profile_event {
	PROFILE_NO_EVENT = 0,
#define COUNTED(NAME, number, ...) PROFILE_##NAME = (number),
#define EVENT(NAME, number, ...)   PROFILE_##NAME = (number),
#include "profile/shared/events.def"
	PROFILE_N_EVENTS
};

/* The key of an event: kind in the highest byte, below it what tells events of one kind apart. */
#define PROFILE_EVENT_KEY(kind, detail) PROFILE_WAIT_KEY(kind, detail)
#define PROFILE_EVENT_KIND(key)         PROFILE_WAIT_KIND(key)
#define PROFILE_EVENT_DETAIL(key)       PROFILE_WAIT_ID(key)

/* The device of an event whose device is not known. */
#define PROFILE_NO_DEVICE (-0x7fffffff - 1)

/* What a node of the calling-context tree is. */
enum profile_node_kind {
	PROFILE_NODE_THREAD = 1, /* a thread's root; addr = index of its struct profile_thread */
	PROFILE_NODE_FRAME = 2,  /* a frame; addr = instruction address, see PROFILE_FRAME_* */
	PROFILE_NODE_REGION = 3, /* parallel region, under its creation path; addr = codeptr_ra */
	PROFILE_NODE_TASK = 4, /* explicit task site, under its creation path; addr = codeptr_ra */
	PROFILE_NODE_CONTEXT = 5, /* under a thread's root; addr = id of the region, task or target
				       node (often another thread's) that what follows belongs to */
	PROFILE_NODE_SAMPLES = 6, /* a leaf that carries counters; addr = enum profile_class */
	PROFILE_NODE_TRUNCATED = 7, /* the walk ended early here; addr = enum profile_walk_end;
				       stands where the missing outer frames would */
	PROFILE_NODE_WAIT = 8,  /* a leaf: measured waiting here; addr = wait key, without region */
	PROFILE_NODE_BLAME = 9, /* a leaf: what others waited because of this; addr = wait key;
				   flags: enum profile_blame_flags */
	PROFILE_NODE_EVENT = 10, /* a leaf: events counted here; addr = event key */
	PROFILE_NODE_TARGET =
		11, /* target construct under the call path of its thread; addr = codeptr_ra */
	PROFILE_NODE_PHASE = 12, /* under a thread's root: what hangs under it belongs to a phase of
				    the program; addr = the phase's number */
};

/*
 * Flags of a PROFILE_NODE_SAMPLES: the state that the runtime gave, where the class does not tell it. Values are
 * stable.
 */
enum profile_state {
	PROFILE_STATE_PLAIN = 0,
	PROFILE_STATE_UNKNOWN = 1, /* neither the specification nor the runtime names it */
	PROFILE_STATE_UNDEFINED = 2,
	PROFILE_STATE_REDUCTION = 3,
	PROFILE_STATE_BARRIER_TEAMS = 4,
	PROFILE_STATE_MUTEX = 5, /* wait_mutex, of no kind */
	PROFILE_STATE_TARGET_MAP = 6,
	PROFILE_STATE_TARGET_UPDATE = 7,
	PROFILE_STATE_N_STANDARD = 8,
	PROFILE_STATE_OWN = 16, /* and above: the runtime's own, see `state` of the RUN text */
};

/* Flags of a PROFILE_NODE_BLAME. */
enum profile_blame_flags {
	PROFILE_BLAME_SAMPLED = 1, /* of a mutex: sampled while it was held; without this flag of a
				      mutex: measured when it was released, of others: sampled */
	PROFILE_BLAME_DEPENDENCE = 2, /* not of a mutex: tasks could not begin before one that the
					 thread executed had ended */
};

/* Flags of a PROFILE_NODE_FRAME. */
enum profile_frame_flags {
	PROFILE_FRAME_EXACT = 1, /* addr is where the thread stood (innermost frame, or a frame
				       interrupted by a signal); otherwise a return address, and
				       the call is at addr - 1 */
	PROFILE_FRAME_RUNTIME =
		2, /* between an enter frame and the next exit frame: the runtime's */
	PROFILE_FRAME_GUESSED = 4,  /* found without call frame information */
	PROFILE_FRAME_OUTLINED = 8, /* the outermost user frame of a region or task: the function
				       that the compiler made of its body */
};

/* Flags of a PROFILE_NODE_REGION and PROFILE_NODE_TASK. */
enum profile_region_flags {
	PROFILE_REGION_LEAGUE = 1,   /* a teams region (OpenMP 5.1, ompt_parallel_league) */
	PROFILE_TASK_TARGET = 4,     /* a target task */
	PROFILE_TASK_UNDEFERRED = 8, /* if(0) and the like, at least once */
};

/* Flags of a PROFILE_NODE_TARGET: what construct it is; NOWAIT may be added. */
enum profile_target_flags {
	PROFILE_TARGET_ROUTINE = 0,   /* none: a routine, as omp_target_memcpy */
	PROFILE_TARGET_CONSTRUCT = 1, /* target */
	PROFILE_TARGET_ENTER_DATA = 2,
	PROFILE_TARGET_EXIT_DATA = 3,
	PROFILE_TARGET_UPDATE = 4,
	PROFILE_TARGET_OTHER = 7, /* of a kind that is not known */
	PROFILE_TARGET_KIND = 7,  /* the mask of these */
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

/* Why a sample (or a part of the picture) was lost. */
enum profile_loss {
	PROFILE_LOST_NO_SPACE = 0, /* no room in the file: disk full, limit, or growing just then */
	PROFILE_LOST_UNREGISTERED = 1, /* the signal met a thread that the tool does not know */
	PROFILE_LOST_NESTED = 2, /* none lost: the signal met one of the tool's callbacks, and its
				  sample counts as overhead of the context */
	PROFILE_LOST_CONTEXT =
		3, /* a region or task has no creation path: its node is not known, and
				  its samples are kept further out, or under the thread */
	PROFILE_LOST_THREADS = 4, /* a thread could not be registered or its clock not started */
	PROFILE_LOST_MODULES = 5, /* a loaded object could not be recorded */
	PROFILE_LOST_HANDLER = 6, /* the program replaced the tool's signal handler */
	PROFILE_LOST_STACK = 7,   /* of former versions: the signal met a small alternate stack */
	PROFILE_LOST_REGIONS = 8, /* a region got no record: it has no statistics of its own */
	PROFILE_LOST_LOCKS = 9,  /* an event of a mutex without a record: counted with the others */
	PROFILE_LOST_WAITS = 10, /* a wait whose end or place is not known: not counted */
	PROFILE_LOST_BLOCKED =
		11, /* a thread that is not OpenMP's blocks the signal since its begin: no samples */
	PROFILE_LOST_NO_ROOM = 12, /* likewise, with too small a stack for the handler */
	PROFILE_LOST_TRACE_BUFFERS =
		13, /* a device asked for a buffer and none was left: it dropped records */
	PROFILE_LOST_TRACE_RECORDS =
		14, /* a record of a device, or what followed it, could not be read or placed */
	PROFILE_LOST_EVENTS = 15, /* an event that was to be counted, but whose leaf had no room */
	PROFILE_N_LOSSES = 16,
};

enum profile_header_flags {
	PROFILE_COMPLETE = 1,     /* the tool finished in an orderly way */
	PROFILE_OMPT_STARTED = 2, /* an OpenMP runtime started the tool */
	PROFILE_SPACE_OUT = 4,    /* the file could not grow: what came later is missing in part */
	PROFILE_PAUSED = 8,       /* the program has paused the tool, or never started it */
	PROFILE_ENDED = 16,       /* the program ended the tool, and went on */
	PROFILE_LOCKED_DOWN = 32, /* ... as it took the counter or system calls from a thread */
	PROFILE_OTHER_TOOL = 64,  /* the program has an OpenMP tool of its own */
};

enum profile_clock_kind {
	PROFILE_CLOCK_CPU = 1,   /* the thread's CPU time */
	PROFILE_CLOCK_WALL = 2,  /* wall-clock time */
	PROFILE_CLOCK_EVENT = 3, /* a perf event; period counts events */
};

/* Tables of call frame information; as of the end, while the program runs as of the start. */
struct profile_tables {
	uint64_t objects; /* that have one, 0 if all is read where it lies */
	uint64_t rows;
	uint64_t bytes;    /* not part of bytes_private */
	uint64_t build_ns; /* CPU time that making tables took, those that are gone included */
	uint64_t missing;  /* objects with call frame information and without a table */
};

/* Bit k: events of enum profile_event k */
struct profile_counted {
	uint64_t asked;     /* were to be counted; */
	uint64_t never;     /* of these: those that the runtime never reports, */
	uint64_t sometimes; /* or not always */
};

/* Phases that are not told apart. */
struct profile_phases_lost {
	uint32_t n_unbegun; /* ends of phases of which none was open */
	uint32_t n_deep;    /* phases begun within too many others: not counted as such */
	uint32_t reserved;
};

/* At offset 0 of the file. */
struct profile_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;       /* sizeof(struct profile_header) */
	uint32_t segment_bytes;      /* PROFILE_SEGMENT_BYTES */
	uint32_t flags;              /* enum profile_header_flags */
	uint32_t n_segments;         /* claimed so far, segment 0 included */
	uint32_t n_reserved;         /* segments that the file has room for */
	uint64_t start_realtime_ns;  /* since the epoch */
	uint64_t start_monotonic_ns; /* the machine's clock at the start of the profile */
	uint64_t end_ns;             /* 0 while the program runs, and for ever if it was killed */
	uint64_t last_ns;            /* last moment at which the tool is known to have been alive */
	uint64_t cpu_before_ns;      /* the process' CPU time before the profile began */
	uint32_t pid;
	uint32_t n_cpus;        /* that the process may run on */
	uint32_t clock_kind;    /* enum profile_clock_kind */
	uint32_t signal;        /* number of the signal used */
	uint64_t period;        /* ns between two samples of a thread, or events */
	uint32_t frequency_hz;  /* asked for; 0 if a period was asked for */
	uint32_t n_threads;     /* struct profile_thread records made */
	uint64_t ticks_per_s;   /* of the counters named *_ticks; 0 if not known yet */
	uint64_t lost[16];      /* by enum profile_loss, those that belong to no thread */
	uint64_t bytes_private; /* memory the tool took for itself beside this file and tables */
	char clock_name[32];    /* as `-e` spells it */
	char walker[16];
	char host[64];
	char runtime[128]; /* what the runtime calls itself, "" without OpenMP */
	char note[256];    /* one sentence on what the run had to do without, or "" */
	char tool[32];     /* ompprof's version */
	uint64_t run_id; /* the same for all processes of one `ompprof run`; else the start time */
	struct profile_tables tables;
	uint64_t start_ticks;  /* the tick counter at start_monotonic_ns */
	uint32_t waits;        /* bit k: waits of enum profile_wait k are measured */
	uint32_t rank;         /* its rank in a job of several processes + 1; 0: it has none */
	uint32_t n_ranks;      /* of the job; 0 not known */
	uint32_t machine_cpus; /* of the machine that are online; 0 not known */
	struct profile_counted counted;
	uint64_t
		paused_ns; /* the machine's clock, of pauses that ended: in no other time of the file */
	uint32_t n_pauses; /* begun */
	struct profile_phases_lost phases;
};

/*
 * Owner of the nodes of a device's tree, with its index in the lower bits: CONTEXT nodes of TARGET nodes, and EVENT
 * nodes below. They count as if the thread had made them that made the TARGET node.
 */
#define PROFILE_OWNER_DEVICE 0x80000000u

/* At the start of every segment but segment 0. */
struct profile_segment {
	uint32_t kind;         /* enum profile_segment_kind, stored last */
	uint32_t record_bytes; /* 1 for text */
	uint32_t used;         /* records, or for text bytes after the first 64 */
	uint32_t owner; /* index of the thread whose nodes these are, or 0; PROFILE_OWNER_DEVICE */
	uint8_t reserved[48];
};

/*
 * Text in a RUN segment, from byte 64 on: entries "KEY=VALUE\0", in order. Keys: `arg` (one per
 * command-line argument), `env` (one per variable OMP_*, KMP_*, GOMP_*, OMPPROF_*; value
 * "NAME=TEXT"), `cwd`, `exe`; `state` (one per state of the runtime's own; "MARK VALUE CLASS NAME": its enum
 * profile_state, what ompt_get_state answers, the class in a team), `impl` (one per implementation of mutexes;
 * "NUMBER NAME"; a later one of the same number holds). An entry is never split; one too long for a segment is cut.
 */

/* One node of the calling-context tree: PROFILE_NODE_BYTES. */
struct profile_node {
	uint64_t addr;    /* by kind, see enum profile_node_kind */
	uint32_t parent;  /* node id; 0 for a thread's root */
	uint32_t child;   /* the writer's index of children; a reader ignores it */
	uint32_t link[2]; /* likewise */
	uint8_t kind;     /* enum profile_node_kind */
	uint8_t flags;    /* by kind */
	uint16_t module;  /* FRAME, REGION, TASK: generation of the module that addr was in;
			      0: not known, the latest one there */
	uint32_t n;       /* SAMPLES, BLAME: samples (of a mutex: releases); REGION, TASK:
			      executions begun or created; WAIT: waits; CONTEXT: executions by
			      this thread of the region's implicit or of explicit tasks that ended;
			      EVENT: those that were looked at; TARGET: executions begun */
	uint64_t time_ns; /* SAMPLES: CPU (or wall) time of the thread that they stand for; WAIT:
			      ticks waited; CONTEXT: ticks in the region, or executing the tasks;
			      EVENT, TARGET: ticks from begin to end, of those that have a length;
			      PHASE: ticks of the thread's life */
	uint64_t events;  /* SAMPLES: perf events that they stand for, 0 for the time clocks; WAIT,
			      CONTEXT, TARGET: the longest, ticks; EVENT: the amount, by kind (iterations,
			      bytes) */
	uint64_t
		blame_ns; /* BLAME: waiting of others, ns (of a mutex, not sampled, and of a device: ticks);
			      CONTEXT of a task: how many of n another thread created; EVENT: the
			      longest, ticks */
	uint64_t spare; /* TASK, TARGET: node id of the context that it was created in; REGION: its
			      record's place in the file / PROFILE_REGION_BYTES, 0 none; CONTEXT of a
			      task: how many of it this thread created, beside those that the task's
			      own n counts; EVENT: how many events its n, times and amount stand for
			      beyond n */
};

/*
 * What a thread is at: two cache lines of its record that its own events write and the others of its
 * team read. Of a program that was killed they tell the waits that never ended.
 */
struct profile_now {
	uint64_t team;     /* identity of the innermost region that it is a member of; 0: of none */
	uint32_t instance; /* which execution of it */
	uint16_t thread_num;
	uint8_t wait;    /* enum profile_wait that it is in; 0: it works */
	uint8_t is_idle; /* an OpenMP worker without a team */
	uint64_t since;  /* ticks: the begin of the wait, less what went by in other tasks */
	uint64_t arrived
		[2]; /* ticks of its arrival at the team's latest barriers, an even and an odd one;
				bits 5..1: number of the barrier; bit 0: created tasks before it */
	uint32_t region; /* node id of the region */
	uint32_t leaf;   /* WAIT node that the wait will count for; 0 not known yet */
	uint32_t root;   /* PHASE node that what it does hangs under; 0: the thread's root */
	uint32_t
		helped; /* node id of the region whose task a helper executes; 0: it executes none */
	uint64_t root_since; /* ticks: since when that is so, or the thread is there */

	uint64_t mutex;       /* wait id of the mutex that it waits for, or waited for last */
	uint64_t mutex_since; /* ticks */
	uint64_t
		mutex_until; /* ticks; 0 while it waits; 1 it holds it, 2 it has held it since a moment
				 that is not known */
	uint32_t mutex_kind; /* enum profile_wait */
	uint32_t mutex_leaf; /* as leaf */
	uint64_t held;       /* bit k: holds a mutex of enum profile_wait k */
	uint64_t
		begun; /* ticks: when it became a member of the latest team whose execution is timed: */
	uint32_t begun_region;   /* node id of the region */
	uint32_t begun_instance; /* which execution of it */
	uint64_t reserved_2;
};

/*
 * What else has not ended, as the thread's latest sample has found it and no end has come since: of a program that was
 * killed nothing else tells.
 */
struct profile_open {
	uint32_t task;     /* node id of the explicit task that it executes; 0 none. Stored last */
	uint8_t is_stolen; /* another thread has created it */
	uint8_t wait; /* enum profile_wait: for what the task waits that is below it; 0 nothing */
	uint16_t reserved;
	uint64_t
		task_since; /* ticks: the begin of the task, less what has gone by in waits and tasks; */
	uint64_t wait_since;  /* of that wait, less what has gone by in tasks */
	uint64_t wait_until;  /* ticks: when a task came on top of it */
	uint64_t mutex;       /* wait key of the mutex that it got last and holds; 0 none */
	uint64_t mutex_since; /* ticks */
	uint64_t reserved_2[2];
};

enum profile_thread_flags {
	PROFILE_THREAD_ENDED = 1,
	PROFILE_THREAD_HELPER =
		2, /* of a team that the runtime has for itself, which executes target
				      tasks: type is 3 */
};

/* The addresses of a thread's stack, [lo, hi); both 0 if they are not known. */
struct profile_stack {
	uint64_t lo;
	uint64_t hi;
};

/* One thread: PROFILE_THREAD_BYTES. */
struct profile_thread {
	uint32_t index;     /* 1, 2, ... in order of registration */
	uint32_t tid;       /* the kernel's */
	uint32_t type;      /* ompt_thread_t: 1 initial, 2 worker, 3 other; 0 if not OpenMP's */
	uint32_t flags;     /* enum profile_thread_flags */
	uint32_t root;      /* node id */
	uint32_t n_signals; /* handler entries */
	uint64_t start_ns;
	uint64_t end_ns;       /* 0 while it runs */
	uint64_t last_ns;      /* of its latest sample */
	uint64_t cpu_start_ns; /* the thread's CPU clock when it was registered */
	uint64_t cpu_last_ns;  /* the thread's CPU clock at its latest sample or at its end */
	uint64_t n_samples;
	uint64_t n_same;        /* of these: same wait as the sample before, not walked */
	uint64_t n_frames;      /* walked by the handler */
	uint64_t handler_ticks; /* spent in the handler; runs that the scheduler interrupted count
				   as the mean of those before them */
	uint64_t capture_ticks; /* spent in capturing creation paths, likewise; of most captures
				   the writer times only a part, which then stands for them all */
	uint64_t n_captures;
	uint64_t n_callbacks; /* OMPT callbacks taken */
	uint64_t n_regions;   /* parallel regions begun by this thread */
	uint64_t n_tasks;     /* explicit tasks created by this thread */
	uint64_t n_overruns;  /* periods that fell together with another */
	uint64_t lost[16];    /* by enum profile_loss */
	uint64_t ends[8];     /* sample walks by enum profile_walk_end */
	uint64_t time_ns[16]; /* by enum profile_class */
	char name[16];
	struct profile_stack stack;
	uint64_t n_guessed;          /* samples (of n_samples) whose path has a guessed frame */
	uint64_t n_cut_captures;     /* creation paths that were cut short */
	uint64_t n_guessed_captures; /* creation paths with a guessed frame */
	uint64_t run_delay_ns;       /* ready to run but not running, as the kernel counted it up to
				  run_delay_at_ns; 0 if it does not say */
	uint64_t n_waits;            /* WAITs that ended */
	uint64_t start; /* address of the start function of a thread that the program created beside
			   OpenMP's; 0: another thread. The record is of n_lives such, one after
			   the other: the times of its counters are sums, */
	uint32_t n_lives;      /* start_ns is the first one's, end_ns and tid the latest one's,
				  and cpu_start_ns is 0 */
	uint32_t timeline;     /* number of its TIMELINE segment; 0: it has none */
	uint64_t begun_ns;     /* the latest one's start */
	uint64_t lived_ns;     /* length of those before */
	uint64_t unsampled_ns; /* CPU time without a clock, or with one that was paused since the
				  thread's begin or up to its end */
	struct profile_now now;
	struct profile_open open;
	uint64_t run_delay_at_ns; /* 0: the thread's end, or never */
};

/*
 * The executions of one region, as the thread that encountered it saw them: PROFILE_REGION_BYTES. There
 * is one for each REGION node, as long as there are not too many. Of its team's barriers the thread also
 * compares when each member arrived; of those that follow each other quickly only a part, which then
 * stands for the others.
 */
struct profile_region {
	uint32_t node;  /* id of the REGION node, stored last */
	uint32_t outer; /* node id of the region that encountered it, 0 none */
	uint32_t min_team;
	uint32_t max_team;
	uint64_t n;          /* executions that ended */
	uint64_t wall;       /* their ticks */
	uint64_t min;        /* ticks of the shortest */
	uint64_t max;        /* and of the longest */
	uint64_t team_wall;  /* sum of ticks times team size */
	uint64_t open_since; /* ticks: the begin of an execution that has not ended; 0 none */
	uint64_t last_end;   /* ticks */
	uint64_t n_barriers; /* that the following stand for */
	uint64_t imbalance;  /* thread ticks between each member's arrival and the last one's */
	uint64_t release;    /* thread ticks between the last arrival and the barrier's end */
	uint64_t starved;    /* thread ticks between arrival and end where tasks had been created */
	uint32_t open_team;  /* size of the open execution's */
	uint32_t n_others;   /* barriers at which a member with a higher number arrived last */
	uint32_t n_last[32]; /* by thread number: barriers at which it arrived last */
	uint64_t own[2];     /* the writer's own */
	uint64_t elsewhere;  /* of `wall`: in other phases than that of the node, */
	uint64_t team_elsewhere; /* and of team_wall */
	uint64_t own_timed;      /* the writer's own, too */
	uint64_t reserved[3];
	/* Executions by their length: bucket b begins at (4 + b % 4) << (b / 4) << 4 ticks, bucket 0 at
	   0. */
	uint32_t lengths[128];
};

/* What one thread did with one mutex: PROFILE_LOCK_BYTES. */
struct profile_lock {
	uint64_t wait_id; /* the runtime's; 0: all those without a record */
	uint32_t kind;    /* enum profile_wait; stored last */
	uint32_t thread;  /* index */
	uint64_t codeptr; /* where it was acquired after the longest wait, or first */
	uint64_t n_acquired;
	uint64_t n_contended; /* of these: after a wait */
	uint64_t wait;        /* ticks */
	uint64_t max_wait;
	uint64_t n_held; /* holds that the following stand for */
	uint64_t held;   /* ticks between acquired and released */
	uint64_t max_held;
	uint32_t impl;  /* of mutex_acquire: see `impl` of the RUN text; 0 not known */
	uint32_t hints; /* likewise: omp_sync_hint_t, all that were given */
	uint64_t reserved[5];
};

enum profile_device_flags {
	PROFILE_DEVICE_TRACED = 1,      /* its trace could be started */
	PROFILE_DEVICE_KERNELS = 2,     /* it records kernels, */
	PROFILE_DEVICE_TRANSFERS = 4,   /* data operations, */
	PROFILE_DEVICE_OWN_KIND = 8,    /* what is missing of these in records of its own kind */
	PROFILE_DEVICE_TRANSLATES = 16, /* its times are translated by the runtime, not by pairs */
	PROFILE_DEVICE_ENDED = 32,      /* it was finalized */
};

/* Why what a device's trace said does not count, or does not count in full. */
enum profile_trace_loss {
	PROFILE_TRACE_UNKNOWN = 0,   /* a record of no known type */
	PROFILE_TRACE_SHORT = 1,     /* a record that does not end within its buffer */
	PROFILE_TRACE_CURSOR = 2,    /* a buffer whose cursors do not end, or go beyond it */
	PROFILE_TRACE_TIMES = 3,     /* an operation that ended before it began, or without times */
	PROFILE_TRACE_LATE = 4,      /* a buffer of a device that was finalized */
	PROFILE_TRACE_FOREIGN = 5,   /* a buffer that is none of the tool's, or not lent */
	PROFILE_TRACE_UNMATCHED = 6, /* an operation of no known target construct: in `ops` alone */
	PROFILE_TRACE_DECLINED = 7,  /* a request for a buffer when none was left */
	PROFILE_TRACE_N_LOSSES = 8,
};

/* What operations of a device add up to. */
struct profile_device_ops {
	uint64_t n;
	uint64_t time; /* ticks, of those with times */
	uint64_t longest;
	uint64_t bytes;
};

/* A device, and what its trace said: PROFILE_DEVICE_BYTES. Times are the host's ticks. */
struct profile_device {
	uint32_t index; /* 1, 2, ...; stored last */
	int32_t number; /* the runtime's */
	uint32_t flags; /* enum profile_device_flags */
	uint32_t n_procs;
	uint64_t since;  /* ticks: since when it has been traced; 0 it is not, */
	uint64_t traced; /* and before that */
	uint64_t busy;   /* ticks in which it executed any kernel or transfer */
	uint64_t n_records;
	uint64_t n_lent;     /* buffers lent, */
	uint64_t n_complete; /* and completions of buffers, or parts of them */
	uint64_t n_resets;   /* of its clock */
	uint64_t lost[PROFILE_TRACE_N_LOSSES];
	struct profile_device_ops ops[PROFILE_N_EVENTS - PROFILE_DEVICE_KERNEL]; /* by kind, from
										    KERNEL on */
	uint32_t n_of_type[40]; /* records by ompt_callbacks_t; 0: of the device's own kind */
	char native[32];        /* what the device called the first of these */
	char type[128];         /* vendor and model, as it says */
};

enum profile_phase_flags {
	PROFILE_PHASE_OTHER = 1,    /* all phases for which there was no number left */
	PROFILE_PHASE_NUMBERED = 2, /* the program gave a number and no name */
	PROFILE_PHASE_CUT = 4, /* the name was longer than the field, or not readable to its end */
};

/* A phase of the program, by its name within the phase in which it was begun: PROFILE_PHASE_BYTES. */
struct profile_phase {
	uint32_t number; /* 1, 2, ...: addr of its PHASE nodes; stored last */
	uint32_t outer;  /* number of the phase in which it was begun; 0 none */
	uint32_t flags;  /* enum profile_phase_flags */
	uint32_t reserved;
	uint64_t n;          /* begun */
	uint64_t ticks;      /* in it and in none within it */
	uint64_t open_since; /* ticks: the program is in it since; 0 it is not */
	int64_t id;          /* that the program gave; 0 none */
	char name[256];
};

/*
 * What a thread's time is counted for in its timeline. The first three are of samples, as profile_thread.time_ns
 * has them, and in ns; the others are of measured waits, and in ticks. A thread that spins in a wait is
 * counted twice, IN_WAIT and for what it waits. Values are stable.
 */
enum profile_time {
	PROFILE_TIME_WORK = 0, /* PROFILE_WORK */
	PROFILE_TIME_OVERHEAD = 1,
	PROFILE_TIME_IN_WAIT = 2, /* samples of all other classes */
	PROFILE_TIME_BARRIER = 3, /* waits for barriers of all kinds, and reductions */
	PROFILE_TIME_TASKS = 4,   /* taskwait, taskgroup */
	PROFILE_TIME_MUTEX = 5,   /* lock, nest_lock, critical, ordered, atomic */
	PROFILE_TIME_IDLE = 6,
	PROFILE_TIME_TARGET = 7,
	PROFILE_N_TIMES = 8,
};

/* Whether waits of this enum profile_wait count for `time` in a timeline, which tells of what sort they are. */
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
 * When a thread did what, in a segment of its own. Bucket i is of the ticks from i << shift on since
 * header.start_ticks. When time runs past the last bucket, pairs of them become one and shift grows by 1: `merged` becomes
 * 0 and `first` is filled, then `begun` is counted up before any bucket changes, and `settled` last, in one store with
 * shift. Where they differ, pairs up to bucket `merged` have
 * been made one, and none behind; what is between `merged` and twice that, and from the middle on if all have been, is
 * void, and bucket 0 is `first`. That holds at every moment, but not for a copy that takes time: whoever reads the file of a running program reads
 * `settled` first, then the segment, then `begun`, and all of it again if these differ, but for the segment of a thread
 * that stands still in between, which does not change any more.
 */
struct profile_timeline_segment {
	struct profile_segment segment; /* record_bytes 64, used 255; owner: the thread's index */
	uint32_t settled;
	uint32_t shift;
	uint32_t merged;
	uint32_t reserved;
	uint32_t rest[PROFILE_N_TIMES]; /* ns or ticks that are no whole unit yet */
	uint64_t n_moments;             /* in the trace, */
	uint64_t n_dropped;             /* and those for which it had no room */
	uint32_t count[PROFILE_TIMELINE_BUCKETS][PROFILE_N_TIMES];
	uint32_t begun;
	uint32_t first
		[PROFILE_N_TIMES]; /* the sum of the first pair, which has no other place meanwhile */
	uint32_t reserved_2;
	uint64_t dropped_from; /* ticks: when the earliest of n_dropped began; 0 not known */
	uint32_t reserved_3[4];
};

enum profile_moment_kind {
	PROFILE_MOMENT_SAMPLE = 1,
	PROFILE_MOMENT_WAIT = 2,
};

/* What a trace has of each sample and each wait that was timed: PROFILE_MOMENT_BYTES, in segments of the thread. */
struct profile_moment {
	uint64_t end;    /* ticks */
	uint64_t length; /* SAMPLE: ns that it stands for; WAIT: ticks from begin to end, */
	uint64_t amount; /* and those of them that count, for others like it, too; SAMPLE: events */
	uint32_t node;   /* SAMPLES or WAIT node that it counts for; 0 not known */
	uint8_t kind;    /* enum profile_moment_kind */
	uint8_t time;    /* enum profile_time */
	uint8_t what;    /* SAMPLE: enum profile_class; WAIT: enum profile_wait */
	uint8_t reserved;
};

enum profile_module_flags {
	PROFILE_MODULE_MAIN = 1,         /* the executable */
	PROFILE_MODULE_RUNTIME = 2,      /* the OpenMP runtime that started the tool */
	PROFILE_MODULE_TOOL = 4,         /* ompprof itself */
	PROFILE_MODULE_VDSO = 8,         /* no file */
	PROFILE_MODULE_CUT = 16,         /* path was longer than the field */
	PROFILE_MODULE_FOR_LIBGOMP = 32, /* the OpenMP runtime, which was found as libgomp.so.1 */
};

/*
 * `ompprof run` puts this between a folder of the loader's and the path of a library that it preloads: it leads to the
 * root from any folder. Readers show the path from there on.
 */
#define PROFILE_WAY_UP "/../../../../../../../.."

/* One loaded object: PROFILE_MODULE_BYTES. */
struct profile_module {
	uint64_t start;      /* first address of its mapping */
	uint64_t end;        /* one past its last */
	uint64_t bias;       /* run-time address minus address in the file's symbol table */
	uint32_t flags;      /* enum profile_module_flags */
	uint32_t generation; /* counts up as objects come; the latest that covers an address wins */
	uint32_t build_id_bytes; /* 0 if not known */
	uint8_t build_id[32];
	char path[900];
};

_Static_assert(sizeof(struct profile_header) <= PROFILE_HEADER_BYTES, "header outgrew its page");
_Static_assert(sizeof(struct profile_segment) == 64, "segment header");
_Static_assert(sizeof(struct profile_node) == PROFILE_NODE_BYTES, "node");
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
_Static_assert(sizeof(struct profile_phase) <= PROFILE_PHASE_BYTES, "phase");

#endif
