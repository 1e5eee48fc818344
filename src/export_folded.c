/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: "main;f;[barrier wait] 1500", a line for each stack, as flamegraph.pl and many others read them. What
 * is special there, ';' and line breaks, is replaced.
 */
#include <stdlib.h>

#include "src/export.h"

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

const struct export_format export_folded = {
	.name = "folded",
	.suffix = ".folded",
	.file = "ompprof.folded",
	.summary = "folded stacks, for flamegraph.pl",
	.viewer = "flamegraph.pl --countname=ns",
	.takes = EXPORT_SINGLE_METRIC,
	.write = write_folded,
};
