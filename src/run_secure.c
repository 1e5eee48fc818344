/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that gain rights when they are executed (set-user-ID, set-group-ID, capabilities of the file): the
 * loader ignores what is preloaded into them, so they cannot be profiled; see run.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/run.h"

enum { INTERPRETERS_MOST = 5 };

/* The file that execvp would execute, in `path`; 0, or -1 if there is none. */
static int find_program(char path[PATH_MAX], const char *name)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX ? 0 : -1;
	for (at = at ? at : "/bin:/usr/bin"; at;
		at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
		int n = (int)strcspn(at, ":");
		struct stat st;

		if (snprintf(path, PATH_MAX, "%.*s%s%s", n, at, n ? "/" : "", name) < PATH_MAX &&
			stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
			return 0;
	}
	return -1;
}

/* Replaces a script's path by its interpreter's. Returns 0 if it was no script. */
static int follow_interpreter(char path[PATH_MAX])
{
	char line[256], *name;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 3 || line[0] != '#' || line[1] != '!')
		return 0;
	line[n] = '\0';
	name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\r\n")] = '\0';
	if (!name[0])
		return 0;
	snprintf(path, PATH_MAX, "%s", name);
	return 1;
}

/* Whether the kernel heeds what a file says of rights. */
static int are_rights_granted(const char *path)
{
	struct statvfs fs;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 &&
	       !(statvfs(path, &fs) == 0 && fs.f_flag & ST_NOSUID);
}

const char *run_find_gain(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (find_program(path, name) != 0)
		return NULL;
	for (int i = 0; i < INTERPRETERS_MOST && follow_interpreter(path); i++)
		;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !are_rights_granted(path))
		return NULL;
	if (st.st_mode & S_ISUID && st.st_uid != getuid())
		return "it is set-user-ID";
	/* Without the group's right to execute the bit means something else. */
	if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid())
		return "it is set-group-ID";
	/* Root has all capabilities already. */
	if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "its file has capabilities";
	return NULL;
}
