/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof run: runs a program and records its profile. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/event_names.h"
#include "profile/shared/budget.h"
#include "profile/shared/frequency.h"
#include "profile/shared/perf_event.h"
#include "src/commands/command.h"
#include "src/run/live.h"
#include "src/text/message.h"
#include "src/report/report.h"
#include "src/run/run.h"

enum option_code {
	OPTION_EVENTS = 256,
	OPTION_UNWIND,
	OPTION_BUDGET,
	OPTION_LABEL,
	OPTION_START_PAUSED,
	OPTION_TRACE,
	OPTION_RUNTIME,
	OPTION_SIGNAL,
	OPTION_LIVE,
	OPTION_ANYWAY
};

/* Other values are taken, too: rHEX, and a period after '@'. */
#define CLOCK(word, file, kind) #word,
static const char *const events[] = {
#include "profile/shared/clocks.def"
	"task-clock", "cpu-clock", "page-faults", "minor-faults", "major-faults",
	"context-switches", "cpu-migrations", "cycles", "instructions", "cache-references",
	"cache-misses", "branches", "branch-misses", "bus-cycles", "ref-cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", NULL
};
static const char *const walkers[] = { "cfi", "fp", "libunwind", NULL };
static const char *const runtimes[] = { "auto", "plain", "libomp", NULL };
static const char *const signals[] = { "URG", "SIGURG", "PROF", "SIGPROF", NULL };

static const struct option_row rows[] = {
	OPTION_TAKES('o', "output", "DIR", ARGUMENT_FOLDER, NULL,
		"folder for the profile, by default 'ompprof.out'; a previous profile is kept as "
		"DIR.old"),
	OPTION_TAKES('F', "frequency", "HZ", ARGUMENT_TEXT, NULL,
		"samples per second and thread (default 200), or a period: 5ms"),
	OPTION_TAKES('e', "event", "EVENT", ARGUMENT_WORD | ARGUMENT_TEXT, events,
		"cpu: CPU time (default), wall: wall-clock time (ends sleep and poll early), or a "
		"perf event such as cycles, "
		"page-faults, page-faults@100"),
	OPTION_TAKES(OPTION_EVENTS, "events", "NAME,...", ARGUMENT_LIST, event_words,
		"also count these OpenMP events, by the place that causes them; all: every event; "
		"the manual lists the events"),
	OPTION_TAKES(OPTION_UNWIND, "unwind", "WALKER", ARGUMENT_WORD, walkers,
		"cfi (default), fp: frame pointers, or libunwind"),
	OPTION_TAKES(OPTION_BUDGET, "budget", "PERCENT", ARGUMENT_TEXT, NULL,
		"if events of tasks or of locks take more of a thread's time, look only at some of "
		"them (default: off)"),
	OPTION_TAKES(OPTION_LABEL, "label", "TEXT", ARGUMENT_TEXT, NULL,
		"keep TEXT in the profile, such as a version: reports and diff show it"),
	OPTION_FLAG(OPTION_START_PAUSED, "start-paused",
		"measure nothing before the program says so: ompprof_start(), see ompprof.h(3)"),
	OPTION_FLAG(OPTION_TRACE, "trace",
		"also record the time of each sample and wait, until 64 MiB are full"),
	OPTION_TAKES(OPTION_RUNTIME, "runtime", "RUNTIME", ARGUMENT_WORD | ARGUMENT_FILE, runtimes,
		"what programs on GCC's libgomp get. auto (default): a library that tells ompprof "
		"of regions and waits; plain: nothing; libomp, or the path of a libomp: that "
		"libomp in libgomp's place, or an error"),
	OPTION_TAKES(OPTION_SIGNAL, "signal", "SIGNAL", ARGUMENT_WORD | ARGUMENT_NUMBER, signals,
		"URG (default), PROF, or the number of a real-time signal"),
	OPTION_FLAG(OPTION_LIVE, "live",
		"show the views of ompprof top during the run; COMMAND's output to the terminal "
		"comes after it"),
	OPTION_FLAG(OPTION_ANYWAY, "anyway",
		"also run a COMMAND that is linked statically: programs that it starts can be "
		"profiled"),
	OPTION_FLAG('q', "quiet", "say nothing"),
	OPTION_FLAG('v', "verbose", "say what is done"),
};

