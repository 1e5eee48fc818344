/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes ompprof's own files by their first bytes; see own_files.h. */
#include "src/export/own_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/reader/merged.h"
#include "src/export/export.h"

static const struct own_mark page = { "<!DOCTYPE html>", "<title>ompprof report</title>", 0 };
static const struct own_mark merged = { MERGED_MAGIC, NULL, 0 };

static int is_at(const char *head, size_t n, size_t at, const char *text)
{
	size_t n_text = strlen(text);

	return n >= at + n_text && memcmp(head + at, text, n_text) == 0;
}

static int has_mark(const struct own_mark *mark, const char *head, size_t n)
{
	if (!mark->begins || !is_at(head, n, 0, mark->begins))
		return 0;
	if (!mark->holds)
		return 1;
	return mark->holds_at ? is_at(head, n, mark->holds_at, mark->holds)
			      : memmem(head, n, mark->holds, strlen(mark->holds)) != NULL;
}

static int is_own(const char *path, const char *head, size_t n)
{
	if (n == 0 || has_mark(&page, head, n) || has_mark(&merged, head, n))
		return 1;
	for (size_t i = 0; export_formats[i]; i++)
		if (has_mark(&export_formats[i]->mark, head, n) ||
			(export_formats[i]->is_own && export_formats[i]->is_own(path, head, n)))
			return 1;
	return 0;
}

int own_file_is(const char *path)
{
	char *head = malloc(OWN_HEAD_BYTES);
	FILE *file = head ? fopen(path, "rb") : NULL;
	int is = 0;

	if (file) {
		size_t n = fread(head, 1, OWN_HEAD_BYTES, file);

		is = !ferror(file) && is_own(path, head, n);
		fclose(file);
	}
	free(head);
	return is;
}
