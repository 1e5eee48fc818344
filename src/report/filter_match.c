/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the paths that the patterns of --focus, --ignore and --region match; see filter.h. */
#include "src/report/filter_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/findings/names_lookup.h"

/*
 * A text that was matched before. Strings are interned, so their addresses identify it: a name has
 * no line, a place has `more` "".
 */
struct known {
	const char *text, *more; /* text NULL: a free slot */
	uint32_t line;
	uint8_t is_region; /* matched for --region; else for --focus and --ignore */
	uint8_t hits;
};

struct matcher {
	const struct filter *filter;
	unsigned given; /* filters to look for */
	struct known *known;
	/* n_slots is a power of two; at most half of the slots are full */
	size_t n_known, n_slots;
	char *text; /* room of join() */
	size_t text_bytes;
	int is_out_of_memory;
};

enum { BY_NAME = FILTER_FOCUS | FILTER_IGNORE };

unsigned filter_match_text(const struct filter *filter, unsigned kinds, const char *text)
{
	unsigned hits = 0;

	for (size_t i = 0; i < filter->n_terms; i++) {
		const struct filter_term *term = &filter->terms[i];

		if (term->has_regex && term->kind & kinds && !(hits & term->kind) &&
			regexec(&term->regex, text, 0, NULL, 0) == 0)
			hits |= term->kind;
	}
	return hits;
}

int filter_has_none(const struct filter *filter)
{
	for (size_t i = 0; i < filter->n_terms; i++)
		if (filter->terms[i].is_none)
			return 1;
	return 0;
}

/* Whether the term's file is the path `file` or the end of that path. */
static int is_file(const struct filter_term *term, const char *file)
{
	size_t n = strlen(file);

	if (n < term->file_bytes ||
		strncmp(file + n - term->file_bytes, term->text, term->file_bytes) != 0)
		return 0;
	return n == term->file_bytes || file[n - term->file_bytes - 1] == '/';
}

int filter_match_line(const struct filter *filter, const char *file, uint32_t line)
{
	for (size_t i = 0; i < filter->n_terms; i++) {
		const struct filter_term *term = &filter->terms[i];

		if (term->file_bytes && line == term->line && is_file(term, file))
			return 1;
	}
	return 0;
}

static size_t hash(const struct known *key)
{
	uint64_t texts = hash_mix(hash_mix(HASH_START, (uintptr_t)key->text), (uintptr_t)key->more);

	return hash_mix(texts, (uint64_t)key->is_region << 32 | key->line);
}

static struct known *find(const struct matcher *matcher, const struct known *key)
{
	size_t at = hash(key);

	for (;; at++) {
		struct known *slot = &matcher->known[at & (matcher->n_slots - 1)];

		if (!slot->text ||
			(slot->text == key->text && slot->more == key->more &&
				slot->line == key->line && slot->is_region == key->is_region))
			return slot;
	}
}

static int grow(struct matcher *matcher)
{
	struct matcher old = *matcher;

	matcher->n_slots = old.n_slots ? 2 * old.n_slots : 1024;
	matcher->known = calloc(matcher->n_slots, sizeof(*matcher->known));
	if (!matcher->known) {
		*matcher = old;
		matcher->is_out_of_memory = 1;
		return -1;
	}
	for (size_t i = 0; i < old.n_slots; i++)
		if (old.known[i].text)
			*find(matcher, &old.known[i]) = old.known[i];
	free(old.known);
	return 0;
}

/* The slot of a text; a free slot if the text is new. NULL when out of memory. */
static struct known *look_up(struct matcher *matcher, const struct known *key)
{
	if (2 * matcher->n_known >= matcher->n_slots && grow(matcher) != 0)
		return NULL;
	return find(matcher, key);
}

/* Returns the three texts as one, valid until the next call; NULL when out of memory. */
static const char *join(struct matcher *matcher, const char *a, const char *between, const char *b)
{
	size_t bytes = strlen(a) + strlen(between) + strlen(b) + 1;

	if (bytes > matcher->text_bytes) {
		char *text = realloc(matcher->text, 2 * bytes);

		if (!text) {
			matcher->is_out_of_memory = 1;
			return NULL;
		}
		matcher->text = text;
		matcher->text_bytes = 2 * bytes;
	}
	snprintf(matcher->text, matcher->text_bytes, "%s%s%s", a, between, b);
	return matcher->text;
}

static unsigned remember(struct matcher *matcher, struct known *slot, struct known *key)
{
	if (matcher->is_out_of_memory)
		return 0;
	*slot = *key;
	matcher->n_known++;
	return key->hits;
}

/* A function without a name is matched as reports show it: MODULE+0xOFFSET. */
static unsigned match_name(struct matcher *matcher, const struct name_label *label)
{
	int has_name = strncmp(label->name, "0x", 2) != 0 || !label->module[0];
	struct known key = { .text = label->name, .more = has_name ? "" : label->module };
	struct known *slot = look_up(matcher, &key);
	const char *text = label->name;

	if (!slot || slot->text)
		return slot ? slot->hits : 0;
	if (!has_name)
		text = join(matcher, names_base(label->module), "+", label->name);
	if (text)
		key.hits = (uint8_t)filter_match_text(matcher->filter, BY_NAME, text);
	return remember(matcher, slot, &key);
}

