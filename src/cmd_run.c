/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof run: runs a program and records its profile. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/frequency.h"
#include "profile/perf_event.h"
#include "src/command.h"
#include "src/message.h"
#include "src/report.h"
#include "src/run.h"

static const char usage[] =
	"Usage: ompprof run [OPTION...] [--] COMMAND [ARGUMENT...]\n"
	"Runs COMMAND and records where its threads spend their time.\n"
	"\n"
	"  -o, --output DIR         folder for the profile, by default 'ompprof.out'; a profile\n"
	"                           that is there is kept as DIR.old\n"
	"  -F, --frequency HZ       samples a second and thread (default 200), or a period: 5ms\n"
	"  -e, --event EVENT        cpu: CPU time (default), wall: wall-clock time, or a perf\n"
	"                           event such as cycles, page-faults, page-faults@100\n"
	"      --unwind WALKER      cfi (default), fp: frame pointers, or libunwind\n"
	"      --task-context HOW   an explicit task hangs under its creation path (default),\n"
	"                           its site or none\n"
	"      --runtime RUNTIME    what runs programs that are built for GCC's libgomp: auto\n"
	"                           (default), LLVM's libomp if it can; native, libgomp; libomp,\n"
	"                           or the path of one, or an error\n"
	"      --signal SIGNAL      URG (default), PROF, or the number of a real-time signal\n"
	"  -q, --quiet              say nothing\n"
	"  -v, --verbose            say what is done\n"
	"  -h, --help               show this text\n"
	"\n"
	"Ends as COMMAND ended: with its exit status or by its signal. 125: ompprof failed;\n"
	"126: COMMAND cannot be executed; 127: COMMAND was not found.\n";

enum option_code { OPTION_UNWIND = 256, OPTION_TASK_CONTEXT, OPTION_RUNTIME, OPTION_SIGNAL };

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "frequency", required_argument, NULL, 'F' },
	{ "event", required_argument, NULL, 'e' },
	{ "unwind", required_argument, NULL, OPTION_UNWIND },
	{ "task-context", required_argument, NULL, OPTION_TASK_CONTEXT },
	{ "runtime", required_argument, NULL, OPTION_RUNTIME },
	{ "signal", required_argument, NULL, OPTION_SIGNAL },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++) {
		if (strcmp(text, *words) == 0)
			return 1;
	}
	return 0;
}

static int is_signal(const char *text)
{
	static const char *const words[] = { "URG", "SIGURG", "PROF", "SIGPROF", NULL };
	char *end;
	long number = strtol(text, &end, 10);

	return is_one_of(text, words) || (text[0] && *end == '\0' && number >= 34 && number <= 64);
}

/* Refuses what the tool would not understand, before the program starts. */
static int check_option(int option, const char *value)
{
	static const char *const walkers[] = { "cfi", "fp", "libunwind", NULL };
	static const char *const contexts[] = { "path", "site", "none", NULL };
	static const char *const runtimes[] = { "auto", "native", "libomp", NULL };
	char event[32];
	uint64_t period;

	switch (option) {
	case 'o':
		return value[0] ? 0 : -1;
	case 'e':
		return perf_event_parse(value, event, sizeof(event), &period);
	case 'F':
		return frequency_parse(value, &period);
	case OPTION_UNWIND:
		return is_one_of(value, walkers) ? 0 : -1;
	case OPTION_TASK_CONTEXT:
		return is_one_of(value, contexts) ? 0 : -1;
	case OPTION_RUNTIME:
		return is_one_of(value, runtimes) || strchr(value, '/') ? 0 : -1;
	case OPTION_SIGNAL:
		return is_signal(value) ? 0 : -1;
	default:
		return 0;
	}
}

