/* SPDX-License-Identifier: Apache-2.0 */
/* Any profile compared with itself; see check_diff.h. */
#include "tests/unit/command/check_diff.h"

#include "src/compare/diff_data.h"
#include "src/compare/diff_table.h"
#include "src/compare/diff_text.h"

static const char *check(const struct diff *diff)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < diff->n_pairs; i++)
		if (!diff->pairs[i].before || !diff->pairs[i].after)
			return "every place is in both";
	for (size_t i = 0; i < diff->n_rows; i++)
		if (diff->rows[i].value.change_ns != 0 || !diff->rows[i].is_hidden)
			return "nothing changed";
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		sum_ns += diff->cause[i].after_ns;
	if (diff->after->capacity_ns && sum_ns != diff->wall.after_ns)
		return "the causes are the wall time";
	return NULL;
}

static void print(const struct diff *diff, FILE *text, FILE *json)
{
	static const struct table_options limits = { .limit_permyriad = TABLE_DEFAULT,
		.n_rows = TABLE_DEFAULT,
		.max_depth = TABLE_DEFAULT };
	struct diff_options options = { 1, TABLE_DEFAULT };
	struct terminal terminal;

	terminal_plain(&terminal, text);
	diff_print(diff, &options, &terminal);
	for (int i = DIFF_TABLE_CHANGES; i <= DIFF_TABLE_REGIONS; i++)
		diff_table_print(diff, (enum diff_table)i, 1, &limits, &terminal);
	diff_put_json(diff, NULL, 0, json);
}

const char *check_diff(const struct report *report, FILE *text, FILE *json)
{
	struct name_tree strings = { 0 };
	struct diff_run before = { 0 }, after = { 0 };
	struct diff diff = { 0 };
	struct diag diag;
	const char *wrong = NULL;

	if (name_tree_init(&strings, 1) == 0 &&
		diff_run_make(&before, report, &strings, 1, &diag) == 0 &&
		diff_run_make(&after, report, &strings, 1, &diag) == 0 &&
		diff_make(&diff, &before, &after, 0) == 0) {
		wrong = check(&diff);
		print(&diff, text, json);
	}
	diff_release(&diff);
	diff_run_release(&before);
	diff_run_release(&after);
	name_tree_release(&strings);
	return wrong;
}
