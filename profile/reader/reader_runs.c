/* SPDX-License-Identifier: Apache-2.0 */
/* Which run of a list is kept: the latest or, of runs that were repeated, the median run. */
#include <stdlib.h>

#include "profile/reader/reader_internal.h"

void profile_entry_release(struct profile_entry *entry)
{
	free(entry->path);
	free(entry->exe);
	*entry = (struct profile_entry){ 0 };
}

static const struct profile_entry *find_latest(const struct profile_list *list)
{
	const struct profile_entry *latest = &list->entries[0];

	for (size_t i = 1; i < list->n; i++)
		if (list->entries[i].header.run_id > latest->header.run_id)
			latest = &list->entries[i];
	return latest;
}

static struct profile_run *find_run(struct profile_list *list, uint64_t id)
{
	struct profile_run *run = list->runs;

	while (run < list->runs + list->n_runs && run->id != id)
		run++;
	if (run == list->runs + list->n_runs) {
		list->n_runs++;
		*run = (struct profile_run){ .id = id, .first_ns = UINT64_MAX, .is_complete = 1 };
	}
	return run;
}

static void add_process(struct profile_run *run, const struct profile_header *header)
{
	uint64_t begin_ns = header->start_realtime_ns;
	uint64_t end_ns = begin_ns + profile_end_ns(header);

	run->first_ns = begin_ns < run->first_ns ? begin_ns : run->first_ns;
	run->last_ns = end_ns > run->last_ns ? end_ns : run->last_ns;
	run->is_complete &= header->flags & PROFILE_COMPLETE;
	run->wall_ns = run->last_ns > run->first_ns ? run->last_ns - run->first_ns : 0;
}

/* Complete runs first, then by wall time. */
static int by_wall(const void *left, const void *right)
{
	const struct profile_run *a = left, *b = right;

	if (a->is_complete != b->is_complete)
		return b->is_complete - a->is_complete;
	if (a->wall_ns != b->wall_ns)
		return a->wall_ns < b->wall_ns ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Lists the repeated runs. Without memory for them there are none. */
static void gather(struct profile_list *list, uint64_t series)
{
	size_t n_complete = 0;

	list->runs = calloc(list->n, sizeof(*list->runs));
	for (size_t i = 0; list->runs && i < list->n; i++)
		if (list->entries[i].series == series)
			add_process(find_run(list, list->entries[i].header.run_id),
				&list->entries[i].header);
	if (list->runs)
		qsort(list->runs, list->n_runs, sizeof(*list->runs), by_wall);
	while (n_complete < list->n_runs && list->runs[n_complete].is_complete)
		n_complete++;
	if (n_complete)
		list->n_runs = n_complete;
}

static size_t keep(struct profile_list *list, uint64_t id)
{
	size_t n = 0, n_dropped;

	for (size_t i = 0; i < list->n; i++) {
		if (list->entries[i].header.run_id == id)
			list->entries[n++] = list->entries[i];
		else
			profile_entry_release(&list->entries[i]);
	}
	n_dropped = list->n - n;
	list->n = n;
	return n_dropped;
}

size_t profile_list_drop_runs(struct profile_list *list)
{
	const struct profile_entry *latest = find_latest(list);

	if (list->only_run)
		return keep(list, list->only_run);
	if (latest->series && !list->runs)
		gather(list, latest->series);
	return keep(
		list, list->n_runs ? list->runs[(list->n_runs - 1) / 2].id : latest->header.run_id);
}
