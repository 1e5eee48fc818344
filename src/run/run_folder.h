/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder with the link `libgomp.so.1` (run_runtime.h says why it exists). Each run has one, in
 * the folder for temporary files: .../ompprof-libomp-HOST-PID-XXXXXX. Its maker keeps it locked
 * (flock) and removes it at the end. If the maker is killed, the lock is gone, and the next run of
 * this user on this host removes the folder.
 */
#ifndef OMPPROF_SRC_RUN_RUN_FOLDER_H
#define OMPPROF_SRC_RUN_RUN_FOLDER_H

#include <stddef.h>

#include "profile/shared/diag.h"

/* Removes the folders of this user's earlier runs on this host whose makers were killed. */
void run_folder_remove_left(void);

/*
 * Makes the folder with a link to `target`. Returns the descriptor that keeps it locked, with its
 * path in `path`; or -1 with *diag set and `path` "".
 */
int run_folder_make(char *path, size_t bytes, const char *target, struct diag *diag);

void run_folder_remove(const char *path, int lock);

#endif
