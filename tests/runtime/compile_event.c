/* SPDX-License-Identifier: Apache-2.0 */
/* Events, and the values of words; see compile_parts.h. events.h lists each event's arguments. */
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/compile_parts.h"
#include "tests/runtime/device.h"
#include "tests/runtime/events.h"
#include "tests/runtime/user.h"
#include "tests/runtime/words.h"

#define ROW(name, form, ...)   { #name, ompt_callback_##name, form },
#define DEVICE_ROW(name, form) { #name, DEVICE_FIRST_ACTION + DEVICE_##name, form },

static const struct event_form {
	const char *name;
	int event;
	const char *form;
} forms[] = { EVENTS(ROW, ROW) DEVICE_ACTIONS(DEVICE_ROW) };

/* One argument of a form; not to be copied. */
struct argument {
	char text[128];
	const char *name, *kind, *preset; /* parts of it */
	int is_keyed;
};

int64_t compile_object(struct compiler *compiler, const char *word, const struct statement *at)
{
	struct play *play = compiler->play;
	int i;

	if (strcmp(word, "-") == 0)
		return STEP_NULL;
	if (strchr(word, '='))
		script_fail(at, "'%s' is no name", word);
	i = compile_find_object(play, word);
	if (i >= 0)
		return i;
	if (play->n_objects == STAGE_MAX_OBJECTS)
		script_fail(at, "too many names");
	play->objects[play->n_objects] = word;
	return play->n_objects++;
}

uint64_t compile_number(const char *word, const struct statement *at)
{
	uint64_t value;

	if (words_number(word, &value) != 0)
		script_fail(at, "'%s' is no number", word);
	return value;
}

