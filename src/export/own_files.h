/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which files are ompprof's own: exports, pages and merged profiles. The command replaces
 * only these and empty files without being told to (atomic_write.h).
 */
#ifndef OMPPROF_SRC_EXPORT_OWN_FILES_H
#define OMPPROF_SRC_EXPORT_OWN_FILES_H

#include <stddef.h>

enum { OWN_HEAD_BYTES = 1 << 16 };

/* How a kind of files is recognised: the bytes at its begin, and text among its first bytes. */
struct own_mark {
	const char *begins; /* NULL: it is not recognised this way */
	const char *holds;  /* or NULL */
	size_t holds_at;    /* offset of `holds`; 0: anywhere in the first OWN_HEAD_BYTES */
};

/* Whether it is a file of ompprof, or empty. No if it cannot be read. */
int own_file_is(const char *path);

#endif
