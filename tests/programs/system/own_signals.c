/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_signals HOW [FACTOR]: takes signals itself, in ways that a profiler's could get into. Each prints how many it
 * got, and fails if that is not what it sent, or if any other came.
 *   blocked    works with all signals blocked, on every thread: none is pending then; then unblocked
 *   held       as blocked, by sighold and sigrelse
 *   masked     as blocked, by sigblock and sigsetmask
 *   hold       as blocked, by sigset; it says what X/Open has it say
 *   sigwait    a thread that works with all signals blocked and waits for any of them
 *   timedwait  the same with sigtimedwait
 *   signalfd   the same with signalfd
 *   suspend    the same with sigsuspend: each signal wakes it once
 *   pselect    the same with pselect
 *   timers     timer_create with a real-time signal and with a thread, setitimer(ITIMER_VIRTUAL)
 *   faults     SIGSEGV and SIGBUS that its handler leaves by siglongjmp, on every thread
 *   overflow   the stack overflows; the handler of SIGSEGV on the alternate stack ends with status 9
 *   jump       a siglongjmp out of serial code in which all signals are blocked opens them again
 *   handler    works for long in a handler on an alternate stack, beside a region
 *   within     a handler during which all signals are blocked opens others, as virtual machines do; it returns
 *   words      pthread_sigmask and sigprocmask with masks of the kernel's size
 * Flags: -D_GNU_SOURCE -pthread -Wno-deprecated-declarations
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#include "../work.h"

enum { N_SENT = 20 };

static long unit;
static const char *how;
static volatile sig_atomic_t n_taken;
static volatile long n_wrong;

static NOINLINE void blocked_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void open_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static void block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void unblock_all(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

static void hold_all(void)
{
	for (int i = 1; i < 32; i++)
		if (i != SIGKILL && i != SIGSTOP)
			sighold(i);
}

static void release_all(void)
{
	for (int i = 1; i < 32; i++)
		if (i != SIGKILL && i != SIGSTOP)
			sigrelse(i);
}

static void mask_all(void)
{
	sigblock(-1);
}

static void unmask_all(void)
{
	sigsetmask(0);
}

static int has_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return !sigisemptyset(&pending);
}

static int block_and_work(void (*block)(void), void (*unblock)(void))
{
	long pending = 0;

#pragma omp parallel reduction(+ : pending)
	{
		block();
		for (int i = 0; i < 10; i++) {
			blocked_kernel(10 * unit);
			pending += has_pending();
		}
		unblock();
		open_kernel(100 * unit);
	}
	return work_finish(how, pending, 0);
}

static int blocked(void)
{
	return block_and_work(block_all, unblock_all);
}

static int held(void)
{
	return block_and_work(hold_all, release_all);
}

static int masked(void)
{
	return block_and_work(mask_all, unmask_all);
}

static void take(int signal)
{
	n_taken++;
	if (signal != SIGUSR1)
		n_wrong++;
}

/* Waits for one signal, of whatever number, and returns that. */
static int wait_for_any(int fd)
{
	struct timespec patience = { 10, 0 };
	struct signalfd_siginfo info;
	sigset_t all, none;
	int signal = 0;

	sigfillset(&all);
	sigemptyset(&none);
	if (!strcmp(how, "sigwait"))
		return sigwait(&all, &signal) == 0 ? signal : -1;
	if (!strcmp(how, "timedwait"))
		return sigtimedwait(&all, NULL, &patience);
	if (!strcmp(how, "signalfd"))
		return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : -1;
	if (!strcmp(how, "suspend"))
		sigsuspend(&none);
	else
		pselect(0, NULL, NULL, NULL, &patience, &none);
	/* The handler has run once, for SIGUSR1, or else something else came. */
	signal = n_taken == 1 && !n_wrong ? SIGUSR1 : -1;
	n_taken = 0;
	return signal;
}

