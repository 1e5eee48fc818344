/* SPDX-License-Identifier: Apache-2.0 */
/* Which options of ompprof report exclude or need each other; see report_request.h. */
#include "src/report/phases.h"
#include "src/request/report_request.h"
#include "src/views/view_nodes.h"
#include "src/views/view_slices.h"

/* Each check returns 0, or -1 with *diag set. This check is of an option that few views heed. */
static int check_option(
	const struct report_request *request, const char *option, unsigned takes, struct diag *diag)
{
	static const char *const needs[] = {
		[VIEW_TAKES_TABLE] = "'--tree', '--flat', '--bottom-up' or '--by'",
		[VIEW_TAKES_LIMITS] = "'--tree', '--flat', '--bottom-up' or '--by'",
		[VIEW_TAKES_DEPTH] = "'--tree' or '--bottom-up'",
	};

	if (!option || (request->view && request->view->takes & takes))
		return 0;
	return diag_set(diag, "option '%s' needs %s", option, needs[takes]);
}

/* A view with is_of_user needs the user view, of all threads together. */
static int check_tree(const struct report_request *request, struct diag *diag)
{
	const char *option = request->shared.report.by_thread              ? "--by-thread"
			     : request->shared.report.view == TREE_FULL    ? "--view full"
			     : request->shared.report.view == TREE_MACHINE ? "--view machine"
									   : NULL;

	if (!request->view || !request->view->is_of_user || !option)
		return 0;
	return diag_set(
		diag, "options '--%s' and '%s' exclude each other", request->view->name, option);
}

/* Refuses --format quickfix with a view: its lines are always the advice. */
static int check_quickfix(const struct report_request *request, struct diag *diag)
{
	if (request->shared.print.format != FORMAT_QUICKFIX || request->view == &view_quickfix)
		return 0;
	return diag_set(diag, "options '--%s' and '--format quickfix' exclude each other",
		request->view->name);
}

/* The page has the user view and the full view, in its own tables: no option chooses among them. */
static int check_page(const struct report_request *request, struct diag *diag)
{
	const char *page = request->html.path ? "--html" : "--format html";
	const char *view = request->view                                 ? request->view->name
			   : request->shared.report.by_thread            ? "by-thread"
			   : request->shared.report.view == TREE_MACHINE ? "view machine"
			   : request->shared.report.view == TREE_FULL    ? "view full"
									 : NULL;

	if (request->shared.sources.n && request->shared.print.format != FORMAT_HTML)
		return diag_set(
			diag, "option '--source-path' needs '--html': other views quote no source");
	if (request->html.is_forced && !request->html.path)
		return diag_set(diag, "option '--force' needs '--html FILE'");
	if (request->html.path && request->shared.print.format != FORMAT_HTML)
		return diag_set(diag, "options '--html' and '--format %s' exclude each other",
			print_formats_report[request->shared.print.format]);
	if (request->shared.print.format != FORMAT_HTML || !view)
		return 0;
	return diag_set(diag,
		"options '%s' and '--%s' exclude each other: the page has its own views", page,
		view);
}

/*
 * Refuses a table that a given filter cannot cut. JSON has such tables, and says of each whether it
 * was cut.
 */
static int check_filters(const struct report_request *request, struct diag *diag)
{
	const struct view *view = request->view ? request->view : &view_summary;
	unsigned given = request->shared.filter.given;

	if (given & FILTER_REGION && request->shared.report.view == TREE_MACHINE)
		return diag_set(diag, "options '--view machine' and '--region' exclude each other");
	if (given && request->shared.print.format == FORMAT_CSV && !request->view)
		return diag_set(diag,
			"filters and '--format csv' need '--tree', '--flat', '--bottom-up' or "
			"'--by'");
	if (phases_are_given(request->shared.report.phases) && view == &view_by_lock)
		return diag_set(diag,
			"options '--by lock' and '--phase' exclude each other: holds of mutexes "
			"are not known by phase");
	for (unsigned kind = 1; kind < FILTER_ALL && request->shared.print.format != FORMAT_JSON;
		kind *= 2)
		if (given & kind & ~view->filters)
			return diag_set(diag, "options '--%s' and '--%s' exclude each other",
				view->name, filter_word(kind));
	return 0;
}

static int exclude_time(const char *other, const char *why, struct diag *diag)
{
	return diag_set(diag, "options '--%s' and '--time' exclude each other: %s", other, why);
}

/* Refuses --time with other options and with views whose figures exist for the whole run only. */
static int check_time(const struct report_request *request, struct diag *diag)
{
	const struct view *view = request->view;
	int is_json = request->shared.print.format == FORMAT_JSON;

	if (!time_range_is_given(request->shared.report.time))
		return 0;
	if (phases_are_given(request->shared.report.phases))
		return exclude_time("phase", "times within phases are not known", diag);
	if (request->shared.print.format == FORMAT_HTML)
		return exclude_time(request->html.path ? "html" : "format html",
			"parts of the run are chosen in the page's timeline", diag);
	if (view && view->part == VIEW_OF_RUN && !is_json)
		return exclude_time(view->name, "it is only known for the whole run", diag);
	if (request->options.is_reverse)
		return exclude_time("reverse", "blame is only known for the whole run", diag);
	if (!view && request->shared.filter.given && !is_json)
		return diag_set(diag,
			"filters and '--time' need '--tree', '--flat', '--bottom-up' or '--by'");
	return 0;
}

/* The columns that options name must be the table's, and with --time be known for a part. */
static int check_columns(const struct report_request *request, struct diag *diag)
{
	const struct table_options *options = &request->options.table;
	int is_part = time_range_is_given(request->shared.report.time), column;
	const struct view *view =
		is_part && request->view ? part_view(request->view) : request->view;

	if (!view || !view->columns)
		return 0;
	if (table_check(view->columns, options, view->name, diag) != 0)
		return -1;
	if (!is_part || request->view->columns != node_columns)
		return 0;
	column = table_asked(node_columns, options, node_of_run);
	if (column < 0)
		return 0;
	return diag_set(diag,
		"column '%s' and option '--time' exclude each other: it is only known for the "
		"whole run",
		node_columns[column].key);
}

int report_request_check(const struct report_request *request, struct diag *diag)
{
	const struct table_options *options = &request->options.table;
	const char *limit = options->n_rows != TABLE_DEFAULT            ? "--limit"
			    : options->limit_permyriad != TABLE_DEFAULT ? "--percent-limit"
									: NULL;
	const char *columns = options->fields ? "--fields" : options->sort ? "--sort" : NULL;
	const char *depth = options->max_depth != TABLE_DEFAULT ? "--max-depth" : NULL;

	if (request->options.is_reverse && request->view != &view_by_wait)
		return diag_set(diag, "option '--reverse' needs '--by wait'");
	if (check_quickfix(request, diag) != 0 || check_page(request, diag) != 0 ||
		check_time(request, diag) != 0 || check_filters(request, diag) != 0)
		return -1;
	if (request->shared.print.format == FORMAT_JSON)
		return 0;
	if (request->shared.print.format == FORMAT_CSV && request->view && !request->view->columns)
		return diag_set(
			diag, "option '--%s' shows no table: it has no CSV", request->view->name);
	if (check_option(request, depth, VIEW_TAKES_DEPTH, diag) != 0 ||
		check_option(request, columns, VIEW_TAKES_TABLE, diag) != 0 ||
		check_option(request, limit, VIEW_TAKES_LIMITS, diag) != 0 ||
		check_columns(request, diag) != 0)
		return -1;
	return check_tree(request, diag);
}
