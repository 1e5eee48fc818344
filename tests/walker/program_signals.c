/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for the walkers' tests: signals within signals, on the thread's stack and on an alternate one,
 * at chosen places and at any instruction, left by return and by jump.
 */
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define ALTERNATE_BYTES (256 << 10)
#define TICK_US         2000

static volatile double sink;
static volatile sig_atomic_t n_ticks;
static sigjmp_buf back;
static char alternate[ALTERNATE_BYTES] __attribute__((aligned(64)));

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void __attribute__((noinline)) work(int n)
{
	char line[64];
	int v[40];

	for (int i = 0; i < n; i++)
		v[i] = i * 7919 % 1000;
	qsort(v, (size_t)n, sizeof(v[0]), compare_ints);
	snprintf(line, sizeof(line), "%d %g", v[n / 2], n * 0.37);
	sink = strtod(line, NULL);
}

/* Only what a handler may do: no locks, no memory. */
static int __attribute__((noinline)) recurse(int n)
{
	volatile char room[40];

	memset((char *)room, n, sizeof(room));
	return n ? recurse(n - 1) + room[n] : room[0];
}

static void tick_every(int us)
{
	struct itimerval period = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &period, NULL);
}

static void on_tick(int signal_number)
{
	(void)signal_number;
	sink = recurse(3);
	if (--n_ticks == 0)
		tick_every(0);
}

static void on_inner(int signal_number)
{
	(void)signal_number;
	work(8);
}

static void on_outer(int signal_number)
{
	(void)signal_number;
	work(5);
	raise(SIGUSR2);
	work(5);
}

static void on_leaving(int signal_number)
{
	siglongjmp(back, signal_number);
}

static void set_handler(int signal_number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaddset(&action.sa_mask, SIGALRM);
	sigaction(signal_number, &action, NULL);
}

static void nested(int outer_flags, int inner_flags)
{
	set_handler(SIGUSR1, on_outer, outer_flags);
	set_handler(SIGUSR2, on_inner, inner_flags);
	raise(SIGUSR1);
}

static void jump_out(int flags)
{
	set_handler(SIGUSR1, on_leaving, flags);
	if (sigsetjmp(back, 1) == 0)
		raise(SIGUSR1);
	work(4);
}

static void ticks(int flags, int wanted)
{
	n_ticks = wanted;
	set_handler(SIGALRM, on_tick, flags);
	tick_every(TICK_US);
	while (n_ticks > 0)
		work(20);
}

int main(void)
{
	stack_t stack = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	sigaltstack(&stack, NULL);
	do {
		nested(0, 0);
		nested(0, SA_ONSTACK);
		nested(SA_ONSTACK, SA_ONSTACK);
		nested(SA_ONSTACK | SA_NODEFER, 0);
		jump_out(0);
		jump_out(SA_ONSTACK);
		ticks(SA_RESTART, work_size(8000));
		ticks(SA_RESTART | SA_ONSTACK, work_size(8000));
	} while (!is_enough());
	return 0;
}
