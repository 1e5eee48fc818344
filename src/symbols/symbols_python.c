/* SPDX-License-Identifier: Apache-2.0 */
/* Python functions; see symbols_python.h and symbols.h. */
#include "src/symbols/symbols_python.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The last colon before `end`; NULL: there is none. */
static const char *colon_before(const char *path, const char *end)
{
	while (end > path && *--end != ':')
		;
	return *end == ':' ? end : NULL;
}

struct symbols_python symbols_python_split(const char *path)
{
	const char *second = colon_before(path, path + strlen(path));
	const char *first = second ? colon_before(path, second) : NULL;

	if (!first || !isdigit((unsigned char)first[1]))
		return (struct symbols_python){ .name = path };
	return (struct symbols_python){
		.file_bytes = (size_t)(first - path),
		.line = (uint32_t)strtoul(first + 1, NULL, 10),
		.name = second + 1,
	};
}
