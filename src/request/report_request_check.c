/* SPDX-License-Identifier: Apache-2.0 */
/* Options of ompprof report that go together, and that do not; see report_request.h. */
#include "src/text/message.h"
#include "src/report/phases.h"
#include "src/request/report_request.h"
#include "src/views/view_nodes.h"
#include "src/views/view_slices.h"

/* Refuses an option that only views of `takes` heed. Returns 0, or -1 with a message. */
static int check_option(const struct report_request *request, const char *option, unsigned takes)
{
	static const char *const needs[] = {
		[VIEW_TAKES_TABLE] = "'--tree', '--flat', '--bottom-up' or '--by'",
		[VIEW_TAKES_LIMITS] = "'--tree', '--flat', '--bottom-up' or '--by'",
		[VIEW_TAKES_DEPTH] = "'--tree' or '--bottom-up'",
	};

	if (!option || (request->view && request->view->takes & takes))
		return 0;
	message("option '%s' needs %s", option, needs[takes]);
	return -1;
}

/* Views of the user's terms and of all threads together cannot be shown of another tree. */
static int check_tree(const struct report_request *request)
{
	const char *option = request->report.by_thread              ? "--by-thread"
			     : request->report.view == TREE_FULL    ? "--view full"
			     : request->report.view == TREE_MACHINE ? "--view machine"
								    : NULL;

	if (!request->view || !request->view->is_of_user || !option)
		return 0;
	message("options '--%s' and '%s' exclude each other", request->view->name, option);
	return -1;
}

/* The page has all views. Returns 0, or -1 with a message. */
static int check_page(const struct report_request *request)
{
	static const char *const others[] = { [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv" };
	const char *page = request->html.path ? "--html" : "--format html";
	const char *view = request->view                          ? request->view->name
			   : request->report.by_thread            ? "by-thread"
			   : request->report.view == TREE_MACHINE ? "view machine"
			   : request->report.view == TREE_FULL    ? "view full"
								  : NULL;

	if (request->sources.n && request->print.format != FORMAT_HTML) {
		message("option '--source-path' needs '--html': other views quote no source");
		return -1;
	}
	if (request->html.is_forced && !request->html.path) {
		message("option '--force' needs '--html FILE'");
		return -1;
	}
	if (request->html.path && request->print.format != FORMAT_HTML) {
		message("options '--html' and '--format %s' exclude each other",
			others[request->print.format]);
		return -1;
	}
	if (request->print.format != FORMAT_HTML || !view)
		return 0;
	message("options '%s' and '--%s' exclude each other: the page has all views", page, view);
	return -1;
}

/* A table that a filter cannot cut is not shown as if it were. JSON says which it has cut. */
static int check_filters(const struct report_request *request)
{
	const struct view *view = request->view ? request->view : &view_summary;
	unsigned given = request->filter.given;

	if (given & FILTER_REGION && request->report.view == TREE_MACHINE) {
		message("options '--view machine' and '--region' exclude each other");
		return -1;
	}
	if (given && request->print.format == FORMAT_CSV && !request->view) {
		message("filters and '--format csv' need '--tree', '--flat', '--bottom-up' or "
			"'--by'");
		return -1;
	}
	if (phases_are_given(request->report.phases) && view == &view_by_lock) {
		message("options '--by lock' and '--phase' exclude each other: holds of mutexes "
			"are "
			"not known by phase");
		return -1;
	}
	for (unsigned kind = 1; kind < FILTER_ALL && request->print.format != FORMAT_JSON;
		kind *= 2) {
		if (given & kind & ~view->filters) {
			message("options '--%s' and '--%s' exclude each other", view->name,
				filter_word(kind));
			return -1;
		}
	}
	return 0;
}

static int exclude_time(const char *other, const char *why)
{
	message("options '--%s' and '--time' exclude each other: %s", other, why);
	return -1;
}

/* Refuses --time with other options and with views whose figures exist for the whole run only. */
static int check_time(const struct report_request *request)
{
	const struct view *view = request->view;
	int is_json = request->print.format == FORMAT_JSON;

	if (!time_range_is_given(request->report.time))
		return 0;
	if (phases_are_given(request->report.phases))
		return exclude_time("phase", "times within phases are not known");
	if (request->print.format == FORMAT_HTML)
		return exclude_time(request->html.path ? "html" : "format html",
			"parts of the run are chosen in the page's timeline");
	if (view && view->part == VIEW_OF_RUN && !is_json)
		return exclude_time(view->name, "it is only known for the whole run");
	if (request->options.is_reverse)
		return exclude_time("reverse", "blame is only known for the whole run");
	if (!view && request->filter.given && !is_json) {
		message("filters and '--time' need '--tree', '--flat', '--bottom-up' or '--by'");
		return -1;
	}
	return 0;
}

/* Columns of nodes that a part of the run has not. */
static int check_columns_of_part(const struct report_request *request)
{
	int column;

	if (!time_range_is_given(request->report.time) || request->view->columns != node_columns)
		return 0;
	column = table_asked(node_columns, &request->options.table, node_of_run);
	if (column < 0)
		return 0;
	message("column '%s' and option '--time' exclude each other: it is only known for the "
		"whole run",
		node_columns[column].key);
	return -1;
}

/* The columns that options name must be the table's. Returns 0, or -1 with a message. */
static int check_columns(const struct report_request *request)
{
	struct diag diag = { "", "" };

	const struct view *view = request->view;

	if (view && time_range_is_given(request->report.time))
		view = part_view(view);
	if (!view || !view->columns)
		return 0;
	if (table_check(view->columns, &request->options.table, view->name, &diag) == 0)
		return check_columns_of_part(request);
	message_diag(&diag);
	return -1;
}

int report_request_check(const struct report_request *request)
{
	const struct table_options *options = &request->options.table;
	const char *limit = options->n_rows != TABLE_DEFAULT            ? "--limit"
			    : options->limit_permyriad != TABLE_DEFAULT ? "--percent-limit"
									: NULL;
	const char *columns = options->fields ? "--fields" : options->sort ? "--sort" : NULL;

	if (request->options.is_reverse && request->view != &view_by_wait) {
		message("option '--reverse' needs '--by wait'");
		return -1;
	}
	if (check_page(request) != 0 || check_time(request) != 0 || check_filters(request) != 0)
		return -1;
	if (request->print.format == FORMAT_JSON)
		return 0;
	if (request->print.format == FORMAT_CSV && request->view && !request->view->columns) {
		message("option '--%s' shows no table: it has no CSV", request->view->name);
		return -1;
	}
	if (check_option(request, options->max_depth != TABLE_DEFAULT ? "--max-depth" : NULL,
		    VIEW_TAKES_DEPTH) != 0 ||
		check_option(request, columns, VIEW_TAKES_TABLE) != 0 ||
		check_option(request, limit, VIEW_TAKES_LIMITS) != 0 || check_columns(request) != 0)
		return -1;
	return check_tree(request);
}
