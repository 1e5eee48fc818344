/* SPDX-License-Identifier: Apache-2.0 */
/* Queries; see evidence.h. */
#include "tests/runtime/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "tests/runtime/fields.h"
#include "tests/runtime/user.h"
#include "tests/runtime/words.h"

/* A place in the user's code: F, F:N, or - for none. */
struct place {
	int function; /* -1: none at all */
	int site;     /* -1: any */
};

static uint64_t code_of(const struct profile_tree_node *frame)
{
	return frame->flags & PROFILE_FRAME_EXACT ? frame->addr : frame->addr - 1;
}

static struct place parse_place(const char *text, const struct statement *at)
{
	size_t bytes = strcspn(text, ":");
	char name[64];
	struct place place = { .site = -1 };

	snprintf(name, sizeof(name), "%.*s", (int)bytes, text);
	place.function = strcmp(name, "-") == 0 ? -1 : compile_find_function(name);
	if (place.function < 0 && strcmp(name, "-") != 0)
		script_fail(at, "there is no function '%s' (user.h)", name);
	if (text[bytes] == ':')
		place.site = (int)strtol(text + bytes + 1, NULL, 10);
	if (place.site >= STAGE_N_SITES)
		script_fail(at, "'%s' has no site %d", name, place.site);
	return place;
}

/* Whether this return address is at the place. */
static int is_at(const struct evidence *evidence, const struct place *place, uint64_t ra)
{
	if (place->site >= 0)
		return evidence->outcome->stage->site[place->function][place->site] == ra;
	return user_function_at(ra - 1) == place->function;
}

static int is_construct(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_REGION || node->kind == PROFILE_NODE_TASK ||
	       node->kind == PROFILE_NODE_TARGET;
}

/* The node further out; at a context, where its construct was created. NULL: there is none. */
static const struct profile_tree_node *outer(
	const struct profile *profile, const struct profile_tree_node *node)
{
	uint32_t i = node->parent;

	if (node->kind == PROFILE_NODE_CONTEXT && node->context != UINT32_MAX)
		i = profile->nodes[node->context].parent;
	return i == UINT32_MAX ? NULL : &profile->nodes[i];
}

static int is_frame_of_user(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_FRAME && user_function_at(code_of(node)) >= 0;
}

static int is_under(const struct evidence *evidence, const struct profile_tree_node *node,
	const struct place *place)
{
	while ((node = outer(evidence->profile, node))) {
		if (!is_frame_of_user(node) || user_function_at(code_of(node)) != place->function)
			continue;
		if (place->site < 0 || is_at(evidence, place, node->addr))
			return 1;
	}
	return 0;
}

/* Whether its innermost frame of user code is at the place; for a construct, whether it is. */
static int is_right_at(const struct evidence *evidence, const struct profile_tree_node *node,
	const struct place *place)
{
	if (is_construct(node))
		return is_at(evidence, place, node->addr);
	for (node = outer(evidence->profile, node); node; node = outer(evidence->profile, node)) {
		if (is_frame_of_user(node))
			return user_function_at(code_of(node)) == place->function &&
			       (place->site < 0 || is_at(evidence, place, node->addr));
		if (node->kind == PROFILE_NODE_CONTEXT)
			return place->function < 0;
	}
	return place->function < 0;
}

/* Whether it belongs to the construct at the place; for -, whether it belongs to none. */
static int is_in(const struct evidence *evidence, const struct profile_tree_node *node,
	const struct place *place)
{
	const struct profile *profile = evidence->profile;

	for (; node; node = outer(profile, node)) {
		if (node->kind != PROFILE_NODE_CONTEXT)
			continue;
		return place->function >= 0 && node->context != UINT32_MAX &&
		       is_at(evidence, place, profile->nodes[node->context].addr);
	}
	return place->function < 0;
}

static uint32_t tid_of(
	const struct evidence *evidence, const char *name, const struct statement *at)
{
	int actor = compile_find_actor(evidence->play, name);

	if (actor < 0)
		script_fail(at, "there is no thread '%s'", name);
	return (uint32_t)evidence->outcome->stage->actors[actor].was_tid;
}

/* The thread that a record or node belongs to. */
static const struct profile_thread *thread_of(
	const struct profile *profile, const struct field_kind *kind, const void *record)
{
	const struct profile_lock_record *lock = record;
	const struct profile_region_record *region = record;
	const struct profile_tree_node *node = record;

	if (strcmp(kind->name, "threads") == 0)
		return record;
	if (strcmp(kind->name, "locks") == 0)
		return &profile->threads[lock->thread];
	if (strcmp(kind->name, "regions") == 0)
		node = &profile->nodes[region->node];
	return &profile->threads[node->owner];
}

static uint64_t parse_value(const struct evidence *evidence, const struct field *field,
	const char *text, const struct statement *at)
{
	const struct word_list *list =
		field->is_array || !field->list ? NULL : words_find(field->list);
	uint64_t value;

	if (words_value(list, text, &value) == 0)
		return value;
	if (strcmp(field->name, "mutex") == 0 && compile_find_object(evidence->play, text) >= 0)
		return runtime_wait_id(compile_find_object(evidence->play, text));
	script_fail(at, "'%s' is no value of '%s'", text, field->name);
}

