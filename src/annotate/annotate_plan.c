/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and ranges to show; see annotate_plan.h. */
#include "src/annotate/annotate_plan.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"

static const struct name_label *label_of(const struct annotate *a, uint32_t node)
{
	return a->places.nodes[node].label;
}

/* The section of a file, which is made if there is none. NULL: there are too many sections. */
static struct annotate_section *find_section(struct annotate_plan *plan, const char *file)
{
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].file == file)
			return &plan->sections[i];
	if (plan->n_sections == ANNOTATE_MOST_FILES)
		return NULL;
	plan->sections[plan->n_sections].file = file;
	return &plan->sections[plan->n_sections++];
}

/* Compares numbers of lines, or things that begin with the number of a line. */
static int by_line(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* Makes the sections and their rows. Returns 0 or -1. */
static int add_rows(struct annotate_plan *plan)
{
	const struct annotate *a = plan->annotate;

	plan->sections = calloc(ANNOTATE_MOST_FILES, sizeof(*plan->sections));
	if (!plan->sections)
		return -1;
	for (uint32_t at = a->places.nodes[plan->node].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling) {
		struct annotate_row row = { label_of(a, at)->line, a->self[at], a->total[at] };
		struct annotate_section *section =
			row.line ? find_section(plan, label_of(a, at)->file) : NULL;

		if (!section) {
			annotate_add(&plan->nowhere.self, &row.self);
			annotate_add(&plan->nowhere.total, &row.total);
			continue;
		}
		if (ARRAY_GROW(section->rows, section->n_rows, section->capacity) != 0)
			return -1;
		section->rows[section->n_rows++] = row;
		section->weight += row.self.amount + row.total.amount;
	}
	for (size_t i = 0; i < plan->n_sections; i++)
		qsort(plan->sections[i].rows, plan->sections[i].n_rows,
			sizeof(*plan->sections[i].rows), by_line);
	return 0;
}

static int by_weight(const void *left, const void *right)
{
	const struct annotate_section *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return strcmp(a->file, b->file);
}

static void sort_sections(struct annotate_plan *plan)
{
	const char *own = label_of(plan->annotate, plan->node)->file;

	for (size_t i = 0; i < plan->n_sections; i++)
		if (strcmp(plan->sections[i].file, own) == 0)
			plan->sections[i].weight = UINT64_MAX;
	qsort(plan->sections, plan->n_sections, sizeof(*plan->sections), by_weight);
}

/* Adds a range of lines. Ranges that touch, or have a single line between them, become one. */
static void add_range(struct annotate_section *section, uint32_t first, uint32_t last)
{
	struct annotate_range *before =
		section->n_ranges ? &section->ranges[section->n_ranges - 1] : NULL;

	if (before && first <= before->last + 2) {
		if (last > before->last)
			before->last = last;
		return;
	}
	section->ranges[section->n_ranges++] = (struct annotate_range){ first, last };
}

/* Adds a line and the lines around it, within the function or file. */
static void add_line(struct annotate_section *section, uint32_t line, uint32_t context)
{
	uint32_t first = line > context ? line - context : 1;
	uint32_t last = line < UINT32_MAX - context ? line + context : line;

	if (first < section->first)
		first = section->first < line ? section->first : line;
	if (last > section->last)
		last = section->last > line ? section->last : line;
	add_range(section, first, last);
}

/*
 * Whether row i has time and is among the n_most rows with most time, callees included. Always true
 * if n_most is 0.
 */
static int is_among_most(const struct annotate_section *section, size_t i, uint32_t n_most)
{
	size_t n_larger = 0;

	for (size_t k = 0; n_most && k < section->n_rows && n_larger < n_most; k++)
		n_larger +=
			section->rows[k].total.amount > section->rows[i].total.amount ||
			(section->rows[k].total.amount == section->rows[i].total.amount && k < i);
	return !n_most || (n_larger < n_most && section->rows[i].total.amount > 0);
}

/*
 * Lists the lines that must be shown: lines with figures, the function's first line, the line that
 * was asked for.
 */
static uint32_t *lines_to_show(const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t start, size_t *n)
{
	const struct annotate_target *target = plan->target;
	uint32_t *lines = malloc((section->n_rows + 2) * sizeof(*lines));

	*n = 0;
	if (!lines)
		return NULL;
	for (size_t i = 0; i < section->n_rows; i++)
		if (is_among_most(section, i, plan->options->n_most))
			lines[(*n)++] = section->rows[i].line;
	if (start)
		lines[(*n)++] = start;
	if (target->line && target->file && strcmp(target->file, section->file) == 0)
		lines[(*n)++] = target->line;
	qsort(lines, *n, sizeof(*lines), by_line);
	return lines;
}

static int find_ranges(struct annotate_plan *plan, struct annotate_section *section, uint32_t start)
{
	const struct annotate_options *options = plan->options;
	size_t n;
	uint32_t *lines;

	if (options->n_most && section != &plan->sections[0])
		return 0;
	lines = lines_to_show(plan, section, start, &n);

	section->ranges = calloc(n + 1, sizeof(*section->ranges));
	if (!lines || !section->ranges) {
		free(lines);
		return -1;
	}
	if (options->show_all && section->has_source && n > 0)
		add_range(section, section->first < lines[0] ? section->first : lines[0],
			section->last > lines[n - 1] ? section->last : lines[n - 1]);
	else
		for (size_t i = 0; i < n; i++)
			add_line(section, lines[i],
				!section->has_source || lines[i] == start ? 0 : options->context);
	free(lines);
	return 0;
}

/* Sets the first and last line of the place in the section's file. */
static void find_bounds(const struct annotate_plan *plan, struct annotate_section *section,
	uint32_t start, uint32_t last_line)
{
	uint32_t first = section->rows[0].line, last = section->rows[section->n_rows - 1].line;

	if (!label_of(plan->annotate, plan->node)->name[0]) {
		section->first = 1;
		section->last = section->source.n_lines;
		return;
	}
	section->first = start && start < first ? start : first;
	section->last = last_line > last ? last_line : last + plan->options->context;
	if (!start && section->first > plan->options->context)
		section->first -= plan->options->context;
	if (section->has_source && section->last > section->source.n_lines)
		section->last = section->source.n_lines;
}

static int read_section(
	struct annotate_plan *plan, struct annotate_section *section, uint32_t last_line)
{
	const struct name_label *label = label_of(plan->annotate, plan->node);
	int is_own = label->name[0] && strcmp(section->file, label->file) == 0;
	uint32_t start;
	struct diag diag;

	section->has_source =
		source_open(&section->source, section->file, &plan->options->rules, &diag) == 0;
	if (!section->has_source)
		memcpy(section->problem, diag.text, sizeof(section->problem));
	start = is_own && section->has_source ? label->decl_line : 0;
	find_bounds(plan, section, start, is_own ? last_line : 0);
	return find_ranges(plan, section, start);
}

int annotate_plan_make(struct annotate_plan *plan, const struct annotate *annotate, uint32_t node,
	const struct annotate_target *target, const struct annotate_options *options,
	uint32_t last_line)
{
	*plan = (struct annotate_plan){ .annotate = annotate,
		.target = target,
		.options = options,
		.node = node,
		.self = annotate->self[node],
		.total = annotate->total[node] };
	if (add_rows(plan) != 0)
		return -1;
	sort_sections(plan);
	for (size_t i = 0; i < plan->n_sections; i++)
		if (read_section(plan, &plan->sections[i], last_line) != 0)
			return -1;
	return 0;
}

void annotate_plan_release(struct annotate_plan *plan)
{
	for (size_t i = 0; i < plan->n_sections; i++) {
		source_release(&plan->sections[i].source);
		free(plan->sections[i].rows);
		free(plan->sections[i].ranges);
	}
	free(plan->sections);
	memset(plan, 0, sizeof(*plan));
}

const struct annotate_row *annotate_row_at(const struct annotate_section *section, uint32_t line)
{
	struct annotate_row key = { .line = line };

	return section->n_rows ? bsearch(&key, section->rows, section->n_rows, sizeof(key), by_line)
			       : NULL;
}

const struct annotate_construct *annotate_construct_at(const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line, size_t k)
{
	const struct annotate *a = plan->annotate;

	for (size_t i = 0; i < a->n_constructs; i++) {
		const struct name_label *label = label_of(a, a->constructs[i].line);

		if (label->line == line && label->file == section->file &&
			(a->places.nodes[a->constructs[i].line].parent == plan->node) && k-- == 0)
			return &a->constructs[i];
	}
	return NULL;
}
