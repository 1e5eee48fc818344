/* SPDX-License-Identifier: Apache-2.0 */
/* The expectations of a case, and checks that every case gets; see expect.h. */
#include "tests/runtime/expect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/evidence.h"
#include "tests/runtime/expect_parts.h"

void expect_complain(struct judge *judge, const struct statement *at, const char *format, ...)
{
	va_list args;

	judge->n_failures++;
	if (at)
		fprintf(judge->out, "# %s:%d: '%s': ", at->file, at->line, at->text);
	else
		fprintf(judge->out, "# ");
	va_start(args, format);
	vfprintf(judge->out, format, args);
	va_end(args);
	fputc('\n', judge->out);
}

static void read_profiles(struct judge *judge)
{
	struct profile_list list = { 0 };
	struct diag diag;

	if (profile_list_read(&list, judge->outcome->folder, &diag) != 0) {
		profile_list_release(&list);
		return;
	}
	for (size_t i = 0; i < list.n && judge->n_profiles < MAX_PROFILES; i++) {
		if (profile_open(
			    &judge->profiles[judge->n_profiles], list.entries[i].path, &diag) != 0)
			expect_complain(judge, NULL, "%s", diag.text);
		else
			judge->paths[judge->n_profiles++] = strdup(list.entries[i].path);
	}
	profile_list_release(&list);
}

static void choose_process(struct judge *judge, const struct statement *at)
{
	int actor = at->n_words == 2 ? compile_find_actor(judge->play, at->word[1]) : -1;

	if (actor < 0)
		script_fail(at, "'process THREAD'");
	judge->actor = actor;
}

static void judge_one(struct judge *judge, const struct statement *at)
{
	if (strcmp(at->word[0], "process") == 0) {
		choose_process(judge, at);
		return;
	}
	if (at->n_words < 2)
		script_fail(at, "what?");
	if (strcmp(at->word[1], "broken") == 0 && at->n_words == 2)
		return;
	expect_judge_one(judge, at);
}

static int expects(const struct judge *judge, const char *word)
{
	for (size_t i = 0; i < judge->play->n_expectations; i++) {
		const struct statement *at = judge->play->expectations[i];

		if (at->n_words > 1 && strcmp(at->word[0], "expect") == 0 &&
			strcmp(at->word[1], word) == 0)
			return 1;
	}
	return 0;
}

/* In virtual time, each process without pauses has as many samples as signals were sent. */
static void judge_samples(struct judge *judge, const struct profile *profile)
{
	const struct stage *stage_of = judge->outcome->stage;
	uint64_t n_sent = 0, n_samples = 0;

	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		if ((uint32_t)stage_of->actors[i].was_pid == profile->header.pid)
			n_sent += stage_of->actors[i].n_sent;
	}
	for (size_t i = 0; i < profile->n_threads; i++)
		n_samples += profile->threads[i].n_samples +
			     profile->threads[i].lost[PROFILE_LOST_NO_SPACE];
	/* In a pause they are dropped. */
	if (judge->play->is_virtual && n_samples != n_sent && !profile->header.n_pauses)
		expect_complain(judge, NULL,
			"%" PRIu64 " signals were sent, and there are %" PRIu64 " samples", n_sent,
			n_samples);
}

static void judge_always(struct judge *judge)
{
	if (judge->outcome->failure[0])
		expect_complain(judge, NULL, "%s", judge->outcome->failure);
	if (!expects(judge, "status") && judge->outcome->status != 0)
		expect_complain(
			judge, NULL, "the process ended with status %d", judge->outcome->status);
	if (!expects(judge, "profiles") && judge->n_profiles != 1)
		expect_complain(judge, NULL, "there are %zu profiles", judge->n_profiles);
	if (judge->said[0])
		expect_complain(judge, NULL, "it said: %s", judge->said);
	for (size_t i = 0; i < judge->n_profiles && !expects(judge, "broken"); i++) {
		const struct profile *profile = &judge->profiles[i];

		if (profile->n_dropped || profile->is_truncated)
			expect_complain(judge, NULL, "%zu records of the profile make no sense%s",
				profile->n_dropped, profile->is_truncated ? ", and it is cut" : "");
		judge_samples(judge, profile);
	}
}

int expect_judge(const struct play *play, const struct outcome *outcome, const char *report,
	int is_shown, FILE *out)
{
	struct judge *judge = calloc(1, sizeof(*judge));
	int n_failures;

	if (!judge)
		return 1;
	*judge = (struct judge){ .play = play, .outcome = outcome, .report = report, .out = out };
	judge->said = strdup(outcome->said ? outcome->said : "");
	read_profiles(judge);
	if (!outcome->failure[0]) {
		for (size_t i = 0; i < play->n_expectations; i++)
			judge_one(judge, play->expectations[i]);
	}
	judge_always(judge);
	for (size_t i = 0; i < judge->n_profiles; i++) {
		struct evidence evidence = { play, outcome, &judge->profiles[i] };

		if (is_shown)
			evidence_print(&evidence, out);
		profile_release(&judge->profiles[i]);
		free(judge->paths[i]);
	}
	n_failures = judge->n_failures;
	free(judge->said);
	free(judge);
	return n_failures;
}
