/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time without a CPU that was found in the wrong place. A thread asks the kernel for this time at
 * some of its events, so time that a wait had is found in the code after it, if the wait was not
 * timed. A thread's waits, the CPU time of its samples of code, and the time without a CPU in both
 * cannot be longer than its life. If they are, waits lacked the CPU, not the code: as much as is
 * too much moves from the code to the waits, in proportion.
 */
#include <stdlib.h>

#include "profile/reader/reader_internal.h"

struct thread_sums {
	uint64_t sampled_ns; /* CPU time of code */
	uint64_t delay_ns;   /* time without a CPU in code */
	uint64_t lost_ns;    /* time without a CPU in waits */
	uint64_t waited_ns;  /* waits without lost_ns */
	uint64_t moved_ns;   /* what moves from delay_ns to the waits */
};

static int is_wait(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_WAIT && node->wait != PROFILE_BLOCKED;
}

static int is_code(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_SAMPLES && node->addr <= PROFILE_OVERHEAD;
}

/* A sum that overflows is too small. No node loses more than it has even then. */
static void add(struct thread_sums *sums, const struct profile_tree_node *node)
{
	if (is_wait(node)) {
		sums->waited_ns += profile_waited_ns(node);
		sums->lost_ns += node->time_ns - profile_waited_ns(node);
	} else if (is_code(node)) {
		sums->sampled_ns += node->time_ns;
		sums->delay_ns += node->delay_ns;
	}
}

/*
 * Nothing moves if samples can err by as much: three standard deviations, with two periods a sample
 * (sampler/core/clock_mixed.c).
 */
static void find_moved(struct thread_sums *sums, uint64_t life_ns, uint64_t period_ns)
{
	uint64_t all_ns = sums->sampled_ns + sums->delay_ns + sums->lost_ns + sums->waited_ns;
	uint64_t moved_ns = all_ns > life_ns ? all_ns - life_ns : 0;
	double moved = (double)moved_ns;

	if (moved * moved <= 9 * (double)sums->sampled_ns * 2 * (double)period_ns)
		moved_ns = 0;
	if (moved_ns > sums->delay_ns)
		moved_ns = sums->delay_ns;
	sums->moved_ns = moved_ns < sums->waited_ns ? moved_ns : sums->waited_ns;
}

static uint64_t share(uint64_t ns, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)ns * part / whole) : 0;
}

static void move(struct profile_tree_node *node, const struct thread_sums *sums)
{
	if (is_wait(node) && node->delay_ns < node->time_ns)
		node->delay_ns += share(sums->moved_ns, profile_waited_ns(node), sums->waited_ns);
	else if (is_code(node))
		node->delay_ns -= share(sums->moved_ns, node->delay_ns, sums->delay_ns);
}

int reader_move_delays(struct profile *profile)
{
	uint64_t end_ns = profile_end_ns(&profile->header);
	struct thread_sums *threads;

	if (profile->header.clock_kind != PROFILE_CLOCK_CPU)
		return 0;
	threads = calloc(profile->n_threads + 1, sizeof(*threads));
	if (!threads)
		return -1;
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].owner < profile->n_threads)
			add(&threads[profile->nodes[i].owner], &profile->nodes[i]);
	for (size_t i = 0; i < profile->n_threads; i++)
		find_moved(&threads[i], profile_life_ns(&profile->threads[i], end_ns),
			profile->header.period);
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].owner < profile->n_threads)
			move(&profile->nodes[i], &threads[profile->nodes[i].owner]);
	free(threads);
	return 0;
}
