/* SPDX-License-Identifier: Apache-2.0 */
/* --by lock: each mutex: how long it was waited for and held. */
#include <stdio.h>
#include <string.h>

#include "src/names_sites.h"
#include "src/view_table.h"

enum { DEFAULT_LIMIT_PERMYRIAD = 50 };

enum lock_column { WAIT, ACQUIRED, CONTENDED, WAIT_MEAN, WAIT_MAX, HOLD_MEAN, HELD };

static void put_lock(const struct table *table, const struct figures_lock *lock)
{
	const struct metrics_lock *sum = &lock->sum;
	struct table_row row = { .prefix = NULL };

	text_seconds(row.cells[WAIT], sum->wait_ns);
	text_count(row.cells[ACQUIRED], sum->n_acquired);
	text_percent(row.cells[CONTENDED], sum->n_contended, sum->n_acquired);
	table_duration(
		row.cells[WAIT_MEAN], sum->n_contended ? sum->wait_ns / sum->n_contended : 0);
	table_duration(row.cells[WAIT_MAX], sum->max_wait_ns);
	table_duration(row.cells[HOLD_MEAN], sum->n_acquired ? sum->held_ns / sum->n_acquired : 0);
	text_percent(row.cells[HELD], sum->held_ns, sum->within_ns);
	snprintf(row.name, sizeof(row.name), "%s", lock->name);
	if (lock->place.line)
		snprintf(row.place, sizeof(row.place), "%s:%u", names_base(lock->place.file),
			lock->place.line);
	table_put(table, &row);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct figures *figures = &report->figures;
	struct table table = { terminal,
		{ { "wait s", 6, 0 }, { "acquired", 8, 0 }, { "waited%", 7, 0 }, { "mean", 6, 0 },
			{ "max", 6, 0 }, { "hold", 6, 0 }, { "held%", 5, 0 } } };
	struct table_limits limits = table_limits(options, DEFAULT_LIMIT_PERMYRIAD);
	struct table_row total = { .name = "total" };
	uint64_t wait_ns = 0, n_acquired = 0, n_contended = 0;
	size_t n_shown = 0;

	for (size_t i = 0; i < figures->n_locks; i++) {
		wait_ns += figures->locks[i].sum.wait_ns;
		n_acquired += figures->locks[i].sum.n_acquired;
		n_contended += figures->locks[i].sum.n_contended;
	}
	table_heading(&table, "lock, waited for at");
	for (size_t i = 0; i < figures->n_locks; i++) {
		if (!table_shows(&limits, n_shown, figures->locks[i].sum.wait_ns, wait_ns))
			continue;
		put_lock(&table, &figures->locks[i]);
		n_shown++;
	}
	text_seconds(total.cells[WAIT], wait_ns);
	text_count(total.cells[ACQUIRED], n_acquired);
	text_percent(total.cells[CONTENDED], n_contended, n_acquired);
	table_put(&table, &total);
	table_end(&table, report, "lock", figures->n_locks - n_shown, &limits);
	return 0;
}

const struct view view_by_lock = {
	.name = "by lock",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.filters = FILTER_STATE,
	.print = print,
};
