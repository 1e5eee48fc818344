/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the files that the command makes for its user: exports, pages and merged files. The
 * content goes to a temporary file beside the final name. The temporary file takes that name once
 * it is complete. So a failure leaves the former file as it was. The usual signals that end a
 * command leave no temporary file; SIGKILL or a crash leaves it.
 */
#ifndef OMPPROF_SRC_TEXT_ATOMIC_WRITE_H
#define OMPPROF_SRC_TEXT_ATOMIC_WRITE_H

#include <stdio.h>

#include "profile/shared/diag.h"

/* Writes all of `data`. Returns 0, or -1 with *diag set; save_file() checks `out` itself. */
typedef int save_write(const void *data, FILE *out, struct diag *diag);

struct save_place {
	const char *path; /* NULL or "-": standard output */
	int is_forced;    /* also replaces a file that is not ompprof's own */
	int is_merged;    /* the content is a merged profile, and may replace a merged profile */

	/* Whether an existing file is ompprof's own. NULL: none is. */
	int (*is_own)(const char *path);
};

/*
 * Makes the folders above `path` that are missing, as far as they can be made. Returns the length
 * of the outermost folder's path; 0: none was made.
 */
size_t save_make_parents(const char *path);

/*
 * Writes to `path`, and makes the folders above it if they are missing; to standard output if
 * `path` is NULL or "-". An existing file keeps its mode, also if `path` is a link to it. A new
 * file has the mode that the umask leaves. A file that is not regular (a pipe, a device), or that
 * is also standard output, is written to directly. A file that is not ompprof's own (is_own) is
 * replaced only with is_forced. A profile is never replaced, except a merged profile by another
 * (is_merged). Returns 0, or -1 with *diag set.
 */
int save_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag);

/* Does as save_file(), but a new file can only be read by this user. */
int save_private_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag);

#endif
