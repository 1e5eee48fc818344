/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof merge: makes one file of the profiles of a job. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "profile/shared/folder.h"
#include "profile/shared/launcher.h"
#include "src/commands/command.h"
#include "src/text/install_paths.h"
#include "src/merge/merge_files.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/request/shared_options.h"
#include "src/export/own_files.h"

static const struct option_row rows[] = {
	SHARED_ROW_INPUT("a profile, also without -i; may be repeated"),
	OPTION_KEEPS('o', "output", "FILE", ARGUMENT_FILE, NULL,
		INTO_TEXT(struct merge_request, output.path),
		"where to (default: '" MERGE_DEFAULT_OUTPUT "')"),
	SHARED_ROW_FORCE(struct merge_request, output.is_forced),
	OPTION_KEEPS(OPTION_LONG, "jobs", "N", ARGUMENT_NUMBER, NULL,
		INTO_NUMBER(struct merge_request, n_threads),
		"read N files at once (default: one for each CPU)"),
	OPTION_SETS('q', "quiet", INTO_SET(struct merge_request, is_quiet),
		"do not say what was written"),
};

enum { MOST_INPUTS = 1 << 20 };

static const struct option_table table = {
	.verb = "merge",
	.usage =
		"Usage: ompprof merge [-o FILE] [OPTION...] [PATH...]\n"
		"Merges the profiles of a job into one file. Each PATH is a file or a folder, by\n"
		"default 'ompprof.out'. The merged file is smaller, and all verbs read it as they\n"
		"read the profiles. Under mpirun each rank reads a part of the profiles.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = MOST_INPUTS,
};

int merge_main(int argc, char **argv, const struct merge_ranks *ranks)
{
	static char default_input[] = PROFILE_DEFAULT_FOLDER;
	char *default_inputs[] = { default_input };
	struct merge_request request = {
		.output = { .path = MERGE_DEFAULT_OUTPUT, .is_merged = 1, .is_own = own_file_is }
	};
	int status = options_read(&table, &argc, &argv, NULL, &request);

	if (status != OPTIONS_GO_ON)
		return status;
	request.inputs = argc > 0 ? argv : default_inputs;
	request.n_inputs = argc > 0 ? (size_t)argc : 1;
	progress_begin(stderr);
	status = merge_files(&request, ranks);
	progress_end();
	return status;
}

/* Executes the program that is built with MPI. Returns if there is none. */
static void execute_helper(char **argv)
{
	static const char *const places[] = { "/ompprof-merge-mpi",
		"/../libexec/ompprof/ompprof-merge-mpi",
		INSTALL_PATH_AT(PKGLIBEXECDIR "/ompprof-merge-mpi"), NULL };
	char path[PATH_MAX];

	if (install_path_find(path, sizeof(path), places) == 0)
		execv(path, argv);
}

static int run(int argc, char **argv)
{
	static const struct merge_ranks alone = { .size = 1 };
	struct launcher launcher;

	launcher_read(&launcher);
	if (launcher.n_ranks > 1) {
		execute_helper(argv);
		if (launcher.rank != 0)
			return STATUS_OK;
		message("this ompprof is built without MPI; rank 0 merges alone");
	}
	return merge_main(argc, argv, &alone);
}

const struct command command_merge = {
	.name = "merge",
	.summary = "make one file of the profiles of a job",
	.options = &table,
	.run = run,
};
