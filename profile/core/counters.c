/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that are read at each sample; see counters.h. Part of the signal-safe core. */
#include "profile/core/counters.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "profile/core/perf_fd.h"

/* The counters of all threads: bits by number in the list. */
static const struct perf_event_list *the_list;
static uint32_t the_chosen, the_user_only;

static int group_of(uint32_t number)
{
	return the_list->event[number].type == PERF_TYPE_SOFTWARE ? COUNTERS_SOFTWARE
								  : COUNTERS_HARDWARE;
}

/* Opens a counter in the group of `leader`; -1: it is the first. Returns as perf_fd_open. */
static int open_counter(const struct perf_event *event, int leader, int is_user_only)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_hv = 1,
		.exclude_kernel = is_user_only != 0,
	};

	return perf_fd_open(&attr, leader);
}

/* Adds a counter to its group. Returns 0 or an errno. */
static int add_counter(struct thread_counters *counters, uint32_t number, int is_user_only)
{
	const struct perf_event *event = &the_list->event[number];
	struct counters_group *group = &counters->group[group_of(number)];
	int fd;

	if (is_user_only && event->is_kernels)
		return EACCES;
	fd = open_counter(event, group->n ? group->fd[0] : -1, is_user_only);
	if (fd < 0)
		return -fd;
	if (!group->n)
		group->id = perf_fd_id(fd);
	group->number[group->n] = (uint8_t)number;
	group->fd[group->n++] = fd;
	return 0;
}

/* Closes what is still ours: a program that has closed one of them has closed all, mostly. */
static void close_group(struct counters_group *group)
{
	uint32_t n = __atomic_exchange_n(&group->n, 0, __ATOMIC_SEQ_CST);

	if (!n || perf_fd_id(group->fd[0]) != group->id)
		return;
	while (n > 0)
		plain_close(group->fd[--n]);
}

static void close_all(struct thread_counters *counters)
{
	for (int g = 0; g < COUNTERS_N_GROUPS; g++)
		close_group(&counters->group[g]);
}

/* Reads the group into values[]. Returns 0, or an errno: EBADF if the program has closed it. */
static int read_group(const struct counters_group *group, uint64_t values[COUNTERS_MOST_VALUES])
{
	/* The kernel puts the number of counters first. */
	uint64_t found[1 + COUNTERS_MOST_VALUES];
	size_t bytes = (1 + COUNTERS_FIRST + group->n) * sizeof(uint64_t);

	if (perf_fd_id(group->fd[0]) != group->id)
		return EBADF;
	if (plain_read(group->fd[0], found, bytes) != (ssize_t)bytes || found[0] != group->n)
		return EIO;
	memcpy(values, found + 1, bytes - sizeof(uint64_t));
	return 0;
}

/* The first reading of a group that was just opened. Returns 0 or an errno. */
static int begin_group(struct counters_group *group)
{
	return group->n ? read_group(group, group->last) : 0;
}

/* Opens the counters in `numbers`. Returns the counters that could be opened. */
static uint32_t open_all(
	struct thread_counters *counters, uint32_t numbers, int is_user_only, uint32_t *refusal)
{
	uint32_t opened = 0;

	for (uint32_t k = 0; k < the_list->n; k++) {
		int error = numbers >> k & 1 ? add_counter(counters, k, is_user_only) : 0;

		if (error && !*refusal)
			*refusal = (uint32_t)error;
		if (!error)
			opened |= numbers & 1u << k;
	}
	return opened;
}

static int is_forbidden(uint32_t error)
{
	return error == EACCES || error == EPERM;
}

void counters_choose(const struct perf_event_list *list, struct profile_counters *chosen)
{
	struct thread_counters tried = { 0 };
	uint32_t all = (1u << list->n) - 1, refusal = 0, is_user_only = 0;

	the_list = list;
	the_chosen = open_all(&tried, all, 0, &refusal);
	close_all(&tried);
	if (is_forbidden(refusal)) {
		is_user_only = 1;
		refusal = 0;
		the_chosen = open_all(&tried, all, 1, &refusal);
		close_all(&tried);
	}
	the_user_only = is_user_only;
	*chosen = (struct profile_counters){ .n = list->n,
		.counted = the_chosen,
		.refusal = refusal,
		.is_user_only = is_user_only };
	memcpy(chosen->names, list->name, sizeof(chosen->names));
}

void counters_start(
	struct thread_counters *counters, struct cct *cct, struct profile_thread_more *more)
{
	uint32_t error = 0;

	if (!the_chosen)
		return;
	*counters = (struct thread_counters){ .cct = cct, .more = more };
	open_all(counters, the_chosen, (int)the_user_only, &error);
	for (int g = 0; g < COUNTERS_N_GROUPS && !error; g++)
		error = (uint32_t)begin_group(&counters->group[g]);
	if (!error)
		return;
	close_all(counters);
	counters->more->uncounted = error;
}

