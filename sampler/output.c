/* SPDX-License-Identifier: Apache-2.0 */
/* The output file and what it says of the run; see output.h. */
#include "sampler/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/writer.h"
#include "sampler/say.h"

enum { MAX_NAMES = 100 }; /* programs executed by one process */

static char path[4096];

/* The rank that an MPI launcher gave this process, or NULL. */
static const char *mpi_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
		"MV2_COMM_WORLD_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && value[0] && strspn(value, "0123456789") == strlen(value))
			return value;
	}
	return NULL;
}

static int make_folder(const char *folder)
{
	struct stat st;

	if (mkdir(folder, 0700) == 0 || errno == EEXIST) {
		if (stat(folder, &st) != 0)
			return errno;
		return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	}
	return errno;
}

static void make_name(const char *folder, int n)
{
	const char *rank = mpi_rank();
	char host[64] = "", again[16] = "";

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) {
		if (*c == '/')
			*c = '_';
	}
	if (n > 1)
		snprintf(again, sizeof(again), "-%d", n);
	snprintf(path, sizeof(path), "%s/%s-%d%s%s%s.ompprof", folder, host[0] ? host : "host",
		(int)getpid(), rank ? "-rank" : "", rank ? rank : "", again);
}

int output_open(const struct settings *settings)
{
	int error = settings->output[0] ? make_folder(settings->output) : ENAMETOOLONG;

	for (int n = 1; error == 0 && n <= MAX_NAMES; n++) {
		make_name(settings->output, n);
		error = writer_open(path);
		if (error != EEXIST)
			break;
		error = n == MAX_NAMES ? EEXIST : 0;
	}
	if (error == 0)
		return 0;
	say("cannot write a profile in '%s': %s; continuing without a profile", settings->output,
		strerror(error));
	path[0] = '\0';
	return -1;
}

/* The kernel's copy: the program may have changed its argv. An argument that is longer than an entry
   of the profile is cut. */
static void describe_arguments(void)
{
	static char argument[16384];
	char part[4096];
	size_t used = 0;
	ssize_t n;
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0) {
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
		close(fd);
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

void output_describe(char *exe, size_t bytes)
{
	char cwd[4096];
	ssize_t n = readlink("/proc/self/exe", exe, bytes - 1);

	exe[n > 0 ? n : 0] = '\0';
	describe_arguments();
	writer_text("exe", exe);
	if (getcwd(cwd, sizeof(cwd)))
		writer_text("cwd", cwd);
	describe_environment();
}

const char *output_path(void)
{
	return path;
}
