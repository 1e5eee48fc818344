/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of threads; see thread.h. Not for the signal handler. */
#include "sampler/thread.h"

#include <fcntl.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "profile/writer.h"
#include "sampler/mutex_table.h"
#include "sampler/region.h"
#include "sampler/self.h"
#include "sampler/team.h"
#include "sampler/tool.h"
#include "sampler/wait.h"

enum { BATCH = 16 /* structs taken from the system at once */ };

static struct {
	pthread_mutex_t lock;
	struct thread *used;
	struct thread *free;
	uint32_t n_registered;
} threads = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct thread *take_struct(void)
{
	struct thread *thread = threads.free;

	if (!thread) {
		size_t bytes = BATCH * sizeof(*thread);
		struct thread *batch = mmap(
			NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (batch == MAP_FAILED)
			return NULL;
		writer_header()->bytes_private += bytes;
		for (int i = 0; i < BATCH; i++) {
			batch[i].next = threads.free;
			threads.free = &batch[i];
		}
		thread = threads.free;
	}
	threads.free = thread->next;
	return thread;
}

/* Clears what a former thread left. The generations of its regions go on: a worker of an old team may
   still compare with them. So does the place where its walks are counted, for which there are not many. */
static void clear(struct thread *thread)
{
	uint32_t generation[THREAD_MAX_REGIONS], place = thread->path.place;

	for (int i = 0; i < THREAD_MAX_REGIONS; i++)
		generation[i] = thread->regions[i].generation + 1;
	memset(thread, 0, offsetof(struct thread, note));
	memset(&thread->note, 0, offsetof(struct path_note, at));
	thread->note.n_unknown = WALK_STORE_FRAMES;
	memset(&thread->path, 0, offsetof(struct walk_path, store));
	thread->path.place = place;
	for (int i = 0; i < THREAD_MAX_REGIONS; i++)
		thread->regions[i].generation = generation[i];
}

static void find_stack(struct thread *thread)
{
	pthread_attr_t attributes;
	void *lo;
	size_t bytes;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &lo, &bytes) == 0) {
		thread->stack.lo = (uintptr_t)lo;
		thread->stack.hi = (uintptr_t)lo + bytes;
	}
	pthread_attr_destroy(&attributes);
}

static uint64_t cpu_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Fills the record of a new thread; its index, stored last, makes it valid. */
static int open_record(struct thread *thread, uint32_t type)
{
	struct profile_thread *record;
	uint32_t index = ++threads.n_registered;

	if (cct_init(&thread->cct, index) != 0)
		return -1;
	record = writer_record(PROFILE_SEGMENT_THREADS, PROFILE_THREAD_BYTES);
	if (!record)
		return -1;
	record->tid = (uint32_t)gettid();
	record->type = type;
	record->root = thread->cct.root;
	record->start_ns = record->last_ns = tool_now_ns();
	record->cpu_start_ns = record->cpu_last_ns = cpu_ns();
	record->stack_lo = thread->stack.lo;
	record->stack_hi = thread->stack.hi;
	prctl(PR_GET_NAME, record->name);
	__atomic_store_n(&record->index, index, __ATOMIC_RELEASE);
	writer_header()->n_threads = index;
	thread->record = record;
	return 0;
}

/* The CPU clock of any live thread of the process, as clock_getcpuclockid(3) does for a process: the
   kernel's word is in its posix-timers.h, CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED. */
static clockid_t cpu_clock_of(uint32_t tid)
{
	return (clockid_t)(~tid << 3 | 6);
}

/* The third of the numbers "CPU time, time on the run queue, slices" is not read. */
static uint64_t run_delay_ns(uint32_t tid)
{
	char path[64], text[96];
	const char *space;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%u/schedstat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	space = strchr(text, ' ');
	return space ? strtoull(space, NULL, 10) : 0;
}

