/* SPDX-License-Identifier: Apache-2.0 */
/* Who made others wait, whatever for; see view_blamed.h. */
#include <stdlib.h>
#include <string.h>

#include "src/views/view_blamed.h"

const char *culprit_file(const struct name_label *label)
{
	return label->decl_line ? label->decl_file : label->file;
}

uint32_t culprit_line(const struct name_label *label)
{
	return label->decl_line ? label->decl_line
				: (names_is_construct(label->kind) ? label->line : 0);
}

/* Names are interned: where they are the same, so are their addresses. */
static int compare_labels(const struct name_label *a, const struct name_label *b)
{
	int order = a->name == b->name ? 0 : strcmp(a->name, b->name);

	if (order != 0)
		return order;
	if (culprit_line(a) != culprit_line(b))
		return culprit_line(a) < culprit_line(b) ? -1 : 1;
	if (culprit_line(a) && culprit_file(a) != culprit_file(b))
		return strcmp(culprit_file(a), culprit_file(b));
	return a->module == b->module ? 0 : strcmp(a->module, b->module);
}

static int by_label(const void *left, const void *right)
{
	const struct figures_cause *a = left, *b = right;
	int order = compare_labels(a->label, b->label);

	if (order != 0)
		return order;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->wait < b->wait ? -1 : a->wait > b->wait;
}

static int by_blame(const void *left, const void *right)
{
	const struct culprit *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

size_t find_culprits(struct culprit *culprits, struct figures_cause *causes, size_t n_causes)
{
	size_t n = 0;

	qsort(causes, n_causes, sizeof(*causes), by_label);
	for (size_t i = 0; i < n_causes; i++) {
		if (i == 0 || compare_labels(causes[i - 1].label, causes[i].label) != 0)
			culprits[n++] = (struct culprit){ .first = i };
		culprits[n - 1].ns += causes[i].ns;
		culprits[n - 1].n++;
	}
	qsort(culprits, n, sizeof(*culprits), by_blame);
	return n;
}
