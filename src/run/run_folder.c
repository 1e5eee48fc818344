/* SPDX-License-Identifier: Apache-2.0 */
/* The folder with the link to libomp; see run_folder.h. */
#include "src/run/run_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/run_runtime.h"
#include "src/findings/report_runtime.h"

/* MADE_UP: the random letters of mkdtemp. */
enum { MADE_UP = 6, PREFIX_BYTES = 128 };

/* The folder's name up to the process number, without characters that separate folders. */
static void make_prefix(char prefix[PREFIX_BYTES])
{
	char host[65] = "";

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) {
		if (!isalnum((unsigned char)*c) && *c != '.')
			*c = '-';
	}
	snprintf(prefix, PREFIX_BYTES, "%s%s-", RUN_RUNTIME_FOLDER + 1, host);
}

/* Whether it is the name of such a folder, and not of a host with a longer name. */
static int is_name(const char *name, const char *prefix)
{
	size_t n = strlen(prefix), digits;

	if (strncmp(name, prefix, n) != 0)
		return 0;
	digits = strspn(name + n, "0123456789");
	return digits && name[n + digits] == '-' && strlen(name + n + digits + 1) == MADE_UP;
}

/*
 * Removes a folder of this user whose maker has ended: the maker makes the link under a lock, so a
 * folder with a link and without a lock has no maker. Nothing but the link in it is removed.
 */
static void remove_left(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	char target;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		readlinkat(fd, LIBGOMP_NAME, &target, sizeof(target)) > 0) {
		unlinkat(fd, LIBGOMP_NAME, 0);
		unlinkat(parent, name, AT_REMOVEDIR);
	}
	close(fd);
}

/* The folder for temporary files, unless the loader would split or expand its path. */
static const char *find_parent(void)
{
	const char *parent = getenv("TMPDIR");

	if (!parent || parent[0] != '/' || strpbrk(parent, ":;$") || strlen(parent) > PATH_MAX / 2)
		return "/tmp";
	return parent;
}

void run_folder_remove_left(void)
{
	DIR *folder = opendir(find_parent());
	char prefix[PREFIX_BYTES];
	const struct dirent *entry;

	make_prefix(prefix);
	while (folder && (entry = readdir(folder))) {
		if (is_name(entry->d_name, prefix))
			remove_left(dirfd(folder), entry->d_name);
	}
	if (folder)
		closedir(folder);
}

static int give_up(char *path, int fd, struct diag *diag)
{
	diag_set(diag, "cannot make '%s/" LIBGOMP_NAME "': %s", path, strerror(errno));
	rmdir(path);
	path[0] = '\0';
	if (fd >= 0)
		close(fd);
	return -1;
}

int run_folder_make(char *path, size_t bytes, const char *target, struct diag *diag)
{
	const char *parent = find_parent();
	char prefix[PREFIX_BYTES];
	int fd;

	make_prefix(prefix);
	snprintf(path, bytes, "%s/%s%d-XXXXXX", parent, prefix, (int)getpid());
	if (!mkdtemp(path)) {
		path[0] = '\0';
		return diag_set(diag, "cannot make a folder in '%s': %s", parent, strerror(errno));
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return give_up(path, fd, diag);
	/* Without locks in the file system nobody gets one, and nobody removes it. */
	flock(fd, LOCK_EX);
	/* A program that changes its user can still read the link. */
	if (fchmod(fd, 0755) != 0 || symlinkat(target, fd, LIBGOMP_NAME) != 0)
		return give_up(path, fd, diag);
	return fd;
}

void run_folder_remove(const char *path, int lock)
{
	unlinkat(lock, LIBGOMP_NAME, 0);
	rmdir(path);
	close(lock);
}
