/* SPDX-License-Identifier: Apache-2.0 */
/*
 * in_turns LIBRARY BODY_NS[x2] SECONDS: what the events of a region cost that takes about BODY_NS;
 * x2: two constructs take turns. In turns of a few ms the profiler's callbacks are taken away,
 * replaced by callbacks that return at once, and put back (proxy.h). So all three meet the same
 * speed of the machine. Samples are taken all the time.
 *
 * The length of bodies varies from round to round, by up to a third: the runtime waits in steps,
 * in which the time of an event can be lost, or cost a whole step more. Prints `without NS`,
 * `ignored NS` and `profiled NS` of a region: means over all rounds but the tenth in which the
 * three differ most. Status 77, with a reason: the library cannot be used, or the runtime does not
 * say its callbacks.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/kernel.h"
#include "bench/proxy.h"

enum { N_WAYS = 3, MOST_ROUNDS = 20000, UNCOUNTED = 100, ROUND_NS = 3000000 };

static const char *const names[N_WAYS] = { "without", "ignored", "profiled" };

static double ns_of[MOST_ROUNDS][N_WAYS];

static double now_ns(void)
{
	return 1e9 * work_clock(CLOCK_MONOTONIC);
}

static __attribute__((noinline)) void body(long steps)
{
	KERNEL_WORK(steps);
}

static __attribute__((noinline)) void regions(long n, long steps)
{
	for (; n > 0; n--) {
#pragma omp parallel
		body(steps);
	}
}

static __attribute__((noinline)) void regions_of_two(long n, long steps)
{
	for (; n > 0; n -= 2) {
#pragma omp parallel
		body(steps);
#pragma omp parallel
		body(steps);
	}
}

static void (*kernel)(long n, long steps) = regions;

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

	proxy_go_over_to((enum proxy_way)way);
	kernel(UNCOUNTED, steps);
	begin = now_ns();
	kernel(n, steps);
	return (now_ns() - begin) / (double)n;
}

/* The time of the slowest way in a round, divided by the time of the fastest. */
static double spread_of(const double *ns)
{
	double least = ns[0], most = ns[0];

	for (int way = 1; way < N_WAYS; way++) {
		least = ns[way] < least ? ns[way] : least;
		most = ns[way] > most ? ns[way] : most;
	}
	return most / least;
}

static int compare(const void *a, const void *b)
{
	double difference = spread_of(a) - spread_of(b);

	return (difference > 0) - (difference < 0);
}

static void print(int n_rounds)
{
	int n_kept = n_rounds - n_rounds / 10;

	qsort(ns_of, (size_t)n_rounds, sizeof(ns_of[0]), compare);
	for (int way = 0; way < N_WAYS; way++) {
		double sum = 0;

		for (int i = 0; i < n_kept; i++)
			sum += ns_of[i][way];
		printf("%s %.1f\n", names[way], sum / n_kept);
	}
}

int main(int argc, char **argv)
{
	double length = argc > 3 ? atof(argv[2]) : 0, end;
	long steps, n;
	const char *why;
	int round = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: in_turns LIBRARY BODY_NS[x2] SECONDS\n");
		return 2;
	}
	proxy.path = argv[1];
	if (strstr(argv[2], "x2"))
		kernel = regions_of_two;
	steps = steps_of(length);
	kernel(UNCOUNTED, steps);
	why = proxy_find();
	if (why) {
		fprintf(stderr, "in_turns: %s\n", why);
		return 77;
	}
	n = (long)(ROUND_NS / (length + 500)) / 2 * 2 + 2;
	end = now_ns() + 1e9 * atof(argv[3]);
	for (; round < MOST_ROUNDS && (now_ns() < end || round == 0); round++) {
		long of_round = steps + steps * (round * 37 % 100) / 300;

		for (int i = 0; i < N_WAYS; i++) {
			int way = (round + i) % N_WAYS;

			ns_of[round][way] = time_of(way, n, of_round);
		}
	}
	proxy_go_over_to(PROXY_PROFILED);
	print(round);
	return 0;
}
