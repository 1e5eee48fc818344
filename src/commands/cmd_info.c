/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: says what is in a profile. */
#include <stdio.h>

#include "src/commands/command.h"
#include "src/info/info.h"
#include "src/text/message.h"
#include "src/request/shared_options.h"

enum { JSON_VERSION = 1 };

static const struct option_row rows[] = {
	SHARED_ROW_INPUT("the profile, also without -i"),
	SHARED_ROWS_SELECTION("run"),
	SHARED_ROW_FORMAT(print_formats_no_csv, "text for people (default) or JSON for programs"),
};

static const struct option_table table = {
	.verb = "info",
	.usage =
		"Usage: ompprof info [OPTION...] [PATH]\n"
		"Says what is in the profile at PATH, a file or a folder, by default\n"
		"'ompprof.out': the run and its options, warnings, threads, losses, the cost of\n"
		"profiling, the parts of the file, loaded objects. For a run of several processes\n"
		"it shows a table of them.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 1,
};

static int show_text(const struct profile_list *list, const char *input, struct diag *diag)
{
	struct info info;
	int status;

	if (list->n_runs > 1)
		printf("Median of %zu runs\n", list->n_runs);
	if (list->n > 1)
		return info_print_job(list, input) == 0
			       ? 0
			       : diag_set(diag, "cannot show the profile '%s': out of memory",
					 input);
	status = info_open(&info, list->entries[0].path, diag);
	if (status == 0)
		info_print(&info);
	info_release(&info);
	return status;
}

/* A file that cannot be read is only an error if it is the only one. */
static int show_json(const struct profile_list *list, struct diag *diag)
{
	struct json json = { .out = stdout };
	struct info info;

	for (size_t i = 0; i < list->n; i++) {
		const char *path = list->entries[i].path;
		int status = info_open(&info, path, diag);

		if (status != 0 && list->n == 1) {
			info_release(&info);
			return -1;
		}
		if (i == 0) {
			json_object(&json, NULL);
			json_string(&json, "format", "ompprof-info");
			json_number(&json, "version", JSON_VERSION);
			json_array(&json, "processes");
		}
		if (status == 0)
			info_put_json(&json, &info);
		else
			info_put_problem(&json, path, diag->text);
		info_release(&info);
	}
	json_end_array(&json);
	json_end_object(&json);
	putchar('\n');
	return 0;
}

static int show(const struct shared_request *request)
{
	struct report_job job = { 0 };
	struct diag diag = { "", "" };
	int status = report_job_find(&job, request->input, &request->report.selection, &diag);

	if (status == 0)
		status = request->print.format == FORMAT_JSON
				 ? show_json(&job.of, &diag)
				 : show_text(&job.of, request->input, &diag);
	report_job_release(&job);
	if (status == 0)
		return message_finish_stdout(STATUS_OK);
	message_diag(&diag);
	return STATUS_FAILURE;
}

static int run(int argc, char **argv)
{
	struct shared_request request = SHARED_REQUEST_DEFAULT;
	int status = options_read(&table, &argc, &argv, shared_request_take, &request);

	if (status != OPTIONS_GO_ON)
		return status;
	if (argc > 0)
		request.input = argv[0];
	return show(&request);
}

const struct command command_info = {
	.name = "info",
	.summary = "say what is in a profile and what it cost",
	.options = &table,
	.run = run,
};