static void close_record(struct thread *thread)
{
	struct timespec cpu;

	/* A thread that is in an event just now ends its waits itself, or loses them. */
	if (thread == thread_self() || !thread->in_tool)
		wait_finish(thread, tool_ticks());
	team_leave(&thread->record->now);
	thread->record->run_delay_ns = run_delay_ns(thread->record->tid);

	/* A thread that is gone keeps what its last sample said. */
	if (clock_gettime(cpu_clock_of(thread->record->tid), &cpu) == 0)
		thread->record->cpu_last_ns =
			(uint64_t)cpu.tv_sec * 1000000000ULL + (uint64_t)cpu.tv_nsec;
	thread->record->end_ns = tool_now_ns();
	__atomic_store_n(&thread->record->flags, 1, __ATOMIC_RELEASE);
}

static void lost(void)
{
	__atomic_fetch_add(&writer_header()->lost[PROFILE_LOST_THREADS], 1, __ATOMIC_RELAXED);
}

/* Makes and lists the struct and record of the calling thread; NULL without memory or space. */
static struct thread *add(uint32_t type)
{
	struct thread *thread;

	pthread_mutex_lock(&threads.lock);
	thread = take_struct();
	if (thread) {
		clear(thread);
		thread->clock.fd = -1;
		find_stack(thread);
		if (open_record(thread, type) == 0) {
			thread->next = threads.used;
			threads.used = thread;
			team_join(&thread->record->now);
		} else {
			thread->next = threads.free;
			threads.free = thread;
			thread = NULL;
		}
	}
	pthread_mutex_unlock(&threads.lock);
	return thread;
}

struct thread *thread_register(uint32_t type)
{
	struct thread *thread = thread_self();

	if (thread) {
		if (type)
			thread->record->type = type;
		return thread;
	}
	thread = add(type);
	if (!thread) {
		lost();
		return NULL;
	}
	thread->in_tool = 1;
	thread->epoch = tool.epoch;
	thread_set_self(thread);
	thread->clock.random = (uint64_t)gettid() * 0x9e3779b97f4a7c15ULL ^ tool_ticks();
	thread->clock.random |= 1; /* the generator sticks at 0 */
	if (tool.clock->start(&thread->clock) != 0)
		lost();
	thread->in_tool = 0;
	return thread;
}

struct thread *thread_adopt(uint32_t type)
{
	static __thread uint32_t tried_epoch;
	struct thread *thread = thread_self();

	if (thread ? thread->is_openmp : tried_epoch == tool.epoch)
		return thread;
	tried_epoch = tool.epoch;
	thread = thread_register(type);
	if (thread)
		thread->is_openmp = 1;
	return thread;
}

static void unlink_used(struct thread *thread)
{
	for (struct thread **at = &threads.used; *at; at = &(*at)->next) {
		if (*at != thread)
			continue;
		*at = thread->next;
		thread->next = threads.free;
		threads.free = thread;
		return;
	}
}

void thread_unregister(void)
{
	struct thread *thread = thread_self();

	if (!thread)
		return;
	thread->in_tool = 1;
	tool.clock->stop(&thread->clock);
	pthread_mutex_lock(&threads.lock);
	close_record(thread);
	thread_set_self(NULL);
	mutex_table_release(thread);
	unlink_used(thread);
	pthread_mutex_unlock(&threads.lock);
}

void thread_stop_all(void)
{
	pthread_mutex_lock(&threads.lock);
	for (struct thread *thread = threads.used; thread; thread = thread->next) {
		tool.clock->stop(&thread->clock);
		close_record(thread);
	}
	pthread_mutex_unlock(&threads.lock);
}

void thread_close_clocks(void)
{
	for (struct thread *thread = threads.used; thread; thread = thread->next) {
		if (thread->clock.fd >= 0)
			tool.clock->stop(&thread->clock);
	}
}

void thread_forget_all(void)
{
	pthread_mutex_init(&threads.lock, NULL);
	threads.used = threads.free = NULL;
	threads.n_registered = 0;
	team_forget_all();
	region_forget_all();
	mutex_table_forget_all();
	thread_set_self(NULL);
}