/* A signal of no use, what it says each time, and what it does with those that cannot be. */
static int hold(void)
{
	int n = 0;

	n += sigset(SIGUSR2, SIG_IGN) == SIG_DFL;
	n += sigset(SIGUSR2, SIG_HOLD) == SIG_IGN;
	n += sigset(SIGUSR2, SIG_HOLD) == SIG_HOLD;
	n += sigset(SIGUSR2, take) == SIG_HOLD;
	raise(SIGUSR2);
	n += n_taken == 1;
	n += sigset(SIGUSR2, SIG_DFL) == take;
	n += sigset(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL;
	n += sigset(0, SIG_HOLD) == SIG_ERR && sighold(1000) == -1 && sigrelse(-1) == -1;
	n += sigblock(1 << (SIGUSR2 - 1)) == 0 && sigblock(0) == 1 << (SIGUSR2 - 1);
	n += sigsetmask(1 << (SIGUSR1 - 1)) == 1 << (SIGUSR2 - 1);
	n += sigsetmask(0) == 1 << (SIGUSR1 - 1);
	for (int i = 1; i < 32; i++)
		if (i != SIGKILL && i != SIGSTOP)
			sigset(i, SIG_HOLD);
	blocked_kernel(100 * unit);
	n += !has_pending();
	release_all();
#pragma omp parallel
	open_kernel(100 * unit);
	return work_finish(how, n, 12);
}

static volatile int n_sent, n_got;

/* Works, and takes a signal each time; between the two one of the profiler's can become pending. */
static void *waiter(void *unused)
{
	sigset_t all;
	int fd;

	block_all();
	sigfillset(&all);
	fd = signalfd(-1, &all, SFD_CLOEXEC);
#pragma omp parallel num_threads(1)
	for (int i = 0; i < N_SENT; i++) {
		blocked_kernel(10 * unit);
		n_wrong += has_pending();
		n_sent++;
		if (wait_for_any(fd) != SIGUSR1)
			n_wrong++;
		n_got++;
	}
	close(fd);
	return unused;
}

static int waiting(void)
{
	struct sigaction action = { .sa_handler = take };
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, waiter, NULL);
	for (int i = 0; i < N_SENT; i++) {
		while (n_sent <= i)
			usleep(500);
		usleep(2000);
		pthread_kill(thread, SIGUSR1);
		while (n_got <= i)
			usleep(500);
	}
	pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
	open_kernel(50 * unit);
	return work_finish(how, n_wrong, 0);
}

static volatile sig_atomic_t n_real, n_virtual;
static volatile long n_called;

static void count(int signal)
{
	if (signal == SIGVTALRM)
		n_virtual++;
	else
		n_real++;
}

static void count_call(union sigval value)
{
	(void)value;
	__atomic_fetch_add(&n_called, 1, __ATOMIC_RELAXED);
}

static int timers(void)
{
	struct itimerspec ten = { { 0, 10000000 }, { 0, 10000000 } };
	struct itimerval every = { { 0, 20000 }, { 0, 20000 } }, off = { { 0, 0 }, { 0, 0 } };
	struct sigevent real = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1 };
	struct sigevent call = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = count_call };
	struct sigaction action = { .sa_handler = count, .sa_flags = SA_RESTART };
	timer_t first, second;
	double end;

	sigaction(SIGRTMIN + 1, &action, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &real, &first) != 0 ||
		timer_create(CLOCK_MONOTONIC, &call, &second) != 0)
		return 2;
	timer_settime(first, 0, &ten, NULL);
	timer_settime(second, 0, &ten, NULL);
	setitimer(ITIMER_VIRTUAL, &every, NULL);
	end = work_clock(CLOCK_MONOTONIC) + 0.5;
	while (work_clock(CLOCK_MONOTONIC) < end) {
#pragma omp parallel
		open_kernel(unit);
	}
	setitimer(ITIMER_VIRTUAL, &off, NULL);
	timer_delete(first);
	timer_delete(second);
	if (n_real > 55 || n_called > 55 || n_real < 5 || n_called < 5 || n_virtual < 1)
		fprintf(stderr, "own_signals: %d %ld %d\n", (int)n_real, n_called, (int)n_virtual);
	return work_finish(how,
		n_real <= 55 && n_called <= 55 && n_real >= 5 && n_called >= 5 && n_virtual >= 1,
		1);
}

