/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's perf event: what it counts, and which descriptors it leaves to the program. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "sampler/core/clock.h"
#include "sampler/core/tool.h"

enum {
	SIGNAL = SIGURG,
	PAGE = 4096,
	N_PAGES = 200,        /* that the program touches */
	N_OWN = 3,            /* that each sample does */
	MOST = 2 * N_PAGES,   /* samples that do */
	SLACK = N_PAGES / 10, /* faults of the test itself */
	LIMIT = 64,           /* descriptors */
};

struct tool tool;

static struct thread_clock timed;
static volatile char *own;
static volatile uint64_t n_samples, n_events;

/* Pages that the next touch of each makes a fault. */
static volatile char *fresh(size_t n)
{
	char *at = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	madvise(at, n * PAGE, MADV_NOHUGEPAGE);
	return at;
}

static void touch(volatile char *pages, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pages[i * PAGE] = 1;
}

/* What the handler does for a sample, between the two. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	struct clock_weight weight;

	(void)signal;
	(void)context;
	clock_perf.turn(&timed, info, &weight);
	n_events += weight.events;
	if (n_samples < MOST)
		touch(own + n_samples * N_OWN * PAGE, N_OWN);
	n_samples++;
	if (clock_perf.go_on)
		clock_perf.go_on(&timed);
}

static int set_up(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };

	(void)state;
	memset(&timed, 0, sizeof(timed));
	timed.random = 88172645463325252u;
	n_samples = n_events = 0;
	clock_perf_use(&(struct perf_event){ .name = "page-faults",
			       .type = PERF_TYPE_SOFTWARE,
			       .config = PERF_COUNT_SW_PAGE_FAULTS },
		0);
	tool.settings.period = 1;
	tool.settings.signal = SIGNAL;
	return sigaction(SIGNAL, &action, NULL);
}

static void counts_the_program_alone(void **state)
{
	volatile char *pages = fresh(N_PAGES);

	(void)state;
	own = fresh(MOST * N_OWN);
	if (clock_perf.start(&timed) != 0)
		skip();
	touch(pages, N_PAGES);
	clock_perf.stop(&timed);
	assert_in_range(n_events, N_PAGES, N_PAGES + SLACK);
	assert_in_range(n_samples, N_PAGES, N_PAGES + SLACK);
}

/* Descriptors from lo up to before hi that nobody has. */
static int n_free(int lo, int hi)
{
	int n = 0;

	for (int i = lo; i < hi; i++)
		n += fcntl(i, F_GETFD) < 0;
	return n;
}

static void leaves_the_lower_half(void **state)
{
	static struct thread_clock many[LIMIT];
	int n = 0, error = 0, n_low = n_free(0, LIMIT / 2), n_high = n_free(LIMIT / 2, LIMIT);
	struct rlimit before, limit;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	limit = (struct rlimit){ .rlim_cur = LIMIT, .rlim_max = before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	tool.settings.period = 1000000;
	while (n < LIMIT && (error = clock_perf.start(&many[n])) == 0)
		n++;
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(n_free(0, LIMIT / 2), n_low);
	for (int i = 0; i < n; i++)
		clock_perf.stop(&many[i]);
	if (error != EMFILE)
		skip();
	assert_int_equal(n, n_high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counts_the_program_alone, set_up),
		cmocka_unit_test_setup(leaves_the_lower_half, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
