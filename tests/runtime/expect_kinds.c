/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of expectation; see expect_parts.h. */
#include "tests/runtime/expect_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/runtime/evidence.h"
#include "tests/runtime/words.h"

/* The profile of the process that the expectations are about; -1: there is none. */
static int profile_now(const struct judge *judge)
{
	pid_t pid = judge->outcome->stage->actors[judge->actor].was_pid;

	for (size_t i = 0; i < judge->n_profiles; i++) {
		if (judge->profiles[i].header.pid == (uint32_t)pid)
			return (int)i;
	}
	return -1;
}

static int is_met(const char *op, uint64_t value, uint64_t wanted, uint64_t percent)
{
	uint64_t apart = value > wanted ? value - wanted : wanted - value;

	switch (op[0]) {
	case '=':
		return value == wanted;
	case '!':
		return value != wanted;
	case '<':
		return op[1] ? value <= wanted : value < wanted;
	case '>':
		return op[1] ? value >= wanted : value > wanted;
	default:
		return (double)apart * 100 <= (double)wanted * (double)percent;
	}
}

/* The word that is an operator, or n_words. */
static int find_operator(const struct statement *at)
{
	static const char *const operators[] = { "=", "!=", "<", "<=", ">", ">=", "~" };

	for (int i = 1; i < at->n_words; i++) {
		for (size_t j = 0; j < sizeof(operators) / sizeof(operators[0]); j++) {
			if (strcmp(at->word[i], operators[j]) == 0)
				return i;
		}
	}
	return at->n_words;
}

static void judge_sum(struct judge *judge, const struct statement *at)
{
	int op = find_operator(at), profile = profile_now(judge);
	struct query query = { at, (char **)at->word + 1, op - 1 };
	struct evidence evidence = { judge->play, judge->outcome,
		profile >= 0 ? &judge->profiles[profile] : NULL };
	uint64_t wanted, percent = 0, value;
	int is_near = op < at->n_words && at->word[op][0] == '~';

	if (op + 2 + is_near != at->n_words || words_number(at->word[op + 1], &wanted) != 0 ||
		(is_near && words_number(at->word[op + 2], &percent) != 0))
		script_fail(at, "'expect FIGURE [KEY=VALUE]... = VALUE' (or != < <= > >=, ~ VALUE "
				"PERCENT)");
	if (profile < 0) {
		expect_complain(judge, at, "there is no profile");
		return;
	}
	value = evidence_sum(&evidence, &query);
	if (!is_met(at->word[op], value, wanted, percent))
		expect_complain(judge, at, "it is %" PRIu64 "%s", value,
			evidence_is_time(&query) ? " ns" : "");
}

/*
 * Removes a line from `said`; `text...` is a line that begins with the text. Returns whether it was
 * there.
 */
static int take_line(char *said, const char *text)
{
	size_t bytes = strlen(text);
	int is_begin = bytes > 3 && strcmp(text + bytes - 3, "...") == 0;

	bytes -= is_begin ? 3 : 0;

	for (char *line = said; *line;) {
		char *end = line + strcspn(line, "\n");

		if ((is_begin || (size_t)(end - line) == bytes) &&
			strncmp(line, text, bytes) == 0) {
			memmove(line, *end ? end + 1 : end, strlen(*end ? end + 1 : end) + 1);
			return 1;
		}
		line = *end ? end + 1 : end;
	}
	return 0;
}

static void judge_stderr(struct judge *judge, const struct statement *at)
{
	if (at->n_words < 3)
		script_fail(at, "which line?");
	if (!take_line(judge->said, at->rest[2]))
		expect_complain(judge, at, "it was not said");
}

static void judge_status(struct judge *judge, const struct statement *at)
{
	const struct actor *actor = &judge->outcome->stage->actors[judge->actor];
	int status = judge->actor == 0 ? judge->outcome->status : actor->status;
	uint64_t wanted;

	if (at->n_words != 3 || words_number(at->word[2], &wanted) != 0)
		script_fail(at, "'expect status NUMBER'");
	if (status != (int)wanted)
		expect_complain(judge, at, "it is %d", status);
}

/*
 * Whether the tool has looked for the entry point, or set the callback, of this name; -1: there is
 * no such event.
 */
static int is_asked(const struct stage *of, const char *name)
{
	uint64_t event;

	if (strncmp(name, "ompt_", 5) != 0)
		return words_value(words_find("event"), name, &event) != 0
			       ? -1
			       : (int)of->is_asked[event];
	for (uint32_t i = 0; i < of->n_looked_up; i++) {
		if (strcmp(of->looked_up[i], name) == 0)
			return 1;
	}
	return 0;
}

