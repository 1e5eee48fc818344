/* SPDX-License-Identifier: Apache-2.0 */
/* Names of an export's nodes; see export_names.h. */
#include "src/export/export_names.h"

#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/text/text.h"

enum { NAME_BYTES = 20000 };

static int by_label(const void *left, const void *right)
{
	const struct export_construct *a = left, *b = right;
	int order = strcmp(a->label, b->label);

	return order ? order : strcmp(a->function, b->function);
}

static int by_name(const void *left, const void *right)
{
	const struct export_construct *a = *(struct export_construct *const *)left;
	const struct export_construct *b = *(struct export_construct *const *)right;

	return strcmp(a->name, b->name);
}

static const char *clean(struct export_names *names, const char *text)
{
	text_clean(names->buffer, NAME_BYTES, text);
	return name_tree_intern(&names->export->strings, names->buffer);
}

/* Sorts the constructs by label and function and removes duplicates. */
static void fold(struct export_names *names)
{
	size_t n = 0;

	qsort(names->constructs, names->n_constructs, sizeof(names->constructs[0]), by_label);
	for (size_t i = 0; i < names->n_constructs; i++)
		if (n == 0 || by_label(&names->constructs[n - 1], &names->constructs[i]) != 0)
			names->constructs[n++] = names->constructs[i];
	names->n_constructs = n;
}

static int collect(struct export_names *names)
{
	const struct name_tree *tree = &names->export->report->names;
	size_t n = 0;

	for (size_t i = 0; i < tree->n_nodes; i++)
		n += (size_t)names_is_construct(tree->nodes[i].label->kind);
	names->constructs = calloc(n + 1, sizeof(*names->constructs));
	if (!names->constructs)
		return -1;
	for (size_t i = 0; i < tree->n_nodes; i++) {
		const struct name_label *label = tree->nodes[i].label;

		if (names_is_construct(label->kind))
			names->constructs[names->n_constructs++] =
				(struct export_construct){ .label = label->name,
					.function = label->function };
	}
	fold(names);
	return 0;
}

static struct export_construct *find(
	const struct export_names *names, const struct name_label *label)
{
	struct export_construct key = { .label = label->name, .function = label->function };

	return bsearch(&key, names->constructs, names->n_constructs, sizeof(key), by_label);
}

/* The figures may be of another named tree, so constructs are found by text. */
static void find_teams(struct export_names *names)
{
	const struct findings *figures = &names->export->report->figures;

	for (size_t i = 0; i < figures->n_regions; i++) {
		struct export_construct *construct = find(names, figures->regions[i].label);

		if (construct && construct->team < figures->regions[i].sum.max_team)
			construct->team = figures->regions[i].sum.max_team;
	}
}

/* Names a construct: "solve_cg [omp parallel x8]", with_place "... x8 @solve.c:142]". */
static int name_construct(
	struct export_names *names, struct export_construct *construct, int with_place)
{
	const char *at = strstr(construct->label, " @");
	size_t n = at ? (size_t)(at - construct->label) : strcspn(construct->label, "]");
	size_t used;
	char team[16] = "", *text = malloc(NAME_BYTES);

	if (!text)
		return -1;
	if (construct->team)
		snprintf(team, sizeof(team), " x%u", construct->team);
	snprintf(text, NAME_BYTES, "%.4000s%s%.*s%s", construct->function,
		construct->function[0] ? " " : "", (int)(n < 1000 ? n : 1000), construct->label,
		team);
	used = strlen(text);
	snprintf(text + used, NAME_BYTES - used, "%s", with_place && at ? at : "]");
	construct->name = clean(names, text);
	free(text);
	return construct->name ? 0 : -1;
}

/* Names all constructs; the place is in names that several constructs would share. */
static int name_constructs(struct export_names *names)
{
	size_t n = names->n_constructs;
	struct export_construct **order = malloc((n + 1) * sizeof(struct export_construct *));
	int status = order ? 0 : -1;

	for (size_t i = 0; i < n && status == 0; i++) {
		order[i] = &names->constructs[i];
		status = name_construct(names, order[i], 0);
	}
	if (status == 0)
		qsort(order, n, sizeof(struct export_construct *), by_name);
	for (size_t i = 0, end; i < n && status == 0; i = end) {
		const char *name = order[i]->name;

		/* Names are interned: equal text is the same string. */
		for (end = i + 1; end < n && order[end]->name == name; end++)
			;
		for (size_t k = i; k < end && end - i > 1 && status == 0; k++)
			status = name_construct(names, order[k], 1);
	}
	free(order);
	return status;
}

int export_names_init(struct export_names *names, struct export *export)
{
	*names = (struct export_names){ .export = export, .buffer = malloc(NAME_BYTES) };
	if (!names->buffer || !export->strings.strings || collect(names) != 0)
		return -1;
	find_teams(names);
	return name_constructs(names);
}

void export_names_release(struct export_names *names)
{
	free(names->constructs);
	free(names->buffer);
}

/* Returns "module+0x1234" if only an address is known. */
static const char *name_code(struct export_names *names, const struct name_label *label)
{
	char text[1200];

	if (label->kind == NAME_ROOT)
		return "all";
	if (strncmp(label->name, "0x", 2) != 0 || !label->module[0])
		return clean(names, label->name);
	snprintf(text, sizeof(text), "%s+%.64s", names_base(label->module), label->name);
	return clean(names, text);
}

int export_names_fill(
	struct export_names *names, struct export_node *node, const struct name_label *label)
{
	const struct export_construct *construct =
		names_is_construct(label->kind) ? find(names, label) : NULL;

	node->name = construct ? construct->name : name_code(names, label);
	node->function = construct ? clean(names, label->function) : node->name;
	node->file = clean(names, label->file);
	node->decl_file = clean(names, label->decl_file);
	node->module = clean(names, label->module);
	return node->name && node->function && node->file && node->decl_file && node->module ? 0
											     : -1;
}
