/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rank came last to collective calls of MPI, and for how long the other ranks of its host
 * waited for it; see merge_internal.h.
 */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"

enum {
	LEAST_FOLDED = 1 << 15, /* fewer calls are not worth folding */
	MOST_APART_NS = 1000000,
};

/* A host, and the clock of its first rank. */
struct host {
	char name[sizeof(((struct profile_header *)0)->host)];
	uint64_t start_ticks, start_ns, ticks_per_s;
	uint32_t n_ranks;
	uint32_t n_of_job; /* 0: not known */
	int is_unlike;     /* the ranks' clocks are not one clock */
};

/* A call of ranks of one host. Sums of moments may overflow, as only differences are used. */
struct meeting {
	uint32_t host, number;
	uint32_t n;             /* ranks */
	uint32_t last;          /* the process that came last */
	uint32_t node;          /* the call of the rank that came first; 0: not known */
	uint64_t begins, ticks; /* sums: of moments, of lengths */
	uint64_t first_begin, last_begin, first_end, last_end;
	int is_gather, has_root; /* one rank gathers from all others; it is on this host */
	uint64_t root_begin, root_end;
	uint32_t root_node; /* as node, of the root's call */
};

static int by_number(const void *left, const void *right)
{
	const struct meeting *a = left, *b = right;

	return a->host != b->host ? metrics_order(a->host, b->host)
				  : metrics_order(a->number, b->number);
}

static void add_rank(void *left, const void *right)
{
	struct meeting *to = left;
	const struct meeting *from = right;

	if (from->node && (!to->node || from->first_begin < to->first_begin))
		to->node = from->node;
	if (from->first_begin < to->first_begin)
		to->first_begin = from->first_begin;
	if (from->last_begin > to->last_begin) {
		to->last_begin = from->last_begin;
		to->last_end = from->last_end;
		to->last = from->last;
	}
	if (from->first_end < to->first_end)
		to->first_end = from->first_end;
	if (from->has_root) {
		to->has_root = 1;
		to->root_begin = from->root_begin;
		to->root_end = from->root_end;
		to->root_node = from->root_node;
	}
	to->is_gather |= from->is_gather;
	to->n += from->n;
	to->begins += from->begins;
	metrics_add(&to->ticks, from->ticks);
}

static const struct metrics_kind meetings = { sizeof(struct meeting), by_number, add_rank,
	by_number };

static int by_place(const void *left, const void *right)
{
	const struct metrics_late *a = left, *b = right;

	return a->node != b->node ? metrics_order(a->node, b->node)
				  : metrics_order(a->process, b->process);
}

static int by_wait(const void *left, const void *right)
{
	const struct metrics_late *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? metrics_order(b->wait_ns, a->wait_ns) : by_place(a, b);
}

static void add_late(void *left, const void *right)
{
	struct metrics_late *to = left;
	const struct metrics_late *from = right;

	to->n += from->n;
	metrics_add(&to->wait_ns, from->wait_ns);
}

static const struct metrics_kind lates = { sizeof(struct metrics_late), by_place, add_late,
	by_wait };

static uint64_t to_ns(uint64_t ticks, uint64_t ticks_per_s)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000;

	ns /= ticks_per_s ? ticks_per_s : 1;
	return ns < PROFILE_MOST_NS ? (uint64_t)ns : PROFILE_MOST_NS;
}

/*
 * Whether CLOCK_MONOTONIC and the ticks of a rank have advanced alike since the host's first rank
 * began. If they have not, the ranks only have the name of the host in common.
 */
static int is_one_clock(const struct host *host, const struct profile_header *header)
{
	int is_later = header->start_ticks >= host->start_ticks;
	uint64_t ticks = is_later ? header->start_ticks - host->start_ticks
				  : host->start_ticks - header->start_ticks;
	uint64_t ns = is_later ? header->start_monotonic_ns - host->start_ns
			       : host->start_ns - header->start_monotonic_ns;
	uint64_t other_ns = to_ns(ticks, host->ticks_per_s);
	uint64_t apart_ns = ns > other_ns ? ns - other_ns : other_ns - ns;

	return apart_ns <= MOST_APART_NS + other_ns / 1000;
}

