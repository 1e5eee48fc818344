/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report, into a file or to standard output; see html.h. */
#include <stdlib.h>

#include "src/page/html.h"
#include "src/text/message.h"
#include "src/text/atomic_write.h"
#include "src/text/status.h"

enum { N_PARTS = 6 };

struct page {
	struct html_part parts[N_PARTS];
	size_t n_parts;
	char *summary;
	size_t summary_bytes;
};

static void release(struct page *page)
{
	for (size_t i = 0; i < page->n_parts; i++)
		free(page->parts[i].text);
	free(page->summary);
}

/* Prints a view into a text in memory. Returns 0 or -1. */
static int print_view(char **text, size_t *n_bytes, const struct view *view,
	const struct report *report, const struct report_request *request)
{
	struct terminal terminal;
	FILE *out = open_memstream(text, n_bytes);
	int status;

	if (!out)
		return -1;
	terminal_plain(&terminal, out);
	status = view->print(report, &request->options, &terminal);
	return fclose(out) == 0 ? status : -1;
}

static int add_view(struct page *page, const char *id, const struct report *report,
	const struct report_request *request)
{
	struct html_part *part = &page->parts[page->n_parts++];

	part->id = id;
	return print_view(&part->text, &part->n_bytes, &view_json, report, request);
}

typedef int put_data(struct json *json, const struct report *report);

/* Begins the next part; closing json->out ends it. Returns 0, or -1 when out of memory. */
static int begin_part(struct page *page, const char *id, struct json *json)
{
	struct html_part *part = &page->parts[page->n_parts++];

	part->id = id;
	*json = (struct json){ .out = open_memstream(&part->text, &part->n_bytes) };
	return json->out ? 0 : -1;
}

static int add_data(struct page *page, const char *id, const struct report *report, put_data *put)
{
	struct json json;
	int status;

	if (begin_part(page, id, &json) != 0)
		return -1;
	status = put(&json, report);
	return fclose(json.out) == 0 ? status : -1;
}

static int add_trace(struct page *page, const char *id, const struct report *report, put_data *put)
{
	return html_has_trace(report) ? add_data(page, id, report, put) : 0;
}

static int add_sources(
	struct page *page, const struct report *report, const struct source_rules *rules)
{
	struct json json;

	if (begin_part(page, "data-sources", &json) != 0)
		return -1;
	html_put_sources(&json, report, rules);
	return fclose(json.out) == 0 ? 0 : -1;
}

/* Loads the same profile in another view. Returns 0, or -1 with *diag set. */
static int again(struct report *report, const struct report_request *request, enum tree_view view,
	int by_thread, struct diag *diag)
{
	struct report_options options = request->shared.report;

	options.view = view;
	options.by_thread = by_thread;
	return report_again(report, request->shared.input, &options, diag);
}

static int no_memory(struct diag *diag)
{
	return diag_set(diag, "cannot make the page: out of memory");
}

/* Makes all data; the report has another view afterwards. Returns 0, or -1 with *diag set. */
static int make(struct page *page, const struct report_request *request, struct report *report,
	struct diag *diag)
{
	if (print_view(&page->summary, &page->summary_bytes, &view_summary, report, request) != 0 ||
		add_view(page, "data-user", report, request) != 0 ||
		add_sources(page, report, &request->shared.sources) != 0 ||
		add_trace(page, "data-trace", report, html_put_trace) != 0)
		return no_memory(diag);
	if (again(report, request, TREE_FULL, 0, diag) != 0)
		return -1;
	if (add_view(page, "data-full", report, request) != 0 ||
		add_trace(page, "data-trace-full", report, html_put_trace_nodes) != 0)
		return no_memory(diag);
	if (again(report, request, TREE_USER, 1, diag) != 0)
		return -1;
	return add_data(page, "data-threads", report, html_put_threads) == 0 ? 0 : no_memory(diag);
}

static int write_page(const void *data, FILE *out, struct diag *diag)
{
	const struct page *page = data;

	if (html_write(out, &html_report_page, page->summary, page->parts, page->n_parts) != 0 &&
		!ferror(out))
		return no_memory(diag);
	return 0;
}

int html_report(const struct report_request *request, struct report *report)
{
	struct page page = { .n_parts = 0 };
	struct diag diag = { "", "" };
	int status = make(&page, request, report, &diag);

	if (status == 0)
		status = save_file(&request->html, write_page, &page, &diag);
	if (status != 0)
		message_diag(&diag);
	release(&page);
	return status == 0 ? STATUS_OK : STATUS_FAILURE;
}