/* The advance of value i since the latest sample. */
static uint64_t advance(
	const struct counters_group *group, const uint64_t values[COUNTERS_MOST_VALUES], uint32_t i)
{
	return values[i] - group->last[i] + group->kept[i];
}

/*
 * An advance of ran_ns as it would be in open_ns. A counter that went back has advanced by more
 * than half of all numbers: returns 0 then, and sets *is_bad.
 */
static uint64_t scaled(uint64_t count, uint64_t open_ns, uint64_t ran_ns, int *is_bad)
{
	if (count >> 63) {
		*is_bad = 1;
		return 0;
	}
	return ran_ns < open_ns ? (uint64_t)((double)count * (double)open_ns / (double)ran_ns)
				: count;
}

static void uncounted(struct thread_counters *counters)
{
	writer_count(&counters->more->n_uncounted, 1);
}

/* A group that could not be read; it is not read again if the program has closed it. */
static void fail(struct thread_counters *counters, struct counters_group *group, int error)
{
	uncounted(counters);
	if (error == EBADF) {
		group->n = 0;
		counters->more->uncounted = (uint32_t)error;
	}
}

/* Sets the group's counts since the latest sample. Returns whether there are any. */
static int take_counts(
	struct thread_counters *counters, int g, uint64_t counts[PROFILE_MOST_COUNTERS])
{
	struct counters_group *group = &counters->group[g];
	uint64_t values[COUNTERS_MOST_VALUES], open_ns, ran_ns;
	int is_bad = 0, error = group->n ? read_group(group, values) : 0;

	if (error)
		fail(counters, group, error);
	if (error || !group->n)
		return 0;
	open_ns = advance(group, values, COUNTERS_OPEN);
	ran_ns = advance(group, values, COUNTERS_RAN);
	if (!ran_ns)
		return 0;
	for (uint32_t i = 0; i < group->n; i++)
		counts[group->number[i]] = scaled(
			advance(group, values, COUNTERS_FIRST + i), open_ns, ran_ns, &is_bad);
	if (is_bad)
		uncounted(counters);
	memcpy(group->last, values, sizeof(values));
	memset(group->kept, 0, sizeof(group->kept));
	if (g == COUNTERS_HARDWARE) {
		writer_count(&counters->more->counters_open_ns, open_ns);
		writer_count(&counters->more->counters_ran_ns, ran_ns);
	}
	return 1;
}

/* Adds to the COUNTS node of one set. */
static void add_set(
	struct thread_counters *counters, uint32_t parent, uint64_t key, const uint64_t *counts)
{
	uint32_t id = cct_child(counters->cct, parent, PROFILE_NODE_COUNTS, 0, key);
	struct profile_node *node = id ? writer_node(id) : NULL;

	if (!node) {
		uncounted(counters);
		return;
	}
	writer_count(&node->time_ns, counts[0]);
	writer_count(&node->events, counts[1]);
	writer_count(&node->blame_ns, counts[2]);
	writer_count(&node->spare, counts[3]);
}

void counters_sample(struct thread_counters *counters, uint32_t leaf, enum profile_class class)
{
	uint64_t counts[PROFILE_MOST_COUNTERS] = { 0 };
	int is_any = 0;

	for (int g = 0; g < COUNTERS_N_GROUPS; g++)
		is_any |= take_counts(counters, g, counts);
	if (!is_any)
		return;
	for (uint64_t set = 0; set * PROFILE_COUNTERS_OF_NODE < the_list->n; set++)
		add_set(counters, writer_node(leaf)->parent, PROFILE_COUNTS_KEY(class, set),
			counts + set * PROFILE_COUNTERS_OF_NODE);
}

/* Moves the latest reading to now. The advance is kept for the next sample, or dropped. */
static void move_on(struct thread_counters *counters, int is_kept)
{
	for (int g = 0; g < COUNTERS_N_GROUPS; g++) {
		struct counters_group *group = &counters->group[g];
		uint64_t values[COUNTERS_MOST_VALUES];

		if (!group->n || read_group(group, values) != 0)
			continue;
		for (uint32_t i = 0; is_kept && i < COUNTERS_FIRST + group->n; i++)
			group->kept[i] = advance(group, values, i);
		memcpy(group->last, values, sizeof(values));
	}
}

void counters_keep(struct thread_counters *counters)
{
	move_on(counters, 1);
}

void counters_drop(struct thread_counters *counters)
{
	move_on(counters, 0);
}

void counters_stop(struct thread_counters *counters)
{
	close_all(counters);
}
