/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof report: shows a profile. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "src/command.h"
#include "src/message.h"
#include "src/view.h"

static const char usage[] =
	"Usage: ompprof report [-i PATH] [OPTION...]\n"
	"Shows the profile at PATH, a file or a folder, by default 'ompprof.out'.\n"
	"\n"
	"Views (the default is a summary on one screen):\n"
	"      --tree               call tree, work of all threads below its region\n"
	"      --flat               functions by the time in themselves\n"
	"      --bottom-up          functions and, below each, its callers\n"
	"      --by WHAT            a table by region, wait, thread, lock, task, function,\n"
	"                           line, module, process or rank\n"
	"      --reverse            with '--by wait': the code that others waited for,\n"
	"                           and below it how\n"
	"      --pop                the parallel efficiency and its factors\n"
	"\n"
	"What is shown:\n"
	"  -i, --input PATH         the profile to show\n"
	"      --rank N             rank N alone, of a job of several processes\n"
	"      --process PID        this process alone\n"
	"      --view user|full     user: your code and what it waits for (default);\n"
	"                           full: every frame, the OpenMP runtime's too\n"
	"      --by-thread          a tree for each thread\n"
	"  -s, --sort KEY           total, self, work, wait, overhead or samples\n"
	"  -n, --limit N            show N lines, or with --bottom-up N functions\n"
	"      --percent-limit P    hide what is below P percent of the total\n"
	"      --max-depth N        show N levels of a tree\n"
	"      --no-inline          do not expand inlined calls\n"
	"      --no-demangle        show names as linkers see them\n"
	"      --debuginfod         may fetch debug information from DEBUGINFOD_URLS\n"
	"\n"
	"How it is shown:\n"
	"      --format text|json   text for people (default) or JSON for programs\n"
	"      --color WHEN         auto (default), always or never\n"
	"      --no-pager           do not pipe a long report into a pager\n"
	"  -h, --help               show this text\n";

enum option_code {
	OPTION_TREE = 256,
	OPTION_FLAT,
	OPTION_BOTTOM_UP,
	OPTION_BY,
	OPTION_REVERSE,
	OPTION_POP,
	OPTION_RANK,
	OPTION_PROCESS,
	OPTION_VIEW,
	OPTION_BY_THREAD,
	OPTION_PERCENT_LIMIT,
	OPTION_MAX_DEPTH,
	OPTION_NO_INLINE,
	OPTION_NO_DEMANGLE,
	OPTION_DEBUGINFOD,
	OPTION_FORMAT,
	OPTION_COLOR,
	OPTION_NO_PAGER,
};

static const struct option long_options[] = {
	{ "tree", no_argument, NULL, OPTION_TREE },
	{ "flat", no_argument, NULL, OPTION_FLAT },
	{ "bottom-up", no_argument, NULL, OPTION_BOTTOM_UP },
	{ "by", required_argument, NULL, OPTION_BY },
	{ "reverse", no_argument, NULL, OPTION_REVERSE },
	{ "pop", no_argument, NULL, OPTION_POP },
	{ "input", required_argument, NULL, 'i' },
	{ "rank", required_argument, NULL, OPTION_RANK },
	{ "process", required_argument, NULL, OPTION_PROCESS },
	{ "view", required_argument, NULL, OPTION_VIEW },
	{ "by-thread", no_argument, NULL, OPTION_BY_THREAD },
	{ "sort", required_argument, NULL, 's' },
	{ "limit", required_argument, NULL, 'n' },
	{ "percent-limit", required_argument, NULL, OPTION_PERCENT_LIMIT },
	{ "max-depth", required_argument, NULL, OPTION_MAX_DEPTH },
	{ "no-inline", no_argument, NULL, OPTION_NO_INLINE },
	{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },
	{ "debuginfod", no_argument, NULL, OPTION_DEBUGINFOD },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "color", required_argument, NULL, OPTION_COLOR },
	{ "no-pager", no_argument, NULL, OPTION_NO_PAGER },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* What the command line asks for. */
struct request {
	const char *input;
	const struct view *view; /* NULL: none was chosen */
	int is_json;
	int wants_help;
	enum terminal_colour colour;
	int use_pager;
	struct report_options report;
	struct view_options options;
};

/* The index of `word` in a list that ends in NULL, or -1 with a message. */
static int choose(const char *option, const char *word, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(word, words[i]) == 0)
			return i;
	message("unknown argument '%s' of option '%s'", word, option);
	return -1;
}

/* A whole number from `least` on. Returns 0, or -1 with a message. */
static int parse_number(const char *option, const char *text, uint32_t least, uint32_t *count)
{
	uint32_t value = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && value < 100000000; at++)
		value = value * 10 + (*at - '0');
	if (*at || at == text || value < least) {
		message("option '%s' wants a whole number from %u on, not '%s'", option, least,
			text);
		return -1;
	}
	*count = value;
	return 0;
}

