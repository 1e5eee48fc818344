/* SPDX-License-Identifier: Apache-2.0 */
/* Cases; see compile.h. Their steps are in compile_step.c and compile_event.c. */
#include "tests/runtime/compile.h"

#include <stdlib.h>
#include <string.h>

#include "tests/runtime/compile_parts.h"
#include "tests/runtime/words.h"

int compile_find_actor(const struct play *play, const char *name)
{
	for (int i = 0; i < play->n_actors; i++) {
		if (strcmp(play->actors[i], name) == 0)
			return i;
	}
	return -1;
}

int compile_find_object(const struct play *play, const char *name)
{
	for (int i = 0; i < play->n_objects; i++) {
		if (strcmp(play->objects[i], name) == 0)
			return i;
	}
	return -1;
}

struct step *compile_add(
	struct compiler *compiler, const struct statement *at, int actor, enum step_kind kind)
{
	struct play *play = compiler->play;
	struct step *step;

	if ((play->n_steps & (play->n_steps - 1)) == 0)
		play->steps = realloc(play->steps,
			(play->n_steps ? 2 * play->n_steps : 1) * sizeof(*play->steps));
	step = &play->steps[play->n_steps++];
	*step = (struct step){ .at = at, .actor = actor, .kind = kind };
	if (actor >= 0 && compiler->actors[actor].depth > 0)
		step->function = compiler->actors[actor].function[compiler->actors[actor].depth];
	return step;
}

static void set_time(struct compiler *compiler, const struct statement *at)
{
	const char *kind = at->n_words == 2 ? at->word[1] : "";

	if (strcmp(kind, "virtual") != 0 && strcmp(kind, "real") != 0)
		script_fail(at, "'time virtual' or 'time real'");
	compiler->play->is_virtual = strcmp(kind, "virtual") == 0;
}

static void add_setting(struct compiler *compiler, const struct statement *at)
{
	struct play *play = compiler->play;

	if (at->n_words < 2 || !strchr(at->rest[1], '=') ||
		play->n_settings == COMPILE_MAX_SETTINGS)
		script_fail(at, "'setting NAME=VALUE'");
	play->settings[play->n_settings++] = at->rest[1];
}

static void add_missing(struct compiler *compiler, const struct statement *at)
{
	struct runtime_settings *runtime = &compiler->play->runtime;

	for (int i = 1; i < at->n_words; i++) {
		if (runtime->n_missing == RUNTIME_MAX_NAMED)
			script_fail(at, "too many");
		runtime->missing[runtime->n_missing++] = at->word[i];
	}
}

static void set_result(struct compiler *compiler, const struct statement *at)
{
	uint64_t event, result;

	if (at->n_words != 3 || words_value(words_find("result"), at->word[2], &result) != 0)
		script_fail(at, "'dispatch EVENT RESULT'");
	if (strcmp(at->word[1], "*") == 0) {
		for (int i = 0; i < STAGE_N_EVENTS; i++)
			compiler->play->runtime.result[i] = (ompt_set_result_t)result;
		return;
	}
	if (words_value(words_find("event"), at->word[1], &event) != 0 || event >= STAGE_N_EVENTS)
		script_fail(at, "there is no event '%s'", at->word[1]);
	compiler->play->runtime.result[event] = (ompt_set_result_t)result;
}

static void add_named(const struct statement *at, struct runtime_named *named, unsigned *n)
{
	uint64_t number;

	if (at->n_words != 3 || words_number(at->word[1], &number) != 0 || *n == RUNTIME_MAX_NAMED)
		script_fail(at, "'%s NUMBER NAME'", at->word[0]);
	named[(*n)++] = (struct runtime_named){ (int)number, at->word[2] };
}

static void add_state(struct compiler *compiler, const struct statement *at)
{
	add_named(at, compiler->play->runtime.states, &compiler->play->runtime.n_states);
}

