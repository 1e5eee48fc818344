/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of threads; see thread.h. Not for the signal handler. */
#include "sampler/core/thread.h"

#include <omp-tools.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/threads/count.h"
#include "sampler/core/handler.h"
#include "sampler/threads/wrap_sigmask.h"
#include "sampler/threads/mutex_table.h"
#include "sampler/threads/private_memory.h"
#include "sampler/core/phase.h"
#include "sampler/threads/thread_record.h"
#include "sampler/core/region.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"

enum {
	BATCH = 16,
	PAGE = 4096,
	/* The part of a stack's free room that is left to the program; see has_room. */
	PROGRAM_STACK_BYTES = 12288,
};

static struct {
	pthread_mutex_t lock;
	struct thread *used;
	struct thread *free;
} threads = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void put_back(struct thread *thread)
{
	thread->next = threads.free;
	threads.free = thread;
}

static struct thread *take_struct(void)
{
	struct thread *thread = threads.free;

	if (!thread) {
		struct thread *batch = private_memory(BATCH * sizeof(*batch));

		if (!batch)
			return NULL;
		for (int i = 0; i < BATCH; i++)
			put_back(&batch[i]);
		thread = threads.free;
	}
	threads.free = thread->next;
	return thread;
}

/* Whether the thread has had an event, or is a thread of OpenMP. */
static int has_had_events(const struct thread *thread)
{
	return thread->record && (thread->record->n_callbacks || thread->record->type);
}

/* Clears what the events of the struct's former thread left. */
static void clear_events(struct thread *thread)
{
#define ZERO(name)                     memset(&thread->name, 0, sizeof(thread->name));
#define OWN(name)                      thread_##name##_clear(&thread->name);
#define PART(type, name, clear, nodes) clear(name)
#include "sampler/core/thread_parts.def"
#undef PART
#undef OWN
#undef ZERO
}

/*
 * Clears what the struct's former thread left. Some things stay: the counter of its walks, the ends
 * of executions of regions, the results of look-ups in tables, which are right for any thread, and
 * the table of tasks with dependences, which may outlive that thread.
 */
static void clear(struct thread *thread)
{
	if (has_had_events(thread))
		clear_events(thread);
	thread->record = NULL;
	thread->gate = (struct thread_gate){ 0 };
	thread->fast = (struct thread_fast){ 0 };
	thread->quick = (struct mutex_fast){ 0 };
	thread->life = (struct thread_life){ 0 };
	thread->phase = (struct thread_phase){ 0 };
	thread->timeline = (struct thread_timeline){ 0 };
	thread->clock = (struct thread_clock){ 0 };
	thread->sample = (struct thread_sample){ 0 };
	path_note_clear(&thread->note);
	walk_path_begin(&thread->path);
	thread->cct = (struct cct){ 0 };
	thread->stack = (struct walk_bounds){ 0 };
}

/*
 * The stack of a thread that is just beginning. Allocates nothing, because a sanitizer's part of
 * the thread's start has not run yet. The C library puts the thread's descriptor on the last page
 * of a stack that it allocates.
 */
static void find_new_stack(struct thread *thread)
{
	uintptr_t top = ((uintptr_t)pthread_self() + PAGE - 1) & ~(uintptr_t)(PAGE - 1);

	thread->stack.hi = top;
	thread->stack.lo = top - thread->start.stack_bytes;
}

static void find_stack(struct thread *thread)
{
	pthread_attr_t attributes;
	void *lo;
	size_t bytes;

	if (thread->start.stack_bytes) {
		find_new_stack(thread);
		return;
	}
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &lo, &bytes) == 0) {
		thread->stack.lo = (uintptr_t)lo;
		thread->stack.hi = (uintptr_t)lo + bytes;
	}
	pthread_attr_destroy(&attributes);
}

static void lost(void)
{
	__atomic_fetch_add(&writer_header()->lost[PROFILE_LOST_THREADS], 1, __ATOMIC_RELAXED);
}

/* Lets other threads see the thread's published lines. With the lock of the list held. */
static void list(struct thread *thread)
{
	if (board_join(&thread->record->now) != 0)
		writer_header()->left_out.n_threads++;
	thread->life.is_listed = 1;
}

/*
 * Makes the record of the calling thread, which owns this struct, and adds the struct to the used
 * structs. Calls list() unless the thread has a start.routine: become_openmp() calls it later, if
 * that thread uses OpenMP. Returns 0. Without space, gives the struct back, counts the loss and
 * returns -1.
 */
static int add(struct thread *thread, uint32_t type)
{
	int status;

	find_stack(thread);
	pthread_mutex_lock(&threads.lock);
	status = thread_record_open(thread, type);
	if (status == 0) {
		thread->next = threads.used;
		threads.used = thread;
		if (!thread->start.routine)
			list(thread);
	} else {
		put_back(thread);
		lost();
	}
	pthread_mutex_unlock(&threads.lock);
	return status;
}

static void start_clock(struct thread *thread)
{
	if (tool.clock->start(&thread->clock) != 0)
		lost();
	else
		thread->life.has_clock = 1;
	sigmask_look(thread);
}