/*
 * Checks `KEY=VALUE` for this kind, and ends the program if it makes no sense, even if no record
 * could fit. Returns the field, or NULL if the key is no field.
 */
static const struct field *check_word(const struct evidence *evidence,
	const struct field_kind *kind, const char *word, uint64_t *index,
	const struct statement *at)
{
	static const char *const places[] = { "under", "at", "in" };
	size_t bytes = strcspn(word, "=");
	const struct field *field;
	char key[64];

	snprintf(key, sizeof(key), "%.*s", (int)bytes, word);
	if (word[bytes] != '=')
		script_fail(at, "'%s' is no KEY=VALUE", word);
	if (strcmp(key, "thread") == 0) {
		tid_of(evidence, word + bytes + 1, at);
		return NULL;
	}
	for (int i = 0; i < 3; i++) {
		if (strcmp(key, places[i]) != 0)
			continue;
		if (!kind->node && !(i == 1 && strcmp(kind->name, "regions") == 0))
			script_fail(at, "'%s' is of nodes", key);
		parse_place(word + bytes + 1, at);
		return NULL;
	}
	field = fields_find(kind, key, index);
	if (!field)
		script_fail(at, "'%s' has no '%s'", kind->name, key);
	parse_value(evidence, field, word + bytes + 1, at);
	return field;
}

/* Whether the record fits `KEY=VALUE`, which is known to make sense. */
static int fits(const struct evidence *evidence, const struct field_kind *kind, const void *record,
	const char *word, const struct statement *at)
{
	const char *value = strchr(word, '=') + 1;
	const struct profile_tree_node *node = record;
	uint64_t index;
	const struct field *field = check_word(evidence, kind, word, &index, at);
	struct place place;

	if (field)
		return fields_value(field, index, record) ==
		       parse_value(evidence, field, value, at);
	if (word[0] == 't')
		return thread_of(evidence->profile, kind, record)->tid ==
		       tid_of(evidence, value, at);
	if (!kind->node)
		node = &evidence->profile
				->nodes[((const struct profile_region_record *)record)->node];
	place = parse_place(value, at);
	if (word[0] == 'u')
		return is_under(evidence, node, &place);
	return word[0] == 'a' ? is_right_at(evidence, node, &place) : is_in(evidence, node, &place);
}

/* The records or nodes of a kind: how many, how long each, and where. */
static const void *records_of(
	const struct profile *profile, const struct field_kind *kind, size_t *n, size_t *bytes)
{
	if (strcmp(kind->name, "threads") == 0) {
		*n = profile->n_threads;
		*bytes = sizeof(*profile->threads);
		return profile->threads;
	}
	if (strcmp(kind->name, "regions") == 0) {
		*n = profile->n_regions;
		*bytes = sizeof(*profile->regions);
		return profile->regions;
	}
	if (strcmp(kind->name, "locks") == 0) {
		*n = profile->n_locks;
		*bytes = sizeof(*profile->locks);
		return profile->locks;
	}
	if (strcmp(kind->name, "modules") == 0) {
		*n = profile->n_modules;
		*bytes = sizeof(*profile->modules);
		return profile->modules;
	}
	if (strcmp(kind->name, "devices") == 0) {
		*n = profile->n_devices;
		*bytes = sizeof(*profile->devices);
		return profile->devices;
	}
	if (strcmp(kind->name, "phases") == 0) {
		*n = profile->n_phases;
		*bytes = sizeof(*profile->phases);
		return profile->phases;
	}
	if (strcmp(kind->name, "profile") == 0) {
		*n = 1;
		*bytes = sizeof(*profile);
		return profile;
	}
	*n = profile->n_nodes;
	*bytes = sizeof(*profile->nodes);
	return profile->nodes;
}

static const struct field *field_of(
	const struct query *query, const struct field_kind **kind, uint64_t *place)
{
	const char *name = query->words[0], *dot = strchr(name, '.');
	const struct field *field;

	*kind = fields_kind(name);
	if (!*kind)
		script_fail(query->at, "'%s': of what?", name);
	field = fields_find(*kind, dot ? dot + 1 : (*kind)->preset, place);
	if (!field)
		script_fail(query->at, "there is no '%s'", name);
	return field;
}

int evidence_is_time(const struct query *query)
{
	const struct field_kind *kind;
	uint64_t place;

	return field_of(query, &kind, &place)->is_time;
}

uint64_t evidence_sum(const struct evidence *evidence, const struct query *query)
{
	const struct field_kind *kind;
	uint64_t place, sum = 0;
	const struct field *field = field_of(query, &kind, &place);
	size_t n, bytes;
	const char *records = records_of(evidence->profile, kind, &n, &bytes);

	for (int j = 1; j < query->n_words; j++)
		check_word(evidence, kind, query->words[j], &place, query->at);
	field = field_of(query, &kind, &place);
	for (size_t i = 0; i < n; i++) {
		const void *record = records + i * bytes;
		int is_one = !kind->node ||
			     ((const struct profile_tree_node *)record)->kind == kind->node;

		for (int j = 1; j < query->n_words && is_one; j++)
			is_one = fits(evidence, kind, record, query->words[j], query->at);
		if (is_one)
			sum += fields_value(field, place, record);
	}
	return sum;
}