static const struct option_table table = {
	.verb = "run",
	.usage = "Usage: ompprof run [OPTION...] [--] COMMAND [ARGUMENT...]\n"
		 "Runs COMMAND and records where its threads spend their time.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Ends as COMMAND ended: with its exit status or by its signal. 125: ompprof\n"
		 "failed; 126: COMMAND cannot be executed; 127: COMMAND was not found.\n",
	.operands = ARGUMENT_COMMAND,
};

static int is_real_time_signal(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	return text[0] && *end == '\0' && number >= 34 && number <= 64;
}

/* Whether the tool understands a value that is none of the option's words. */
static int is_taken(int option, const char *value)
{
	char event[32];
	uint64_t period;
	uint32_t percent;

	switch (option) {
	case 'o':
		return value[0] != '\0';
	case 'e':
		return perf_event_parse(value, event, sizeof(event), &period) == 0;
	case 'F':
		return frequency_parse(value, &period) == 0;
	case OPTION_BUDGET:
		return budget_parse(value, &percent) == 0;
	case OPTION_RUNTIME:
		return strchr(value, '/') != NULL;
	case OPTION_SIGNAL:
		return is_real_time_signal(value);
	default:
		return 1;
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
	case OPTION_EVENTS:
		options->events = value;
		break;
	case OPTION_UNWIND:
		options->unwind = value;
		break;
	case OPTION_BUDGET:
		options->budget = value;
		break;
	case OPTION_LABEL:
		options->label = value;
		break;
	case OPTION_START_PAUSED:
		options->is_paused = 1;
		break;
	case OPTION_TRACE:
		options->is_traced = 1;
		break;
	case OPTION_RUNTIME:
		options->runtime = value;
		break;
	case OPTION_SIGNAL:
		options->signal = value;
		break;
	case OPTION_LIVE:
		options->is_live = 1;
		break;
	case OPTION_ANYWAY:
		options->is_anyway = 1;
		break;
	case 'q':
		options->is_quiet = 1;
		break;
	default:
		options->is_verbose = 1;
	}
}

/* The values that the option takes, in words, if not only the words of its row. */
static const char *find_range(int option)
{
	switch (option) {
	case 'o':
		return "the name of a folder";
	case 'e':
		return "cpu, wall or a perf event such as cycles or page-faults@100";
	case 'F':
		return "1 to 10000 samples a second or a period from 100us to 100s";
	case OPTION_BUDGET:
		return "off or a whole number of percent, 1 to 100";
	default:
		return "URG, PROF or the number of a real-time signal, 34 to 64";
	}
}

static const char *option_name(int option)
{
	for (size_t i = 0; i < table.n_rows; i++) {
		if (rows[i].code == option)
			return rows[i].name;
	}
	return "";
}

/* Returns 0, or -1 with a message. */
static int check_events(const char *list)
{
	char unknown[64];
	uint64_t counted;

	if (event_names_parse(list, &counted, unknown, sizeof(unknown)) == 0)
		return 0;
	message("option '--events' does not know '%s': it takes names of events as in OpenMP's "
		"specification, without 'ompt_callback_', or all",
		unknown);
	return -1;
}

/* Refuses what the tool would not understand, before the program starts. */
static int take_option(void *data, int option, const char *value, int word)
{
	if (option == OPTION_EVENTS && check_events(value) != 0)
		return -1;
	if (word < 0 && option == OPTION_RUNTIME && !is_taken(option, value)) {
		message("option '--runtime' takes auto, plain, libomp or a path with a slash, not "
			"'%s'",
			value);
		return -1;
	}
	if (word < 0 && !is_taken(option, value)) {
		message("option '--%s' takes %s, not '%s'", option_name(option), find_range(option),
			value);
		return -1;
	}
	store_option(data, option, value);
	return 0;
}

struct job {
	const struct run_options *options;
	struct run_output output;
	struct run_runtime runtime;
	struct live live;
	char library[4096];
	int speaks; /* messages are printed: by the first rank for all of its job */
};

static void prepare(void *data)
{
	const struct job *job = data;

	run_runtime_set_environment(&job->runtime);
	run_set_environment(job->options, &job->output, job->library);
	if (job->options->is_live)
		live_prepare(&job->live);
}

static void watch(void *data, pid_t child)
{
	struct job *job = data;

	live_watch(&job->live, child);
}

