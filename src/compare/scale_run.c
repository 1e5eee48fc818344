/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of `ompprof scale`; see scale.h. Each is an `ompprof run` of its own, so that the
 * program runs as without `ompprof scale`, except for its environment, standard input and output:
 * - The program's standard output goes to standard error: standard output is the report's.
 * - Standard input is the same for all runs. Each run reads a file from the same offset; other
 * input could only be read once, so each run gets /dev/null.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/reader/reader.h"
#include "src/text/message.h"
#include "src/text/text.h"
#include "src/compare/scale.h"

enum { PATH_BYTES = 4200, ARGS_OWN = 16 };

struct one {
	uint32_t n_threads;
	off_t input; /* offset of standard input; -1: it can be read only once */
};

static void prepare(void *data)
{
	const struct one *one = data;
	char number[16];

	snprintf(number, sizeof(number), "%u", one->n_threads);
	setenv("OMP_NUM_THREADS", number, 1);
	run_rewind_input(one->input);
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* Makes the command line of one `ompprof run`. NULL when out of memory; the caller frees it. */
static char **make_args(const struct scale_options *options, const char *folder, char **argv)
{
	size_t n = 0, n_args = 0;
	char **args;

	while (argv[n_args])
		n_args++;
	args = calloc(n_args + ARGS_OWN, sizeof(*args));
	if (!args)
		return NULL;
	args[n++] = (char *)(uintptr_t) "/proc/self/exe";
	args[n++] = (char *)(uintptr_t) "run";
	args[n++] = (char *)(uintptr_t) "-o";
	args[n++] = (char *)(uintptr_t)folder;
	for (int i = 0; i < 3; i++) {
		const char *const flags[] = { "-F", "-e", "--runtime" };
		const char *const values[] = { options->frequency, options->event,
			options->runtime };

		if (!values[i])
			continue;
		args[n++] = (char *)(uintptr_t)flags[i];
		args[n++] = (char *)(uintptr_t)values[i];
	}
	if (options->is_quiet)
		args[n++] = (char *)(uintptr_t) "-q";
	args[n++] = (char *)(uintptr_t) "--";
	memcpy(&args[n], argv, n_args * sizeof(*args));
	return args;
}

static int has_profile(const char *folder)
{
	struct profile_list list;
	struct diag diag;
	int has = profile_list_read(&list, folder, &diag) == 0;

	profile_list_release(&list);
	return has;
}

/* Says why no more is run, and renames the run's folder. */
static void stop(const char *folder, const struct one *one, const char *program,
	const struct run_end *end, int n_done)
{
	char failed[PATH_BYTES + 8], how[RUN_END_BYTES];

	snprintf(failed, sizeof(failed), "%s.failed", folder);
	rename(folder, failed);
	message("'%s' %s with %u thread%s: nothing more is run, %d run%s before it %s kept",
		program, run_end_describe(how, end), one->n_threads, text_plural(one->n_threads),
		n_done, text_plural(n_done), n_done == 1 ? "is" : "are");
}

static int status_of(const struct run_end *end)
{
	if (end->error)
		return run_status_of_error(end->error);
	if (WIFSIGNALED(end->status) || WEXITSTATUS(end->status))
		return run_end_like(end);
	return end->is_interrupted ? 128 + SIGINT : RUN_FAILED;
}

/* Returns 0, or the status to end with. */
static int run_one(const struct scale_options *options, const struct one *one, uint32_t number,
	char **argv, int n_done)
{
	char folder[PATH_BYTES];
	const struct run_care care = { .prepare = prepare, .data = (void *)(uintptr_t)one };
	struct run_end end;
	char **args;

	snprintf(folder, sizeof(folder), "%s/t%u-%u", options->folder, one->n_threads, number);
	args = make_args(options, folder, argv);
	if (!args) {
		message("cannot run '%s': out of memory", argv[0]);
		return RUN_FAILED;
	}
	run_child(args, &care, &end);
	free(args);
	if (run_end_is_good(&end) && has_profile(folder))
		return 0;
	stop(folder, one, argv[0], &end, n_done);
	return status_of(&end);
}

int scale_run(const struct scale_options *options, char **argv)
{
	struct one one = { .input = lseek(STDIN_FILENO, 0, SEEK_CUR) };
	int status = 0, n_done = 0;

	for (uint32_t k = 1; k <= options->n_repeats && status == 0; k++) {
		for (size_t i = 0; i < options->n_threads && status == 0; i++) {
			one.n_threads = options->threads[i];
			status = run_one(options, &one, k, argv, n_done++);
		}
	}
	return status;
}
