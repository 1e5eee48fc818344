/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison; see html.h. */
#include <stdlib.h>

#include "src/compare/diff_data.h"
#include "src/compare/diff_text.h"
#include "src/page/html.h"
#include "src/text/table.h"

struct page {
	char *summary;
	size_t summary_bytes;
	struct html_part data;
};

static int no_memory(struct diag *diag)
{
	return diag_set(diag, "cannot make the page: out of memory");
}

static int print_summary(struct page *page, const struct diff *diff)
{
	struct diff_options options = { 0, TABLE_DEFAULT };
	FILE *out = open_memstream(&page->summary, &page->summary_bytes);
	struct terminal terminal;

	if (!out)
		return -1;
	terminal_plain(&terminal, out);
	diff_print(diff, &options, &terminal);
	return fclose(out);
}

static int print_data(struct page *page, const struct diff *diff,
	const struct diff_judgement *judgements, size_t n_judgements)
{
	FILE *out = open_memstream(&page->data.text, &page->data.n_bytes);

	if (!out)
		return -1;
	diff_put_json(diff, judgements, n_judgements, out);
	return fclose(out);
}

static int write_page(const void *data, FILE *out, struct diag *diag)
{
	const struct page *page = data;

	if (html_write(out, &html_diff_page, page->summary, &page->data, 1) != 0 && !ferror(out))
		return no_memory(diag);
	return 0;
}

int html_diff(const struct save_place *place, const struct diff *diff,
	const struct diff_judgement *judgements, size_t n_judgements, struct diag *diag)
{
	struct page page = { .data.id = "data-diff" };
	int status = -1;

	if (print_summary(&page, diff) != 0 ||
		print_data(&page, diff, judgements, n_judgements) != 0)
		no_memory(diag);
	else
		status = save_file(place, write_page, &page, diag);
	free(page.summary);
	free(page.data.text);
	return status;
}
