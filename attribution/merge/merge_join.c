/* SPDX-License-Identifier: Apache-2.0 */
/* Joins mutexes of merged figures that are the same though their addresses differ; see merge.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"

/* The wait id of a mutex, and the id that it gets. */
struct alias {
	uint64_t wait_id, joined;
	uint8_t kind;
};

static int compare_aliases(const void *left, const void *right)
{
	const struct alias *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->wait_id < b->wait_id ? -1 : a->wait_id > b->wait_id;
}

/* Returns NULL when out of memory. */
static struct alias *make_aliases(const struct metrics *metrics, merge_mutex_id *id, void *data)
{
	struct alias *aliases = calloc(metrics->n_locks + 1, sizeof(*aliases));

	for (size_t i = 0; aliases && i < metrics->n_locks; i++) {
		const struct metrics_lock *lock = &metrics->locks[i];

		aliases[i] = (struct alias){ lock->wait_id, id(data, lock), lock->kind };
	}
	if (aliases)
		qsort(aliases, metrics->n_locks, sizeof(*aliases), compare_aliases);
	return aliases;
}

static uint64_t find_joined(
	const struct alias *aliases, size_t n_aliases, uint8_t kind, uint64_t wait_id)
{
	struct alias wanted = { wait_id, wait_id, kind };
	const struct alias *found =
		bsearch(&wanted, aliases, n_aliases, sizeof(*aliases), compare_aliases);

	return found ? found->joined : wait_id;
}

/* Lists the mutexes and their waits with their new ids. Returns 0, or -1 when out of memory. */
static int list_all(
	struct merge_figures *figures, const struct metrics *metrics, const struct alias *aliases)
{
	size_t n = metrics->n_locks;
	struct metrics_lock *locks =
		merge_append(&figures->locks, metrics->locks, n, sizeof(*locks));

	if (!locks)
		return -1;
	for (size_t i = 0; i < n; i++) {
		locks[i].most_ns = locks[i].wait_ns;
		locks[i].wait_id = find_joined(aliases, n, locks[i].kind, locks[i].wait_id);
	}
	for (size_t i = 0; i < metrics->n_waits; i++) {
		struct metrics_wait wait = metrics->waits[i];

		wait.wait_id = find_joined(aliases, n, wait.kind, wait.wait_id);
		if (!merge_append_wait(figures, &wait))
			return -1;
	}
	return 0;
}

int merge_join_mutexes(struct metrics *metrics, merge_mutex_id *id, void *data)
{
	struct alias *aliases = make_aliases(metrics, id, data);
	struct merge_figures figures = { .sum = { 0 } };
	struct metrics joined = { 0 };
	int status = -1;

	if (aliases && list_all(&figures, metrics, aliases) == 0)
		status = merge_figures_fold_mutexes(&figures, &joined);
	if (status == 0) {
		free(metrics->locks);
		free(metrics->waits);
		free(metrics->blame);
		metrics->locks = joined.locks;
		metrics->n_locks = joined.n_locks;
		metrics->waits = joined.waits;
		metrics->n_waits = joined.n_waits;
		metrics->blame = joined.blame;
	} else {
		metrics_release(&joined);
	}
	merge_figures_release(&figures);
	free(aliases);
	return status;
}
