/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: "main;f;[barrier wait] 1500", a line for each stack. flamegraph.pl and many other
 * programs read them. The characters that are special there, ';' and line breaks, are replaced.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export.h"

#define SUFFIX ".folded"

static void put_name(FILE *out, const char *name)
{
	if (!*name)
		fputc('?', out);
	for (; *name; name++)
		fputc(*name == ';' ? ':' : *name, out);
}

static void put_stack(FILE *out, const struct name_tree *merged, uint32_t node, uint32_t *path)
{
	size_t n = 0;

	for (; node; node = merged->nodes[node].parent)
		path[n++] = node;
	while (n-- > 0) {
		put_name(out, merged->nodes[path[n]].label->name);
		if (n)
			fputc(';', out);
	}
}

static int write_folded(const struct export *export, FILE *out, struct diag *diag)
{
	static uint32_t path[EXPORT_MOST_DEPTH + 1];
	struct name_tree merged;
	uint64_t *values;
	int status = export_merge(export, &merged, &values, diag);

	for (uint32_t i = 0; i < merged.n_nodes && status == 0; i++) {
		if (!values[i])
			continue;
		if (i == 0)
			put_name(out, export->nodes[0].name);
		put_stack(out, &merged, i, path);
		fprintf(out, " %llu\n", (unsigned long long)values[i]);
	}
	free(values);
	name_tree_release(&merged);
	return status;
}

/* Whether the line is "TEXT NUMBER". */
static int is_line(const char *line, size_t n)
{
	size_t digits = 0;

	while (digits < n && line[n - 1 - digits] >= '0' && line[n - 1 - digits] <= '9')
		digits++;
	return digits && n > digits + 1 && line[n - 1 - digits] == ' ';
}

/*
 * Folded stacks have no place for a mark. A file is ours if all lines end in a number and, as a
 * table of numbers does so, too, a line has a ';' or the file has the suffix.
 */
static int is_folded(const char *path, const char *head, size_t n)
{
	const char *at = head, *end = head + n, *stop;
	size_t n_path = strlen(path), n_suffix = sizeof(SUFFIX) - 1;
	int has_suffix = n_path > n_suffix && strcmp(path + n_path - n_suffix, SUFFIX) == 0;

	for (; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1)
		if (!is_line(at, (size_t)(stop - at)))
			return 0;
	return at > head && (has_suffix || memchr(head, ';', (size_t)(at - head)));
}

const struct export_format export_folded = {
	.name = "folded",
	.suffix = SUFFIX,
	.file = "ompprof.folded",
	.summary = "folded stacks, for flamegraph.pl",
	.viewer = "flamegraph.pl --countname=ns",
	.takes = EXPORT_SINGLE_METRIC,
	.is_own = is_folded,
	.write = write_folded,
};
