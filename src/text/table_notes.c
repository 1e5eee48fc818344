/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the notes on cut rows and other notes for the reader; see table_internal.h. */
#include <stdio.h>
#include <string.h>

#include "src/text/table_internal.h"

static const char *plural_end(const char *word)
{
	size_t n = strlen(word);

	return n && word[n - 1] == 's' ? "es" : "s";
}

/* "0.5" for 50. */
static const char *percent_text(char text[CELL_BYTES], uint32_t permyriad)
{
	uint32_t hundredths = permyriad % 100;

	if (hundredths == 0)
		snprintf(text, CELL_BYTES, "%u", permyriad / 100);
	else if (hundredths % 10 == 0)
		snprintf(text, CELL_BYTES, "%u.%u", permyriad / 100, hundredths / 10);
	else
		snprintf(text, CELL_BYTES, "%u.%02u", permyriad / 100, hundredths);
	return text;
}

/* Prints why rows were cut. If there are several reasons, each has its number of rows. */
static void put_reasons(const struct plan *plan)
{
	const struct table_options *options = plan->options;
	char percent[CELL_BYTES], reasons[3][2 * CELL_BYTES];
	size_t n[] = { plan->n_below, plan->n_past, plan->n_deep }, n_left = 0;
	int is_one;

	for (size_t i = 0; i < 3; i++)
		n_left += n[i] > 0;
	is_one = n_left == 1;
	snprintf(reasons[0], sizeof(reasons[0]), "below %s %%",
		percent_text(percent, table_limit(plan->table, options)));
	snprintf(reasons[1], sizeof(reasons[1]), "past the first %u",
		table_most(plan->table, options));
	snprintf(reasons[2], sizeof(reasons[2]), "below level %u", options->max_depth);
	fputs(is_one ? " " : ": ", plan->terminal->out);
	for (size_t i = 0; i < 3; i++) {
		if (n[i] == 0)
			continue;
		if (!is_one)
			fprintf(plan->terminal->out, "%zu ", n[i]);
		n_left--;
		fprintf(plan->terminal->out, "%s%s", reasons[i],
			n_left > 1    ? ", "
			: n_left == 1 ? " and "
				      : "");
	}
}

/* "(23 more regions below 0.5 %, together 0.120 s)" */
static void put_cut(const struct plan *plan)
{
	const struct table *table = plan->table;
	size_t n = plan->n_below + plan->n_past + plan->n_deep;
	FILE *out = plan->terminal->out;

	if (n == 0)
		return;
	fprintf(out, "(%zu more %s%s", n, table->what, n == 1 ? "" : plural_end(table->what));
	put_reasons(plan);
	if (table->together) {
		int column = table_find(table->columns, table->together, strlen(table->together));
		struct table_cell cell = { .is_there = 1, .value = plan->together };
		char text[CELL_BYTES];

		fprintf(out, ", together %s%s%s",
			table_cell_text(text, table->columns[column].kind, &cell),
			table->unit ? " " : "", table->unit ? table->unit : "");
	}
	fputs(")\n", out);
}

void table_put_notes(const struct layout *layout)
{
	const struct plan *plan = layout->plan;
	char text[256] = "(no room for";

	if (plan->table->n_rows == 0)
		fprintf(plan->terminal->out, "(no %s%s)\n", plan->table->what,
			plural_end(plan->table->what));
	put_cut(plan);
	for (size_t i = 0; i < layout->n_left_out; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s", i ? "," : "",
			plan->table->columns[layout->left_out[i]].heading);
	if (layout->n_left_out) {
		text_cut(text, plan->terminal->width - strlen("; see -f)"));
		fprintf(plan->terminal->out, "%s; see -f)\n", text);
	}
	if (table_names_has_numbers(layout->names))
		fputs("(#2, #3: others that look the same when cut; see CSV)\n",
			plan->terminal->out);
}
