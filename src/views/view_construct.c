/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by construct: how long threads waited at each barrier, loop, single, taskwait or critical
 * section, and for whom.
 */
#include "src/findings/names_lookup.h"
#include "src/views/view.h"

enum { LIMIT_PERMYRIAD = 100 };

#define COLUMNS(X)                                                                                 \
	X(WAIT, "wait", "thread-s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                               \
	X(SHARE, "wait%", "%", TABLE_SHARE, TABLE_IN_BOTH, 0)                                      \
	X(WAITS, "waits", "waits", TABLE_COUNT, TABLE_IN_BOTH, 4)                                  \
	X(MEAN, "mean", "mean", TABLE_DURATION, TABLE_IN_BOTH, 3)                                  \
	X(BLAMED, "blamed", "blamed", TABLE_SECONDS, TABLE_IN_CSV, 0)                              \
	X(BLAMED_SHARE, "blamed%", "blamed%", TABLE_SHARE, TABLE_IN_CSV, 0)                        \
	X(THREAD, "thread", "thread", TABLE_NUMBER, TABLE_IN_BOTH, 0)                              \
	X(THREAD_SHARE, "thread%", "its%", TABLE_SHARE, TABLE_IN_BOTH, 0)                          \
	X(KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                                       \
	X(NAME, "name", "name", TABLE_NAME, TABLE_IN_BOTH, 0)                                      \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum construct_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct constructs {
	const struct report *report;
	uint64_t wait_ns; /* at the constructs shown */
};

static const char *function_of(const struct findings_construct *construct)
{
	const struct name_label *label = construct->label;

	if (names_is_construct(label->kind))
		return label->function;
	return names_is_code(label->kind) ? label->name : "";
}

static void set_blame(struct table_row *row, const struct findings_construct *construct,
	const struct profile *profile)
{
	uint64_t blamed_ns = construct->wait_ns - construct->unblamed_ns;

	if (!construct->has_blame)
		return;
	table_set(row, BLAMED, blamed_ns);
	table_set_part(row, BLAMED_SHARE, blamed_ns, construct->wait_ns);
	if (!construct->thread_ns || construct->thread >= profile->n_threads)
		return;
	table_set(row, THREAD, profile->threads[construct->thread].index);
	table_set_part(row, THREAD_SHARE, construct->thread_ns, construct->wait_ns);
}

static void set_place(struct table_row *row, const struct findings_construct *construct)
{
	const char *function = function_of(construct);

	table_set_text(row, NAME, construct->name);
	table_set_text(row, FUNCTION, function);
	table_set_text(row, FILE_NAME, construct->place.file);
	table_set_text(row, PLACE, function);
	if (!construct->place.line)
		return;
	table_set(row, LINE, construct->place.line);
	table_set_text(row, PLACE,
		table_print_text(
			row, "%s:%u", names_base(construct->place.file), construct->place.line));
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct constructs *constructs = data;
	const struct findings *figures = &constructs->report->figures;
	const struct findings_construct *construct = &figures->constructs[index];

	if (index == figures->n_constructs) {
		table_set(row, WAIT, constructs->wait_ns);
		table_set_part(row, SHARE, constructs->wait_ns, constructs->wait_ns);
		table_set_text(row, NAME, "total");
		return;
	}
	table_set(row, WAIT, construct->wait_ns);
	table_set_part(row, SHARE, construct->wait_ns, constructs->wait_ns);
	table_set(row, WAITS, construct->n);
	if (construct->n)
		table_set(row, MEAN, construct->wait_ns / construct->n);
	set_blame(row, construct, &constructs->report->profile);
	table_set_text(row, KIND, findings_wait_word(construct->kind));
	set_place(row, construct);
	row->weight = construct->wait_ns;
	row->is_empty =
		!construct->wait_ns || !report_shows(constructs->report->rows.constructs, index);
	row->identity = index + 1;
}

/* Hides the threads of several processes: they have the same numbers. */
static uint64_t hidden_columns(const struct report *report)
{
	char process[48];

	if (report->profile.n_threads)
		names_process(process, sizeof(process), &report->profile, 0);
	else
		process[0] = '\0';
	return process[0] ? 1ULL << THREAD | 1ULL << THREAD_SHARE : 0;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct findings *figures = &report->figures;
	struct constructs constructs = { .report = report };
	struct table table = {
		.columns = columns,
		.title = "construct that threads waited at",
		.what = "construct",
		.order = "wait",
		.together = "wait",
		.unit = "thread-s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.n_rows = figures->n_constructs,
		.hidden = hidden_columns(report),
		.fill = fill,
		.data = &constructs,
		.has_total = 1,
	};

	for (size_t i = 0; i < figures->n_constructs; i++)
		if (report_shows(report->rows.constructs, i))
			constructs.wait_ns += figures->constructs[i].wait_ns;
	table.whole = constructs.wait_ns;
	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_construct = {
	.name = "by construct",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION | FILTER_STATE,
	.print = print,
};
