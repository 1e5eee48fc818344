/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that the command writes for its user: exports and pages. A file is made beside its name and takes its place when
 * it is whole, so that a failure leaves what was there, and a signal that ends the command nothing else.
 */
#ifndef OMPPROF_SRC_TEXT_ATOMIC_WRITE_H
#define OMPPROF_SRC_TEXT_ATOMIC_WRITE_H

#include <stdio.h>

#include "profile/shared/diag.h"

/*
 * Writes all of `data`. Returns 0, or -1 with *diag set. What cannot be written to `out` need not be noticed:
 * save_file() looks.
 */
typedef int save_write(const void *data, FILE *out, struct diag *diag);

/* Where to. */
struct save_place {
	const char *path; /* NULL or "-": standard output */
	int is_forced;    /* a file that is not ompprof's own is replaced, too */
	int is_merged;    /* a merged profile is written, and replaces one */

	/* Whether a file that is there is ompprof's own; NULL: none is. */
	int (*is_own)(const char *path);
};

/*
 * Writes to `path`; NULL or "-": to standard output. A file that is there keeps its mode, also through a link; a new one
 * has what the umask leaves. What is no regular file (a pipe, a device) is written to as it is. A file that
 * is not ompprof's own (is_own) is replaced only if that is forced, and a profile never. Returns 0, or -1 with
 * *diag set.
 */
int save_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag);

/* As that, but others cannot read a new file, as they cannot profiles. */
int save_private_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag);

#endif
