/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof report: shows a profile. */
#include "src/commands/command.h"
#include "src/compare/repeats.h"
#include "src/page/html.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/request/report_request.h"
#include "src/views/view_filter.h"
#include "src/views/view_slices.h"

static const struct view *choose(const struct report_request *request, const struct report *report)
{
	int is_json = request->shared.print.format == FORMAT_JSON;

	if (report->profile.part.is_cut)
		return is_json ? &view_part_json : part_view(request->view);
	return is_json ? &view_json : request->view ? request->view : &view_summary;
}

/* Other runs are loaded for the errors of its gains only if it is shown. */
static int shows_advice(const struct report_request *request, const struct report *report)
{
	const struct view *view = choose(request, report);

	return request->shared.print.format == FORMAT_HTML || view == &view_summary ||
	       view == &view_json;
}

static int show(const struct report_request *request, const struct report *report)
{
	const struct view *view = choose(request, report);
	struct terminal terminal;
	int status = STATUS_OK;

	print_options_open(&request->shared.print, view != &view_summary, &terminal);
	if (request->shared.print.format != FORMAT_JSON)
		view_put_filters(request->shared.print.format == FORMAT_TEXT ? &terminal : NULL,
			report, view);
	if (request->shared.print.format == FORMAT_TEXT && report->profile.part.is_cut)
		part_put_line(&terminal, report);
	if (view->print(report, &request->options, &terminal) != 0) {
		message("cannot show the profile '%s': out of memory", report->path);
		status = STATUS_FAILURE;
	}
	return terminal_close(&terminal, status);
}

static int run(int argc, char **argv)
{
	struct report_request request;
	struct report report;
	struct diag diag = { "", "" };
	int status = report_request_read(&request, argc, argv);

	if (status != OPTIONS_GO_ON) {
		shared_request_release(&request.shared);
		return status;
	}
	request.shared.report.has_rows = request.shared.print.format == FORMAT_JSON ||
					 (request.view && request.view->filters != FILTER_ALL);
	request.shared.report.is_shown_again = request.shared.print.format == FORMAT_HTML;
	progress_begin(stderr);
	status = report_load(&report, request.shared.input, &request.shared.report, &diag);
	if (status == 0 && shows_advice(&request, &report))
		status = repeats_find_errors(
			&report, request.shared.input, &request.shared.report, &diag);
	progress_end();
	if (status == 0 && request.shared.print.format == FORMAT_HTML)
		status = html_report(&request, &report);
	else if (status == 0)
		status = show(&request, &report);
	else {
		message_diag(&diag);
		status = STATUS_FAILURE;
	}
	report_release(&report);
	shared_request_release(&request.shared);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "show a profile",
	.options = &report_request_options,
	.run = run,
};
