/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks of one stack, each time with something else in the caches of the processor's core. It is
 * like a walk in a timer's handler, but the stack is the same, and there is no interrupt.
 */
#include "bench/walks.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/walks_program.h"

#define JUNK_BYTES      ((size_t)8 << 20)
#define N_BLOCKS        15 /* of each contender */
#define WALKS_PER_BLOCK 20
#define UNCOUNTED       3 /* of those */

struct cold {
	struct times times;
	unsigned char *junk;
	uint32_t n_frames;
};

/* 64 KB of instructions. */
static __attribute__((noinline)) void run_junk(void)
{
	__asm__ volatile(".rept 1024\n\t"
			 "jmp 1f\n\t"
			 ".balign 64\n"
			 "1:\n\t"
			 ".endr");
}

static void fill_caches(struct cold *cold)
{
	for (size_t i = 0; i < JUNK_BYTES; i += 64)
		cold->junk[i]++;
	run_junk();
}

static void count(const struct walk_registers *here, void *argument)
{
	struct cold *cold = argument;

	cold->n_frames = walks_walk(TABLES, here, &walks.stack, &walks.contest[TABLES].path);
}

static void time_block(struct cold *cold, enum contender c, const struct walk_registers *here)
{
	for (int i = 0; i < WALKS_PER_BLOCK; i++) {
		uint64_t begin;
		double ns;

		fill_caches(cold);
		begin = walks_ticks();
		walks_walk(c, here, &walks.stack, &walks.contest[c].path);
		ns = walks_ns(begin, walks_ticks());
		if (i >= UNCOUNTED)
			times_add(&cold->times, c, ns);
	}
}

static void visit_cold(const struct walk_registers *here, void *argument)
{
	for (int block = 0; block < (int)(walks.factor * N_BLOCKS) + 1; block++)
		for (enum contender c = 0; c < N_CONTENDERS; c++)
			if (walks_takes_part(c, 0))
				time_block(argument, c, here);
}

static void report(int depth)
{
	struct cold cold = { .junk = calloc(1, JUNK_BYTES) };
	struct descent descent = { .visit = count, .argument = &cold, .variant = 0x5a5a5a5a };
	char label[64];
	int left;

	if (!cold.junk)
		return;
	times_init(&cold.times, ((size_t)(walks.factor * N_BLOCKS) + 1) * WALKS_PER_BLOCK);
	program_descend(&program_plain, &descent, 1);
	left = depth + 1 - (int)cold.n_frames;
	descent.visit = visit_cold;
	program_descend(&program_plain, &descent, left > 1 ? left : 1);
	snprintf(label, sizeof(label), "depth %d", depth);
	table_medians(label, &cold.times);
	times_release(&cold.times);
	free(cold.junk);
}

void walks_cold(void)
{
	table_part("cold caches, ns a walk");
	report(10);
	report(50);
}
