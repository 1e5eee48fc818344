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

const char *table_options_given(const struct table_options *options)
{
	return options->sort                               ? "--sort"
	       : options->fields                           ? "--fields"
	       : options->limit_permyriad != TABLE_DEFAULT ? "--percent-limit"
							   : NULL;
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

/* Returns 0, or -1 with a message. */
static int add_time(struct shared_request *request, const char *text)
{
	struct diag diag = { "", "" };

	request->report.time = &request->time;
	if (time_range_read(&request->time, text, &diag) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

/* Returns 0, or -1 with a message. */
static int add_source(struct source_rules *rules, const char *text)
{
	if (rules->n == SOURCE_MOST_RULES) {
		message("option '--source-path' can be given %d times at most", SOURCE_MOST_RULES);
		return -1;
	}
	rules->rules[rules->n++] = text;
	return 0;
}

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

int shared_request_take(void *data, int code, const char *text, int word)
{
	struct shared_request *request = data;
	struct report_selection *selection = &request->report.selection;

	(void)word;
	switch (code) {
	case SHARED_RANK:
		selection->has_rank = 1;
		return options_number("rank", text, 0, &selection->rank);
	case SHARED_PROCESS:
		selection->has_pid = 1;
		return options_number("process", text, 1, &selection->pid);
	case SHARED_PHASE:
		request->report.phases = &request->phases;
		return add_term(&request->phases, FILTER_PHASE, text);
	case SHARED_SYSROOT:
		return take_sysroot(&request->report, text);
	case SHARED_TIME:
		return add_time(request, text);
	case SHARED_SOURCE_PATH:
		return add_source(&request->sources, text);
	default:
		request->report.filter = &request->filter;
		return add_term(
			&request->filter, (enum filter_kind)(1u << (code - SHARED_FOCUS)), text);
	}
}

void shared_request_release(struct shared_request *request)
{
	filter_release(&request->filter);
	filter_release(&request->phases);
}

void print_options_open(
	const struct print_options *options, int can_be_long, struct terminal *terminal)
{
	int is_text = options->format == FORMAT_TEXT;

	terminal_open(terminal, is_text ? options->colour : COLOUR_NEVER,
		is_text && can_be_long && !options->no_pager);
}

void shared_request_take_input(
	struct shared_request *request, int is_profile, int *argc, char ***argv)
{
	if (is_profile && !request->input) {
		request->input = (*argv)[0];
		--*argc;
		++*argv;
	}
	if (!request->input)
		request->input = PROFILE_DEFAULT_FOLDER;
}
