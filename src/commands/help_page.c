/* SPDX-License-Identifier: Apache-2.0 */
/* The man page of a verb; see command.h. */
#include "src/commands/command.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/text/install_paths.h"

extern char **environ;

/* More of a page is not read. */
enum { PAGE_MOST_BYTES = 1 << 20 };

/* Finds the page: beside an uninstalled command, or installed. Returns 0, or -1. */
static int find_page(char *path, size_t bytes, const char *verb)
{
	static const char *const forms[] = { "/man-pages/ompprof-%s.1",
		"/../share/man/man1/ompprof-%s.1", "/../share/man/man1/ompprof-%s.1.gz",
		INSTALL_PATH_AT(MANDIR "/man1/ompprof-%s.1"),
		INSTALL_PATH_AT(MANDIR "/man1/ompprof-%s.1.gz") };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char place[PATH_MAX];
		const char *const places[] = { place, NULL };

		snprintf(place, sizeof(place), forms[i], verb);
		if (install_path_find(path, bytes, places) == 0)
			return 0;
	}
	return -1;
}

/* Starts argv without input; *fd gets its output, not its errors. Returns its pid, or -1. */
static pid_t start(char *const *argv, int *fd)
{
	posix_spawn_file_actions_t actions;
	int ends[2], error;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		return -1;
	}
	*fd = ends[0];
	return pid;
}

/* Returns the output of argv, which the caller frees; NULL if it fails. */
static char *read_output(char *const *argv)
{
	char *text = malloc(PAGE_MOST_BYTES + 1);
	size_t n = 0;
	ssize_t got;
	int fd, status;
	pid_t pid = text ? start(argv, &fd) : -1;

	if (pid < 0) {
		free(text);
		return NULL;
	}
	while (n < PAGE_MOST_BYTES && (got = read(fd, text + n, PAGE_MOST_BYTES - n)) > 0)
		n += (size_t)got;
	close(fd);
	text[n] = '\0';
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return text;
	free(text);
	return NULL;
}

/* Removes letters that are printed over by others, and colours. */
static void make_plain(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		if (*at == '\b') {
			to -= to > text;
		} else if (*at == '\033' && at[1] == '[') {
			at += 2;
			at += strspn(at, "0123456789;");
			if (!*at)
				break;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
}

/*
 * Prints what argv makes of the page. Returns 0, or -1 with nothing printed: argv failed, or its
 * output does not contain "ompprof-VERB(1)", so it is not the page.
 */
static int print_output(char *const *argv, const char *verb)
{
	char head[64], *text = read_output(argv);
	int is_page = 0;

	if (text) {
		make_plain(text);
		snprintf(head, sizeof(head), "ompprof-%s(1)", verb);
		is_page = strcasestr(text, head) != NULL;
		if (is_page)
			fputs(text, stdout);
	}
	free(text);
	return is_page ? 0 : -1;
}

static int print_page(char *path, const char *verb)
{
	char man[] = "man", local[] = "-l", mandoc[] = "mandoc", type[] = "-Tascii",
	     width[] = "-Owidth=78";
	char *const by_man[] = { man, local, path, NULL };
	char *const by_mandoc[] = { mandoc, type, width, path, NULL };

	setenv("MANPAGER", "cat", 1);
	setenv("MANWIDTH", "80", 1);
	setenv("GROFF_NO_SGR", "1", 1);
	setenv("LC_ALL", "C", 1);
	unsetenv("MANOPT");
	unsetenv("MAN_KEEP_FORMATTING");
	if (print_output(by_man, verb) == 0)
		return 0;
	return print_output(by_mandoc, verb);
}

int help_page_show(const char *verb)
{
	char path[PATH_MAX];

	if (find_page(path, sizeof(path), verb) != 0)
		return -1;
	if (isatty(STDOUT_FILENO)) {
		fflush(stdout);
		execlp("man", "man", "-l", path, (char *)NULL);
	}
	return print_page(path, verb);
}
