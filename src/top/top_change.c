/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the differences from one picture to the next; see top.h. */
#include <stdlib.h>
#include <string.h>

#include "src/top/top_rows.h"

static void raise_to(uint64_t *value, uint64_t least)
{
	if (*value < least)
		*value = least;
}

static int raise_rows(struct top_rows *rows, const struct top_rows *before)
{
	size_t n = rows->n;

	for (size_t i = 0; i < before->n; i++) {
		struct top_rows old = { rows->rows, n, n };
		struct top_row *row = (struct top_row *)top_rows_find(&old, &before->rows[i]);

		if (!row) {
			row = top_rows_add(rows, before->rows[i].name, before->rows[i].place);
			if (!row)
				return -1;
			row->identity = before->rows[i].identity;
			row->state = before->rows[i].state;
			row->n_slots = before->rows[i].n_slots;
		}
		for (int k = 0; k < TOP_N_SUMS; k++)
			raise_to(&row->sums[k], before->rows[i].sums[k]);
	}
	top_rows_fold(rows);
	return 0;
}

int top_picture_raise(struct top_picture *picture, const struct top_picture *before)
{
	raise_to(&picture->wall_ns, before->wall_ns);
	raise_to(&picture->n_events, before->n_events);
	for (int i = 0; i < TOP_N_CAUSES; i++)
		raise_to(&picture->causes[i], before->causes[i]);
	for (int i = 0; i < TOP_N_VIEWS; i++) {
		if (raise_rows(&picture->views[i], &before->views[i]) != 0)
			return -1;
	}
	return 0;
}

static int by_first(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;

	for (int i = 0; i < TOP_THIRD; i++) {
		if (a->sums[i] != b->sums[i])
			return a->sums[i] > b->sums[i] ? -1 : 1;
	}
	return top_row_compare(left, right);
}

static int subtract(struct top_rows *to, const struct top_rows *before, const struct top_rows *now,
	int is_sorted)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct top_row *row = &now->rows[i], *old = top_rows_find(before, row);
		struct top_row *added = top_rows_add(to, row->name, row->place);
		uint64_t any = 0;

		if (!added)
			return -1;
		added->state = row->state;
		added->n_slots = row->n_slots;
		added->identity = row->identity;
		for (int k = 0; k < TOP_N_SUMS; k++) {
			added->sums[k] = row->sums[k] - (old ? old->sums[k] : 0);
			any |= added->sums[k];
		}
		if (!any && is_sorted)
			top_row_release(&to->rows[--to->n]);
	}
	if (is_sorted && to->n)
		qsort(to->rows, to->n, sizeof(*to->rows), by_first);
	return 0;
}

/* The capacity of a process in the interval is for the slots that it has by now. */
static void set_capacity(struct top_picture *change)
{
	struct top_rows *rows = &change->views[TOP_PROCESSES];

	for (size_t i = 0; i < rows->n; i++) {
		rows->rows[i].sums[TOP_LIFE] *= rows->rows[i].n_slots;
		change->capacity_ns += rows->rows[i].sums[TOP_LIFE];
	}
}

int top_change(
	struct top_picture *change, const struct top_picture *before, const struct top_picture *now)
{
	*change = (struct top_picture){ .wall_ns = now->wall_ns - before->wall_ns,
		.n_processes = now->n_processes,
		.n_running = now->n_running,
		.n_threads = now->n_threads,
		.n_events = now->n_events - before->n_events };
	memcpy(change->command, now->command, sizeof(change->command));
	memcpy(change->event, now->event, sizeof(change->event));
	for (int i = 0; i < TOP_N_CAUSES; i++)
		change->causes[i] = now->causes[i] - before->causes[i];
	for (int i = 0; i < TOP_N_VIEWS; i++) {
		if (subtract(&change->views[i], &before->views[i], &now->views[i],
			    i != TOP_THREADS && i != TOP_PROCESSES) != 0)
			return -1;
	}
	set_capacity(change);
	return 0;
}
