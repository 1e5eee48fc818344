/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for the walkers' tests: the C library with callbacks, lazy binding, deep recursion,
 * alloca, realigned frames, calls that do not return, tail calls, signals within signals.
 */
#include "program.h"

#include <alloca.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile double sink;
static sigjmp_buf back;

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void sort(void)
{
	int v[4000], n = work_size(4000);

	for (int i = 0; i < n; i++)
		v[i] = (int)((unsigned int)i * 2654435761u >> 8);
	qsort(v, (size_t)n, sizeof(v[0]), compare_ints);
	sink = v[7];
}

static void text(void)
{
	char line[200];
	regex_t regex;

	if (regcomp(&regex, "(a|b)*c[0-9]+(xy)*", REG_EXTENDED) != 0)
		return;
	for (int i = 0; i < work_size(200); i++) {
		snprintf(line, sizeof(line), "%d %g abababc%dxyxy %s %-20s", i, i * 0.37, i, "tail",
			"x");
		sink = regexec(&regex, line, 0, NULL, 0) + strtod(line, NULL);
	}
	regfree(&regex);
}

static double __attribute__((noinline)) deep(int n)
{
	volatile char *room = alloca((size_t)(n % 7) * 24 + 1);

	room[0] = (char)n;
	return n ? deep(n - 1) + room[0] : clock() * 1e-9;
}

static int __attribute__((noinline)) aligned(int n)
{
	int block[32] __attribute__((aligned(128)));

	for (int i = 0; i < 32; i++)
		block[i] = n * i;
	sort();
	return n ? aligned(n - 1) + block[n] : block[3];
}

static double __attribute__((noinline)) upon(char *room)
{
	room[0] = 1;
	sort();
	return room[0];
}

static double __attribute__((noinline)) reach(size_t bytes)
{
	return upon(alloca(bytes)) + 1;
}

/*
 * The calls below reach() have the same return addresses in the same places each time, and it has
 * another frame: only its frame pointer tells.
 */
static double __attribute__((noinline)) shifted(size_t bytes, size_t all)
{
	volatile char *room = alloca(bytes + 1);

	room[0] = 1;
	return reach(all - bytes) + room[0];
}

/* Calls that end their function are jumps: here between functions with frames of different sizes. */
static double __attribute__((noinline)) tail_small(int n);
static double (*volatile tail_any)(int n) = tail_small;

static double __attribute__((noinline)) tail_large(int n)
{
	char line[300];

	snprintf(line, sizeof(line), "%*d", n % 8 + 1, n);
	sink = line[0];
	return n > 0 ? tail_any(n - 1) : sink;
}

static double __attribute__((noinline)) tail_small(int n)
{
	sink = n;
	return tail_large(n - 1);
}

static void memory(void)
{
	char *blocks[16];

	for (size_t i = 0; i < 16; i++)
		blocks[i] = calloc(1, i * i * 40 + 1);
	for (size_t i = 0; i < 16; i += 2)
		blocks[i] = realloc(blocks[i], i * i * 90 + 1);
	for (size_t i = 0; i < 16; i++)
		free(blocks[i]);
}

static void on_inner(int signal_number)
{
	(void)signal_number;
	text();
}

static void on_outer(int signal_number)
{
	(void)signal_number;
	raise(SIGUSR2);
	sort();
}

/* A call that does not return, as the last instruction of its function. */
static void __attribute__((noinline, noreturn)) leave(int n)
{
	sink = n;
	text();
	siglongjmp(back, 1);
}

static void __attribute__((noinline)) jump(int n)
{
	if (sigsetjmp(back, 0) == 0)
		leave(n);
}

int main(void)
{
	signal(SIGUSR1, on_outer);
	signal(SIGUSR2, on_inner);
	do {
		sort();
		text();
		sink = deep(300);
		sink = aligned(5);
		raise(SIGUSR1);
		jump(3);
		sink = tail_any(work_size(500));
		memory();
		for (size_t i = 0; i < 8; i++)
			sink = shifted(i * 64, 512);
		for (int i = 0; i < work_size(1000); i++)
			sink = time(NULL) + rand() + getenv("HOME")[0] + clock();
	} while (!is_enough());
	return 0;
}
