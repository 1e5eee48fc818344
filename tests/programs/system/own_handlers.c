/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has handlers of its own for SIGPROF and SIGALRM (by setitimer) and SIGURG (by raise): under the
 * profiler it gets every one that it asked for. Of a signal that the profiler uses, too, it may get
 * a stray of each of the thread's two clocks that was armed before the handler was changed, and
 * then no more.
 */
#include <signal.h>
#include <sys/time.h>

#include "../work.h"

static volatile sig_atomic_t n_prof, n_alarm, n_urgent, n_strays;

static void count(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == SIGPROF)
		n_prof++;
	else if (signal == SIGALRM)
		n_alarm++;
	else if (info->si_code == SI_TKILL)
		n_urgent++;
	else
		n_strays++;
}

static NOINLINE void busy_kernel(double seconds)
{
	double end = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	uint64_t x = 88172645463325252u;

	while (work_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		CHURN(x, 100000);
	work_sink = x;
}

int main(int argc, char **argv)
{
	struct itimerval every = { { 0, 20000 }, { 0, 20000 } }, off = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_sigaction = count, .sa_flags = SA_RESTART | SA_SIGINFO };

	work_start(0, argv, 1);
	sigaction(SIGPROF, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGURG, &action, NULL);
	setitimer(ITIMER_PROF, &every, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
#pragma omp parallel
	busy_kernel(argc > 1 ? atof(argv[1]) : 0.5);
	setitimer(ITIMER_PROF, &off, NULL);
	setitimer(ITIMER_REAL, &off, NULL);
	for (int i = 0; i < 100; i++)
		raise(SIGURG);
	/* Signals of the timers may coalesce; 1000 a second cannot be theirs. */
	int ok = n_prof >= 5 && n_prof < 500 && n_alarm >= 5 && n_alarm < 500 &&
		 n_strays <= 2 * omp_get_max_threads();

	if (!ok || n_strays)
		fprintf(stderr, "own_handlers: %d SIGPROF, %d SIGALRM, %d stray SIGURG\n",
			(int)n_prof, (int)n_alarm, (int)n_strays);
	return work_finish("own_handlers", ok ? n_urgent : -1, 100);
}
