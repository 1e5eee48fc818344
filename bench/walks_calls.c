/* SPDX-License-Identifier: Apache-2.0 */
/* Walks that follow each other: of one stack, of stacks that differ inside, from constructs. */
#include "bench/walks.h"

#include <stdio.h>

#include "bench/walks_program.h"

#define WALKS_PER_ROUND 50

struct series {
	struct times times; /* of a frame, or of a walk if is_whole */
	struct walk_bounds bounds;
	int n_rounds;
	int is_whole;
	const struct program *program;
	struct descent inner; /* what changes, done by `alternate` */
	int n_inner;
	int is_changing;
	enum contender now;
	uint32_t n_frames; /* of the last walk */
};

static void series_init(struct series *s, const struct program *program)
{
	*s = (struct series){
		.bounds = walks.stack, .program = program, .n_rounds = (int)(walks.factor * 60) + 1
	};
	times_init(&s->times, (size_t)s->n_rounds * WALKS_PER_ROUND);
}

static void count(const struct walk_registers *here, void *argument)
{
	struct series *s = argument;

	s->n_frames = walks_walk(TABLES, here, &s->bounds, &walks.contest[TABLES].path);
}

/* Visits at a depth of `depth` frames, main's and others' included. */
static inline __attribute__((always_inline)) void descend(
	struct series *s, visitor visit, int depth)
{
	struct descent descent = { .visit = count, .argument = s, .variant = 0x5a5a5a5a };
	int left;

	program_descend(s->program, &descent, 1);
	descent.visit = visit;
	left = depth + 1 - (int)s->n_frames;
	program_descend(s->program, &descent, left > 1 ? left : 1);
}

/* Times walks of one stack, one after the other. */
static void repeat(const struct walk_registers *here, void *argument)
{
	struct series *s = argument;

	for (int round = 0; round < s->n_rounds; round++)
		for (enum contender c = 0; c < N_CONTENDERS; c++) {
			if (!walks_takes_part(c, s->program->has_frame_pointers))
				continue;
			uint64_t begin = walks_ticks();
			uint32_t n = 0;

			for (int i = 0; i < WALKS_PER_ROUND; i++)
				n = walks_walk(c, here, &s->bounds, &walks.contest[c].path);
			times_add(
				&s->times, c, walks_ns(begin, walks_ticks()) / WALKS_PER_ROUND / n);
		}
}

static void time_one(const struct walk_registers *here, void *argument)
{
	struct series *s = argument;
	struct walk_bounds bounds = { here->reg[WALK_SP], s->bounds.hi };
	uint64_t begin = walks_ticks();
	uint32_t n = walks_walk(
		s->now, here, s->is_whole ? &bounds : &s->bounds, &walks.contest[s->now].path);

	times_add(&s->times, s->now, walks_ns(begin, walks_ticks()) / (s->is_whole ? 1 : n));
}

/* Times walks from functions that are called for each walk anew, and change if they have to. */
static void alternate(const struct walk_registers *here, void *argument)
{
	struct series *s = argument;

	(void)here;
	for (int round = 0; round < s->n_rounds; round++)
		for (enum contender c = 0; c < N_CONTENDERS; c++) {
			if (!walks_takes_part(c, s->program->has_frame_pointers))
				continue;
			s->now = c;
			for (unsigned int i = 0; i < WALKS_PER_ROUND; i++) {
				s->inner.variant =
					s->is_changing && i % 2 ? 0x55555555 : 0xaaaaaaaa;
				program_descend(s->program, &s->inner, s->n_inner);
			}
		}
}

static void report_repeated(const struct program *program, int depth, const char *of_what)
{
	struct series s;
	char label[64];

	series_init(&s, program);
	descend(&s, repeat, depth);
	snprintf(label, sizeof(label), "depth %d%s", depth, of_what);
	table_medians(label, &s.times);
	table_lowest("  the lowest", &s.times);
	times_release(&s.times);
}

static void report_alternating(int depth, int n_inner)
{
	struct series s;
	char label[64];

	series_init(&s, &program_plain);
	s.inner = (struct descent){ .visit = time_one, .argument = &s };
	s.n_inner = n_inner;
	s.is_changing = 1;
	descend(&s, alternate, depth - n_inner - 1);
	snprintf(label, sizeof(label), "depth %d, inner %d change", depth, n_inner);
	table_medians(label, &s.times);
	times_release(&s.times);
}

static void report_construct(int depth, int is_changing)
{
	struct series s;
	char label[64];

	series_init(&s, &program_plain);
	s.inner = (struct descent){ .visit = time_one, .argument = &s, .is_construct = 1 };
	s.n_inner = 1;
	s.is_whole = 1;
	s.is_changing = is_changing;
	descend(&s, alternate, depth - 2);
	snprintf(label, sizeof(label), "%s, depth %d", is_changing ? "two in turn" : "the same",
		depth);
	table_medians(label, &s.times);
	times_release(&s.times);
}

void walks_calls(void)
{
	table_part("one stack, ns a frame");
	report_repeated(&program_plain, 10, "");
	report_repeated(&program_plain, 40, "");
	report_repeated(&program_plain, 100, "");
	report_repeated(&program_pointers, 40, ", frame pointers");
	for (int n = 1; n <= 3; n++)
		report_alternating(40, n);
	table_part("a construct, ns a walk");
	report_construct(10, 0);
	report_construct(10, 1);
}
