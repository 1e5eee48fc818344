/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report, into a file or to standard output; see html.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/command.h"
#include "src/html.h"
#include "src/message.h"

enum { N_PARTS = 4 };

typedef void put_json(struct json *json, const struct report *report);

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

/* What a view prints, in memory. Returns 0 or -1. */
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

static int add_json(struct page *page, const char *id, put_json *put, const struct report *report)
{
	struct html_part *part = &page->parts[page->n_parts++];
	struct json json = { .out = open_memstream(&part->text, &part->n_bytes) };

	part->id = id;
	if (!json.out)
		return -1;
	put(&json, report);
	return fclose(json.out) == 0 ? 0 : -1;
}

/* The profile once more, attributed in another way. Returns 0, or -1 with *diag set. */
static int load_again(struct report *report, const struct report_request *request,
	enum tree_view view, int by_thread, struct diag *diag)
{
	struct report_options options = request->report;

	options.view = view;
	options.by_thread = by_thread;
	return report_load(report, request->input, &options, diag);
}

static int add_full(struct page *page, const struct report_request *request, struct diag *diag)
{
	struct report report;
	int status = load_again(&report, request, TREE_FULL, 0, diag);

	if (status == 0 && add_view(page, "data-full", &report, request) != 0)
		status = diag_set(diag, "cannot make the page: out of memory");
	report_release(&report);
	return status;
}

static int add_threads(struct page *page, const struct report_request *request, struct diag *diag)
{
	struct report report;
	int status = load_again(&report, request, TREE_USER, 1, diag);

	if (status == 0 && add_json(page, "data-threads", html_put_threads, &report) != 0)
		status = diag_set(diag, "cannot make the page: out of memory");
	report_release(&report);
	return status;
}

static int make(struct page *page, const struct report_request *request,
	const struct report *report, struct diag *diag)
{
	if (print_view(&page->summary, &page->summary_bytes, &view_summary, report, request) != 0 ||
		add_view(page, "data-user", report, request) != 0 ||
		add_json(page, "data-sources", html_put_sources, report) != 0)
		return diag_set(diag, "cannot make the page: out of memory");
	if (add_full(page, request, diag) != 0)
		return -1;
	return add_threads(page, request, diag);
}

static int fail(const char *path, int error)
{
	message("cannot write '%s': %s", path, strerror(error));
	return STATUS_FAILURE;
}

/* Returns 0, or an errno. Closes the stream. */
static int write_and_close(FILE *out, const struct page *page)
{
	int error = 0;

	errno = 0;
	if (html_write(out, page->summary, page->parts, page->n_parts) != 0)
		error = errno ? errno : ENOMEM;
	if (fclose(out) != 0 && !error)
		error = errno;
	return error;
}

/* What is no regular file, such as a pipe, is written to; one that is, or is not there, is replaced. */
static int write_file(const char *path, const struct page *page)
{
	char part[4096];
	struct stat st;
	FILE *out;
	int fd, error;
	mode_t mask;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		out = fopen(path, "we");
		error = out ? write_and_close(out, page) : errno;
		return error ? fail(path, error) : STATUS_OK;
	}
	if ((size_t)snprintf(part, sizeof(part), "%s.XXXXXX", path) >= sizeof(part))
		return fail(path, ENAMETOOLONG);
	fd = mkostemp(part, O_CLOEXEC);
	if (fd < 0)
		return fail(path, errno);
	mask = umask(0);
	umask(mask);
	out = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
	error = out ? write_and_close(out, page) : errno;
	if (!error && rename(part, path) != 0)
		error = errno;
	if (!error)
		return STATUS_OK;
	unlink(part);
	return fail(path, error);
}

int html_report(const struct report_request *request, const struct report *report)
{
	struct page page = { .n_parts = 0 };
	struct diag diag = { "", "" };
	int status = STATUS_OK;

	if (make(&page, request, report, &diag) != 0) {
		message_diag(&diag);
		status = STATUS_FAILURE;
	} else if (request->html && strcmp(request->html, "-") != 0) {
		status = write_file(request->html, &page);
	} else {
		html_write(stdout, page.summary, page.parts, page.n_parts);
		status = message_finish_stdout(STATUS_OK);
	}
	release(&page);
	return status;
}