static unsigned match_place(struct matcher *matcher, const char *file, uint32_t line)
{
	struct known key = { .text = file, .more = "", .line = line };
	struct known *slot;
	const char *text;
	char digits[16];

	if (line == 0)
		return 0;
	slot = look_up(matcher, &key);
	if (!slot || slot->text)
		return slot ? slot->hits : 0;
	snprintf(digits, sizeof(digits), "%u", line);
	text = join(matcher, names_base(file), ":", digits);
	if (text)
		key.hits = (uint8_t)filter_match_text(matcher->filter, BY_NAME, text);
	return remember(matcher, slot, &key);
}

static unsigned match_region(struct matcher *matcher, const struct name_label *label)
{
	const struct filter *filter = matcher->filter;
	struct known key = {
		.text = label->name, .more = label->function, .line = label->line, .is_region = 1
	};
	struct known *slot = look_up(matcher, &key);
	const char *text;
	char digits[16];

	if (!slot || slot->text)
		return slot ? slot->hits : 0;
	snprintf(digits, sizeof(digits), "%u", label->line);
	text = join(matcher, names_base(label->file), ":", digits);
	if (filter_match_text(filter, FILTER_REGION, label->name) ||
		filter_match_text(filter, FILTER_REGION, label->function) ||
		(label->line && text && filter_match_text(filter, FILTER_REGION, text)) ||
		(label->line && filter_match_line(filter, label->file, label->line)))
		key.hits = FILTER_HIT_REGION;
	return remember(matcher, slot, &key);
}

/* The hits that a node adds to the hits of its parent. */
static unsigned match_node(struct matcher *matcher, const struct name_label *label)
{
	unsigned given = matcher->given, hits = 0;

	if (given & BY_NAME && (names_is_code(label->kind) || names_is_construct(label->kind)))
		hits = match_name(matcher, label) | match_place(matcher, label->file, label->line) |
		       match_place(matcher, label->decl_file, label->decl_line);
	if (given & FILTER_REGION && label->kind == NAME_REGION)
		hits |= match_region(matcher, label) | FILTER_IN_REGION;
	return hits;
}

static void match_names(struct matcher *matcher, uint8_t *hits, const struct name_tree *names)
{
	for (size_t i = 1; i < names->n_nodes && !matcher->is_out_of_memory; i++) {
		const struct name_node *node = &names->nodes[i];

		hits[i] = hits[node->parent] | (uint8_t)match_node(matcher, node->label);
	}
}

/*
 * Adds the hits of lines in the bodies of constructs. Their frames have no named node of their own,
 * whatever their line, so hits are passed down the attributed tree to the functions that they call.
 */
static void match_bodies(struct matcher *matcher, uint8_t *of_node, const struct name_tree *names,
	const struct tree *tree)
{
	for (size_t i = 1; i < tree->n_nodes && !matcher->is_out_of_memory; i++) {
		uint8_t kind = names->nodes[names->node_of[i]].label->kind;
		const struct name_place *place = &names->place_of[i];

		of_node[i] = of_node[tree->nodes[i].parent];
		if (tree->nodes[i].kind == TREE_FRAME && (names_is_construct(kind)))
			of_node[i] |= (uint8_t)match_place(matcher, place->file, place->line);
	}
}

/* Returns the hits, or NULL when out of memory. */
static uint8_t *end_matching(struct matcher *matcher, uint8_t *hits)
{
	free(matcher->known);
	free(matcher->text);
	if (!matcher->is_out_of_memory)
		return hits;
	free(hits);
	return NULL;
}

uint8_t *filter_match(const struct filter *filter, unsigned kinds, const struct name_tree *names)
{
	struct matcher matcher = { .filter = filter, .given = filter->given & kinds };
	uint8_t *hits = calloc(names->n_nodes + 1, sizeof(*hits));

	if (hits)
		match_names(&matcher, hits, names);
	return end_matching(&matcher, hits);
}

uint8_t *filter_match_tree(
	const struct filter *filter, const struct name_tree *names, const struct tree *tree)
{
	struct matcher matcher = { .filter = filter, .given = filter->given };
	uint8_t *named = calloc(names->n_nodes + 1, sizeof(*named));
	uint8_t *hits = calloc(tree->n_nodes + 1, sizeof(*hits));

	if (named && hits) {
		match_names(&matcher, named, names);
		if (filter->given & BY_NAME)
			match_bodies(&matcher, hits, names, tree);
		for (size_t i = 0; i < tree->n_nodes; i++)
			hits[i] |= named[names->node_of[i]];
	} else {
		matcher.is_out_of_memory = 1;
	}
	free(named);
	return end_matching(&matcher, hits);
}

int filter_selects_region(const struct filter *filter, unsigned hits)
{
	return !(filter->given & FILTER_REGION) || hits & FILTER_HIT_REGION ||
	       (!(hits & FILTER_IN_REGION) && filter_has_none(filter));
}

int filter_selects(const struct filter *filter, unsigned hits)
{
	return (!(filter->given & FILTER_FOCUS) || hits & FILTER_HIT_FOCUS) &&
	       !(hits & FILTER_HIT_IGNORE) && filter_selects_region(filter, hits);
}
