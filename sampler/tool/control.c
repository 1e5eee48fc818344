/* SPDX-License-Identifier: Apache-2.0 */
/* omp_control_tool; see control.h. Not for the signal handler. */
#include "sampler/tool/control.h"

#include <errno.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/tool/events.h"
#include "sampler/threads/worker_run.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/tool/output.h"
#include "sampler/core/phase.h"
#include "sampler/core/tool.h"
#include "sampler/devices/device_trace.h"
#include "sampler/threads/wait.h"

/* Each command holds it while it runs, and so does control_lock_down. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void control_forget(void)
{
	pthread_mutex_init(&lock, NULL);
}

/* stands_ticks is stored after stands_ns: it says that time stands still. */
static void pause_tool(struct thread *thread)
{
	struct profile_header *header = writer_header();

	if (tool_is_paused())
		return;
	if (thread) {
		mutex_fast_disarm(thread);
		handler_pause(thread);
	}
	__atomic_store_n(&tool.stands_ns, tool_now_ns(), __ATOMIC_RELEASE);
	__atomic_store_n(&tool.stands_ticks, tool_time(), __ATOMIC_RELEASE);
	header->n_pauses++;
	__atomic_store_n(&header->last_ns, tool_now_ns(), __ATOMIC_RELAXED);
	__atomic_fetch_or(&header->flags, PROFILE_PAUSED, __ATOMIC_RELEASE);
	device_trace_pause_all(1);
}

static void start_tool(struct thread *thread)
{
	struct profile_header *header = writer_header();

	if (!tool_is_paused())
		return;
	if (thread)
		handler_drop(thread);
	__atomic_store_n(&tool.paused_ns, tool_clock_ns() - tool.stands_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&tool.paused_ticks, tool_ticks() - tool.stands_ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&tool.stands_ns, TOOL_GOES_ON, __ATOMIC_RELEASE);
	__atomic_store_n(&tool.stands_ticks, TOOL_GOES_ON, __ATOMIC_RELEASE);
	header->paused_ns = tool.paused_ns;
	__atomic_fetch_and(&header->flags, ~(uint32_t)PROFILE_PAUSED, __ATOMIC_RELEASE);
	device_trace_pause_all(0);
}

/* In case the machine fails; readers of the file see everything without this. */
static void write_to_disk(void)
{
	int fd = plain_open(
		output_path(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return;
	syscall(SYS_fdatasync, fd);
	plain_close(fd);
}

/*
 * The file lacks the data that other threads have not put into it yet: up to 20 us of waits at each
 * place (wait.h), and the latest quick executions of regions (worker_run.h). The latest
 * acquisitions of mutexes on the fast path are missing, too.
 */
static void flush(struct thread *thread)
{
	struct profile_header *header = writer_header();

	if (thread) {
		wait_flush(thread);
		worker_run_flush(thread, tool_time());
		mutex_fast_disarm(thread);
	}
	device_trace_flush_all();
	tool_calibrate();
	__atomic_store_n(&header->last_ns, tool_now_ns(), __ATOMIC_RELEASE);
	write_to_disk();
}

static void end_tool(struct thread *thread)
{
	device_trace_end_all();
	tool_end(0);
	/* The thread's pending sample would come too late. */
	if (thread)
		thread->gate.is_pending = 0;
}

void control_lock_down(void)
{
	pthread_mutex_lock(&lock);
	device_trace_end_all();
	tool_end(PROFILE_LOCKED_DOWN);
	pthread_mutex_unlock(&lock);
}

static int obey(struct thread *thread, uint64_t command, uint64_t modifier, const void *arg)
{
	switch (command) {
	case CONTROL_START:
		start_tool(thread);
		break;
	case CONTROL_PAUSE:
		pause_tool(thread);
		break;
	case CONTROL_FLUSH:
		flush(thread);
		break;
	case CONTROL_END:
		end_tool(thread);
		break;
	case CONTROL_PHASE_BEGIN:
		phase_begin((int64_t)modifier, arg);
		break;
	case CONTROL_PHASE_END:
		return phase_end() == 0 ? CONTROL_SUCCESS : CONTROL_IGNORED;
	default:
		return CONTROL_IGNORED;
	}
	return CONTROL_SUCCESS;
}

int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra)
{
	struct thread *thread =
		tool_is_inherited() ? callback_enter_first(ompt_thread_initial) : enter();
	int result = CONTROL_IGNORED, saved = errno;

	/*
	 * The call comes from a signal handler of the program, which interrupted an event of ours.
	 */
	if (thread && thread->gate.in_tool > 1)
		goto out;
	if (thread)
		wait_drop_stamp(thread);
	pthread_mutex_lock(&lock);
	if (tool_is_on())
		result = obey(thread, command, modifier, arg);
	pthread_mutex_unlock(&lock);
	if (thread && thread_has_news(thread) && tool_is_on())
		phase_follow(thread);
out:
	if (thread)
		leave(thread);
	errno = saved;
	return result;
}
