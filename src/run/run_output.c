/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the profile goes; see run.h.
 *
 * The ranks of a job start several `ompprof run` at the same moment with the same folder DIR. One
 * of them makes the folder, and the others join it. To make or move DIR, a process first makes the
 * folder DIR.lock. mkdir succeeds for one process at a time, on any file system and from any host.
 * The process holds the lock for the few steps of prepare_locked, with all signals blocked. It puts
 * a marker with the job's name (run_marker.h) into the new folder before it gives up the lock.
 * Therefore:
 * - The first process of a job to get the lock finds another job's folder, an empty one, or none.
 *   It moves another job's to DIR.old, once, and makes its own. All others find the marker, with or
 *   without the lock, and join.
 * - A folder with the job's own marker is never moved while the job may still be starting, or
 *   writes.
 * - If two jobs want the same folder, the second finds that the first is starting or writing, and
 *   refuses.
 * A process that is killed while it holds the lock leaves DIR.lock behind. Others then refuse and
 * name it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader/reader.h"
#include "profile/shared/folder.h"
#include "src/run/run.h"
#include "src/symbols/cache.h"
#include "src/run/run_marker.h"
#include "src/text/atomic_write.h"

enum { LOCK_MS = 10000 };

#define FAILED ".failed"

/* Whether a profile has such a name, also that of a run that failed. */
static int is_profile_name(const char *name)
{
	const char *suffix = strstr(name, ".ompprof");

	while (suffix && strstr(suffix + 1, ".ompprof"))
		suffix = strstr(suffix + 1, ".ompprof");
	return suffix && suffix > name &&
	       (strcmp(suffix, ".ompprof") == 0 || strcmp(suffix, ".ompprof" FAILED) == 0);
}

/* The contents of a path. */
enum found { FOUND_NOTHING, FOUND_EMPTY, FOUND_PROFILES, FOUND_OTHER };

/* Whether it is a file of ompprof beside profiles: a marker, or the cache of reports. */
static int is_marker_name(const char *name)
{
	return strncmp(name, PROFILE_JOB_MARKER, strlen(PROFILE_JOB_MARKER)) == 0 ||
	       cache_is_file_name(name);
}

DIR *run_output_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (!folder && fd >= 0)
		close(fd);
	return folder;
}

static enum found look_at(const char *path)
{
	enum found found = FOUND_EMPTY;
	struct dirent *entry;
	struct stat st;
	DIR *folder;

	if (lstat(path, &st) != 0)
		return FOUND_NOTHING;
	folder = S_ISDIR(st.st_mode) ? run_output_open(path) : NULL;
	if (!folder)
		return FOUND_OTHER;
	while (found != FOUND_OTHER && (entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;

		if (is_profile_name(name))
			found = FOUND_PROFILES;
		else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_marker_name(name))
			found = FOUND_OTHER;
	}
	closedir(folder);
	return found;
}

void run_output_remove(const char *path)
{
	DIR *folder = run_output_open(path);
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)) != NULL) {
		if (is_profile_name(entry->d_name) || is_marker_name(entry->d_name))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	closedir(folder);
	rmdir(path);
}

/* Whether a process has the file `name` mapped. Yes if that cannot be read. */
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
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
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
	/* By now the number may be another process's. */
	if (pid <= 0 || (kill(pid, 0) != 0 && errno != EPERM) || !has_mapped(pid, name))
		return 0;
	return pid;
}