static int parse_count(const char *option, const char *text, uint32_t *count)
{
	return parse_number(option, text, 1, count);
}

static int parse_selection(struct report_selection *selection, int code, const char *text)
{
	if (code == OPTION_RANK) {
		selection->has_rank = 1;
		return parse_number("--rank", text, 0, &selection->rank);
	}
	selection->has_pid = 1;
	return parse_number("--process", text, 1, &selection->pid);
}

/* Percent with up to two decimals, to 1/10000. By hand: strtod() asks the locale. */
static int parse_percent(const char *option, const char *text, uint32_t *permyriad)
{
	uint32_t value = 0, n_digits = 0, decimals = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && n_digits < 4; at++, n_digits++)
		value = value * 10 + (*at - '0');
	if (*at == '.' && n_digits > 0)
		for (at++; *at >= '0' && *at <= '9' && decimals < 2; at++, decimals++)
			value = value * 10 + (*at - '0');
	for (; decimals < 2; decimals++)
		value *= 10;
	if (*at || n_digits == 0 || value > 10000) {
		message("option '%s' wants a percentage from 0 to 100, not '%s'", option, text);
		return -1;
	}
	*permyriad = value;
	return 0;
}

static int parse_sort(const char *word, enum view_sort *sort)
{
	static const char *const words[] = { "total", "self", "work", "wait", "overhead", "samples",
		NULL };
	int at = choose("--sort", word, words);

	*sort = SORT_TOTAL + (at < 0 ? 0 : at);
	return at < 0 ? -1 : 0;
}

/* Options that take a word out of a few. */
static int apply_word(struct request *request, int code)
{
	static const char *const views[] = { "user", "full", NULL };
	static const char *const formats[] = { "text", "json", NULL };
	static const char *const colours[] = { "auto", "always", "never", NULL };
	int at;

	switch (code) {
	case OPTION_VIEW:
		at = choose("--view", optarg, views);
		request->report.view = at == 1 ? TREE_FULL : TREE_USER;
		break;
	case OPTION_FORMAT:
		at = choose("--format", optarg, formats);
		request->is_json = at == 1;
		break;
	default:
		at = choose("--color", optarg, colours);
		request->colour = at < 0 ? COLOUR_NEVER : (enum terminal_colour)at;
		break;
	}
	return at < 0 ? -1 : 0;
}

/* Returns 0, or -1 with a message. */
static int choose_view(struct request *request, const struct view *view)
{
	if (request->view && request->view != view) {
		message("options '--%s' and '--%s' exclude each other", request->view->name,
			view->name);
		return -1;
	}
	request->view = view;
	return 0;
}

static int choose_by(struct request *request, const char *word)
{
	static const char *const words[] = { "region", "wait", "thread", "lock", "task", "function",
		"line", "module", "process", "rank", NULL };
	static const struct view *const views[] = { &view_by_region, &view_by_wait, &view_by_thread,
		&view_by_lock, &view_by_task, &view_by_function, &view_by_line, &view_by_module,
		&view_by_process, &view_by_process };
	int at = choose("--by", word, words);

	return at < 0 ? -1 : choose_view(request, views[at]);
}

/* Options that stand alone. Returns 0, or 1 for one that takes an argument. */
static int apply_flag(struct request *request, int code)
{
	switch (code) {
	case OPTION_BY_THREAD:
		request->report.by_thread = 1;
		return 0;
	case OPTION_REVERSE:
		request->options.is_reverse = 1;
		return 0;
	case OPTION_NO_INLINE:
		request->report.symbols.inlines = 0;
		return 0;
	case OPTION_NO_DEMANGLE:
		request->report.symbols.demangle = 0;
		return 0;
	case OPTION_DEBUGINFOD:
		request->report.symbols.debuginfod = 1;
		return 0;
	case OPTION_NO_PAGER:
		request->use_pager = 0;
		return 0;
	case 'h':
		request->wants_help = 1;
		return 0;
	default:
		return 1;
	}
}

static int apply(struct request *request, int code)
{
	if (apply_flag(request, code) == 0)
		return 0;
	switch (code) {
	case OPTION_TREE:
		return choose_view(request, &view_tree);
	case OPTION_FLAT:
		return choose_view(request, &view_flat);
	case OPTION_BOTTOM_UP:
		return choose_view(request, &view_bottom_up);
	case OPTION_POP:
		return choose_view(request, &view_pop);
	case OPTION_BY:
		return choose_by(request, optarg);
	case 'i':
		request->input = optarg;
		return 0;
	case 's':
		return parse_sort(optarg, &request->options.sort);
	case 'n':
		return parse_count("--limit", optarg, &request->options.n_rows);
	case OPTION_MAX_DEPTH:
		return parse_count("--max-depth", optarg, &request->options.max_depth);
	case OPTION_RANK:
	case OPTION_PROCESS:
		return parse_selection(&request->report.selection, code, optarg);
	case OPTION_PERCENT_LIMIT:
		return parse_percent("--percent-limit", optarg, &request->options.limit_permyriad);
	case OPTION_VIEW:
	case OPTION_FORMAT:
	case OPTION_COLOR:
		return apply_word(request, code);
	default:
		return -1;
	}
}

