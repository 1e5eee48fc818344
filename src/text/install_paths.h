/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the files that belong to the command. They are beside an uninstalled command, or in the
 * installed tree. Somebody may have moved an installed tree as a whole, so places relative to the
 * command are tried first.
 */
#ifndef OMPPROF_SRC_TEXT_INSTALL_PATHS_H
#define OMPPROF_SRC_TEXT_INSTALL_PATHS_H

#include <stddef.h>

/*
 * Finds the first of `places` that can be read. A place begins with "/" and is relative to the
 * folder of the command, unless INSTALL_PATH_AT made it. NULL ends the list. Returns 0 with the
 * path, or -1 with errno and the path that was tried last.
 */
int install_path_find(char *path, size_t bytes, const char *const *places);

/* A place that is not relative to the command. */
#define INSTALL_PATH_AT(path) ("=" path)

#endif