static void add_impl(struct compiler *compiler, const struct statement *at)
{
	add_named(at, compiler->play->runtime.impls, &compiler->play->runtime.n_impls);
}

static void set_version(struct compiler *compiler, const struct statement *at)
{
	uint64_t number;

	if (at->n_words < 3 || words_number(at->word[1], &number) != 0)
		script_fail(at, "'version NUMBER TEXT'");
	compiler->play->runtime.version = (unsigned)number;
	compiler->play->runtime.name = at->rest[2];
}

static void set_manual(struct compiler *compiler, const struct statement *at)
{
	if (compiler->play->n_steps > compiler->n_first_steps)
		script_fail(at, "'manual' comes first");
	compiler->is_manual = 1;
	compiler->play->n_steps = 0;
}

static void expect(struct compiler *compiler, const struct statement *at)
{
	struct play *play = compiler->play;

	play->expectations = realloc(
		play->expectations, (play->n_expectations + 1) * sizeof(*play->expectations));
	play->expectations[play->n_expectations++] = at;
}

static const struct {
	const char *word;
	void (*compile)(struct compiler *, const struct statement *);
} directives[] = {
	{ "time", set_time },
	{ "setting", add_setting },
	{ "without", add_missing },
	{ "dispatch", set_result },
	{ "state", add_state },
	{ "mutex_impl", add_impl },
	{ "version", set_version },
	{ "manual", set_manual },
	{ "expect", expect },
	{ "process", expect },
	{ "thread", compile_thread },
	{ "native", compile_native },
	{ "advance", compile_advance },
	{ "run", compile_run },
};

static void compile_statement(struct compiler *compiler, const struct statement *at)
{
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
		if (strcmp(directives[i].word, at->word[0]) == 0) {
			directives[i].compile(compiler, at);
			return;
		}
	}
	compile_step(compiler, at);
}

/*
 * Begins with the process's first thread, in the user's first function. Its first steps start the
 * tool and announce the thread; `manual` takes them away.
 */
static void begin(struct compiler *compiler, const struct statement *at)
{
	struct step *step;

	compile_actor(compiler, "A", at)->is_there = 1;
	compiler->actors[0].depth = 1;
	compile_add(compiler, at, 0, STEP_START);
	step = compile_add(compiler, at, 0, STEP_EVENT);
	step->event = ompt_callback_thread_begin;
	step->v[0] = ompt_thread_initial;
	step->frame = FRAME_HERE;
	compiler->n_first_steps = compiler->play->n_steps;
}

/* Ends all processes that have not ended yet: children first. */
static void end(struct compiler *compiler, const struct statement *at)
{
	for (int i = compiler->play->n_actors - 1; i > 0; i--) {
		if (compiler->actors[i].is_process && compiler->actors[i].is_there)
			compile_exit(compiler, at, i, 0, 0);
	}
	if (!compiler->actors[0].is_there)
		return;
	if (!compiler->is_manual && !compiler->is_finalized)
		compile_add(compiler, at, 0, STEP_FINALIZE);
	compile_exit(compiler, at, 0, 0, 0);
}

struct play *compile(const struct script_case *of)
{
	struct compiler *compiler = calloc(1, sizeof(*compiler));
	struct play *play = calloc(1, sizeof(*play));
	struct statement *head = calloc(1, sizeof(*head));

	if (!compiler || !play || !head)
		exit(99);
	*head = (struct statement){ .file = of->file, .line = of->line, .text = of->name };
	*play = (struct play){
		.of = of,
		.is_virtual = 1,
		.runtime = { .version = 202011, .name = "scripted 1.0" },
	};
	for (int i = 0; i < STAGE_N_EVENTS; i++)
		play->runtime.result[i] = ompt_set_always;
	compiler->play = play;
	begin(compiler, head);
	for (size_t i = 0; i < of->n_statements; i++)
		compile_statement(compiler, &of->statements[i]);
	end(compiler, head);
	free(compiler);
	return play;
}