/* An option that `takes` views alone heed: the view must be one. Returns 0, or -1 with a message. */
static int check_option(const struct request *request, const char *option, unsigned takes)
{
	static const char *const needs[] = {
		[VIEW_TAKES_SORT] =
			"'--tree', '--flat', '--bottom-up' or '--by function', 'line' or "
			"'module'",
		[VIEW_TAKES_LIMITS] = "'--tree', '--flat', '--bottom-up' or '--by'",
		[VIEW_TAKES_DEPTH] = "'--tree' or '--bottom-up'",
	};

	if (!option || (request->view && request->view->takes & takes))
		return 0;
	message("option '%s' needs %s", option, needs[takes]);
	return -1;
}

/* Views of the user's terms and of all threads together cannot be shown of another tree. */
static int check_tree(const struct request *request)
{
	const char *option = request->report.by_thread           ? "--by-thread"
			     : request->report.view == TREE_FULL ? "--view full"
								 : NULL;

	if (!request->view || !request->view->is_of_user || !option)
		return 0;
	message("options '--%s' and '%s' exclude each other", request->view->name, option);
	return -1;
}

/* Refuses what the view would not heed. Returns 0, or -1 with a message. */
static int check_view(const struct request *request)
{
	const struct view_options *options = &request->options;
	const char *limit = options->n_rows != VIEW_DEFAULT            ? "--limit"
			    : options->limit_permyriad != VIEW_DEFAULT ? "--percent-limit"
								       : NULL;

	if (options->is_reverse && request->view != &view_by_wait) {
		message("option '--reverse' needs '--by wait'");
		return -1;
	}
	if (request->is_json)
		return 0;
	if (check_option(request, options->max_depth != VIEW_DEFAULT ? "--max-depth" : NULL,
		    VIEW_TAKES_DEPTH) != 0 ||
		check_option(request, options->sort != SORT_DEFAULT ? "--sort" : NULL,
			VIEW_TAKES_SORT) != 0 ||
		check_option(request, limit, VIEW_TAKES_LIMITS) != 0)
		return -1;
	return check_tree(request);
}

/* Returns 0, or STATUS_USAGE with a message. */
static int parse(struct request *request, int argc, char **argv)
{
	int code;

	optind = 0;
	while ((code = getopt_long(argc, argv, ":i:s:n:h", long_options, NULL)) != -1) {
		if (code == '?' || code == ':')
			return message_refuse_option("report", code, argv);
		if (apply(request, code) != 0)
			return message_try_help("report");
	}
	if (optind == argc)
		return request->wants_help || check_view(request) == 0 ? 0
								       : message_try_help("report");
	message("unexpected argument '%s'", argv[optind]);
	return message_try_help("report");
}

static int show(const struct request *request, const struct report *report)
{
	const struct view *text_view = request->view ? request->view : &view_summary;
	const struct view *view = request->is_json ? &view_json : text_view;
	struct terminal terminal;
	int status = STATUS_OK;

	terminal_open(&terminal, request->is_json ? COLOUR_NEVER : request->colour,
		request->use_pager && !request->is_json && view != &view_summary);
	if (view->print(report, &request->options, &terminal) != 0) {
		message("cannot show the profile '%s': out of memory", report->path);
		status = STATUS_FAILURE;
	}
	return terminal_close(&terminal, status);
}

static int run(int argc, char **argv)
{
	struct request request = {
		.input = REPORT_DEFAULT_INPUT,
		.use_pager = 1,
		.report.symbols = { .demangle = 1, .inlines = 1 },
		.options = { .limit_permyriad = VIEW_DEFAULT,
			.n_rows = VIEW_DEFAULT,
			.max_depth = VIEW_DEFAULT },
	};
	struct report report;
	struct diag diag = { "", "" };
	int status = STATUS_FAILURE;

	if (parse(&request, argc, argv) != 0)
		return STATUS_USAGE;
	if (request.wants_help) {
		fputs(usage, stdout);
		return message_finish_stdout(STATUS_OK);
	}
	if (report_load(&report, request.input, &request.report, &diag) == 0)
		status = show(&request, &report);
	else
		message_diag(&diag);
	report_release(&report);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "show a profile",
	.usage = usage,
	.run = run,
};
