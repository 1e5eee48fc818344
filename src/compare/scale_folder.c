/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `ompprof scale`; see scale.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/compare/scale.h"

enum { PATH_BYTES = 4096, DIGITS_MOST = 6 };

enum found { FOUND_NOTHING, FOUND_EMPTY, FOUND_RUNS, FOUND_OTHER };

static const char *read_number(const char *text, uint32_t *number)
{
	int n = 0;

	*number = 0;
	for (; text[n] >= '0' && text[n] <= '9' && n < DIGITS_MOST; n++)
		*number = *number * 10 + (uint32_t)(text[n] - '0');
	return n && *number ? text + n : NULL;
}

/* Returns the text after "tN-N", or NULL. */
static const char *read_name(const char *name, uint32_t *n_threads, uint32_t *number)
{
	const char *at = name[0] == 't' ? read_number(name + 1, n_threads) : NULL;

	return at && *at == '-' ? read_number(at + 1, number) : NULL;
}

int scale_folder_parse(const char *name, uint32_t *n_threads, uint32_t *number)
{
	const char *end = read_name(name, n_threads, number);

	return end && *end == '\0' ? 0 : -1;
}

/* Also names of failed and of earlier runs. */
static int is_run_name(const char *name)
{
	uint32_t n_threads, number;
	const char *end = read_name(name, &n_threads, &number);

	return end && (*end == '\0' || strcmp(end, ".failed") == 0 || strcmp(end, ".old") == 0);
}

static enum found look_at(const char *path)
{
	enum found found = FOUND_EMPTY;
	struct dirent *entry;
	struct stat st;
	DIR *folder;

	if (lstat(path, &st) != 0)
		return FOUND_NOTHING;
	folder = st.st_uid == geteuid() ? run_output_open(path) : NULL;
	if (!folder)
		return FOUND_OTHER;
	while (found != FOUND_OTHER && (entry = readdir(folder)) != NULL) {
		if (is_run_name(entry->d_name))
			found = FOUND_RUNS;
		else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			found = FOUND_OTHER;
	}
	closedir(folder);
	return found;
}

/*
 * Calls `each` for every run in a folder until it returns a status other than 0. Returns the last
 * status.
 */
static int for_runs(const char *path, int (*each)(const char *path, void *data), void *data)
{
	DIR *folder = run_output_open(path);
	struct dirent *entry;
	char run[PATH_BYTES];
	int status = 0;

	while (folder && status == 0 && (entry = readdir(folder)) != NULL)
		if (is_run_name(entry->d_name) &&
			snprintf(run, sizeof(run), "%s/%s", path, entry->d_name) < (int)sizeof(run))
			status = each(run, data);
	if (folder)
		closedir(folder);
	return status;
}

static int remove_run(const char *path, void *data)
{
	(void)data;
	run_output_remove(path);
	return 0;
}

static int check_run(const char *path, void *data)
{
	return run_output_check_unused(path, data);
}

/* The length of DIR in "DIR/". */
static int name_length(const char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	return (int)n;
}

/* Moves DIR to DIR.old, and removes the previous DIR.old. */
static int keep_previous(const char *folder, struct diag *diag)
{
	char old[PATH_BYTES], older[PATH_BYTES + 32];
	enum found found;

	snprintf(old, sizeof(old), "%.*s.old", name_length(folder), folder);
	snprintf(older, sizeof(older), "%s.%d", old, (int)getpid());
	found = look_at(old);
	if (for_runs(folder, check_run, diag) != 0)
		return -1;
	if (found == FOUND_OTHER)
		return diag_set(diag,
			"cannot keep the previous runs as '%s': it exists and holds something else",
			old);
	if ((found != FOUND_NOTHING && rename(old, older) != 0) || rename(folder, old) != 0)
		return diag_set(
			diag, "cannot keep the previous runs as '%s': %s", old, strerror(errno));
	if (found != FOUND_NOTHING) {
		for_runs(older, remove_run, NULL);
		rmdir(older);
	}
	return 0;
}

int scale_folder_prepare(const char *folder, struct diag *diag)
{
	enum found found = look_at(folder);

	if (strlen(folder) > PATH_BYTES - 64)
		return diag_set(
			diag, "cannot make the folder '%s': %s", folder, strerror(ENAMETOOLONG));
	if (found == FOUND_OTHER)
		return diag_set(diag,
			"cannot write to '%s': it holds something that is no run of 'ompprof "
			"scale'",
			folder);
	if (found == FOUND_EMPTY || (found == FOUND_RUNS && keep_previous(folder, diag) != 0))
		return found == FOUND_EMPTY ? 0 : -1;
	if (mkdir(folder, 0700) == 0)
		return 0;
	return diag_set(diag, "cannot make the folder '%s': %s", folder, strerror(errno));
}
