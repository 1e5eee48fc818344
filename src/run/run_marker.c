/* SPDX-License-Identifier: Apache-2.0 */
/* Whose run a profile folder belongs to; see run_marker.h. */
#include "src/run/run_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/shared/folder.h"

/* A launcher starts all processes of a job within this time. */
#define YOUNG_NS 60000000000u

enum { PATH_BYTES = 4300, MARKER_MOST = 1 << 16 };

int run_process_read(int pid, int *parent, uint64_t *start)
{
	char path[64], text[1024];
	const char *at;
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	/* The second field, a name in parentheses, may hold anything. The 22nd is the start. */
	at = strrchr(text, ')');
	return at && sscanf(at + 1,
			     " %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			     "%*s %*s %*s %" SCNu64,
			     parent, start) == 2
		       ? 0
		       : -1;
}

int run_process_has(int pid, const char *begin, size_t n)
{
	char path[64], *entry = NULL;
	size_t bytes = 0;
	int has = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = fopen(path, "re");
	while (file && !has && getdelim(&entry, &bytes, '\0', file) > 0)
		has = strncmp(entry, begin, n) == 0;
	free(entry);
	if (file)
		fclose(file);
	return has;
}

/* The nearest ancestor without a rank: it gave this process its rank. pid 0: not found. */
static struct run_process find_launcher(const char *variable)
{
	struct run_process process = { 0 };
	int pid = (int)getpid(), parent;
	char begin[128];
	uint64_t start;

	snprintf(begin, sizeof(begin), "%s=", variable);
	while (run_process_read(pid, &parent, &start) == 0 && parent > 0) {
		pid = parent;
		if (run_process_has(pid, begin, strlen(begin)))
			continue;
		if (run_process_read(pid, &parent, &start) == 0)
			process = (struct run_process){ pid, start };
		break;
	}
	return process;
}

void run_marker_make(struct run_marker *marker, const struct launcher *launcher)
{
	struct timespec now;
	int parent;

	*marker = (struct run_marker){ .made_by.pid = (int)getpid() };
	clock_gettime(CLOCK_REALTIME, &now);
	marker->made_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	marker->run_id = marker->made_ns;
	gethostname(marker->host, sizeof(marker->host) - 1);
	if (run_process_read(marker->made_by.pid, &parent, &marker->made_by.start) != 0)
		marker->made_by.pid = 0;
	/* A job of one rank is an ordinary run: a later one in the same shell is another run. */
	if (!launcher->has_rank || launcher->n_ranks == 1)
		return;
	if (launcher->job[0]) {
		snprintf(marker->job, sizeof(marker->job), "%s", launcher->job);
	} else {
		snprintf(marker->job, sizeof(marker->job), "%s of %u", launcher->variable,
			launcher->n_ranks);
		marker->launcher = find_launcher(launcher->variable);
	}
	for (char *c = marker->job; *c; c++)
		if (*c == '\n')
			*c = ' ';
}

static void marker_path(char path[PATH_BYTES], const char *folder, const char *suffix)
{
	snprintf(path, PATH_BYTES, "%s/%s%s", folder, PROFILE_JOB_MARKER, suffix);
}

/* Opens a file that another user may have put there: not a link, and without blocking. */
static FILE *open_marker(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	FILE *file = NULL;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MARKER_MOST)
		file = fdopen(fd, "r");
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

/* Makes a new file and replaces an old one. */
static FILE *make_marker(const char *path)
{
	FILE *file;
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

/* The text after "KEY=" in a line, or NULL. */
static char *value_of(char *line, const char *key)
{
	size_t n = strlen(key);

	line[strcspn(line, "\n")] = '\0';
	return strncmp(line, key, n) == 0 && line[n] == '=' ? line + n + 1 : NULL;
}

static void read_line(struct run_marker *marker, char *line)
{
	char *value;

	if ((value = value_of(line, "job")))
		snprintf(marker->job, sizeof(marker->job), "%s", value);
	else if ((value = value_of(line, "host")))
		snprintf(marker->host, sizeof(marker->host), "%s", value);
	else if ((value = value_of(line, "made_by")))
		sscanf(value, "%d %" SCNu64, &marker->made_by.pid, &marker->made_by.start);
	else if ((value = value_of(line, "launcher")))
		sscanf(value, "%d %" SCNu64, &marker->launcher.pid, &marker->launcher.start);
	else if ((value = value_of(line, "made_ns")))
		sscanf(value, "%" SCNu64, &marker->made_ns);
	else if ((value = value_of(line, "run")))
		sscanf(value, "%" SCNu64, &marker->run_id);
}

int run_marker_read(struct run_marker *marker, const char *folder)
{
	char path[PATH_BYTES], *line = NULL;
	size_t bytes = 0;
	FILE *file;

	*marker = (struct run_marker){ 0 };
	marker_path(path, folder, "");
	file = open_marker(path);
	if (!file)
		return -1;
	while (getline(&line, &bytes, file) > 0)
		read_line(marker, line);
	free(line);
	fclose(file);
	return marker->run_id ? 0 : -1;
}

int run_marker_write(const struct run_marker *marker, const char *folder)
{
	char path[PATH_BYTES], part[PATH_BYTES];
	FILE *file;
	int error;

	marker_path(path, folder, "");
	marker_path(part, folder, ".part");
	file = make_marker(part);
	if (!file)
		return errno;
	fprintf(file, "job=%s\nhost=%s\nmade_by=%d %" PRIu64 "\nlauncher=%d %" PRIu64 "\n",
		marker->job, marker->host, marker->made_by.pid, marker->made_by.start,
		marker->launcher.pid, marker->launcher.start);
	fprintf(file, "made_ns=%" PRIu64 "\nrun=%" PRIu64 "\n", marker->made_ns, marker->run_id);
	error = ferror(file) ? EIO : 0;
	if (fclose(file) != 0 && !error)
		error = errno;
	if (!error && rename(part, path) != 0)
		error = errno;
	if (error)
		unlink(part);
	return error;
}

static int is_same_process(const struct run_process *a, const struct run_process *b)
{
	return a->pid == b->pid && a->start == b->start;
}

int run_marker_is_same_job(const struct run_marker *found, const struct run_marker *own)
{
	if (!own->job[0] || strcmp(found->job, own->job) != 0)
		return 0;
	return strcmp(found->host, own->host) != 0 ||
	       is_same_process(&found->launcher, &own->launcher);
}

int run_marker_is_young(const struct run_marker *found, const struct run_marker *own)
{
	/* The clocks of two hosts differ a little. */
	return found->made_ns < own->made_ns ? own->made_ns - found->made_ns < YOUNG_NS
					     : found->made_ns - own->made_ns < YOUNG_NS;
}

int run_marker_is_alive(const struct run_marker *found)
{
	char host[sizeof(found->host)] = "";
	uint64_t start;
	int parent;

	gethostname(host, sizeof(host) - 1);
	return found->made_by.pid > 0 && strcmp(host, found->host) == 0 &&
	       run_process_read(found->made_by.pid, &parent, &start) == 0 &&
	       start == found->made_by.start;
}