/* A process on this host that writes to the folder, or has made it for its child; or 0. */
static pid_t find_user(const char *path)
{
	DIR *folder = run_output_open(path);
	struct dirent *entry;
	struct run_marker marker;
	pid_t pid = 0;

	while (folder && pid == 0 && (entry = readdir(folder)) != NULL) {
		if (is_profile_name(entry->d_name))
			pid = find_writer(dirfd(folder), entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (pid == 0 && run_marker_read(&marker, path) == 0 && run_marker_is_alive(&marker))
		pid = marker.made_by.pid;
	return pid;
}

int run_output_check_unused(const char *path, struct diag *diag)
{
	pid_t pid = find_user(path);

	if (pid == 0)
		return 0;
	diag_set(diag, "cannot write to '%s': process %d still writes its profile there", path,
		(int)pid);
	diag_hint(diag, "'ompprof run -o DIR' takes another folder");
	return -1;
}

/* Joins the folder if it belongs to this process's job, and is young or in use. */
static int try_to_join(struct run_output *output, const struct run_marker *own)
{
	struct run_marker found;

	if (run_marker_read(&found, output->path) != 0 || !run_marker_is_same_job(&found, own) ||
		!(run_marker_is_young(&found, own) || find_user(output->path)))
		return 0;
	output->run_id = found.run_id;
	output->is_joined = 1;
	return 1;
}

/* Moves the profile at output->path out of the way. */
static int keep_previous(struct run_output *output, struct diag *diag)
{
	enum found found;

	snprintf(output->old, sizeof(output->old), "%s.old", output->path);
	found = look_at(output->old);
	if (found == FOUND_OTHER)
		return diag_set(diag,
			"cannot keep the previous profile as '%s': it exists and holds no profile",
			output->old);
	if (found != FOUND_NOTHING) {
		snprintf(output->older, sizeof(output->older), "%s.%d", output->old, (int)getpid());
		if (rename(output->old, output->older) != 0)
			output->older[0] = '\0';
	}
	if (rename(output->path, output->old) != 0)
		return diag_set(diag, "cannot keep the previous profile as '%s': %s", output->old,
			strerror(errno));
	output->is_moved = 1;
	return 0;
}

static void take_back(const struct run_output *output)
{
	char marker[4200];

	snprintf(marker, sizeof(marker), "%s/%s", output->path, PROFILE_JOB_MARKER);
	unlink(marker);
	if (output->is_made)
		rmdir(output->path);
	if (output->is_moved)
		rename(output->old, output->path);
	if (output->older[0])
		rename(output->older, output->old);
}

static int is_of(uid_t owner, const char *path)
{
	struct stat st;

	return !path[0] || lstat(path, &st) != 0 || st.st_uid == owner;
}

/* Refuses folders of other users. The file system says who we are: the owner of our own marker. */
static int check_owner(const struct run_output *output, struct diag *diag)
{
	char marker[4200];
	struct stat st;

	snprintf(marker, sizeof(marker), "%s/%s", output->path, PROFILE_JOB_MARKER);
	if (lstat(marker, &st) != 0 || !is_of(st.st_uid, output->path))
		return diag_set(diag, "cannot write to '%s': it is another user's", output->path);
	if (output->is_moved &&
		(!is_of(st.st_uid, output->old) || !is_of(st.st_uid, output->older)))
		return diag_set(diag,
			"cannot keep the previous profile as '%s': it is another user's",
			output->old);
	return 0;
}

static int make_folder(struct run_output *output, const struct run_marker *own, struct diag *diag)
{
	int error = 0, is_there = 1;

	if (mkdir(output->path, 0700) == 0) {
		output->is_made = 1;
	} else if (errno != EEXIST) {
		error = errno;
		is_there = 0;
	}
	if (!error)
		error = run_marker_write(own, output->path);
	if (error)
		diag_set(diag, "cannot %s '%s': %s", !is_there ? "make the folder" : "write to",
			output->path, strerror(error));
	else if (check_owner(output, diag) == 0) {
		output->run_id = own->run_id;
		return 0;
	}
	take_back(output);
	return -1;
}

/* Says what is at the path instead of a folder of profiles. Returns -1. */
static int refuse(const char *path, struct diag *diag)
{
	struct stat st = { .st_mode = S_IFDIR };
	DIR *folder;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		return diag_set(diag, "cannot write to '%s': it is a symbolic link", path);
	if (!S_ISDIR(st.st_mode))
		return diag_set(diag, "cannot write to '%s': %s", path, strerror(ENOTDIR));
	folder = run_output_open(path);
	if (!folder)
		return diag_set(diag, "cannot read '%s': %s", path, strerror(errno));
	closedir(folder);
	return diag_set(diag, "cannot write to '%s': it holds something that is no profile", path);
}

/* With the lock held: joins the folder or makes it. */
static int prepare_locked(
	struct run_output *output, const struct run_marker *own, struct diag *diag)
{
	enum found found = look_at(output->path);

	if (found == FOUND_OTHER)
		return refuse(output->path, diag);
	if (try_to_join(output, own))
		return 0;
	if ((found == FOUND_EMPTY || found == FOUND_PROFILES) &&
		run_output_check_unused(output->path, diag) != 0)
		return -1;
	if (found == FOUND_PROFILES && keep_previous(output, diag) != 0)
		return -1;
	return make_folder(output, own, diag);
}

static int cannot_lock(
	const struct run_output *output, const char *lock, int error, struct diag *diag)
{
	if (error != EEXIST)
		return diag_set(
			diag, "cannot make the folder '%s': %s", output->path, strerror(error));
	diag_set(diag, "cannot make the folder '%s': '%s' has been there for %d s", output->path,
		lock, LOCK_MS / 1000);
	diag_hint(diag, "remove it if no other 'ompprof run' is just starting");
	return -1;
}

static int prepare(struct run_output *output, const struct run_marker *own, struct diag *diag)
{
	char lock[4200];
	sigset_t all, mask;
	int status, error, waited_ms = 0, nap_ms = 1;

	snprintf(lock, sizeof(lock), "%s.lock", output->path);
	output->parent_bytes = save_make_parents(output->path);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	while (mkdir(lock, 0700) != 0) {
		error = errno;
		sigprocmask(SIG_SETMASK, &mask, NULL);
		if (try_to_join(output, own))
			return 0;
		if (error != EEXIST || waited_ms >= LOCK_MS)
			return cannot_lock(output, lock, error, diag);
		usleep((useconds_t)nap_ms * 1000);
		waited_ms += nap_ms;
		nap_ms = nap_ms < 32 ? 2 * nap_ms : nap_ms;
		sigprocmask(SIG_BLOCK, &all, &mask);
	}
	status = prepare_locked(output, own, diag);
	rmdir(lock);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return status;
}

/* Removes the folders that were made above output->path, as far as they are empty. */
static void remove_parents(const struct run_output *output)
{
	char parent[sizeof(output->path)], *end;

	strcpy(parent, output->path);
	while (output->parent_bytes && (end = strrchr(parent, '/')) != NULL &&
		(size_t)(end - parent) >= output->parent_bytes) {
		*end = '\0';
		if (rmdir(parent) != 0)
			return;
	}
}

int run_output_prepare(struct run_output *output, const char *path, const struct launcher *launcher,
	struct diag *diag)
{
	struct run_marker own;
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
	run_marker_make(&own, launcher);
	output->n_ranks = launcher->n_ranks;
	output->is_shared = own.job[0] != '\0';
	if (try_to_join(output, &own) || prepare(output, &own, diag) == 0)
		return 0;
	remove_parents(output);
	return -1;
}

void run_output_commit(const struct run_output *output)
{
	if (output->older[0])
		run_output_remove(output->older);
}

void run_output_set_aside(const struct run_output *output)
{
	struct profile_list list;
	struct diag diag;
	char failed[4400];

	if (profile_list_read_run(&list, output->path, output->run_id, &diag) == 0)
		for (size_t i = 0; i < list.n; i++)
			if (snprintf(failed, sizeof(failed), "%s" FAILED, list.entries[i].path) <
				(int)sizeof(failed))
				rename(list.entries[i].path, failed);
	profile_list_release(&list);
}

void run_output_undo(const struct run_output *output)
{
	/* Other processes of the job may have joined and may be writing. */
	if (output->is_joined || output->is_shared) {
		run_output_commit(output);
	} else {
		take_back(output);
		remove_parents(output);
	}
}
