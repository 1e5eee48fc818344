/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks in a program that computes and is interrupted by a timer: a walker has a block of
 * interrupts, then another has the next, in an order that is drawn anew for each turn. The first
 * interrupts of a block are left out, so that each walker finds the caches as the program and its
 * own walks leave them. Also the cost of a signal without a walk.
 */
#include "bench/walks.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench/walks_program.h"

#define PERIOD_NS    997000L
#define DISTURBED_NS 1e5 /* longer, and the scheduler or an interrupt came between */
#define N_SAMPLES    300 /* of each contender */
#define BLOCK        25  /* interrupts in a row that are one contender's */
#define UNCOUNTED    5   /* of those */
#define N_SIGNALS    2000

/* State of the handler, which interrupts only the thread that reads it. */
static struct {
	struct times times;
	enum contender order[N_CONTENDERS];
	int n_order, at, in_block;
	uint32_t random;
	double n_frames; /* of all walks by tables */
	int n_disturbed;
	volatile int is_done;
	volatile int n_empty; /* signals that on_empty has seen */
} sampled;

static enum contender next_contender(void)
{
	if (sampled.at < sampled.n_order && ++sampled.in_block < BLOCK)
		return sampled.order[sampled.at];
	sampled.in_block = 0;
	if (++sampled.at >= sampled.n_order) {
		sampled.at = 0;
		for (int i = sampled.n_order - 1; i > 0; i--) {
			enum contender c = sampled.order[i];

			sampled.random = sampled.random * 1664525 + 1013904223;
			int j = (int)((sampled.random >> 8) % (unsigned int)(i + 1));
			sampled.order[i] = sampled.order[j];
			sampled.order[j] = c;
		}
	}
	return sampled.order[sampled.at];
}

/* The time does not include taking the registers, which any handler has to do. */
static void on_signal(int number, siginfo_t *info, void *ucontext)
{
	struct walk_registers here;
	enum contender c = next_contender();
	uint64_t begin;
	uint32_t n;
	double ns;

	(void)number;
	(void)info;
	walk_registers_from_ucontext(&here, ucontext);
	begin = walks_ticks();
	n = walks_walk(c, &here, &walks.stack, &walks.contest[c].path);
	ns = walks_ns(begin, walks_ticks());
	if (sampled.in_block < UNCOUNTED)
		return;
	if (ns > DISTURBED_NS) {
		sampled.n_disturbed++;
		return;
	}
	times_add(&sampled.times, c, ns);
	if (c == TABLES)
		sampled.n_frames += n;
	sampled.is_done = sampled.times.n[c] == sampled.times.capacity;
}

static void on_empty(int number, siginfo_t *info, void *ucontext)
{
	(void)number;
	(void)info;
	(void)ucontext;
	sampled.n_empty++;
}

/* Lets a timer signal this thread. Returns 0, or -1 where that cannot be done. */
static int start_timer(timer_t *timer, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
	struct itimerspec every = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };

	event._sigev_un._tid = gettid();
	sigaction(SIGPROF, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, timer) != 0)
		return -1;
	return timer_settime(*timer, 0, &every, NULL);
}

static void measure(
	const char *name, const struct program *program, double (*work)(const volatile int *stop))
{
	timer_t timer;
	char label[64];
	size_t capacity = (size_t)(walks.factor * N_SAMPLES) + 1;

	memset(&sampled, 0, sizeof(sampled));
	times_init(&sampled.times, capacity);
	for (enum contender c = 0; c < N_CONTENDERS; c++)
		if (walks_takes_part(c, program->has_frame_pointers))
			sampled.order[sampled.n_order++] = c;
	sampled.at = sampled.n_order;
	if (start_timer(&timer, on_signal) != 0)
		return;
	work(&sampled.is_done);
	timer_delete(timer);
	signal(SIGPROF, SIG_IGN);
	snprintf(label, sizeof(label), "%s, depth %.0f, mean", name,
		sampled.n_frames / (double)(sampled.times.n[TABLES] + !sampled.times.n[TABLES]));
	table_means(label, &sampled.times);
	table_medians("  median", &sampled.times);
	if (sampled.n_disturbed)
		printf("  disturbed and dropped: %d\n", sampled.n_disturbed);
	times_release(&sampled.times);
}

/* The ns that each signal takes from a computation that only reads the clock. */
static double median_gap(void)
{
	struct times gaps;
	timer_t timer;
	uint64_t last, now;
	double median;
	int seen = sampled.n_empty;

	times_init(&gaps, N_SIGNALS / 4);
	if (start_timer(&timer, on_empty) != 0)
		return 0;
	last = walks_ticks();
	while (gaps.n[0] < gaps.capacity) {
		now = walks_ticks();
		if (sampled.n_empty != seen) { /* it may have come after that reading */
			now = walks_ticks();
			times_add(&gaps, 0, walks_ns(last, now));
		}
		seen = sampled.n_empty;
		last = now;
	}
	timer_delete(timer);
	median = times_median(&gaps, 0);
	times_release(&gaps);
	return median;
}

static double median_kill(void)
{
	struct times kills;
	struct sigaction action = { .sa_sigaction = on_empty, .sa_flags = SA_SIGINFO };
	double median;
	pid_t process = getpid(), thread = gettid();

	times_init(&kills, N_SIGNALS);
	sigaction(SIGPROF, &action, NULL);
	while (kills.n[0] < kills.capacity) {
		uint64_t begin = walks_ticks();

		syscall(SYS_tgkill, process, thread, SIGPROF);
		times_add(&kills, 0, walks_ns(begin, walks_ticks()));
	}
	median = times_median(&kills, 0);
	times_release(&kills);
	return median;
}

void walks_sampled(void)
{
	table_part("interrupted, ns a sample");
	measure("stencil", &program_plain, program_plain.stencil);
	measure("sort", &program_plain, program_plain.sort);
	measure("text", &program_plain, program_plain.text);
	measure("sort, fp", &program_pointers, program_pointers.sort);
	printf("a signal with an empty handler: %.0f ns when a thread sends it to itself, %.0f ns "
	       "from"
	       " a computation by a timer\n",
		median_kill(), median_gap());
}
