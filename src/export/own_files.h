/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are ompprof's own: exports, pages and merged profiles. The command replaces these without being told to,
 * and no others (atomic_write.h).
 */
#ifndef OMPPROF_SRC_EXPORT_OWN_FILES_H
#define OMPPROF_SRC_EXPORT_OWN_FILES_H

#include <stddef.h>

enum { OWN_HEAD_BYTES = 1 << 16 };

/* The marks of a kind of files: what they begin with, and what is in their first bytes. */
struct own_mark {
	const char *begins; /* NULL: there are no marks */
	const char *holds;  /* or NULL */
	size_t holds_at;    /* where; 0: anywhere in the first OWN_HEAD_BYTES */
};

/* Whether the file has the marks of one of our kinds. An empty file is anybody's; one that cannot be read is not ours. */
int own_file_is(const char *path);

#endif
