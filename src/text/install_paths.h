/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the files are that belong to the command: beside an uninstalled one, or where both were
 * installed. An installed tree may have been moved as a whole, so places are relative to the
 * command first.
 */
#ifndef OMPPROF_SRC_TEXT_INSTALL_PATHS_H
#define OMPPROF_SRC_TEXT_INSTALL_PATHS_H

#include <stddef.h>

/*
 * Finds the first of `places` that can be read. They begin with "/" and are relative to the folder
 * of the command, but for those made by INSTALL_PATH_AT; after the last comes NULL. Returns 0 with the
 * path, or -1 with errno and the path that was tried last.
 */
int install_path_find(char *path, size_t bytes, const char *const *places);

/* A place that is not relative to the command. */
#define INSTALL_PATH_AT(path) ("=" path)

#endif
