/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the soak's program share. Everything that it prints, and its exit status, follow
 * from the seed alone: each item of a region's work has dice of its own, whichever thread does it.
 */
#ifndef OMPPROF_TESTS_SOAK_SOAK_H
#define OMPPROF_TESTS_SOAK_SOAK_H

#include <cstdint>

#define SOAK_KEEP __attribute__((noinline))

/* Numbers that follow from a seed. */
struct dice {
	uint64_t state;

	uint64_t next()
	{
		uint64_t x = state += 0x9e3779b97f4a7c15u;

		x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
		x = (x ^ x >> 27) * 0x94d049bb133111ebu;
		return x ^ x >> 31;
	}

	/* From 0 to n - 1. */
	int below(int n)
	{
		return static_cast<int>(next() % static_cast<unsigned>(n));
	}

	dice of_item(int item) const
	{
		dice other = { state + 0x632be59bd9b4e019u * (static_cast<uint64_t>(item) + 1) };

		other.next();
		return other;
	}
};

/* Work that no compiler removes: n steps of a chain that begins with x. */
SOAK_KEEP uint64_t soak_churn(uint64_t x, int n);

/* Throws x, or an exception, that many calls down, and catches it. */
uint64_t soak_throw(int depth, uint64_t x);

/* A region, with further ones in its threads as often as level says. */
uint64_t soak_regions(dice die, int level);

/* Each does what its name says, and returns what only the dice decide. */
uint64_t soak_exceptions(dice die);
uint64_t soak_memory(dice die);
uint64_t soak_nested(dice die);
uint64_t soak_tasks(dice die);
uint64_t soak_locks(dice die);
uint64_t soak_pthreads(dice die);
uint64_t soak_plugins(dice die);
uint64_t soak_children(dice die);

/* The plugins, and this program's own file for children. */
extern int soak_n_plugins;
extern char **soak_plugin_paths;
extern const char *soak_program;

/* What a plugin has: calls back, works, at times in a region of its own or with an exception. */
typedef uint64_t (*soak_back)(uint64_t x);
typedef uint64_t (*soak_plugin)(uint64_t x, soak_back back);

#endif