static void judge_asked(struct judge *judge, const struct statement *at)
{
	int is_not = strcmp(at->word[1], "not") == 0;
	const char *name = at->word[2 + is_not];
	int asked = at->n_words == 3 + is_not ? is_asked(judge->outcome->stage, name) : -1;

	if (asked < 0 || (is_not && strcmp(at->word[2], "asked") != 0))
		script_fail(at, "'expect [not] asked EVENT'");
	if ((asked == 0) != is_not)
		expect_complain(judge, at, is_not ? "it did" : "it did not");
}

static void judge_profiles(struct judge *judge, const struct statement *at)
{
	uint64_t wanted;

	if (at->n_words != 3 || words_number(at->word[2], &wanted) != 0)
		script_fail(at, "'expect profiles NUMBER'");
	if (judge->n_profiles != wanted)
		expect_complain(judge, at, "there are %zu", judge->n_profiles);
}

static void judge_runtime(struct judge *judge, const struct statement *at)
{
	int profile = profile_now(judge);

	if (at->n_words < 3)
		script_fail(at, "'expect runtime TEXT'");
	if (profile < 0)
		expect_complain(judge, at, "there is no profile");
	else if (strcmp(judge->profiles[profile].header.runtime, at->rest[2]) != 0)
		expect_complain(judge, at, "it is '%s'", judge->profiles[profile].header.runtime);
}

/* Text for a shell within '...'. */
static char *quote(const char *text)
{
	char *quoted = malloc(4 * strlen(text) + 1), *to = quoted;

	for (; *text; text++) {
		if (*text == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *text;
	}
	*to = '\0';
	return quoted;
}

/*
 * With SCRIPTED_UNREPORTED `expect report` and `expect info` accept all: another run of the case
 * judges them.
 */
static int shell(const char *command)
{
	int status;

	if (getenv("SCRIPTED_UNREPORTED"))
		return 0;
	status = system(command);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* `expect report [OPTIONS :] JQ`. jq has to print a result, and to accept it by its status. */
static void judge_report(struct judge *judge, const struct statement *at)
{
	int profile = profile_now(judge), colon = 2;
	char command[8192], *quoted;
	const char *options = "";

	while (colon < at->n_words && strcmp(at->word[colon], ":") != 0)
		colon++;
	if (at->n_words < 3 || colon + 1 == at->n_words)
		script_fail(at, "'expect report [OPTIONS :] JQ'");
	if (profile < 0) {
		expect_complain(judge, at, "there is no profile");
		return;
	}
	quoted = quote(colon < at->n_words ? at->rest[colon + 1] : at->rest[2]);
	if (colon < at->n_words)
		options = strndup(at->rest[2], (size_t)(at->rest[colon] - at->rest[2]));
	snprintf(command, sizeof(command),
		"result=$(%s report --format json %s -i '%s' | jq -e '%s') && [ -n \"$result\" ]",
		judge->report, options, judge->paths[profile], quoted);
	if (shell(command) != 0)
		expect_complain(judge, at, "it is not so");
	free(quoted);
}

static void judge_info(struct judge *judge, const struct statement *at)
{
	int profile = profile_now(judge);
	char command[8192], *quoted;

	if (at->n_words < 3)
		script_fail(at, "'expect info TEXT'");
	if (profile < 0) {
		expect_complain(judge, at, "there is no profile");
		return;
	}
	quoted = quote(at->rest[2]);
	snprintf(command, sizeof(command), "%s info -i '%s' | grep -qF -e '%s'", judge->report,
		judge->paths[profile], quoted);
	if (shell(command) != 0)
		expect_complain(judge, at, "it does not say so");
	free(quoted);
}

static const struct {
	const char *word;
	void (*judge)(struct judge *, const struct statement *);
} kinds[] = {
	{ "stderr", judge_stderr },
	{ "status", judge_status },
	{ "asked", judge_asked },
	{ "not", judge_asked },
	{ "profiles", judge_profiles },
	{ "runtime", judge_runtime },
	{ "report", judge_report },
	{ "info", judge_info },
};

void expect_judge_one(struct judge *judge, const struct statement *at)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].word, at->word[1]) == 0) {
			kinds[i].judge(judge, at);
			return;
		}
	}
	judge_sum(judge, at);
}
