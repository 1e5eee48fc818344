/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof doctor: what profiling can do here, and what it lacks. */
#include "src/command.h"
#include "src/doctor.h"
#include "src/message.h"

enum option_code { OPTION_FORMAT = 256 };

static const char *const formats[] = { "text", "json", NULL };

static const struct option_row rows[] = {
	OPTION_TAKES(OPTION_FORMAT, "format", NULL, ARGUMENT_WORD, formats,
		"text for people (default) or JSON for programs"),
};

static const struct option_table table = {
	.verb = "doctor",
	.usage = "Usage: ompprof doctor [OPTION...] [--] [COMMAND [ARGUMENT...]]\n"
		 "Says what profiling can do on this machine, and for COMMAND, which is looked at\n"
		 "and not executed: what is ok, limited or missing, and what to do about it.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Ends with 0, or 1 if something is missing that profiling cannot do without.\n"
		 "126: COMMAND cannot be executed; 127: COMMAND was not found.\n",
	.operands = ARGUMENT_COMMAND,
};

static int take(void *data, int code, const char *text, int word)
{
	int *is_json = data;

	(void)code;
	(void)text;
	*is_json = word == 1;
	return 0;
}

static int examine(struct doctor *doctor, char **argv)
{
	int status = 0;

	doctor_check_machine(doctor);
	doctor_check_runtimes(doctor);
	doctor_check_report(doctor);
	if (argv[0])
		status = doctor_check_program(doctor, argv);
	if (status == 0 && doctor->is_out_of_memory) {
		message("out of memory");
		status = STATUS_FAILURE;
	}
	return status;
}

static int run(int argc, char **argv)
{
	struct doctor doctor = { 0 };
	int is_json = 0, status = options_read(&table, &argc, &argv, take, &is_json);

	if (status != OPTIONS_GO_ON)
		return status;
	status = examine(&doctor, argv);
	if (status == 0) {
		(is_json ? doctor_print_json : doctor_print_text)(&doctor);
		status = message_finish_stdout(
			doctor_worst(&doctor) == DOCTOR_MISSING ? STATUS_FAILURE : STATUS_OK);
	}
	doctor_release(&doctor);
	return status;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "say what profiling can do here, and what it lacks",
	.options = &table,
	.run = run,
};
