/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's calls of prctl that take away from a thread what the tool needs: the time-stamp
 * counter, which the vdso reads, too (PR_SET_TSC), and all but a few system calls (seccomp's strict
 * mode). After such a call the next sample or event would end the program, so the tool ends before
 * it. This prctl stands in front of the C library's where the library is preloaded. System calls
 * that are not made by prctl, as by syscall(2), are not seen.
 */
#include "profile/core/plain_calls.h"
#include "sampler/tool/control.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampler/core/thread_self.h"
#include "sampler/core/tool.h"

typedef int prctl_function(int option, ...);

static prctl_function *next;

static int is_lockdown(int option, unsigned long argument)
{
	return (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV) ||
	       (option == PR_SET_SECCOMP && argument == SECCOMP_MODE_STRICT);
}

/*
 * Ends the tool before the call. Does nothing in a thread that the tool does not know, as that has
 * had neither samples nor events, and in a child made by vfork, which uses its parent's memory. In
 * a handler of the program that has interrupted an event of the tool it is too late.
 */
static void end_here(void)
{
	const struct thread *thread = thread_self();
	int saved = errno;

	if (tool_is_on() && thread && !thread->gate.in_tool &&
		(uint32_t)plain_gettid() == thread->record->tid)
		control_lock_down();
	errno = saved;
}

/* The kernel reads as many of the four arguments as the option has. */
__attribute__((visibility("default"))) int prctl(int option, ...)
{
	unsigned long argument[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		argument[i] = va_arg(args, unsigned long);
	va_end(args);
	if (is_lockdown(option, argument[0]))
		end_here();
	if (next)
		return next(option, argument[0], argument[1], argument[2], argument[3]);
	return (int)syscall(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
}

void lockdown_prepare(void)
{
	next = (prctl_function *)dlsym(RTLD_NEXT, "prctl");
}