/* Only the rank that prints messages has a live view. */
static void run_program(struct job *job, char **argv, struct run_end *end)
{
	int is_live = job->options->is_live && job->speaks;
	const struct run_care care = { prepare, is_live ? watch : NULL, job };
	struct diag diag = { "", "" };

	if (!job->options->is_quiet && job->speaks)
		run_runtime_print(&job->runtime, job->options->is_verbose);

	job->live.terminal = -1;
	if (is_live && live_begin(&job->live, job->output.path, &diag) != 0)
		message_diag(&diag);
	run_child(argv, &care, end);
	if (is_live)
		live_end(&job->live);
}

/* Refuses a program that cannot be profiled. Returns 0, or -1 with a message. */
static int check_program(
	const struct run_options *options, const char *name, enum run_kind kind, const char *why)
{
	const char *gain = run_find_gain(name);

	if (gain) {
		message("cannot profile '%s': %s, so the loader ignores the profiler", name, gain);
		return -1;
	}
	if (kind != RUN_KIND_STATIC || options->is_anyway)
		return 0;
	message("cannot profile '%s': %s", name, why);
	message("hint: link it without -static; if it starts the program to profile, use 'ompprof "
		"run --anyway'");
	return -1;
}

static int report_failure(const struct run_options *options, const char *name, int error)
{
	message("cannot run '%s': %s", name, strerror(error));
	/* The word may have been meant for a verb. */
	if (options->has_summary && error == ENOENT && !strchr(name, '/') && !command_hint(name))
		message("hint: 'ompprof help' lists the verbs");
	return run_status_of_error(error);
}

static void prepare_nothing(void *data)
{
	(void)data;
}

/* Runs a foreign program without a profile: its loader cannot load ompprof's libraries. */
static int run_foreign(const struct run_options *options, char **argv, const char *why)
{
	const struct run_care care = { .prepare = prepare_nothing };
	struct run_end end;

	if (!options->is_quiet)
		message("cannot profile '%s': %s; it runs without a profile", argv[0], why);
	run_child(argv, &care, &end);
	return end.error ? report_failure(options, argv[0], end.error) : run_end_like(&end);
}

static void print_end(const struct run_options *options, const struct job *job, char **argv,
	const struct run_end *end)
{
	int has_profile = run_print_result(options, &job->output, &job->runtime, argv, end);

	if (options->has_summary && has_profile)
		report_summary(job->output.path, stderr);
}

static int run_profiled(const struct run_options *options, char **argv)
{
	struct job job = { .options = options };
	struct launcher launcher;
	struct run_end end;
	struct diag diag;

	launcher_read(&launcher);
	if (run_find_library(job.library, sizeof(job.library), &diag) != 0 ||
		run_runtime_choose(&job.runtime, options->runtime, argv, job.library, &diag) != 0 ||
		run_output_prepare(&job.output, options->output, &launcher, &diag) != 0) {
		message_diag(&diag);
		return RUN_FAILED;
	}
	run_runtime_ask_events(&job.runtime, job.library, options->events);
	job.speaks = !job.output.is_shared || launcher.rank == 0;
	run_program(&job, argv, &end);
	if (end.error) {
		run_output_undo(&job.output);
		return report_failure(options, argv[0], end.error);
	}
	run_output_commit(&job.output);
	if (job.speaks)
		print_end(options, &job, argv, &end);
	return run_end_like(&end);
}

static int run(const struct run_options *options, char **argv)
{
	char why[RUN_WHY_BYTES];
	enum run_kind kind = run_find_kind(argv[0], why, sizeof(why));

	if (check_program(options, argv[0], kind, why) != 0)
		return RUN_FAILED;
	return kind == RUN_KIND_FOREIGN ? run_foreign(options, argv, why)
					: run_profiled(options, argv);
}

static int run_command(int argc, char **argv)
{
	struct run_options options = { .output = PROFILE_DEFAULT_FOLDER, .runtime = "auto" };
	int status = options_read(&table, &argc, &argv, take_option, &options);

	if (status != OPTIONS_GO_ON)
		return status;
	if (argc > 0)
		return run(&options, argv);
	message("no command to run");
	return message_try_help(table.verb);
}

int command_run_summary(char **argv)
{
	struct run_options options = {
		.output = PROFILE_DEFAULT_FOLDER, .runtime = "auto", .has_summary = 1
	};

	return run(&options, argv);
}

const struct command command_run = {
	.name = "run",
	.summary = "run a program and record its profile",
	.options = &table,
	.run = run_command,
};
