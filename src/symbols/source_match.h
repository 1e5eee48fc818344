/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a source file is what was compiled, as far as can be told from its content and age. */
#ifndef OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H
#define OMPPROF_SRC_SYMBOLS_SOURCE_MATCH_H

#include "src/symbols/source.h"

/*
 * A sentence in `text` if the file is likely to be another than the one that `object` (a path) was
 * compiled from, else "": `md5` is the one in the debug information, or NULL; where it is known the file's age
 * says nothing. `most_line` is the last line that is known to have code.
 */
void source_match(char *text, size_t text_bytes, const struct source *source, const char *object,
	const uint8_t md5[16], uint32_t most_line);

#endif
