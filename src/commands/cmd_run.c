/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof run: runs a program and records its profile. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/shared/folder.h"
#include "profile/shared/event_names.h"
#include "profile/shared/budget.h"
#include "profile/shared/frequency.h"
#include "profile/shared/perf_event.h"
#include "src/commands/command.h"
#include "src/run/live.h"
#include "src/text/message.h"
#include "src/report/report.h"
#include "src/run/run.h"
#include "src/text/text.h"

enum option_code {
	OPTION_EVENTS = 256,
	OPTION_COUNTERS,
	OPTION_UNWIND,
	OPTION_BUDGET,
	OPTION_LABEL,
	OPTION_REPEAT,
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
#define PERF_EVENT(name, ...) name,
#include "profile/shared/perf_events.def"
	NULL
};
static const char *const counters[] = { "default",
#define PERF_EVENT(name, ...) name,
#include "profile/shared/perf_events.def"
	NULL };
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
	OPTION_TAKES(OPTION_COUNTERS, "counters", "NAME,...", ARGUMENT_LIST | ARGUMENT_TEXT,
		counters,
		"also read these counters of the processor or the kernel at each sample, or "
		"default; the manual lists them"),
	OPTION_TAKES(OPTION_UNWIND, "unwind", "WALKER", ARGUMENT_WORD, walkers,
		"cfi (default), fp: frame pointers, or libunwind"),
	OPTION_TAKES(OPTION_BUDGET, "budget", "PERCENT", ARGUMENT_TEXT, NULL,
		"if events of tasks or of locks take more of a thread's time, look only at some of "
		"them, or off (default: 3 for tasks of LLVM's runtime, else off)"),
	OPTION_TAKES(OPTION_LABEL, "label", "TEXT", ARGUMENT_TEXT, NULL,
		"keep TEXT in the profile, such as a version: reports and diff show it"),
	OPTION_TAKES(OPTION_REPEAT, "repeat", "N", ARGUMENT_NUMBER, NULL,
		"run COMMAND N times: reports show the median run, diff uses how much the runs "
		"differ"),
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
	case OPTION_COUNTERS:
		options->counters = value;
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

/* Returns 0, or -1 with a message. */
static int check_counters(const char *list)
{
	struct perf_event_list found;
	char unknown[PROFILE_COUNTER_BYTES];

	if (perf_event_list_parse(list, &found, unknown) == 0)
		return 0;
	if (found.n == PROFILE_MOST_COUNTERS)
		message("option '--counters' takes at most %d counters", PROFILE_MOST_COUNTERS);
	else
		message("option '--counters' does not know '%s': it takes names of perf events "
			"or default",
			unknown);
	return -1;
}

/* Refuses what the tool would not understand, before the program starts. */
static int take_option(void *data, int option, const char *value, int word)
{
	struct run_options *options = data;

	if (option == OPTION_REPEAT)
		return options_number("repeat", value, 1, &options->n_repeats);
	if (option == OPTION_EVENTS && check_events(value) != 0)
		return -1;
	if (option == OPTION_COUNTERS && check_counters(value) != 0)
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
	int speaks;  /* messages are printed: by the first rank for all of its job */
	off_t input; /* of --repeat: the offset of standard input; -1: it can be read only once */
};

static void prepare(void *data)
{
	const struct job *job = data;

	if (job->options->n_repeats > 1)
		run_rewind_input(job->input);
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

/* Says that nothing more is run after run k, which was no success. */
static void stop_repeating(
	const struct job *job, uint32_t k, const char *name, const struct run_end *end)
{
	char how[RUN_END_BYTES];

	if (k > 1)
		run_output_set_aside(&job->output);
	if (!job->options->is_quiet)
		message("'%s' %s in run %u of %u: nothing more is run, %u run%s before it %s kept",
			name, run_end_describe(how, end), k, job->options->n_repeats, k - 1,
			text_plural(k - 1), k == 2 ? "is" : "are");
}

/* Runs the program n_repeats times, or until it fails. Returns the number of runs. */
static uint32_t run_all(struct job *job, char **argv, struct run_end *end)
{
	uint32_t k = 1, n = job->options->n_repeats;

	job->output.series = n > 1 ? job->output.run_id : 0;
	job->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	for (run_program(job, argv, end); k < n && run_end_is_good(end); k++) {
		job->output.run_id++;
		run_program(job, argv, end);
	}
	if (n > 1 && !run_end_is_good(end) && (k > 1 || !end->error))
		stop_repeating(job, k, argv[0], end);
	return k;
}

/* Refuses what --repeat cannot repeat. Returns 0, or -1 with *diag. */
static int check_repeat(
	const struct run_options *options, const struct launcher *launcher, struct diag *diag)
{
	if (options->n_repeats < 2 || !launcher->has_rank || launcher->n_ranks == 1)
		return 0;
	diag_set(diag, "option '--repeat' cannot repeat a rank of a job");
	diag_hint(diag, "repeat the launcher: 'ompprof run --repeat N mpirun ...'");
	return -1;
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
		check_repeat(options, &launcher, &diag) != 0 ||
		run_output_prepare(&job.output, options->output, &launcher, &diag) != 0) {
		message_diag(&diag);
		return RUN_FAILED;
	}
	run_runtime_ask_events(&job.runtime, job.library, options->events);
	job.speaks = !job.output.is_shared || launcher.rank == 0;
	if (run_all(&job, argv, &end) == 1 && end.error) {
		run_output_undo(&job.output);
		return report_failure(options, argv[0], end.error);
	}
	run_output_commit(&job.output);
	if (job.speaks)
		print_end(options, &job, argv, &end);
	if (end.error)
		return report_failure(options, argv[0], end.error);
	/* An interrupt ends --repeat, too, if the program survives it. */
	return options->n_repeats > 1 && end.is_interrupted && end.status == 0 ? 128 + SIGINT
									       : run_end_like(&end);
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
	struct run_options options = {
		.output = PROFILE_DEFAULT_FOLDER, .runtime = "auto", .n_repeats = 1
	};
	int status = options_read(&table, &argc, &argv, take_option, &options);

	if (status != OPTIONS_GO_ON)
		return status;
	if (argc > 0 && options.is_live && options.n_repeats > 1)
		message("option '--live' shows one run, so '--repeat' is not allowed");
	else if (argc > 0)
		return run(&options, argv);
	else
		message("no command to run");
	return message_try_help(table.verb);
}

int command_run_summary(char **argv)
{
	struct run_options options = { .output = PROFILE_DEFAULT_FOLDER,
		.runtime = "auto",
		.n_repeats = 1,
		.has_summary = 1 };

	return run(&options, argv);
}

const struct command command_run = {
	.name = "run",
	.summary = "run a program and record its profile",
	.options = &table,
	.run = run_command,
};
