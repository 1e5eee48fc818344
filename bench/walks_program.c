/* SPDX-License-Identifier: Apache-2.0 */
/* The program whose stack is walked; see walks_program.h. PROGRAM is the name of its struct. */
#include "bench/walks_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

/* Doubles of each of the stencil's two arrays: 128 MB each, more than most caches hold. */
#define N_STENCIL ((size_t)1 << 24)

#define N_SORT   ((size_t)1 << 19)
#define N_INSERT 24

/* Calls around the sort, so that it stands at a depth of about 50. */
#define N_AROUND_SORT 3

static double even(const struct descent *descent, int left);
static double odd(const struct descent *descent, int left);
static level volatile levels[2] = { even, odd };

/* As a runtime's entry function does it: its caller's registers from its own frame. */
static NOINLINE void encounter(const struct descent *descent)
{
	const uint64_t *slot = __builtin_frame_address(0);
	struct walk_registers user = { .is_return = 1,
		.known = (uint64_t)1 << WALK_IP | (uint64_t)1 << WALK_SP | (uint64_t)1 << WALK_FP };

	user.reg[WALK_FP] = slot[0];
	user.reg[WALK_IP] = slot[1];
	user.reg[WALK_SP] = (uint64_t)(uintptr_t)(slot + 2);
	descent->visit(&user, descent->argument);
	__asm__ volatile("" ::: "memory");
}

static inline __attribute__((always_inline)) void visit(const struct descent *descent)
{
	struct walk_registers here;

	if (descent->is_construct) {
		encounter(descent);
	} else {
		walk_registers_here(&here);
		descent->visit(&here, descent->argument);
	}
	__asm__ volatile("" ::: "memory");
}

static NOINLINE double even(const struct descent *descent, int left)
{
	volatile double x[4] = { left };

	if (left == 1)
		visit(descent);
	else
		x[1] = levels[descent->variant >> (left - 2) % 32 & 1](descent, left - 1);
	return x[0] + x[1];
}

/* With more saved registers than the other. */
static NOINLINE double odd(const struct descent *descent, int left)
{
	double a = left * 0.5, b = left * 0.25;
	long i = left, j = left + 1, k = left + 2;

	__asm__ volatile("" : "+r"(i), "+r"(j), "+r"(k));
	if (left == 1)
		visit(descent);
	else
		a += levels[descent->variant >> (left - 2) % 32 & 1](descent, left - 1) + b;
	__asm__ volatile("" : "+r"(i), "+r"(j), "+r"(k));
	return a + (double)(i + j + k);
}

/* A row of the stencil, of n numbers. Returns a sum of them. */
static NOINLINE double relax(double *to, const double *from, size_t n)
{
	double sum = 0;

	for (size_t i = 1; i + 1 < n; i++) {
		to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
		sum += to[i];
	}
	return sum;
}

static NOINLINE double sweep(double *to, const double *from, const volatile int *stop)
{
	double sum = 0;

	for (size_t row = 0; row < N_STENCIL && !*stop; row += 4096)
		sum += relax(to + row, from + row, 4096);
	return sum;
}

static double stencil(const volatile int *stop)
{
	double *a = calloc(N_STENCIL, sizeof(double)), *b = calloc(N_STENCIL, sizeof(double));
	double sum = 0;

	if (!a || !b)
		return 0;
	memset(a, 1, N_STENCIL * sizeof(double));
	for (int i = 0; !*stop; i++)
		sum += i % 2 ? sweep(a, b, stop) : sweep(b, a, stop);
	free(a);
	free(b);
	return sum;
}

/* As a runtime executes tasks: three calls a level. */
struct task {
	void (*body)(struct task *task);
	double *from;
	size_t n;
	const volatile int *stop;
};

static NOINLINE void run_task(struct task *task)
{
	task->body(task);
	__asm__ volatile("" ::: "memory");
}

static NOINLINE void insert(double *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double x = a[i];
		size_t j = i;

		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

/* Returns where the pivot, the middle number, ends up. */
static NOINLINE size_t partition(double *a, size_t n)
{
	double pivot = a[n / 2], x;
	size_t place = 0;

	a[n / 2] = a[n - 1];
	a[n - 1] = pivot;
	for (size_t i = 0; i + 1 < n; i++) {
		x = a[i];
		a[i] = a[place];
		a[place] = x;
		place += x < pivot;
	}
	x = a[place];
	a[place] = a[n - 1];
	a[n - 1] = x;
	return place;
}

static void sort_body(struct task *task);

static NOINLINE void sort_part(double *a, size_t n, const volatile int *stop)
{
	size_t place;

	if (n <= N_INSERT || *stop) {
		insert(a, n < N_INSERT ? n : N_INSERT);
		return;
	}
	place = partition(a, n);
	struct task left = { sort_body, a, place, stop };
	struct task right = { sort_body, a + place + 1, n - place - 1, stop };

	run_task(&left);
	run_task(&right);
}

static NOINLINE void sort_body(struct task *task)
{
	sort_part(task->from, task->n, task->stop);
	__asm__ volatile("" ::: "memory");
}

static void sort_visit(const struct walk_registers *here, void *argument)
{
	const volatile int *stop = argument;
	double *a = malloc(N_SORT * sizeof(double));
	uint64_t x = 88172645463325252u;

	(void)here;
	while (a && !*stop) {
		for (size_t i = 0; i < N_SORT; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			a[i] = (double)x;
		}
		sort_part(a, N_SORT, stop);
	}
	free(a);
}

static double sort(const volatile int *stop)
{
	struct descent descent = {
		.visit = sort_visit, .argument = (void *)(uintptr_t)stop, .variant = 0x5a5a5a5a
	};

	program_descend(&PROGRAM, &descent, N_AROUND_SORT);
	return 0;
}

static NOINLINE size_t print_line(char *line, size_t size, double x, int i)
{
	return (size_t)snprintf(line, size, "%d: %.6f %s %g", i, x, "line", x * x) + 1;
}

static void text_visit(const struct walk_registers *here, void *argument)
{
	const volatile int *stop = argument;
	char *kept[64] = { NULL };
	char line[128];

	(void)here;
	for (int i = 0; !*stop; i++) {
		size_t n = print_line(line, sizeof(line), i * 0.37, i);

		free(kept[i % 64]);
		kept[i % 64] = malloc(n + (size_t)i % 500);
		if (kept[i % 64])
			memcpy(kept[i % 64], line, n);
	}
	for (int i = 0; i < 64; i++)
		free(kept[i]);
}

static double text(const volatile int *stop)
{
	struct descent descent = { .visit = text_visit, .argument = (void *)(uintptr_t)stop };

	program_descend(&PROGRAM, &descent, 2);
	return 0;
}

const struct program PROGRAM = {
#ifdef WITH_FRAME_POINTERS
	.has_frame_pointers = 1,
#endif
	.level = levels,
	.stencil = stencil,
	.sort = sort,
	.text = text,
};
