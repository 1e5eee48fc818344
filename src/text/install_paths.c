/* SPDX-License-Identifier: Apache-2.0 */
/* Files that belong to the command; see install_paths.h. */
#include "src/text/install_paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the command's file; "" if it is not known. */
static void find_folder(char folder[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	char *slash;

	folder[n > 0 ? n : 0] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
}

int install_path_find(char *path, size_t bytes, const char *const *places)
{
	char folder[PATH_MAX];

	find_folder(folder);
	for (; *places; places++) {
		if (**places == '=')
			snprintf(path, bytes, "%s", *places + 1);
		else if (folder[0])
			snprintf(path, bytes, "%s%s", folder, *places);
		else
			continue;
		if (access(path, R_OK) == 0)
			return 0;
	}
	errno = errno ? errno : ENOENT;
	return -1;
}
