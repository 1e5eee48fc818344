/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines near the lines that the tree names, for the page; see html.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/annotate/annotate_code.h"
#include "src/page/html.h"
#include "src/symbols/source_match.h"

enum {
	NEAR = 5, /* lines shown before and after a line that the tree names */
	MOST_FILES = 64,
	MOST_LINES = 4000,
	TAB_COLUMNS = 8
};

/* A line of a file, and the samples in it. */
struct spot {
	const char *file;
	uint32_t line;
	uint32_t node; /* of report->names */
	uint64_t weight;
};

struct sources {
	const struct report *report;
	const struct source_rules *rules;
	const uint32_t *code_of; /* see find_code() */
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

		if (node->label->file[0] && node->label->line)
			spots[n++] = (struct spot){ node->label->file, node->label->line,
				(uint32_t)i, name_self(&report->names, i).samples };
	}
	qsort(spots, n, sizeof(*spots), compare);
	return n;
}

/* Writes a file's lines near spots[0] to spots[n - 1], which are sorted by line. */
static void put_lines(
	struct json *json, const struct source *source, const struct spot *spots, size_t n)
{
	char text[SOURCE_LINE_BYTES];
	uint32_t next = 1, n_put = 0;

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
}

/*
 * The real path of the profile's folder, or of the profile if it is a folder. NULL if it is not
 * known.
 */
static char *find_folder(const char *path)
{
	char *real = realpath(path, NULL), above[PATH_MAX];
	struct stat status;

	if (real && stat(real, &status) == 0 && S_ISDIR(status.st_mode))
		return real;
	free(real);
	/* The path of a part of a merged file names no file: its folder is one step further up. */
	snprintf(above, sizeof(above), "%s", path);
	for (char *slash; (slash = strrchr(above, '/'));) {
		*slash = '\0';
		real = realpath(above[0] ? above : "/", NULL);
		if (real && stat(real, &status) == 0 && S_ISDIR(status.st_mode))
			return real;
		free(real);
	}
	return realpath(".", NULL);
}

/*
 * Whether the object at the path probably did not come with the profile: it is not in the profile's
 * folder, and its name does not lead to a different file in each process.
 */
static int is_apart(const struct report *report, const char *object)
{
	char *real, *folder;
	size_t n;
	int is;

	if (object[0] != '/' || strstr(object, "/proc/") || strstr(object, "/dev/fd/"))
		return 0;
	real = realpath(object, NULL);
	folder = find_folder(report->path);
	n = folder ? strlen(folder) : 0;
	is = real && folder && (strncmp(real, folder, n) != 0 || (real[n] != '/' && n > 1));
	free(folder);
	free(real);
	return is;
}

/*
 * Whether the object that has the spot's code itself says that the file is among its sources;
 * *has_md5 says whether it also has the MD5. Debug information kept beside the profile is not used.
 */
static int is_named(const struct report *report, const uint32_t *code_of, const struct spot *spot,
	uint8_t md5[16], int *has_md5)
{
	uint32_t i = code_of[spot->node];
	const struct tree_node *code = i != NAMES_NONE ? &report->tree.nodes[i] : NULL;
	int status;

	if (!code || !report->symbols || code->module >= report->profile.n_modules)
		return 0;
	if (!is_apart(report, report->profile.modules[code->module].path))
		return 0;
	struct symbols_object object = annotate_object(&report->profile, code->module);

	status = symbols_source_md5(report->symbols, &object,
		code->addr - 1 - report->profile.modules[code->module].bias, spot->file, md5);
	*has_md5 = status == 0;
	return status >= 0;
}

