/* SPDX-License-Identifier: Apache-2.0 */
/* Options that several verbs have; see shared_options.h. */
#include "src/request/shared_options.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "src/text/message.h"

const char *const print_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv", NULL
};
const char *const print_formats_report[] = { [FORMAT_TEXT] = "text",
	[FORMAT_JSON] = "json",
	[FORMAT_CSV] = "csv",
	[FORMAT_HTML] = "html",
	[FORMAT_QUICKFIX] = "quickfix",
	NULL };
const char *const print_formats_diff[] = { [FORMAT_TEXT] = "text",
	[FORMAT_JSON] = "json",
	[FORMAT_CSV] = "csv",
	[FORMAT_JUNIT] = "junit",
	[FORMAT_GITHUB] = "github",
	NULL };
const char *const print_formats_no_csv[] = { [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL };
const char *const print_colours[] = {
	[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL
};

const char *const shared_states[] = {
	"wait",
#define CLASS(NAME, value, word, ...) word,
#include "profile/shared/classes.def"
	NULL,
};

/* Returns 0 with the folder kept, or -1 with a message: this is no folder. */
static int take_sysroot(struct report_options *options, const char *text)
{
	struct stat status;
	int error = stat(text, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;

	if (error) {
		message("cannot look for files below '%s': %s", text, strerror(error));
		return -1;
	}
	options->symbols.sysroot = text;
	return 0;
}

int symbols_options_take(struct report_options *options, int code, const char *text)
{
	switch (code) {
	case SHARED_NO_INLINE:
		options->symbols.inlines = 0;
		return 0;
	case SHARED_NO_DEMANGLE:
		options->symbols.demangle = 0;
		return 0;
	case SHARED_DEBUGINFOD:
		options->symbols.debuginfod = 1;
		return 0;
	case SHARED_NO_CACHE:
		options->no_cache = 1;
		return 0;
	case SHARED_SYSROOT:
		return take_sysroot(options, text);
	default:
		return 1;
	}
}

int tree_options_take(struct report_options *options, int code, const char *text, int word)
{
	switch (code) {
	case SHARED_JOBS:
		return options_number("jobs", text, 1, &options->n_threads);
	case SHARED_VIEW:
		options->view = (enum tree_view)word;
		return 0;
	default:
		return 1;
	}
}

int table_options_take(struct table_options *options, int code, const char *text)
{
	switch (code) {
	case 'f':
		options->fields = text;
		return 0;
	case 's':
		options->sort = text;
		return 0;
	case 'n':
		return options_number("limit", text, 1, &options->n_rows);
	case SHARED_PERCENT_LIMIT:
		return options_percent("percent-limit", text, &options->limit_permyriad);
	default:
		return 1;
	}
}

const char *table_options_given(const struct table_options *options)
{
	return options->sort                               ? "--sort"
	       : options->fields                           ? "--fields"
	       : options->limit_permyriad != TABLE_DEFAULT ? "--percent-limit"
							   : NULL;
}

int report_selection_take(struct report_selection *selection, int code, const char *text)
{
	switch (code) {
	case SHARED_RANK:
		selection->has_rank = 1;
		return options_number("rank", text, 0, &selection->rank);
	case SHARED_PROCESS:
		selection->has_pid = 1;
		return options_number("process", text, 1, &selection->pid);
	default:
		return 1;
	}
}

/* Returns 0, or -1 with a message. */
static int add_term(struct filter *filter, enum filter_kind kind, const char *text)
{
	struct diag diag = { "", "" };

	if (filter_add(filter, kind, text, &diag) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

int filter_option_take(
	struct filter *filter, struct report_options *options, int code, const char *text)
{
	if (code < SHARED_FOCUS || code > SHARED_STATE)
		return 1;
	options->filter = filter;
	return add_term(filter, (enum filter_kind)(1u << (code - SHARED_FOCUS)), text);
}

int phase_option_take(
	struct filter *phases, struct report_options *options, int code, const char *text)
{
	if (code != SHARED_PHASE)
		return 1;
	options->phases = phases;
	return add_term(phases, FILTER_PHASE, text);
}

int time_option_take(
	struct time_range *time, struct report_options *options, int code, const char *text)
{
	struct diag diag = { "", "" };

	if (code != SHARED_TIME)
		return 1;
	options->time = time;
	if (time_range_read(time, text, &diag) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

int print_options_take(struct print_options *options, int code, int word)
{
	switch (code) {
	case SHARED_FORMAT:
		options->format = (enum print_format)word;
		return 0;
	case SHARED_COLOR:
		options->colour = (enum terminal_colour)word;
		return 0;
	case SHARED_NO_PAGER:
		options->no_pager = 1;
		return 0;
	default:
		return 1;
	}
}

void print_options_open(
	const struct print_options *options, int can_be_long, struct terminal *terminal)
{
	int is_text = options->format == FORMAT_TEXT;

	terminal_open(terminal, is_text ? options->colour : COLOUR_NEVER,
		is_text && can_be_long && !options->no_pager);
}

int source_option_take(struct source_rules *rules, int code, const char *text)
{
	if (code != SHARED_SOURCE_PATH)
		return 1;
	if (rules->n == SOURCE_MOST_RULES) {
		message("option '--source-path' can be given %d times at most", SOURCE_MOST_RULES);
		return -1;
	}
	rules->rules[rules->n++] = text;
	return 0;
}

int source_request_take(struct source_request *request, int code, const char *text, int word)
{
	int result;

	if (code == 'i') {
		request->input = text;
		return 0;
	}
	result = symbols_options_take(&request->report, code, text);
	if (result > 0)
		result = report_selection_take(&request->report.selection, code, text);
	if (result > 0)
		result = phase_option_take(&request->phases, &request->report, code, text);
	if (result > 0)
		result = source_option_take(&request->rules, code, text);
	if (result > 0)
		result = print_options_take(&request->print, code, word);
	return result;
}

void source_request_take_input(
	struct source_request *request, int is_profile, int *argc, char ***argv)
{
	if (is_profile && !request->input) {
		request->input = (*argv)[0];
		--*argc;
		++*argv;
	}
	if (!request->input)
		request->input = PROFILE_DEFAULT_FOLDER;
}
