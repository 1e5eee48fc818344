/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof doctor: what profiling can do here, and what it lacks. */
#include "src/commands/command.h"
#include "src/doctor/doctor.h"
#include "src/text/message.h"
#include "src/request/shared_options.h"

static const struct option_row rows[] = {
	SHARED_ROW_FORMAT(print_formats_no_csv, "text for people (default) or JSON for programs"),
};

static const struct option_table table = {
	.verb = "doctor",
	.usage = "Usage: ompprof doctor [OPTION...] [--] [COMMAND [ARGUMENT...]]\n"
		 "Says what profiling can do on this machine and, if COMMAND is given, with it:\n"
		 "what is ok, limited or missing, and what to do about it. COMMAND is not run.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Exit status: 0; 1 if something is missing that profiling needs.\n"
		 "126: COMMAND cannot be executed; 127: COMMAND was not found.\n",
	.operands = ARGUMENT_COMMAND,
};

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
	struct shared_request request = SHARED_REQUEST_DEFAULT;
	int status = options_read(&table, &argc, &argv, NULL, &request);

	if (status != OPTIONS_GO_ON)
		return status;
	status = examine(&doctor, argv);
	if (status == 0) {
		(request.print.format == FORMAT_JSON ? doctor_print_json : doctor_print_text)(
			&doctor);
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
