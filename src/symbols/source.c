/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a source file; see source.h. */
#include "src/symbols/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/text/text.h"

/* Returns NULL on success, or what is wrong. */
static const char *read_text(struct source *source, FILE *file)
{
	struct stat status;

	if (fstat(fileno(file), &status) != 0)
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "not a regular file";
	if (status.st_size > SOURCE_MOST_BYTES)
		return "more than 16 MB";
	source->changed = status.st_mtim;
	source->text = malloc(status.st_size + 1);
	if (!source->text)
		return "out of memory";
	source->n_bytes = fread(source->text, 1, status.st_size, file);
	if (ferror(file))
		return strerror(errno);
	return memchr(source->text, '\0', source->n_bytes) ? "not a text file" : NULL;
}

static int find_starts(struct source *source)
{
	const char *end = source->text + source->n_bytes, *at = source->text;
	size_t n = 0;

	for (const char *c = at; c < end; c++)
		n += *c == '\n';
	n += source->n_bytes > 0 && end[-1] != '\n';
	source->starts = malloc((n + 1) * sizeof(*source->starts));
	if (!source->starts)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const char *next = memchr(at, '\n', end - at);

		source->starts[i] = at - source->text;
		at = next ? next + 1 : end;
	}
	source->starts[n] = source->n_bytes;
	source->n_lines = n;
	return 0;
}

int source_open(struct source *source, const char *recorded, const struct source_rules *rules,
	struct diag *diag)
{
	char clean[512];
	const char *problem;
	FILE *file;
	int fd;

	memset(source, 0, sizeof(*source));
	text_clean(clean, sizeof(clean), recorded);
	if (source_find(source->path, recorded, rules) != 0)
		return diag_set(diag,
			"the source file '%s' is not there; --source-path says where it is", clean);
	fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	file = fd < 0 ? NULL : fdopen(fd, "rb");
	problem = file ? read_text(source, file) : strerror(errno);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	if (!problem && find_starts(source) != 0)
		problem = "out of memory";
	if (!problem)
		return 0;
	text_clean(clean, sizeof(clean), source->path);
	return diag_set(diag, "cannot read the source file '%s': %s", clean, problem);
}

void source_release(struct source *source)
{
	free(source->text);
	free(source->starts);
	memset(source, 0, sizeof(*source));
}

const char *source_line(const struct source *source, uint32_t n, size_t *n_bytes)
{
	size_t start, end;

	*n_bytes = 0;
	if (n == 0 || n > source->n_lines)
		return NULL;
	start = source->starts[n - 1];
	end = source->starts[n];
	while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
		end--;
	*n_bytes = end - start;
	return source->text + start;
}

/* Whether the byte is the first of a character of UTF-8. */
static int begins_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

void source_text(char *text, size_t text_bytes, const struct source *source, uint32_t n,
	unsigned tab_columns)
{
	size_t n_bytes, to = 0, column = 0;
	const char *line = source_line(source, n, &n_bytes);

	for (size_t i = 0; i < n_bytes && to + 1 < text_bytes; i++) {
		if (line[i] != '\t' || !tab_columns) {
			text[to++] = line[i];
			column += begins_character(line[i]);
			continue;
		}
		do
			text[to++] = ' ';
		while (++column % tab_columns && to + 1 < text_bytes);
	}
	text[to] = '\0';
}