int compile_find_function(const char *name)
{
	for (unsigned i = 0; i < n_user_functions; i++) {
		if (strcmp(user_functions[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

uint64_t compile_function(const char *word, const struct statement *at)
{
	int function = compile_find_function(word);

	if (function < 0)
		script_fail(at, "there is no function '%s' (user.h)", word);
	return (uint64_t)function;
}

uint64_t compile_address(const char *word, const struct statement *at)
{
	static const struct word names[] = { { "here", ADDRESS_HERE }, { "-", ADDRESS_NULL },
		{ "runtime", ADDRESS_RUNTIME }, { NULL, 0 } };
	uint64_t value;

	for (const struct word *name = names; name->name; name++) {
		if (strcmp(name->name, word) == 0)
			return name->value;
	}
	if (words_number(word, &value) == 0 && value >= ADDRESS_END)
		return value;
	return ADDRESS_FUNCTION + compile_function(word, at);
}

uint64_t compile_frame(const char *word, const struct statement *at)
{
	static const struct word names[] = { { "none", FRAME_NONE }, { "here", FRAME_HERE },
		{ "stale", FRAME_STALE }, { "wild", FRAME_WILD }, { "-", FRAME_NULL },
		{ NULL, 0 } };
	uint64_t value;

	for (const struct word *name = names; name->name; name++) {
		if (strcmp(name->name, word) == 0)
			return name->value;
	}
	value = compile_number(word, at);
	if (value < FRAME_N)
		script_fail(at, "'%s' is no frame", word);
	return value;
}

const char *compile_key(const struct statement *at, const char *key)
{
	size_t n = strlen(key);

	for (int i = 1; i < at->n_words; i++) {
		if (strncmp(at->word[i], key, n) == 0 && at->word[i][n] == '=')
			return at->word[i] + n + 1;
	}
	return NULL;
}

/* Takes the next argument of a form. Returns the form behind it, or NULL if there is none. */
static const char *next_argument(const char *form, struct argument *argument)
{
	size_t bytes = strcspn(form, " ");
	char *colon, *preset;

	if (bytes == 0)
		return NULL;
	snprintf(argument->text, sizeof(argument->text), "%.*s", (int)bytes, form);
	preset = strchr(argument->text, '=');
	argument->is_keyed = preset != NULL;
	argument->preset = preset ? preset + 1 : "";
	if (preset)
		*preset = '\0';
	colon = strchr(argument->text, ':');
	argument->name = argument->text;
	argument->kind = colon ? colon + 1 : argument->text;
	if (colon)
		*colon = '\0';
	form += bytes;
	return form + strspn(form, " ");
}

static uint64_t mutex(struct compiler *compiler, const char *word, const struct statement *at)
{
	uint64_t value;

	if (words_number(word, &value) == 0)
		return value;
	return runtime_wait_id(compile_object(compiler, word, at));
}

static uint64_t data(const char *word, const struct statement *at)
{
	uint64_t value;

	if (strcmp(word, "-") == 0)
		return 0;
	if (words_number(word, &value) == 0)
		return value;
	return (uint64_t)user_functions[compile_function(word, at)].function;
}

/* The value of a word as an argument of this kind. */
static uint64_t value_of(struct compiler *compiler, const struct argument *argument,
	const char *word, const struct statement *at, struct step *step)
{
	const struct word_list *list = words_find(argument->kind);
	uint64_t value;

	if (strcmp(argument->kind, "object") == 0)
		return (uint64_t)compile_object(compiler, word, at);
	if (strcmp(argument->kind, "number") == 0)
		return compile_number(word, at);
	if (strcmp(argument->kind, "wait_id") == 0)
		return mutex(compiler, word, at);
	if (strcmp(argument->kind, "data") == 0)
		return data(word, at);
	if (strcmp(argument->kind, "text") == 0) {
		step->text = strcmp(word, "-") == 0 ? NULL : strdup(word);
		return 0;
	}
	if (!list || words_value(list, word, &value) != 0)
		script_fail(at, "'%s' is no %s", word, argument->kind);
	return value;
}

/* TYPE:VARIABLE of a dependence, HOST:DEVICE:BYTES:FLAGS of something mapped. */
static void add_item(struct compiler *compiler, struct step *step, const char *kind,
	const char *word, const struct statement *at)
{
	struct step_item *item;
	char *copy = strdup(word), *rest = copy, *part[4] = { NULL };
	int is_dependence = strcmp(kind, "deps") == 0, n = 0;

	while (n < 4 && rest)
		part[n++] = strsep(&rest, ":");
	if (n != (is_dependence ? 2 : 4) || rest)
		script_fail(at, "'%s' is no item of %s", word, kind);
	step->items = realloc(step->items, (step->n_items + 1) * sizeof(*step->items));
	item = &step->items[step->n_items++];
	*item = (struct step_item){ 0 };
	if (words_value(words_find(is_dependence ? "dependence" : "map_flag"),
		    part[is_dependence ? 0 : 3], &item->flags) != 0)
		script_fail(at, "'%s' is no item of %s", word, kind);
	if (is_dependence) {
		item->a = mutex(compiler, strdup(part[1]), at);
	} else {
		item->a = compile_number(part[0], at);
		item->b = compile_number(part[1], at);
		item->n = compile_number(part[2], at);
	}
	free(copy);
}

/* The keys that all events have. Returns whether the word is one. */
static int take_common(
	struct compiler *compiler, struct step *step, const char *word, const struct statement *at)
{
	if (strncmp(word, "ra=", 3) == 0) {
		step->ra = compile_address(word + 3, at);
	} else if (strncmp(word, "frame=", 6) == 0) {
		step->frame = compile_frame(word + 6, at);
	} else if (strncmp(word, "task=", 5) == 0) {
		step->task = compile_object(compiler, word + 5, at);
		step->is_task_given = 1;
	} else if (strncmp(word, "parallel=", 9) == 0) {
		step->parallel = compile_object(compiler, word + 9, at);
		step->is_parallel_given = 1;
	} else {
		return 0;
	}
	return 1;
}

/* Whether the word is `KEY=...` of a key of the form. */
static int is_of_form(const char *form, const char *word)
{
	struct argument argument;

	while ((form = next_argument(form, &argument))) {
		size_t n = strlen(argument.name);

		if (argument.is_keyed && strncmp(word, argument.name, n) == 0 && word[n] == '=')
			return 1;
	}
	return 0;
}

/*
 * Takes the arguments of the form, in their order. Arguments by place come from words[], one after
 * the other.
 */
static void take_form(struct compiler *compiler, const struct event_form *form, struct step *step,
	char **words, int n_words)
{
	const struct statement *at = step->at;
	const char *rest = form->form, *key;
	struct argument argument;
	int n = 0, at_word = 0;

	while ((rest = next_argument(rest, &argument))) {
		if (strcmp(argument.kind, "deps") == 0 || strcmp(argument.kind, "maps") == 0) {
			for (; at_word < n_words; at_word++)
				add_item(compiler, step, argument.kind, words[at_word], at);
			continue;
		}
		if (!argument.is_keyed && at_word == n_words)
			script_fail(at, "'%s' needs: %s", form->name, form->form);
		key = argument.is_keyed ? compile_key(at, argument.name) : words[at_word++];
		step->v[n++] = value_of(compiler, &argument, key ? key : argument.preset, at, step);
	}
	if (at_word < n_words)
		script_fail(
			at, "'%s' has no '%s', but: %s", form->name, words[at_word], form->form);
}

static const struct event_form *find_form(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	}
	return NULL;
}

int compile_has_event(const char *name)
{
	return find_form(name) != NULL;
}

int compile_event(struct compiler *compiler, const struct statement *at, int actor)
{
	const struct event_form *form = find_form(at->word[1]);
	char *words[SCRIPT_MAX_WORDS];
	struct step *step;
	int n = 0;

	if (!form)
		return -1;
	step = compile_add(
		compiler, at, actor, form->event < DEVICE_FIRST_ACTION ? STEP_EVENT : STEP_DEVICE);
	step->event = form->event;
	step->frame = FRAME_HERE;
	for (int i = 2; i < at->n_words; i++) {
		if (!take_common(compiler, step, at->word[i], at) &&
			!is_of_form(form->form, at->word[i]))
			words[n++] = at->word[i];
	}
	take_form(compiler, form, step, words, n);
	return 0;
}
