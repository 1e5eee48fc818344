/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the profile that is meant; see top.h. A process is recognised by the profile that it has
 * mapped (/proc/PID/maps). The mapping exists from the tool's start to the process' end, whatever
 * started the tool: `ompprof run`, or a runtime that OMP_TOOL_LIBRARIES told to load it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader/reader.h"
#include "profile/shared/folder.h"
#include "src/top/top.h"

static const char suffix[] = ".ompprof";
static const char how[] = "profile a program with: ompprof run COMMAND";

/* The path in a line of maps, terminated in place, if its name is a profile's; else NULL. */
static char *profile_in(char *line)
{
	char *path = strchr(line, '/');
	size_t n;

	if (!path)
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	n = strlen(path);
	return n >= sizeof(suffix) && strcmp(path + n - (sizeof(suffix) - 1), suffix) == 0 ? path
											   : NULL;
}

/* Finds the profile that the process has mapped. Returns 1 with its path, 0 or -errno. */
static int find_mapped(const char *pid, char *path, size_t bytes)
{
	char name[64], line[4352];
	char *found;
	int is_found = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%.20s/maps", pid);
	maps = fopen(name, "re");
	if (!maps)
		return -errno;
	while (!is_found && fgets(line, sizeof(line), maps)) {
		found = profile_in(line);
		is_found = found && snprintf(path, bytes, "%s", found) < (int)bytes;
	}
	/* If the kernel refuses access, the first read fails. */
	if (!is_found && ferror(maps))
		is_found = -errno;
	fclose(maps);
	return is_found;
}

static int refuse(struct diag *diag, const char *pid, int error)
{
	if (error == ENOENT || error == ESRCH)
		return diag_set(diag, "cannot find a process %s", pid);
	if (error)
		return diag_set(diag, "cannot look at process %s: %s", pid, strerror(error));
	diag_set(diag, "process %s is not being profiled", pid);
	diag_hint(diag, "%s", how);
	return -1;
}

static int is_number(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n > 0 && n < 10 && text[n] == '\0';
}

static int find_process(struct top_target *target, const char *pid, struct diag *diag)
{
	int found = find_mapped(pid, target->path, sizeof(target->path));

	if (found < 0 && (found == -EACCES || found == -EPERM) && kill(atoi(pid), 0) != 0 &&
		errno == ESRCH)
		found = -ESRCH;
	return found > 0 ? 0 : refuse(diag, pid, -found);
}

/* Whether a program on this host writes to the profile. */
static int is_live(const char *path)
{
	struct profile_list list;
	struct diag diag = { "", "" };
	int is_found = 0;

	if (profile_list_read(&list, path, &diag) == 0) {
		for (size_t i = 0; i < list.n && !is_found; i++) {
			char pid[16], mapped[4096];
			const char *name = strrchr(list.entries[i].path, '/');

			snprintf(pid, sizeof(pid), "%u", (unsigned)list.entries[i].header.pid);
			is_found = find_mapped(pid, mapped, sizeof(mapped)) > 0 && name &&
				   strlen(mapped) >= strlen(name) &&
				   strcmp(mapped + strlen(mapped) - strlen(name), name) == 0;
		}
	}
	profile_list_release(&list);
	return is_found;
}

/* Returns how many processes are being profiled; `pid` becomes the number of one of them. */
static size_t find_any(char *pid, size_t bytes)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[4096];
	size_t n = 0;

	while (proc && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
			find_mapped(entry->d_name, path, sizeof(path)) <= 0)
			continue;
		snprintf(pid, bytes, "%.20s", entry->d_name);
		n++;
	}
	if (proc)
		closedir(proc);
	return n;
}

int top_find(struct top_target *target, const char *what, struct diag *diag)
{
	char pid[32];
	struct stat st;

	*target = (struct top_target){ 0 };
	if (what && is_number(what) && stat(what, &st) != 0)
		return find_process(target, what, diag);
	if (!what && !is_live(PROFILE_DEFAULT_FOLDER)) {
		size_t n = find_any(pid, sizeof(pid));

		if (n == 1)
			return find_process(target, pid, diag);
		if (n > 1) {
			diag_set(diag, "%zu processes are being profiled", n);
			diag_hint(diag, "say which: ompprof top PID");
			return -1;
		}
		if (stat(PROFILE_DEFAULT_FOLDER, &st) != 0) {
			diag_set(diag, "cannot find a program that is being profiled");
			diag_hint(diag, "%s", how);
			return -1;
		}
	}
	if (snprintf(target->path, sizeof(target->path), "%s",
		    what ? what : PROFILE_DEFAULT_FOLDER) >= (int)sizeof(target->path))
		return diag_set(diag, "cannot read '%s': %s", what, strerror(ENAMETOOLONG));
	return 0;
}