static __thread sigjmp_buf back __attribute__((tls_model("initial-exec")));
static char *nowhere, *beyond;

static void leave(int signal)
{
	siglongjmp(back, signal);
}

static int faults(void)
{
	struct sigaction action = { .sa_handler = leave };
	FILE *file = tmpfile();
	long n = 0;

	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	beyond = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
#pragma omp parallel reduction(+ : n)
	for (volatile int i = 0; i < 200; i++) {
		int signal = sigsetjmp(back, 1);

		if (signal == 0) {
			open_kernel(unit / 2);
			*(volatile char *)(i % 2 ? nowhere : beyond) = 1;
		} else {
			n += signal == (i % 2 ? SIGSEGV : SIGBUS);
		}
	}
	return work_finish(how, n, 200L * omp_get_max_threads());
}

static int jump(void)
{
	if (sigsetjmp(back, 1) == 0) {
		block_all();
		blocked_kernel(10 * unit);
		siglongjmp(back, 1);
	}
#pragma omp parallel num_threads(1)
	open_kernel(100 * unit);
	return work_finish(how, has_pending(), 0);
}

static void report_overflow(int signal)
{
	static const char text[] = "overflow: caught\n";

	if (signal == SIGSEGV && write(STDOUT_FILENO, text, sizeof(text) - 1) > 0)
		_exit(9);
	_exit(10);
}

static NOINLINE long descend(long depth, const char *above)
{
	volatile char frame[512];

	frame[0] = *above;
	blocked_kernel(2000);
	return descend(depth + 1, (const char *)frame) + frame[0];
}

static void use_alternate_stack(int signal, void (*handler)(int), size_t bytes)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = bytes };

	stack.ss_sp = malloc(bytes);
	sigaltstack(&stack, NULL);
	sigaction(signal, &action, NULL);
}

static int overflow(void)
{
#pragma omp parallel
	open_kernel(20 * unit);
	use_alternate_stack(SIGSEGV, report_overflow, (size_t)sysconf(_SC_SIGSTKSZ));
	return (int)descend(0, how);
}

static void work_long(int signal)
{
	(void)signal;
	blocked_kernel(100 * unit);
	n_taken++;
}

static int handler(void)
{
	/* Room for two of the kernel's frames and little more. */
	use_alternate_stack(SIGUSR1, work_long, 2 * (size_t)sysconf(_SC_MINSIGSTKSZ) + 2048);
	raise(SIGUSR1);
#pragma omp parallel
	{
#pragma omp master
		raise(SIGUSR1);
		open_kernel(50 * unit);
	}
	return work_finish(how, n_taken, 2);
}

static void open_others(int signal)
{
	sigset_t faults;

	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
	n_taken += signal == SIGUSR1;
}

static int within(void)
{
	struct sigaction action = { .sa_handler = open_others };

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	open_kernel(100 * unit);
	return work_finish(how, n_taken, 1);
}

/* The C library writes 8 bytes of a mask, whatever comes after it. */
static int words(void)
{
	uint64_t mask[32];
	long n_changed = 0;

	memset(mask, 0x5a, sizeof(mask));
	pthread_sigmask(SIG_BLOCK, NULL, (sigset_t *)mask);
	sigprocmask(SIG_SETMASK, (sigset_t *)mask, (sigset_t *)(mask + 1));
	for (int i = 2; i < 32; i++)
		n_changed += mask[i] != 0x5a5a5a5a5a5a5a5a;
#pragma omp parallel
	open_kernel(50 * unit);
	return work_finish(how, n_changed + (mask[0] != mask[1]), 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = { { "blocked", blocked }, { "held", held }, { "masked", masked },
		{ "hold", hold }, { "sigwait", waiting }, { "timedwait", waiting },
		{ "signalfd", waiting }, { "suspend", waiting }, { "pselect", waiting },
		{ "timers", timers }, { "faults", faults }, { "overflow", overflow },
		{ "handler", handler }, { "jump", jump }, { "within", within },
		{ "words", words } };

	unit = work_start(argc, argv, 2);
	how = argc > 1 ? argv[1] : "blocked";
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(how, ways[i].name))
			return ways[i].run();
	}
	return 2;
}
