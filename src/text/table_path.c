/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the paths of a tree's rows; see table_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "src/text/table_internal.h"

/* A longer path is left out: the sum of all paths would grow with the square of the file. */
enum { PATH_MOST_BYTES = 1 << 14 };

struct table_path {
	size_t *ends; /* by depth: where the path ends in `text`; SIZE_MAX: the path is too long */
	char text[PATH_MOST_BYTES + 1];
	char clean[NAME_MOST_BYTES];
};

struct table_path *table_path_new(size_t n_rows)
{
	struct table_path *path = calloc(1, sizeof(*path));

	if (!path)
		return NULL;
	path->ends = calloc(n_rows + 2, sizeof(*path->ends));
	if (!path->ends) {
		free(path);
		return NULL;
	}
	return path;
}

void table_path_free(struct table_path *path)
{
	if (!path)
		return;
	free(path->ends);
	free(path);
}

static void clean_name(char *clean, const struct plan *plan)
{
	int i = 0;

	while (plan->table->columns[i].key && plan->table->columns[i].kind != TABLE_NAME)
		i++;
	table_clean_name(clean, &plan->row.cells[i]);
}

const char *table_path_extend(struct table_path *path, const struct plan *plan, uint32_t depth)
{
	size_t to = path->ends[depth - 1];

	clean_name(path->clean, plan);
	if (to == SIZE_MAX || to + strlen(path->clean) + 1 > PATH_MOST_BYTES) {
		path->ends[depth] = SIZE_MAX;
		return "";
	}
	if (depth > 1)
		path->text[to++] = ';';
	for (const char *at = path->clean; *at; at++)
		path->text[to++] = *at == ';' ? ':' : *at;
	path->text[to] = '\0';
	path->ends[depth] = to;
	return path->text;
}
