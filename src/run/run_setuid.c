/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that gain rights when they are executed (set-user-ID, set-group-ID, file capabilities).
 * The loader ignores preloaded libraries for them, so they cannot be profiled; see run.h.
 */
#include <limits.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/run/run.h"
#include "src/run/run_runtime.h"

/* Whether a program on this file system can gain rights at all. */
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

	/* A file that may be executed but not read can gain rights as well. */
	if (run_program_find(name, path, sizeof(path)) < 0)
		return NULL;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !are_rights_granted(path))
		return NULL;
	if (st.st_mode & S_ISUID && st.st_uid != getuid())
		return "it is set-user-ID";
	/* Without the group's execute bit, the set-group-ID bit means something else. */
	if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid())
		return "it is set-group-ID";
	/* Root has all capabilities already. */
	if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "its file has capabilities";
	return NULL;
}
