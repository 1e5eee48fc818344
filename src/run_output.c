/* SPDX-License-Identifier: Apache-2.0 */
/* Where the profile goes; see run.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Moves the profile at output->path out of the way. */
static int keep_previous(struct run_output *output, struct diag *diag)
{
	struct stat st;

	if (lstat(output->path, &st) != 0)
		return 0;
	if (!S_ISDIR(st.st_mode) || !is_profile_folder(output->path))
		return diag_set(
			diag, "cannot write to '%s': it exists and holds no profile", output->path);
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
