/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks follow the threads' signal masks; see wrap_sigmask.h. The tool's signal handler does not
 * use this file. But programs call pthread_sigmask in their own handlers, so the functions that
 * wrap it and sigprocmask take no locks.
 */
#include "profile/core/plain_calls.h"
#include "sampler/threads/wrap_sigmask.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sampler/threads/thread_record.h"
#include "sampler/core/thread_self.h"

enum {
	MASK_BYTES = 8,    /* of the kernel's masks */
	MAX_PENDING = 8,   /* signals of a real-time number that are taken away at most */
	LIBC_SIGNALS = 32, /* this signal and the next are the C library's own, and never blocked */
};

typedef int mask_function(int how, const sigset_t *set, sigset_t *old);

static struct {
	mask_function *thread_mask;
	mask_function *process_mask;
} next;

/* As the C library does. Returns 0, or -1 with errno. */
static int call_kernel(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t without;

	if (set && how != SIG_UNBLOCK) {
		memcpy(&without, set, MASK_BYTES);
		without.__val[0] &= ~(3UL << (LIBC_SIGNALS - 1));
		set = &without;
	}
	return (int)syscall(SYS_rt_sigprocmask, how, set, old, MASK_BYTES);
}

/* Takes our signal away where it is pending for this thread. A signal with another sender stays. */
static void take_pending(struct thread *thread)
{
	struct timespec now = { 0, 0 };
	siginfo_t info;
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, tool.settings.signal);
	for (int i = 0; i < MAX_PENDING; i++) {
		if (syscall(SYS_rt_sigtimedwait, &ours, &info, &now, MASK_BYTES) < 0)
			return;
		if (!tool.clock->owns(&thread->clock, &info)) {
			syscall(SYS_rt_tgsigqueueinfo, getpid(), plain_gettid(),
				tool.settings.signal, &info);
			return;
		}
		thread->clock.is_spent = 1;
	}
}

/* The thread had blocked the signal since it began. */
static void begin_sampling(struct thread *thread)
{
	thread->life.began_blocked = 0;
	thread->record->lost[PROFILE_LOST_BLOCKED]--;
	thread_record_unblocked(thread);
}

static void follow(struct thread *thread, int is_blocked)
{
	int saved = errno;

	if (is_blocked == thread->clock.is_paused)
		return;
	thread->clock.is_paused = is_blocked;
	if (is_blocked) {
		tool.clock->pause(&thread->clock);
		take_pending(thread);
	} else {
		if (thread->life.began_blocked)
			begin_sampling(thread);
		tool.clock->resume(&thread->clock);
		thread->clock.is_spent = 0;
	}
	errno = saved;
}

/* The mask was `old`, and the program has changed it. */
static void note_change(int how, const sigset_t *set, const sigset_t *old)
{
	struct thread *thread = thread_self();
	int was_blocked, is_blocked;

	/* Between vfork and exec the caller is a child that uses the thread's memory. */
	if (!set || !thread || !tool_is_on() || (uint32_t)plain_gettid() != thread->record->tid)
		return;
	was_blocked = is_blocked = sigismember(old, tool.settings.signal) == 1;
	if (how == SIG_SETMASK)
		is_blocked = sigismember(set, tool.settings.signal) == 1;
	else if (sigismember(set, tool.settings.signal) == 1)
		is_blocked = how == SIG_BLOCK;
	/*
	 * A signal that was blocked before may be blocked by a handler that runs; when the handler
	 * returns, it is unblocked again.
	 */
	if (!is_blocked || !was_blocked)
		follow(thread, is_blocked);
}

/*
 * The program's sets may be smaller than a sigset_t: only the bytes that the kernel uses are
 * touched. `set` and `old` may be the same.
 */
static int change(mask_function *function, int how, const sigset_t *set, sigset_t *old)
{
	sigset_t before, wanted;
	int status;

	if (set)
		memcpy(&wanted, set, MASK_BYTES);
	status = function(how, set, old ? old : &before);
	if (status != 0)
		return status;
	if (old)
		memcpy(&before, old, MASK_BYTES);
	note_change(how, set ? &wanted : NULL, &before);
	return 0;
}

__attribute__((visibility("default"))) int pthread_sigmask(
	int how, const sigset_t *set, sigset_t *old)
{
	int saved = errno, error;

	if (next.thread_mask)
		return change(next.thread_mask, how, set, old);
	error = change(call_kernel, how, set, old) == 0 ? 0 : errno;
	errno = saved;
	return error;
}

int sigmask_change(int how, const sigset_t *set, sigset_t *old)
{
	return change(next.process_mask ? next.process_mask : call_kernel, how, set, old);
}

__attribute__((visibility("default"))) int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return sigmask_change(how, set, old);
}

void sigmask_prepare(void)
{
	next.thread_mask = (mask_function *)dlsym(RTLD_NEXT, "pthread_sigmask");
	next.process_mask = (mask_function *)dlsym(RTLD_NEXT, "sigprocmask");
}

void sigmask_look(struct thread *thread)
{
	sigset_t mask;

	if (call_kernel(SIG_BLOCK, NULL, &mask) == 0)
		follow(thread, sigismember(&mask, tool.settings.signal) == 1);
}