/* Whether the stack has room for the kernel's frame, the handler and the program. */
static int has_room(const struct thread *thread)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);

	return !thread->stack.lo || here < thread->stack.lo ||
	       here - thread->stack.lo >=
		       (frame ? frame : MINSIGSTKSZ) + HANDLER_STACK_BYTES + PROGRAM_STACK_BYTES;
}

/* Starts the clock of a thread that is not OpenMP's, if the stack has room for signals. */
static void start_clock_if_safe(struct thread *thread)
{
	if (!has_room(thread)) {
		thread->record->lost[PROFILE_LOST_NO_ROOM]++;
		return;
	}
	start_clock(thread);
	/* Subtracted again when the thread unblocks the signal. */
	if (thread->clock.is_paused) {
		thread->life.began_blocked = 1;
		thread->record->lost[PROFILE_LOST_BLOCKED]++;
	}
}

/* A thread of the program's own begins to use OpenMP. */
static void become_openmp(struct thread *thread, uint32_t type)
{
	thread->gate.in_tool++;
	thread->record->type = type;
	pthread_mutex_lock(&threads.lock);
	if (!thread->life.is_listed)
		list(thread);
	pthread_mutex_unlock(&threads.lock);
	thread->gate.in_tool--;
}

static void take(struct thread *thread)
{
	thread->gate.in_tool = 1;
	thread->gate.epoch = tool.epoch;
	thread->tasks.data =
		(uint64_t)tool.epoch << 52 | (uint64_t)(thread->record->index & 0xfffff) << 32;
	/* A thread that changes the phase from here on finds this thread on the list. */
	if (phase_n_changes() > 0)
		__atomic_store_n(&thread->gate.has_news, 1, __ATOMIC_RELAXED);
	thread_set_self(thread);
	thread->clock.random = (uint64_t)plain_gettid() * 0x9e3779b97f4a7c15ULL ^ tool_ticks();
	thread->clock.random |= 1; /* the generator would stay at 0 */
}

struct thread *thread_register(uint32_t type)
{
	static const struct thread_start unseen;
	struct thread *thread = thread_self();

	if (thread) {
		if (type)
			become_openmp(thread, type);
		return thread;
	}
	thread = thread_reserve(&unseen);
	if (!thread || add(thread, type) != 0)
		return NULL;
	take(thread);
	start_clock(thread);
	thread->gate.in_tool = 0;
	return thread;
}

struct thread *thread_reserve(const struct thread_start *start)
{
	struct thread *thread;

	pthread_mutex_lock(&threads.lock);
	thread = take_struct();
	pthread_mutex_unlock(&threads.lock);
	if (!thread) {
		lost();
		return NULL;
	}
	clear(thread);
	thread->start = *start;
	return thread;
}

void thread_give_back(struct thread *thread)
{
	pthread_mutex_lock(&threads.lock);
	put_back(thread);
	pthread_mutex_unlock(&threads.lock);
}

struct thread *thread_begin(struct thread *reserved)
{
	if (add(reserved, 0) != 0)
		return NULL;
	take(reserved);
	start_clock_if_safe(reserved);
	reserved->gate.in_tool = 0;
	return reserved;
}

struct thread *thread_adopt(uint32_t type)
{
	static __thread uint32_t tried_epoch;
	struct thread *thread = thread_self();

	if (thread ? thread->life.is_openmp : tried_epoch == tool.epoch)
		return thread;
	tried_epoch = tool.epoch;
	thread = thread_register(type);
	if (thread)
		thread->life.is_openmp = 1;
	return thread;
}

static void unlink_used(struct thread *thread)
{
	for (struct thread **at = &threads.used; *at; at = &(*at)->next) {
		if (*at != thread)
			continue;
		*at = thread->next;
		put_back(thread);
		return;
	}
}

void thread_unregister(void)
{
	struct thread *thread = thread_self();

	if (!thread)
		return;
	thread->gate.in_tool = 1;
	pthread_mutex_lock(&threads.lock);
	tool.clock->stop(&thread->clock);
	thread_record_close(thread);
	thread_set_self(NULL);
	mutex_table_release(thread);
	count_release(thread);
	unlink_used(thread);
	pthread_mutex_unlock(&threads.lock);
}

void thread_tell_all(void)
{
	pthread_mutex_lock(&threads.lock);
	for (struct thread *thread = threads.used; thread; thread = thread->next)
		thread_tell(thread);
	pthread_mutex_unlock(&threads.lock);
}

void thread_stop_all(void)
{
	pthread_mutex_lock(&threads.lock);
	for (struct thread *thread = threads.used; thread; thread = thread->next) {
		tool.clock->stop(&thread->clock);
		thread_record_close(thread);
	}
	pthread_mutex_unlock(&threads.lock);
}

void thread_close_clocks(void)
{
	for (struct thread *thread = threads.used; thread; thread = thread->next) {
		if (tool.clock->forget)
			tool.clock->forget(&thread->clock);
	}
}

void thread_forget_all(void)
{
	pthread_mutex_init(&threads.lock, NULL);
	threads.used = threads.free = NULL;
	thread_record_forget_all();
	board_forget_all();
	region_forget_all();
	mutex_table_forget_all();
	thread_set_self(NULL);
}
