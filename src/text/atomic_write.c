/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files that appear only once they are complete; see atomic_write.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/shared/layout.h"
#include "profile/reader/merged.h"
#include "src/text/atomic_write.h"

struct content {
	save_write *write;
	const void *data;
	mode_t mode; /* of a new file, before the umask */
};

/* The suffix of the name beside `path` to which the content is written first. */
#define SUFFIX ".XXXXXX"

static int fail(const char *path, int error, struct diag *diag)
{
	return diag_set(diag, "cannot write '%s': %s", path, strerror(error));
}

/* Writes the content, then closes the stream, also on failure. stdout stays open. */
static int write_stream(
	const struct content *content, FILE *out, const char *path, struct diag *diag)
{
	int status, error;

	/* After a large block failed, fflush() has nothing left to fail on; ferror() tells. */
	errno = 0;
	status = content->write(content->data, out, diag);
	error = ferror(out) && errno ? errno : EIO;
	errno = 0;
	if ((fflush(out) != 0 || ferror(out)) && status == 0)
		status = fail(path, errno ? errno : error, diag);
	if (out == stdout)
		return status;
	error = fclose(out) == 0 ? 0 : errno;
	return error && status == 0 ? fail(path, error, diag) : status;
}

/* Whether the file is a profile that must stay. A merged profile may replace a merged profile. */
static int is_profile(const struct save_place *place)
{
	char magic[sizeof(PROFILE_MAGIC) - 1];
	FILE *file = fopen(place->path, "rb");
	int is = file && fread(magic, sizeof(magic), 1, file) == 1 &&
		 (memcmp(magic, PROFILE_MAGIC, sizeof(magic)) == 0 ||
			 (!place->is_merged && memcmp(magic, MERGED_MAGIC, sizeof(magic)) == 0));

	if (file)
		fclose(file);
	return is;
}

/* The mode of the file that is replaced; of a new file `mode` without the umask. */
static mode_t choose_mode(const struct stat *former, mode_t mode)
{
	mode_t mask;

	if (former)
		return former->st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return mode & ~mask;
}

/* The signals whose default action would leave the unfinished file behind. */
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU, SIGUSR1,
	SIGUSR2, SIGALRM };

enum { N_ENDING = sizeof(ending) / sizeof(ending[0]) };

/* The file that is being written, for remove_unfinished(). */
static struct {
	const char *beside; /* set while the signals are blocked */
	struct sigaction previous[N_ENDING];
} unfinished;

/*
 * A signal handler: removes the unfinished file. The signal then ends the process when the handler
 * returns, because SA_RESETHAND has restored the default action.
 */
static void remove_unfinished(int signal_number)
{
	int saved = errno;

	unlink(unfinished.beside);
	raise(signal_number);
	errno = saved;
}

static void block_signals(sigset_t *mask)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, mask);
}

/*
 * Creates a temporary file, and takes signals over that would leave it behind. `beside` ends in the
 * suffix and becomes its name. Returns as open() does.
 */
static int begin_unfinished(char *beside)
{
	struct sigaction action = { .sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND };
	sigset_t mask;
	int fd, error;

	block_signals(&mask);
	fd = mkostemp(beside, O_CLOEXEC);
	error = errno;
	unfinished.beside = beside;
	for (int i = 0; fd >= 0 && i < N_ENDING; i++) {
		sigaction(ending[i], NULL, &unfinished.previous[i]);
		if (unfinished.previous[i].sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = error;
	return fd;
}

static void end_unfinished(void)
{
	for (int i = 0; i < N_ENDING; i++)
		sigaction(ending[i], &unfinished.previous[i], NULL);
}

size_t save_make_parents(const char *path)
{
	char parent[PATH_MAX];
	size_t made = 0;

	for (const char *at = strchr(path + (path[0] == '/'), '/'); at; at = strchr(at + 1, '/')) {
		snprintf(parent, sizeof(parent), "%.*s", (int)(at - path), path);
		if (mkdir(parent, 0777) == 0)
			made = made ? made : (size_t)(at - path);
		else if (errno != EEXIST)
			break;
	}
	return made;
}

static int replace(const struct content *content, const char *path, const struct stat *former,
	struct diag *diag)
{
	size_t bytes = strlen(path) + sizeof(SUFFIX);
	char *beside = malloc(bytes);
	int fd, status;
	FILE *out;

	if (!beside)
		return fail(path, ENOMEM, diag);
	snprintf(beside, bytes, "%s%s", path, SUFFIX);
	fd = begin_unfinished(beside);
	if (fd < 0) {
		status = fail(path, errno, diag);
		free(beside);
		return status;
	}
	out = fchmod(fd, choose_mode(former, content->mode)) == 0 ? fdopen(fd, "wb") : NULL;
	if (out) {
		status = write_stream(content, out, path, diag);
	} else {
		status = fail(path, errno, diag);
		close(fd);
	}
	if (status == 0 && rename(beside, path) != 0)
		status = fail(path, errno, diag);
	if (status != 0)
		unlink(beside);
	end_unfinished();
	free(beside);
	return status;
}

static int write_as_is(const struct content *content, const char *path, struct diag *diag)
{
	FILE *out = fopen(path, "wb");

	return out ? write_stream(content, out, path, diag) : fail(path, errno, diag);
}

/* Whether the existing file may be replaced. Returns 0, or -1 with *diag set. */
static int check_former(const struct save_place *place, struct diag *diag)
{
	if (is_profile(place))
		return diag_set(diag, "cannot write '%s': it is a profile", place->path);
	if (access(place->path, W_OK) != 0)
		return fail(place->path, errno, diag);
	if (place->is_forced || (place->is_own && place->is_own(place->path)))
		return 0;
	diag_set(diag, "cannot write '%s': it is there, and not a file that ompprof wrote",
		place->path);
	diag_hint(diag, "option '--force' replaces it");
	return -1;
}

static int save(const struct save_place *place, const struct content *content, struct diag *diag)
{
	const char *path = place->path;
	struct stat former, own;
	char *real;
	int status;

	if (!path || strcmp(path, "-") == 0)
		return write_stream(content, stdout, "standard output", diag);
	if (stat(path, &former) != 0 && errno == ENOENT)
		save_make_parents(path);
	if (stat(path, &former) != 0)
		return errno == ENOENT ? replace(content, path, NULL, diag)
				       : fail(path, errno, diag);
	if (S_ISDIR(former.st_mode))
		return fail(path, EISDIR, diag);
	if (!S_ISREG(former.st_mode))
		return write_as_is(content, path, diag);
	/*
	 * The path is the file of standard output, as '/dev/stdout' is. The shell may append to it,
	 * so it is not replaced.
	 */
	if (fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == former.st_dev &&
		own.st_ino == former.st_ino)
		return write_stream(content, stdout, "standard output", diag);
	if (check_former(place, diag) != 0)
		return -1;
	real = realpath(path, NULL);
	if (!real)
		return fail(path, errno, diag);
	status = replace(content, real, &former, diag);
	free(real);
	return status;
}

int save_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag)
{
	return save(place, &(struct content){ write, data, 0666 }, diag);
}

int save_private_file(
	const struct save_place *place, save_write *write, const void *data, struct diag *diag)
{
	return save(place, &(struct content){ write, data, 0600 }, diag);
}
