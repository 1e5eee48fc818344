/* SPDX-License-Identifier: Apache-2.0 */
/* --by lock: how long each mutex was waited for and held. */
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/views/view.h"
#include "src/views/view_json.h"

enum { LIMIT_PERMYRIAD = 50 };

#define COLUMNS(X)                                                                                 \
	X(WAIT, "wait", "wait s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(ACQUIRED, "acquired", "acquired", TABLE_COUNT, TABLE_IN_BOTH, 5)                         \
	X(CONTENDED, "contended", "waited", TABLE_COUNT, TABLE_IN_CSV, 0)                          \
	X(CONTENDED_SHARE, "contended%", "waited%", TABLE_SHARE, TABLE_IN_BOTH, 0)                 \
	X(WAIT_MEAN, "wait_mean", "mean", TABLE_DURATION, TABLE_IN_BOTH, 4)                        \
	X(WAIT_MAX, "wait_max", "max", TABLE_DURATION, TABLE_IN_BOTH, 2)                           \
	X(HELD, "held", "held s", TABLE_SECONDS, TABLE_IN_CSV, 0)                                  \
	X(HOLD_MEAN, "hold_mean", "hold", TABLE_DURATION, TABLE_IN_BOTH, 3)                        \
	X(HOLD_MAX, "hold_max", "hold max", TABLE_DURATION, TABLE_IN_CSV, 0)                       \
	X(HELD_SHARE, "held%", "held%", TABLE_SHARE, TABLE_IN_BOTH, 0)                             \
	X(ESTIMATED, "estimated%", "estimated%", TABLE_SHARE, TABLE_IN_CSV | TABLE_ABSENT, 0)      \
	X(THREADS, "threads", "threads", TABLE_COUNT, TABLE_IN_CSV, 0)                             \
	X(KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                                       \
	X(IMPL, "impl", "impl", TABLE_WORD, TABLE_IN_BOTH, 1)                                      \
	X(NAME, "name", "lock", TABLE_NAME, TABLE_IN_BOTH, 0)                                      \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum lock_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct locks {
	const struct report *report;
	struct metrics_lock sum; /* over the mutexes shown */
};

static void set_counts(struct table_row *row, const struct metrics_lock *sum)
{
	table_set(row, WAIT, sum->wait_ns);
	table_set(row, ACQUIRED, sum->n_acquired);
	table_set(row, CONTENDED, sum->n_contended);
	table_set_part(row, CONTENDED_SHARE, sum->n_contended, sum->n_acquired);
	table_set(row, HELD, sum->held_ns);
}

/* All that a lock's row says is rough if other locks' acquisitions can count at it. */
static void set_estimated(struct table_row *row, const struct metrics_lock *sum)
{
	table_set_estimated(
		row, ESTIMATED, sum->n_estimated, sum->n_acquired, (1ULL << ESTIMATED) - 1);
}

/* The name without "ompt_mutex_impl_" or a runtime's equivalent. */
static const char *short_impl(const char *name)
{
	const char *end = strstr(name, "mutex_impl_");

	return end && end[11] ? end + 11 : name;
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct locks *locks = data;
	const struct findings_lock *lock = &locks->report->figures.locks[index];
	const struct metrics_lock *sum = &lock->sum;

	if (index == locks->report->figures.n_locks) {
		set_counts(row, &locks->sum);
		set_estimated(row, &locks->sum);
		table_set_text(row, NAME, "total");
		return;
	}
	set_counts(row, sum);
	table_set(row, WAIT_MEAN, sum->n_contended ? sum->wait_ns / sum->n_contended : 0);
	table_set(row, WAIT_MAX, sum->max_wait_ns);
	table_set(row, HOLD_MEAN, sum->n_acquired ? sum->held_ns / sum->n_acquired : 0);
	table_set(row, HOLD_MAX, sum->max_held_ns);
	table_set_part(row, HELD_SHARE, sum->held_ns, sum->within_ns);
	set_estimated(row, sum);
	table_set(row, THREADS, sum->n_threads);
	table_set_text(row, KIND, findings_wait_word(sum->kind));
	if (lock->impl)
		table_set_text(row, IMPL, short_impl(lock->impl));
	table_set_text(row, NAME, lock->name);
	table_set_text(row, FILE_NAME, lock->place.file);
	if (lock->place.line) {
		table_set(row, LINE, lock->place.line);
		table_set_text(row, PLACE,
			table_print_text(
				row, "%s:%u", names_base(lock->place.file), lock->place.line));
	}
	row->weight = sum->wait_ns;
	row->is_empty = !report_shows(locks->report->rows.locks, index);
	row->identity = index + 1;
}

/* Writes the bits of omp_sync_hint_t. */
static void put_hints(struct json *json, uint32_t hints)
{
	static const char *const words[] = { "uncontended", "contended", "nonspeculative",
		"speculative" };

	json_array(json, "hints");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (hints >> i & 1)
			json_string(json, NULL, words[i]);
	}
	json_end_array(json);
	json_number(json, "hint_bits", hints);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct locks *locks = data;
	const struct findings_lock *lock = &locks->report->figures.locks[index];

	if (nth > 0) {
		json_seconds(json, "within_s", lock->sum.within_ns);
		return;
	}
	view_json_place(json, lock->name, lock->label, lock->place);
	view_json_node(json, report_node(locks->report, lock->sum.node));
	json_number(json, "wait_id", lock->sum.wait_id);
	json_strings(json, "impl", lock->impl);
	put_hints(json, lock->sum.hints);
}

static void put_json(struct json *json, const struct report *report)
{
	const struct locks locks = { .report = report };

	view_put_rows(json, &view_by_lock, &locks, report->figures.n_locks, 0);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct findings *figures = &report->figures;
	struct locks locks = { .report = report };
	struct table table = {
		.columns = columns,
		.title = "lock, waited for at",
		.what = "lock",
		.order = "wait",
		.together = "wait",
		.unit = "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.n_rows = figures->n_locks,
		.fill = fill,
		.data = &locks,
		.has_total = 1,
	};

	table.hidden = 1ULL << IMPL;
	for (size_t i = 0; i < figures->n_locks; i++) {
		if (!report_shows(report->rows.locks, i))
			continue;
		if (figures->locks[i].impl)
			table.hidden = 0;
		locks.sum.wait_ns += figures->locks[i].sum.wait_ns;
		locks.sum.held_ns += figures->locks[i].sum.held_ns;
		locks.sum.n_acquired += figures->locks[i].sum.n_acquired;
		locks.sum.n_estimated += figures->locks[i].sum.n_estimated;
		locks.sum.n_contended += figures->locks[i].sum.n_contended;
	}
	table.whole = locks.sum.wait_ns;
	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_lock = {
	.name = "by lock",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_STATE,
	.print = print,
	.json = "locks",
	.members = "kind * threads acquired contended wait wait_mean wait_max held "
		   "hold_mean hold_max * held% estimated%",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
