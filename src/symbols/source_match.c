/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a source file with the file that was compiled; see source_match.h. */
#include "src/symbols/source_match.h"

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "src/text/text.h"

#if HAVE_MD5_BUFFER
/* A function of libiberty. Debian's package has the function but no header for it. */
extern void *md5_buffer(const char *bytes, size_t n, void *sum);

static int is_md5(const struct source *source, const uint8_t md5[16])
{
	uint32_t sum[4];

	md5_buffer(source->text, source->n_bytes, sum);
	return memcmp(sum, md5, sizeof(sum)) == 0;
}

enum { CAN_COMPARE = 1 };
#else
static int is_md5(const struct source *source, const uint8_t md5[16])
{
	(void)source;
	(void)md5;
	return 1;
}

enum { CAN_COMPARE = 0 };
#endif

static int is_newer(const struct source *source, const char *object)
{
	struct stat status;

	if (stat(object, &status) != 0)
		return 0;
	if (source->changed.tv_sec != status.st_mtim.tv_sec)
		return source->changed.tv_sec > status.st_mtim.tv_sec;
	return source->changed.tv_nsec > status.st_mtim.tv_nsec;
}

void source_match(char *text, size_t text_bytes, const struct source *source, const char *object,
	const uint8_t md5[16], uint32_t most_line)
{
	char path[256], name[256];

	text[0] = '\0';
	text_clean(path, sizeof(path), source->path);
	text_clean(name, sizeof(name), object);
	if (md5 && CAN_COMPARE) {
		if (!is_md5(source, md5))
			snprintf(text, text_bytes,
				"'%s' is not what was compiled: its MD5 is not the one in the "
				"debug information",
				path);
	} else if (is_newer(source, object)) {
		snprintf(text, text_bytes,
			"'%s' is newer than '%s': its lines may have moved since", path, name);
	}
	if (!text[0] && most_line > source->n_lines)
		snprintf(text, text_bytes,
			"'%s' is not what was compiled: it has %zu lines, but there is code of "
			"line %u",
			path, source->n_lines, most_line);
}
