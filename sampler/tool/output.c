/* SPDX-License-Identifier: Apache-2.0 */
/* The output file, and the description of the run in it; see output.h. */
#include "sampler/tool/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/shared/launcher.h"
#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/tool/tool_message.h"

enum { MAX_NAMES = 100 }; /* programs executed by one process */

static char path[4096];

/*
 * Opens the folder for the profile, and makes it first if need be. Returns a descriptor, or -1 with
 * an errno in *error. A link of the folder's name may be another user's and is not followed.
 */
static int open_folder(const char *folder, int *error)
{
	int fd = -1;

	*error = ENAMETOOLONG;
	if (!folder[0])
		return -1;
	if (mkdir(folder, 0700) == 0 || errno == EEXIST)
		fd = plain_open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	*error = errno;
	return fd;
}

static void make_name(char *name, size_t bytes, int n)
{
	struct launcher launcher;
	char host[64] = "", rank[24] = "", again[16] = "";

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) {
		if (*c == '/')
			*c = '_';
	}
	if (n > 1)
		snprintf(again, sizeof(again), "-%d", n);
	launcher_read(&launcher);
	if (launcher.has_rank)
		snprintf(rank, sizeof(rank), "-rank%u", launcher.rank);
	snprintf(name, bytes, "%s-%d%s%s.ompprof", host[0] ? host : "host", (int)getpid(), rank,
		again);
}

static int open_file(int fd, const char *folder)
{
	char name[256];
	int error = EEXIST;

	for (int n = 1; error == EEXIST && n <= MAX_NAMES; n++) {
		make_name(name, sizeof(name), n);
		error = writer_open(fd, folder, name);
	}
	if (error == 0)
		snprintf(path, sizeof(path), "%s/%s", folder, name);
	return error;
}

int output_open(const struct settings *settings)
{
	int error, fd = open_folder(settings->output, &error);

	path[0] = '\0';
	if (fd >= 0) {
		error = open_file(fd, settings->output);
		plain_close(fd);
	}
	if (error == 0)
		return 0;
	say("cannot write a profile in '%s': %s; continuing without a profile", settings->output,
		error == WRITER_FOREIGN ? "the folder is another user's" : strerror(error));
	return -1;
}

/*
 * Writes the arguments as /proc has them, as the program may have changed its argv. An argument
 * that is too long is cut.
 */
static void describe_arguments(void)
{
	static char argument[16384];
	char part[4096];
	size_t used = 0;
	ssize_t n;
	int fd = plain_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);

	while (fd >= 0 && (n = plain_read(fd, part, sizeof(part))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			argument[used] = part[i];
			if (part[i] == '\0') {
				writer_text("arg", argument);
				used = 0;
			} else if (used < sizeof(argument) - 2) {
				argument[++used] = '\0';
			}
		}
	}
	if (fd >= 0)
		plain_close(fd);
}

static void describe_environment(void)
{
	static const char *const prefixes[] = { "OMP_", "KMP_", "GOMP_", "OMPPROF_" };

	for (char **variable = environ; variable && *variable; variable++) {
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
			if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0)
				writer_text("env", *variable);
		}
	}
}

/* Writes the program's path. If ld.so is the command, which nothing loads, that is its argument. */
static void find_program(char *exe, size_t bytes, const char *cwd)
{
	const char *name = program_invocation_name;
	ssize_t n;

	if (getauxval(AT_BASE)) {
		n = readlink("/proc/self/exe", exe, bytes - 1);
		exe[n > 0 ? n : 0] = '\0';
	} else {
		snprintf(exe, bytes, "%s%s%s", name[0] == '/' ? "" : cwd, name[0] == '/' ? "" : "/",
			name);
	}
}

void output_describe(char *exe, size_t bytes)
{
	char cwd[4096];

	if (!getcwd(cwd, sizeof(cwd)))
		cwd[0] = '\0';
	find_program(exe, bytes, cwd);
	describe_arguments();
	writer_text("exe", exe);
	if (cwd[0])
		writer_text("cwd", cwd);
	describe_environment();
}

const char *output_path(void)
{
	return path;
}
