/* SPDX-License-Identifier: Apache-2.0 */
/* Prints an item as text; see why.h. */
#include <stdio.h>
#include <string.h>

#include "src/annotate/annotate_print.h"
#include "src/text/table.h"
#include "src/text/text.h"
#include "src/views/view_causes.h"
#include "src/views/view_filter.h"
#include "src/why/why.h"

enum { MOST_THREADS = 16, INDENT = 2, TEXT_BYTES = 2 * WHY_PLACE_BYTES };

static void put_heading(struct terminal *terminal, const char *text)
{
	fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), text,
		terminal_style(terminal, STYLE_NONE));
}

/* Prints a sentence: begins it with a capital letter, and adds a full stop if it has none. */
static void put_sentence(struct terminal *terminal, const char *sentence)
{
	char clean[TEXT_BYTES];
	size_t n;

	text_clean(clean, sizeof(clean) - 1, sentence);
	n = strlen(clean);
	if (n == 0)
		return;
	if (clean[0] >= 'a' && clean[0] <= 'z')
		clean[0] -= 'a' - 'A';
	if (clean[n - 1] != '.' && clean[n - 1] != '?')
		strcpy(clean + n, ".");
	fprintf(terminal->out, "%*s", INDENT, "");
	text_put(terminal->out, clean, (struct text_lines){ terminal->width, INDENT, INDENT + 2 });
}

static void put_evidence(
	struct terminal *terminal, const struct report *report, const struct advice *advice)
{
	char text[TEXT_BYTES];

	if (!advice_evidence(&report->figures, advice, 0, text, sizeof(text)))
		return;
	fputc('\n', terminal->out);
	put_heading(terminal, "Why");
	for (size_t i = 0; advice_evidence(&report->figures, advice, i, text, sizeof(text)); i++)
		put_sentence(terminal, text);
}

static void put_at_best(
	struct terminal *terminal, const struct why *why, const struct report *report)
{
	uint64_t best_ns = why_at_best(why, report);
	char best[TEXT_NUMBER_BYTES], wall[TEXT_NUMBER_BYTES], ratio[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text),
		"at best the run takes %s s in place of %s s (%sx), if nothing else waits instead",
		text_seconds(best, best_ns), text_seconds(wall, report->metrics.wall_ns),
		text_ratio(ratio, report->metrics.wall_ns, best_ns, 2));
	put_sentence(terminal, text);
}

static void put_code(struct terminal *terminal, const char *word, const char *code)
{
	char clean[WHY_DIRECTIVE_BYTES];

	if (!code[0])
		return;
	text_clean(clean, sizeof(clean), code);
	text_cut(clean, (size_t)terminal->width - 2 * INDENT - strlen(word) - 1);
	fprintf(terminal->out, "%*s%s  %s\n", INDENT, "", word, clean);
}

static void put_remedy(
	struct terminal *terminal, const struct why *why, const struct report *report)
{
	fputc('\n', terminal->out);
	put_heading(terminal, "What to try");
	put_code(terminal, "now", why->directive);
	put_code(terminal, "try", advice_directive(&why->advice));
	put_sentence(terminal, advice_remedy_text(&why->advice));
	put_at_best(terminal, why, report);
}

enum thread_column { NAME, WORK, WAIT, OVERHEAD, BAR };

static const struct table_column columns[] = {
	[NAME] = { "name", "thread", TABLE_NAME, TABLE_IN_TEXT, 0, 28 },
	[WORK] = { "work", "work s", TABLE_SECONDS, TABLE_IN_TEXT, 0, 8 },
	[WAIT] = { "wait", "wait s", TABLE_SECONDS, TABLE_IN_TEXT, 0, 8 },
	[OVERHEAD] = { "overhead", "ovhd s", TABLE_SECONDS, TABLE_IN_TEXT | TABLE_IF_ANY, 0, 8 },
	[BAR] = { "bar", "", TABLE_BAR, TABLE_IN_TEXT, 0, 0 },
	{ .key = NULL },
};

/* The table's rows. The bars show the time that differs between the threads. */
struct rows {
	const struct why *why;
	int is_wait;      /* bars of the time in waits, not of work */
	uint64_t most_ns; /* the longest bar */
};

static uint64_t bar_of(const struct rows *rows, size_t i)
{
	const struct why_thread *thread = &rows->why->threads[i];

	return rows->is_wait ? thread->wait_ns : thread->work_ns;
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct rows *rows = data;
	const struct why_thread *thread = &rows->why->threads[index];

	if (index == rows->why->n_threads)
		return;
	table_set_text(row, NAME, thread->name);
	table_set(row, WORK, thread->work_ns);
	table_set(row, WAIT, thread->wait_ns);
	table_set(row, OVERHEAD, thread->overhead_ns);
	table_set_part(row, BAR, bar_of(rows, index), rows->most_ns);
	row->weight = bar_of(rows, index);
	row->identity = index + 1;
}

static int put_threads(struct terminal *terminal, const struct why *why)
{
	static const struct table_options options = TABLE_OPTIONS_DEFAULT;
	struct rows rows = { .why = why,
		.is_wait = why->advice.cause == METRICS_LOCK || why->advice.cause == METRICS_TASK };
	struct table table = {
		.columns = columns,
		.title = strcmp(why->region, "none") == 0 ? "Threads outside of regions"
			 : why->region[0]                 ? "Threads in the region"
							  : "Threads",
		.what = "thread",
		.order = why->n_threads > MOST_THREADS ? rows.is_wait ? "wait" : "work" : NULL,
		.n_most = MOST_THREADS,
		.n_rows = why->n_threads,
		.fill = fill,
		.data = &rows,
		.indent = INDENT,
	};

	if (why->n_threads == 0)
		return 0;
	for (size_t i = 0; i < why->n_threads; i++)
		if (bar_of(&rows, i) > rows.most_ns)
			rows.most_ns = bar_of(&rows, i);
	fputc('\n', terminal->out);
	if (table_print(&table, &options, terminal) != 0)
		return -1;
	if (why->lacks_cpus)
		put_sentence(terminal, "time without a CPU is in none of these columns");
	return 0;
}

static void put_commands(
	struct terminal *terminal, const struct why *why, const struct report *report)
{
	char text[TEXT_BYTES];

	fputc('\n', terminal->out);
	put_heading(terminal, "More");
	for (size_t i = 0; why_command(why, report, i, text, sizeof(text)); i++)
		fprintf(terminal->out, "%*s%s\n", INDENT, "", text);
}

int why_print(const struct why *why, const struct report *report, struct terminal *terminal)
{
	char text[64];
	int status;

	snprintf(text, sizeof(text), "Fix first, item %zu of %zu", why->item + 1, report->advice.n);
	put_heading(terminal, text);
	view_put_runs(terminal, report);
	view_put_entry(terminal, why->item + 1, &why->advice);
	put_evidence(terminal, report, &why->advice);
	put_remedy(terminal, why, report);
	status = put_threads(terminal, why);
	for (size_t i = 0; i < why->n_listings; i++) {
		fputc('\n', terminal->out);
		annotate_print_text(&why->listings[i], terminal);
	}
	if (why->problem[0]) {
		fputc('\n', terminal->out);
		put_sentence(terminal, why->problem);
	}
	put_commands(terminal, why, report);
	return status;
}
