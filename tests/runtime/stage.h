/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that the processes of a case share. The conductor goes through the steps of the script.
 * Actors are the script's threads, in the process of the case and in its children. An actor gets
 * some steps, and has done them when it asks for more. So actors do one step at a time, except for
 * what a step does in the background. The steps are made before the first fork and never changed.
 */
#ifndef OMPPROF_TESTS_RUNTIME_STAGE_H
#define OMPPROF_TESTS_RUNTIME_STAGE_H

#include <omp-tools.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "tests/runtime/machine.h"

enum {
	STAGE_MAX_ACTORS = 80,
	STAGE_MAX_OBJECTS = 4096,
	STAGE_MAX_FUNCTIONS = 64,
	STAGE_N_SITES = 3,
	STAGE_N_EVENTS = 64,
	STAGE_MAX_LOOKED_UP = 64,
	STEP_MAX_VALUES = 12,
	STEP_NULL = -1, /* as an object: NULL */
};

enum step_kind {
	STEP_CALL,   /* function v[0]; v[1]: on another stack */
	STEP_RETURN, /* from it */
	STEP_ENTER,
	STEP_LEAVE,
	STEP_SAMPLE,  /* the actor's signal, as actor->info is */
	STEP_COMPUTE, /* v[0] ns of CPU time, real */
	STEP_NATIVE,  /* v[0]: actor */
	STEP_QUIT,
	/* In the runtime: */
	STEP_EVENT,
	STEP_SITE,   /* v[0]: the call site of the events that follow */
	STEP_THREAD, /* v[0]: actor */
	STEP_JOIN,   /* v[0]: actor that quits */
	STEP_START,  /* v[0]: the tool is to refuse it */
	STEP_FINALIZE,
	STEP_FORK,   /* v[0]: the child's actor */
	STEP_REAP,   /* v[0]: actor whose process is waited for */
	STEP_EXIT,   /* v[0]: status, v[1]: at once */
	STEP_STATE,  /* v[0]: number, v[1]: wait id; v[2]: is auto */
	STEP_FRAMES, /* v[0], v[1]: exit, enter frame: enum step_frame or address; v[2]: auto */
	STEP_INFO,   /* v[0]: levels; -1: as it is */
	STEP_SLEEP,  /* v[0] ns, real */
	STEP_DATA,   /* object v[0] becomes v[1] */
	STEP_COPY,   /* object v[0] becomes what v[1] is */
	STEP_UNMAP,  /* object v[0] is gone */
	STEP_FILES,  /* the process may open so many: v[0]; -1: as at first */
	STEP_EXPECT_DATA, /* object v[0] is v[1] */
	STEP_DEVICE,      /* device.h */
	/* The conductor's: */
	STEP_ADVANCE,   /* v[0] ns */
	STEP_RUN,       /* v[0] ns */
	STEP_OFF,       /* v[0]: whether */
	STEP_INTERRUPT, /* v[0]: at which look at a clock, v[1]: or before which instruction */
	STEP_TAKE,      /* a sample; the case fails if the thread has no timer */
	STEP_SIGNAL,    /* v[0]: si_code */
};

/* Frame pointers that are no addresses. */
enum step_frame { FRAME_NONE, FRAME_HERE, FRAME_STALE, FRAME_WILD, FRAME_NULL, FRAME_N };

/* Code addresses that are no numbers; from ADDRESS_FUNCTION on functions. */
enum step_address {
	ADDRESS_HERE,
	ADDRESS_NULL,
	ADDRESS_RUNTIME,
	ADDRESS_FUNCTION,
	ADDRESS_END = ADDRESS_FUNCTION + STAGE_MAX_FUNCTIONS
};

/* An item of an event that has a list. */
struct step_item {
	uint64_t a, b, n, flags;
};

struct step {
	const struct statement *at;
	int actor;
	enum step_kind kind;
	int function; /* the user's innermost one */
	int event;    /* STEP_EVENT: ompt_callbacks_t */
	uint64_t v[STEP_MAX_VALUES];
	const char *text; /* a value that is no number, or NULL */
	struct step_item *items;
	unsigned n_items;
	uint64_t ra;    /* of STEP_EVENT: enum step_address, */
	uint64_t frame; /* enum step_frame, */
	int64_t task;   /* object or STEP_NULL; */
	int64_t parallel;
	int is_task_given, is_parallel_given;
};

/* The timer that the tool made for an actor, where time is virtual. */
struct stage_timer {
	int is_armed;
	int is_cpu;
	int signal;
	void *value;
	uint64_t at_ns; /* on its clock */
	uint32_t n;     /* how often it has been armed */
};

struct actor {
	sem_t go, done;
	const struct step *step; /* the step to do; the conductor writes it before `go` */
	const struct step *last; /* likewise: the actor does the steps up to this by itself */
	int32_t pid, tid;        /* 0: not there yet, or not any more */
	int32_t was_tid, was_pid;
	int index;
	int status;            /* of its process, when that was waited for */
	uint32_t is_off;       /* has no CPU */
	uint32_t site;         /* from which its events come */
	uint64_t cpu_ns;       /* virtual */
	uint32_t interrupt;    /* looks at a clock until its signal comes; 0: none */
	uint32_t instructions; /* of its next event, likewise */
	uint64_t n_sent;       /* signals of its clock */
	siginfo_t info;        /* of the next signal */
	struct stage_timer timer;
	char failure[256];
};

struct stage {
	uint64_t now_ns;    /* virtual */
	uint64_t period_ns; /* of samples */
	uint32_t is_virtual;
	uint32_t is_asked[STAGE_N_EVENTS];       /* the tool has set this callback */
	char looked_up[STAGE_MAX_LOOKED_UP][64]; /* names that the tool has asked lookup for */
	uint32_t n_looked_up;
	uint64_t site[STAGE_MAX_FUNCTIONS][STAGE_N_SITES]; /* return addresses, 0 not known */
	struct actor *created;                             /* the next new thread is this actor's */
	struct actor actors[STAGE_MAX_ACTORS];
};

/*
 * The shared memory of a case, or NULL; and the calling thread's actor, or NULL. Both are defined
 * in libscripted.so.
 */
extern struct stage *stage;
extern __thread struct actor *stage_self;

/* Tells the conductor what is wrong with the actor's step; the first complaint counts. */
void stage_fail(struct actor *actor, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The actor's step is done. Returns the next step that it was given; waits for one if needed. */
const struct step *stage_next(struct actor *actor);

/* Sends the actor's signal to the calling thread, right here in its caller. */
static inline __attribute__((always_inline)) void stage_raise(struct actor *actor)
{
	machine_send(actor->pid, actor->tid, actor->info.si_signo, &actor->info);
}

#endif
