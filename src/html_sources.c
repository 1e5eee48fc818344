/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the source near those that the tree names, for the page; see html.h. */
#include <stdlib.h>
#include <string.h>

#include "src/html.h"
#include "src/source.h"

enum {
	NEAR = 5,          /* lines before and after */
	MOST_FILES = 64,   /* those whose lines took most come first */
	MOST_LINES = 4000, /* of a file */
	TAB_COLUMNS = 8
};

/* A line of a file, and what samples took in it. */
struct spot {
	const char *file;
	uint32_t line;
	uint64_t weight;
};

static int compare(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int compare_weights(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return compare(a, b);
}

static size_t list_spots(struct spot *spots, const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->names.n_nodes; i++) {
		const struct name_node *node = &report->names.nodes[i];

		if (node->label.file[0] && node->label.line)
			spots[n++] = (struct spot){ node->label.file, node->label.line,
				name_self(&report->names, i).samples };
	}
	qsort(spots, n, sizeof(*spots), compare);
	return n;
}

/* spots[0] to spots[n - 1] are of the file, in the order of lines. */
static void put_file(
	struct json *json, const struct source *source, const struct spot *spots, size_t n)
{
	char text[SOURCE_LINE_BYTES];
	uint32_t next = 1, n_put = 0;

	json_newline(json);
	json_object(json, NULL);
	json_string(json, "file", spots->file);
	json_string(json, "found", source->path);
	json_array(json, "lines");
	for (size_t i = 0; i < n; i++) {
		uint32_t first = spots[i].line > NEAR ? spots[i].line - NEAR : 1;

		if (first > next)
			next = first;
		for (; next <= source->n_lines && next <= (uint64_t)spots[i].line + NEAR &&
			n_put < MOST_LINES;
			next++, n_put++) {
			source_text(text, sizeof(text), source, next, TAB_COLUMNS);
			json_array(json, NULL);
			json_number(json, NULL, next);
			json_string(json, NULL, text);
			json_end_array(json);
		}
	}
	json_end_array(json);
	json_end_object(json);
}

/* The file of the first spot, if it is found. */
static void put_spots(struct json *json, const struct spot *spots, size_t n)
{
	static const struct source_rules nowhere_else;
	struct source source;
	struct diag diag = { "", "" };

	if (source_open(&source, spots->file, &nowhere_else, &diag) == 0)
		put_file(json, &source, spots, n);
	source_release(&source);
}

/* Where each file's spots begin: one for each file, whose `line` is the index and weight the sum. */
static size_t list_files(struct spot *files, const struct spot *spots, size_t n)
{
	size_t n_files = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(spots[i].file, spots[i - 1].file) != 0)
			files[n_files++] = (struct spot){ spots[i].file, (uint32_t)i, 0 };
		files[n_files - 1].weight += spots[i].weight;
	}
	qsort(files, n_files, sizeof(*files), compare_weights);
	return n_files;
}

void html_put_sources(struct json *json, const struct report *report)
{
	struct spot *spots = calloc(report->names.n_nodes + 1, sizeof(*spots));
	struct spot *files = calloc(report->names.n_nodes + 1, sizeof(*files));
	size_t n = spots && files ? list_spots(spots, report) : 0;
	size_t n_files = n ? list_files(files, spots, n) : 0;

	json_array(json, NULL);
	for (size_t i = 0; i < n_files && i < MOST_FILES; i++) {
		size_t first = files[i].line, end = first + 1;

		while (end < n && strcmp(spots[end].file, spots[first].file) == 0)
			end++;
		put_spots(json, &spots[first], end - first);
	}
	json_end_array(json);
	free(files);
	free(spots);
}