/* Whether the file may be quoted. Sets `problem` to the reason if not, or to a warning. */
static int may_quote(char *problem, size_t problem_bytes, const struct sources *sources,
	const struct source *source, const struct spot *spots, size_t n)
{
	const struct report *report = sources->report;
	char path[PATH_MAX];
	int is_asked_for = source_find_by_rules(path, spots->file, sources->rules) == 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t md5[16];
		int has_md5;

		if (!is_named(report, sources->code_of, &spots[i], md5, &has_md5))
			continue;
		source_match(problem, problem_bytes, source,
			report->profile
				.modules[report->tree.nodes[sources->code_of[spots[i].node]].module]
				.path,
			has_md5 ? md5 : NULL, spots[n - 1].line);
		if (is_asked_for)
			return 1;
		if (problem[0])
			return 0;
		if (!has_md5)
			snprintf(problem, problem_bytes,
				"not verified: the debug information has no MD5 of the file, so it "
				"may not be what was compiled");
		return 1;
	}
	snprintf(problem, problem_bytes,
		"no program or library on this machine says that it was compiled from this file");
	return is_asked_for;
}

static void put_file(struct json *json, const struct sources *sources, const struct spot *spots,
	size_t n, int is_too_many)
{
	struct source source = { .n_lines = 0 };
	struct diag diag = { "", "" };
	char problem[1024] = "";
	int is_found = 0, is_quoted = 0;

	if (is_too_many)
		snprintf(problem, sizeof(problem), "the page has the %d files with most samples",
			MOST_FILES);
	else if (source_open(&source, spots->file, sources->rules, &diag) == 0)
		is_found = 1;
	else
		snprintf(problem, sizeof(problem), "%s", diag.text);
	if (is_found)
		is_quoted = may_quote(problem, sizeof(problem), sources, &source, spots, n);
	json_newline(json);
	json_object(json, NULL);
	json_string(json, "file", spots->file);
	json_string(json, "found", is_quoted ? source.path : "");
	json_string(json, "problem", problem);
	json_array(json, "lines");
	if (is_quoted)
		put_lines(json, &source, spots, n);
	json_end_array(json);
	json_end_object(json);
	source_release(&source);
}

/* Lists the files as spots: `line` is the index of the file's first spot, the weight is the sum. */
static size_t list_files(struct spot *files, const struct spot *spots, size_t n)
{
	size_t n_files = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(spots[i].file, spots[i - 1].file) != 0)
			files[n_files++] =
				(struct spot){ .file = spots[i].file, .line = (uint32_t)i };
		files[n_files - 1].weight += spots[i].weight;
	}
	qsort(files, n_files, sizeof(*files), compare_weights);
	return n_files;
}

/*
 * Fills code_of: for each named node a node of the tree that has code of it, or NAMES_NONE. A
 * function's code includes what is inlined into it.
 */
static void find_code(uint32_t *code_of, const struct report *report)
{
	const struct name_tree *names = &report->names;

	for (size_t i = 0; i < names->n_nodes; i++)
		code_of[i] = NAMES_NONE;
	for (uint32_t i = 0; names->node_of && i < report->tree.n_nodes; i++) {
		uint32_t at = names->node_of[i];

		if (report->tree.nodes[i].kind != TREE_FRAME &&
			!tree_is_construct(report->tree.nodes[i].kind))
			continue;
		for (; at != NAMES_NONE && code_of[at] == NAMES_NONE;
			at = names->nodes[at].parent) {
			code_of[at] = i;
			if (names->nodes[at].label->kind != NAME_INLINED)
				break;
		}
	}
}

void html_put_sources(
	struct json *json, const struct report *report, const struct source_rules *rules)
{
	size_t n_nodes = report->names.n_nodes + 1;
	struct spot *spots = calloc(n_nodes, sizeof(*spots));
	struct spot *files = calloc(n_nodes, sizeof(*files));
	uint32_t *code_of = calloc(n_nodes, sizeof(*code_of));
	struct sources sources = { report, rules, code_of };
	size_t n = spots && files && code_of ? list_spots(spots, report) : 0;
	size_t n_files = n ? list_files(files, spots, n) : 0;

	if (n)
		find_code(code_of, report);
	json_array(json, NULL);
	for (size_t i = 0; i < n_files; i++) {
		size_t first = files[i].line, end = first + 1;

		while (end < n && strcmp(spots[end].file, spots[first].file) == 0)
			end++;
		put_file(json, &sources, &spots[first], end - first, i >= MOST_FILES);
	}
	json_end_array(json);
	free(code_of);
	free(files);
	free(spots);
}
