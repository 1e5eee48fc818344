/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether a source file is the file that was compiled. */
#ifndef OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H
#define OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H

#include "src/symbols/source.h"

/*
 * Writes a sentence to `text` if the source is probably not what `object` (a path) was compiled
 * from; else "". `md5` is the MD5 in the debug information, or NULL; with it, the file's age does
 * not matter. `most_line` is the last line that has code.
 */
void source_match(char *text, size_t text_bytes, const struct source *source, const char *object,
	const uint8_t md5[16], uint32_t most_line);

#endif
