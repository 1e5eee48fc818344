/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a source file is the file that was compiled, judged by its content and its age. */
#ifndef OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H
#define OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H

#include "src/symbols/source.h"

/*
 * Writes a sentence to `text` if the file is probably not the file from which `object` (a path) was
 * compiled; else "". `md5` is the MD5 in the debug information, or NULL. If it is known, the file's
 * age does not matter. `most_line` is the last line that is known to have code.
 */
void source_match(char *text, size_t text_bytes, const struct source *source, const char *object,
	const uint8_t md5[16], uint32_t most_line);

#endif
