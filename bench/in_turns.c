/* SPDX-License-Identifier: Apache-2.0 */
/*
 * in_turns LIBRARY BODY_NS SECONDS: what the events of a region cost, with bodies of about so long. The program is the
 * OMPT tool itself, loads LIBRARY (libompprof.so), and hands on to it what the runtime says; from then on it takes
 * away its callbacks, puts such in their place that return at once, or puts them back, in turns of some ms. So what differs
 * from one run to the next, where threads and their memory lie, how fast the machine is just now, is the same for
 * all three. The bodies' lengths change from round to round by up to a third: the runtime waits in steps of its own, and
 * what an event takes can be lost in one of them, or cost a whole one.
 * Prints `without NS`, `ignored NS`, `profiled NS`: of one region, the mean of rounds without the slowest tenth.
 * Status 77 if the runtime gives no callbacks away.
 */
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_EVENTS = 64, N_WAYS = 3, MOST_ROUNDS = 20000, UNCOUNTED = 100, ROUND_NS = 3000000 };
enum { WITHOUT, IGNORED, PROFILED };

static const char *const names[N_WAYS] = { "without", "ignored", "profiled" };

static struct {
	const char *path;
	ompt_start_tool_result_t *result;
	ompt_data_t data;
	ompt_set_callback_t set;
	ompt_get_callback_t get;
	ompt_callback_t callback[N_EVENTS];
} tool;

static double ns_of[N_WAYS][MOST_ROUNDS];
static volatile uint64_t sink;

static void nothing(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)data;
	tool.set = (ompt_set_callback_t)lookup("ompt_set_callback");
	tool.get = (ompt_get_callback_t)lookup("ompt_get_callback");
	return tool.result->initialize(lookup, device, &tool.data);
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	tool.result->finalize(&tool.data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
	ompt_start_tool_result_t *(*start)(unsigned int, const char *);
	void *library = tool.path ? dlopen(tool.path, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library)
		return NULL;
	*(void **)&start = dlsym(library, "ompt_start_tool");
	tool.result = start ? start(version, runtime) : NULL;
	return tool.result ? &result : NULL;
}

/* Returns how many callbacks the library has of events that come while regions are executed. */
static int find_callbacks(void)
{
	int n = 0;

	for (int event = 1; tool.get && event < N_EVENTS; event++) {
		ompt_callback_t found = NULL;

		if (event == ompt_callback_thread_begin || event == ompt_callback_thread_end ||
			tool.get((ompt_callbacks_t)event, &found) != 1 || !found)
			continue;
		tool.callback[event] = found;
		n++;
	}
	return n;
}

static void go_over_to(int way)
{
	ompt_callback_t instead = way == WITHOUT ? NULL : (ompt_callback_t)nothing;

	for (int event = 1; event < N_EVENTS; event++) {
		if (tool.callback[event])
			tool.set((ompt_callbacks_t)event,
				way == PROFILED ? tool.callback[event] : instead);
	}
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static __attribute__((noinline)) void body(long steps)
{
	uint64_t x = 88172645463325252u;

	for (; steps > 0; steps--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	sink = x;
}

static __attribute__((noinline)) void regions(long n, long steps)
{
	for (; n > 0; n--) {
#pragma omp parallel
		body(steps);
	}
}

static long steps_of(double ns)
{
	enum { STEPS = 2000000 };
	double least = 1e18;

	for (int i = 0; i < 5; i++) {
		double begin = now_ns(), took;

		body(STEPS);
		took = now_ns() - begin;
		least = took < least ? took : least;
	}
	return (long)(ns / least * STEPS);
}

static double time_of(int way, long n, long steps)
{
	double begin;

	go_over_to(way);
	regions(UNCOUNTED, steps);
	begin = now_ns();
	regions(n, steps);
	return (now_ns() - begin) / (double)n;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* The mean of all but the slowest tenth. */
static double mean_of(double *ns, int n)
{
	double sum = 0;
	int n_kept = n - n / 10;

	qsort(ns, (size_t)n, sizeof(*ns), compare);
	for (int i = 0; i < n_kept; i++)
		sum += ns[i];
	return sum / n_kept;
}

int main(int argc, char **argv)
{
	double length = argc > 3 ? atof(argv[2]) : 0, end;
	long steps, n;
	int round = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: in_turns LIBRARY BODY_NS SECONDS\n");
		return 2;
	}
	tool.path = argv[1];
	steps = steps_of(length);
	regions(UNCOUNTED, steps);
	if (!tool.result || !find_callbacks())
		return 77;
	n = (long)(ROUND_NS / (length + 500)) + 1;
	end = now_ns() + 1e9 * atof(argv[3]);
	for (; round < MOST_ROUNDS && (now_ns() < end || round == 0); round++) {
		long of_round = steps + steps * (round * 37 % 100) / 300;

		for (int i = 0; i < N_WAYS; i++) {
			int way = (round + i) % N_WAYS;

			ns_of[way][round] = time_of(way, n, of_round);
		}
	}
	go_over_to(PROFILED);
	for (int way = 0; way < N_WAYS; way++)
		printf("%s %.1f\n", names[way], mean_of(ns_of[way], round));
	return 0;
}