/* The number of the host of a rank, which is one more there. UINT32_MAX: out of memory. */
static uint32_t add_to_host(struct merge_list *hosts, const struct profile_header *header)
{
	struct host new = { .start_ticks = header->start_ticks,
		.start_ns = header->start_monotonic_ns,
		.ticks_per_s = header->ticks_per_s,
		.n_of_job = header->around.n_ranks };
	struct host *known = hosts->items;
	size_t i = 0;

	while (i < hosts->n && strcmp(known[i].name, header->host) != 0)
		i++;
	memcpy(new.name, header->host, sizeof(new.name));
	if (i == hosts->n)
		known = merge_append(hosts, &new, 1, sizeof(new)) ? hosts->items : NULL;
	if (!known)
		return UINT32_MAX;
	known[i].n_ranks++;
	known[i].is_unlike |= !is_one_clock(&known[i], header);
	return (uint32_t)i;
}

/* A place of the program that calls MPI. */
struct call {
	uint64_t caller; /* return address */
	uint64_t ns;
	uint32_t node; /* the called function in the merged tree */
};

static int by_caller(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	return a->caller != b->caller ? metrics_order(a->caller, b->caller)
				      : metrics_order(b->ns, a->ns);
}

/* The calls of MPI in a tree, the longest first of each caller. NULL when out of memory. */
static struct call *find_calls(
	const struct tree *tree, const struct merge_places *places, size_t *n_calls)
{
	struct call *calls = calloc(tree->n_nodes + 1, sizeof(*calls));

	*n_calls = 0;
	for (uint32_t i = 1; calls && i < tree->n_nodes; i++) {
		const struct tree_node *nodes = tree->nodes;
		uint32_t at = nodes[i].parent, caller = nodes[at].parent;

		if (nodes[i].kind != TREE_WAIT || nodes[i].class != PROFILE_WAIT_MPI || !at)
			continue;
		calls[(*n_calls)++] = (struct call){ nodes[caller].addr,
			tree_self(tree, i).wait_ns[PROFILE_MPI], places->node[at] };
	}
	if (calls && *n_calls)
		qsort(calls, *n_calls, sizeof(*calls), by_caller);
	return calls;
}

/* The node of the calls that return to the address; 0: not known. */
static uint32_t find_node(const struct call *calls, size_t n_calls, uint64_t caller)
{
	size_t lo = 0, hi = n_calls;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (calls[middle].caller < caller)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < n_calls && calls[lo].caller == caller ? calls[lo].node : 0;
}

static int add_calls(struct merge_list *list, const struct profile *profile,
	const struct tree *tree, const struct merge_places *places, uint32_t host)
{
	size_t n_calls;
	struct call *calls = find_calls(tree, places, &n_calls);
	int status = calls ? 0 : -1;

	for (size_t i = 0; status == 0 && i < profile->collectives.n; i++) {
		const struct profile_collective *from = &profile->collectives.all[i];
		uint32_t node = find_node(calls, n_calls, from->caller);
		struct meeting meeting = { host, from->number, 1, places->process, node,
			from->begin, from->end - from->begin, from->begin, from->begin, from->end,
			from->end, from->root != 0, from->root == profile->header.around.rank,
			from->begin, from->end, node };

		if (!merge_append(list, &meeting, 1, sizeof(meeting)))
			status = -1;
	}
	free(calls);
	return status;
}

/* Records of a running program can be read while they change. */
int merge_collectives_add(struct merge_collectives *all, const struct merge_process *process,
	const struct merge_places *places)
{
	const struct profile *profile = process->profile;
	const struct tree *tree = process->user_tree ? process->user_tree : process->tree;
	uint32_t host;

	metrics_add(&all->mpi_ns, process->metrics->ranks.mpi_ns);
	if (!profile->header.around.rank || !profile->collectives.n || profile->is_running ||
		profile->part.is_cut || profile->cut_ns)
		return 0;
	if (profile->header.collectives.n > all->n_begun)
		all->n_begun = profile->header.collectives.n;
	host = add_to_host(&all->hosts, &profile->header);
	if (host == UINT32_MAX ||
		!merge_append(&all->ranks, &profile->header.around.rank, 1, sizeof(uint32_t)) ||
		add_calls(&all->calls, profile, tree, places, host) != 0)
		return -1;
	if (all->calls.n >= 2 * all->n_folded + LEAST_FOLDED) {
		merge_fold(&all->calls, &meetings);
		all->n_folded = all->calls.n;
	}
	return 0;
}

