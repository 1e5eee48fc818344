/* SPDX-License-Identifier: Apache-2.0 */
/* Where the profile goes; see run.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader.h"
#include "src/run.h"

static int is_profile_name(const char *name)
{
	size_t bytes = strlen(name);

	return bytes > 8 && strcmp(name + bytes - 8, ".ompprof") == 0;
}

/* Whether `path` is a folder that holds profiles, or nothing at all. */
static int is_profile_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int is_profile = folder != NULL;

	while (folder && is_profile && (entry = readdir(folder)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			is_profile = is_profile_name(entry->d_name);
	}
	if (folder)
		closedir(folder);
	return is_profile;
}

/* Removes a folder that is_profile_folder has looked at. */
static void remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)) != NULL) {
		if (is_profile_name(entry->d_name))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	closedir(folder);
	rmdir(path);
}

/* Whether a process has the file `name` mapped. Yes, if it cannot be seen. */
static int has_mapped(pid_t pid, const char *name)
{
	char path[64], *line = NULL;
	size_t bytes = 0;
	FILE *maps;
	int is_mapped = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	if (!maps)
		return 1;
	while (!is_mapped && getline(&line, &bytes, maps) > 0)
		is_mapped = strstr(line, name) != NULL;
	free(line);
	fclose(maps);
	return is_mapped;
}

/* The process on this host that still writes the profile `name` of a folder, or 0. */
static pid_t find_writer(int folder, const char *name)
{
	struct profile_header header;
	char host[sizeof(header.host)] = "";
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, &header, sizeof(header), 0);
	pid_t pid;

	if (fd >= 0)
		close(fd);
	gethostname(host, sizeof(host) - 1);
	if (n != (ssize_t)sizeof(header) ||
		memcmp(header.magic, PROFILE_MAGIC, sizeof(header.magic)) != 0 ||
		header.flags & PROFILE_COMPLETE || strncmp(header.host, host, sizeof(host)) != 0)
		return 0;
	pid = (pid_t)header.pid;
	/* The number may be another process' by now. */
	if (pid <= 0 || (kill(pid, 0) != 0 && errno != EPERM) || !has_mapped(pid, name))
		return 0;
	return pid;
}

/* Refuses a folder that a program still writes to. */
static int check_unused(const char *path, struct diag *diag)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	pid_t pid = 0;

	while (folder && pid == 0 && (entry = readdir(folder)) != NULL) {
		if (is_profile_name(entry->d_name))
			pid = find_writer(dirfd(folder), entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (pid == 0)
		return 0;
	diag_set(diag, "cannot write to '%s': process %d still writes its profile there", path,
		(int)pid);
	diag_hint(diag, "'ompprof run -o DIR' takes another folder");
	return -1;
}

/* Moves the profile at output->path out of the way. */
static int keep_previous(struct run_output *output, struct diag *diag)
{
	struct stat st;

	if (lstat(output->path, &st) != 0)
		return 0;
	if (!S_ISDIR(st.st_mode) || !is_profile_folder(output->path))
		return diag_set(
			diag, "cannot write to '%s': it exists and holds no profile", output->path);
	if (check_unused(output->path, diag) != 0)
		return -1;
	snprintf(output->old, sizeof(output->old), "%s.old", output->path);
	if (lstat(output->old, &st) == 0) {
		if (!S_ISDIR(st.st_mode) || !is_profile_folder(output->old))
			return diag_set(diag,
				"cannot keep the previous profile as '%s': it exists "
				"and holds no profile",
				output->old);
		snprintf(output->older, sizeof(output->older), "%s.%d", output->old, (int)getpid());
		if (rename(output->old, output->older) != 0)
			output->older[0] = '\0';
	}
	if (rename(output->path, output->old) != 0)
		return diag_set(diag, "cannot keep the previous profile as '%s': %s", output->old,
			strerror(errno));
	return 0;
}

int run_output_prepare(struct run_output *output, const char *path, struct diag *diag)
{
	char cwd[4096] = "";
	size_t bytes;

	*output = (struct run_output){ 0 };
	if (path[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		return diag_set(diag, "cannot find the current folder: %s", strerror(errno));
	if (snprintf(output->path, sizeof(output->path), "%s%s%s", cwd, cwd[0] ? "/" : "", path) >=
		3500)
		return diag_set(diag, "cannot write to '%s': %s", path, strerror(ENAMETOOLONG));
	bytes = strlen(output->path);
	while (bytes > 1 && output->path[bytes - 1] == '/')
		output->path[--bytes] = '\0';
	if (keep_previous(output, diag) != 0)
		return -1;
	if (mkdir(output->path, 0700) == 0)
		return 0;
	diag_set(diag, "cannot make the folder '%s': %s", output->path, strerror(errno));
	run_output_undo(output);
	return -1;
}

void run_output_commit(const struct run_output *output)
{
	if (output->older[0])
		remove_folder(output->older);
}

void run_output_undo(const struct run_output *output)
{
	rmdir(output->path);
	if (output->old[0])
		rename(output->old, output->path);
	if (output->older[0])
		rename(output->older, output->old);
}
