/* SPDX-License-Identifier: Apache-2.0 */
/* Which ELF file a word of the command line executes; see run_runtime.h. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/run_runtime.h"

/* The kernel follows as many interpreters that are scripts themselves. */
enum { MAX_INTERPRETERS = 5 };

static int is_executable_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

int run_program_in_path(const char *word, char *path, size_t bytes)
{
	const char *list = getenv("PATH");

	if (strchr(word, '/')) {
		snprintf(path, bytes, "%s", word);
		return is_executable_file(path) ? 0 : -1;
	}
	if (!list)
		list = "/bin:/usr/bin";
	for (;;) {
		size_t n = strcspn(list, ":");

		snprintf(path, bytes, "%.*s/%s", n ? (int)n : 1, n ? list : ".", word);
		if (is_executable_file(path))
			return 0;
		if (!list[n])
			return -1;
		list += n + 1;
	}
}

int run_program_interpreter(const char *path, char *word, size_t bytes)
{
	char line[PATH_MAX] = "", *at, *end;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return RUN_PROGRAM_UNREADABLE;
	if (strncmp(line, "#!", 2) != 0)
		return 0;
	line[strcspn(line, "\n")] = '\0';
	at = strtok_r(line + 2, " \t", &end);
	if (at && strcmp(at, "/usr/bin/env") == 0) {
		char *name = strtok_r(NULL, " \t", &end);

		if (name && name[0] != '-')
			at = name;
	}
	snprintf(word, bytes, "%s", at ? at : "");
	return at ? RUN_PROGRAM_SCRIPT : -1;
}

int run_program_follow(const char *word, char *path, size_t bytes, int *is_script)
{
	char name[PATH_MAX];

	*is_script = 0;
	snprintf(name, sizeof(name), "%s", word);
	for (int i = 0; i < MAX_INTERPRETERS; i++) {
		int kind;

		if (run_program_in_path(name, path, bytes) != 0)
			return -1;
		kind = run_program_interpreter(path, name, sizeof(name));
		if (kind != RUN_PROGRAM_SCRIPT)
			return kind;
		*is_script = 1;
	}
	return -1;
}

int run_program_find(const char *word, char *path, size_t bytes)
{
	int is_script;

	return run_program_follow(word, path, bytes, &is_script);
}