static int by_rank(const void *left, const void *right)
{
	return (int)metrics_order(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* Ranks of several jobs, or of jobs that they started, do not meet. */
static int is_one_job(const struct merge_list *ranks)
{
	uint32_t *all = ranks->items;

	if (ranks->n)
		qsort(all, ranks->n, sizeof(*all), by_rank);
	for (size_t i = 1; i < ranks->n; i++)
		if (all[i] == all[i - 1])
			return 0;
	return 1;
}

static int is_whole(const struct host *host)
{
	return host->n_ranks == host->n_of_job;
}

/*
 * Whether the ranks waited for the last rank. A rank that left before it came did not: MPI_Bcast
 * ends where the data has come. With ranks on other hosts the last rank itself must not have waited
 * much longer: it was hardly the last of all. In calls that gather, this does not tell: all ranks
 * but the root can leave at once.
 */
static int is_for_last(const struct meeting *meeting, const struct host *host)
{
	uint64_t own = meeting->last_end - meeting->last_begin;
	return meeting->first_end >= meeting->last_begin &&
	       (is_whole(host) ||
		       (!meeting->is_gather &&
			       own <= (meeting->last_begin - meeting->first_begin) / 10));
}

/*
 * How long the root of a call that gathers waited for the last rank: it needs the data of all,
 * though others may leave at once. With ranks on other hosts it must have left soon after the last
 * rank came, or a rank elsewhere came later.
 */
static uint64_t root_waited(const struct meeting *meeting, const struct host *host)
{
	uint64_t wait = meeting->last_begin - meeting->root_begin;

	if (!meeting->has_root || meeting->root_end < meeting->last_begin)
		return 0;
	return is_whole(host) || meeting->root_end - meeting->last_begin <= wait / 10 ? wait : 0;
}

static void blame(
	struct metrics_ranks *ranks, const struct meeting *meeting, const struct host *host)
{
	struct metrics_late late = { meeting->node, meeting->last, 1, 0 };
	uint64_t waited = meeting->n * meeting->last_begin - meeting->begins;

	if (meeting->n < 2 || meeting->n != host->n_ranks || host->is_unlike)
		return;
	ranks->n_compared++;
	metrics_add(&ranks->compared_ns, to_ns(meeting->ticks, host->ticks_per_s));
	if (!is_for_last(meeting, host)) {
		waited = root_waited(meeting, host);
		late.node = meeting->root_node;
		if (!waited)
			return;
	}
	late.wait_ns = to_ns(waited, host->ticks_per_s);
	ranks->late[ranks->n_late++] = late;
	metrics_add(&ranks->blamed_ns, late.wait_ns);
}

int merge_collectives_finish(struct merge_collectives *all, struct metrics_ranks *ranks)
{
	const struct meeting *calls;

	merge_fold(&all->calls, &meetings);
	calls = all->calls.items;
	*ranks = (struct metrics_ranks){ .mpi_ns = all->mpi_ns, .n_begun = all->n_begun };
	ranks->late = calloc(all->calls.n + 1, sizeof(*ranks->late));
	if (!ranks->late)
		return -1;
	for (size_t i = 0; is_one_job(&all->ranks) && i < all->calls.n; i++)
		blame(ranks, &calls[i], (struct host *)all->hosts.items + calls[i].host);
	/* Most waits are not timed each, and their sum is estimated. */
	metrics_raise(&ranks->mpi_ns, ranks->blamed_ns);
	ranks->n_late = metrics_fold(ranks->late, ranks->n_late, &lates);
	qsort(ranks->late, ranks->n_late, sizeof(*ranks->late), by_wait);
	return 0;
}

void merge_collectives_release(struct merge_collectives *all)
{
	free(all->hosts.items);
	free(all->ranks.items);
	free(all->calls.items);
}