static void store_option(struct run_options *options, int option, const char *value)
{
	switch (option) {
	case 'o':
		options->output = value;
		break;
	case 'e':
		options->event = value;
		break;
	case 'F':
		options->frequency = value;
		break;
	case OPTION_UNWIND:
		options->unwind = value;
		break;
	case OPTION_TASK_CONTEXT:
		options->task_context = value;
		break;
	case OPTION_RUNTIME:
		options->runtime = value;
		break;
	case OPTION_SIGNAL:
		options->signal = value;
		break;
	case 'q':
		options->is_quiet = 1;
		break;
	default:
		options->is_verbose = 1;
	}
}

static const char *option_name(int option)
{
	for (const struct option *at = long_options; at->name; at++) {
		if (at->val == option)
			return at->name;
	}
	return "";
}

/* Reads the options. Returns -1 to go on with argv[optind], else the status to end with. */
static int read_options(struct run_options *options, int argc, char **argv)
{
	int option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "+:o:F:e:qvh", long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			return message_refuse_option("run", option, argv);
		if (option == 'h') {
			fputs(usage, stdout);
			return message_finish_stdout(STATUS_OK);
		}
		if (check_option(option, optarg) != 0) {
			message("option '--%s' does not take '%s'", option_name(option), optarg);
			return message_try_help("run");
		}
		store_option(options, option, optarg);
	}
	if (optind < argc)
		return -1;
	message("no command to run");
	return message_try_help("run");
}

struct job {
	const struct run_options *options;
	struct run_output output;
	struct run_runtime runtime;
	char library[4096];
};

static void prepare(void *data)
{
	const struct job *job = data;

	run_runtime_set_environment(&job->runtime);
	run_set_environment(job->options, &job->output, job->library);
}

/* Refuses a program that cannot be profiled. */
static int check_program(const char *name)
{
	const char *gain = run_find_gain(name);

	if (!gain)
		return 0;
	message("cannot profile '%s': %s, so the loader ignores the profiler", name, gain);
	return -1;
}

static int run(const struct run_options *options, char **argv)
{
	struct job job = { .options = options };
	struct launcher launcher;
	struct run_end end;
	struct diag diag;
	int speaks;

	launcher_read(&launcher);
	if (check_program(argv[0]) != 0)
		return RUN_FAILED;
	if (run_find_library(job.library, sizeof(job.library), &diag) != 0 ||
		run_runtime_choose(&job.runtime, options->runtime, argv, job.library, &diag) != 0 ||
		run_output_prepare(&job.output, options->output, &launcher, &diag) != 0) {
		message_diag(&diag);
		return RUN_FAILED;
	}
	/* Of the ranks of a job the first speaks for all. */
	speaks = !job.output.is_shared || launcher.rank == 0;
	run_runtime_make_folder(&job.runtime);
	if (!options->is_quiet && speaks)
		run_runtime_print(&job.runtime, options->is_verbose);
	run_child(argv, prepare, &job, &end);
	run_runtime_remove_folder(&job.runtime);
	if (end.error) {
		run_output_undo(&job.output);
		message("cannot run '%s': %s", argv[0], strerror(end.error));
		/* A word without a slash may have been meant for a verb. */
		if (options->has_summary && end.error == ENOENT && !strchr(argv[0], '/'))
			message("hint: 'ompprof help' lists the verbs");
		return run_status_of_error(end.error);
	}
	run_output_commit(&job.output);
	if (speaks) {
		run_print_result(options, &job.output, &job.runtime, argv, &end);
		if (options->has_summary)
			report_summary(job.output.path, stderr);
	}
	return run_end_like(&end);
}

static int run_command(int argc, char **argv)
{
	struct run_options options = { .output = REPORT_DEFAULT_INPUT, .runtime = "auto" };
	int status = read_options(&options, argc, argv);

	return status >= 0 ? status : run(&options, argv + optind);
}

int command_run_summary(char **argv)
{
	struct run_options options = {
		.output = REPORT_DEFAULT_INPUT, .runtime = "auto", .has_summary = 1
	};

	return run(&options, argv);
}

const struct command command_run = {
	.name = "run",
	.summary = "run a program and record its profile",
	.usage = usage,
	.run = run_command,
};
