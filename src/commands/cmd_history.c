/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof history: how a program changed over its labelled runs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/commands/command.h"
#include "src/compare/history.h"
#include "src/request/shared_options.h"
#include "src/text/message.h"

enum { MOST_FOLDERS = 1 << 16, PATH_BYTES = 4096 };

static const struct option_row rows[] = {
	OPTION_HEADING("What is shown:"),
	SHARED_ROW_SORT("KEY", ARGUMENT_TEXT, NULL, "the column to sort by"),
	SHARED_ROW_FIELDS("KEY,...", ARGUMENT_TEXT, NULL, "the columns"),
	SHARED_ROW_LIMIT("show N regions at most"),
	SHARED_ROW_PERCENT_LIMIT("hide regions below P percent of the wall time"),
	SHARED_ROW_PHASE,
	SHARED_ROWS_SYMBOLS,
	OPTION_HEADING("How it is shown:"),
	SHARED_ROW_FORMAT(print_formats, "text for people (default), JSON or CSV for programs"),
	SHARED_ROW_COLOR,
	SHARED_ROW_NO_PAGER("table"),
};

static const struct option_table options_table = {
	.verb = "history",
	.usage =
		"Usage: ompprof history [OPTION...] [FOLDER...]\n"
		"Shows how a program changed over its labelled runs ('ompprof run --label'). Each\n"
		"FOLDER is a profile, or a folder of profiles; by default the current folder.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Profiles that cannot be compared with the last are left out.\n"
		 "Exit status: 0; 1 if there is nothing to show.\n",
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = MOST_FOLDERS,
};

struct request {
	struct shared_request shared;
	struct history history;
};

static void leave_out(const struct diag *why)
{
	struct diag diag = { "", "" };

	diag_set(&diag, "left out: %s", why->text);
	diag_hint(&diag, "%s", why->hint);
	message_diag(&diag);
}

static void add(struct request *request, const char *path)
{
	struct diag diag = { "", "" };

	const struct diff_runs *loaded = &request->history.loaded;
	char text[DIFF_UNREAD_BYTES];

	if (history_add(&request->history, path, &request->shared.report, &diag) != 0)
		leave_out(&diag);
	else if (diff_run_say_unread(&loaded->runs[loaded->n - 1], text, sizeof(text)))
		message("%s", text);
}

static int is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Adds the profiles that are folders in `path`. */
static void add_within(struct request *request, const char *path)
{
	struct dirent **entries;
	char inner[PATH_BYTES];
	int n = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.' &&
			snprintf(inner, sizeof(inner), "%s%s%s", strcmp(path, ".") == 0 ? "" : path,
				strcmp(path, ".") == 0 ? "" : "/",
				entries[i]->d_name) < PATH_BYTES &&
			is_folder(inner) && history_has_profile(inner))
			add(request, inner);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void add_all(struct request *request, int argc, char **argv)
{
	static char here[] = ".";
	char *const none[] = { here };
	char *const *paths = argc ? argv : none;

	for (int i = 0; i < (argc ? argc : 1); i++) {
		if (is_folder(paths[i]) && !history_has_profile(paths[i]))
			add_within(request, paths[i]);
		else
			add(request, paths[i]);
	}
}

static int print(const struct request *request)
{
	const struct history *history = &request->history;
	struct terminal terminal;
	int status = STATUS_OK;

	print_options_open(&request->shared.print, 1, &terminal);
	if (request->shared.print.format == FORMAT_JSON)
		history_put_json(history, terminal.out);
	else if (history_print(history, &request->shared.table, &terminal) != 0)
		status = STATUS_FAILURE;
	return terminal_close(&terminal, status);
}

static int fail_memory(void)
{
	message("cannot compare the profiles: out of memory");
	return STATUS_FAILURE;
}

/* Orders and compares what was added, and shows it. */
static int show(struct request *request)
{
	struct history *history = &request->history;
	struct diag diag = { "", "" };

	if (history_order(history) != 0)
		return fail_memory();
	for (size_t i = 0; i + 1 < history->n_points;) {
		if (history_check(history, i, &diag) == 0) {
			i++;
			continue;
		}
		leave_out(&diag);
		history_drop(history, i);
	}
	if (history->n_points == 0)
		message("there is no profile with a label");
	else if (history->n_points == 1)
		message("there is only one label, '%s': a history needs two",
			history->points[0].label);
	if (history->n_points < 2)
		return STATUS_FAILURE;
	return history_compare(history) == 0 ? print(request) : fail_memory();
}

static int check(const struct request *request)
{
	const char *option = table_options_given(&request->shared.table);
	struct diag diag = { "", "" };

	if (option && request->shared.print.format == FORMAT_JSON)
		message("option '%s' changes a table, not JSON", option);
	else if (history_table_check(&request->shared.table, &diag) == 0)
		return 0;
	else
		message_diag(&diag);
	return -1;
}

static int run(int argc, char **argv)
{
	struct request request = { .shared = SHARED_REQUEST_DEFAULT };
	int status = options_read(&options_table, &argc, &argv, shared_request_take, &request);

	request.shared.table.is_csv = request.shared.print.format == FORMAT_CSV;
	if (status == OPTIONS_GO_ON && check(&request) != 0)
		status = message_try_help("history");
	if (status == OPTIONS_GO_ON && history_init(&request.history) != 0)
		status = fail_memory();
	if (status == OPTIONS_GO_ON) {
		add_all(&request, argc, argv);
		status = show(&request);
	}
	history_release(&request.history);
	shared_request_release(&request.shared);
	return status;
}

const struct command command_history = {
	.name = "history",
	.summary = "show how a program changed over its labelled runs",
	.options = &options_table,
	.run = run,
};
