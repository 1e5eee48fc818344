/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are written beside their names (src/text/atomic_write.h): what stays when a signal ends the writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/text/atomic_write.h"

static char folder[] = "/tmp/ompprof-save.XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/page", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

/* The number of files; each has to be the page. */
static int count_files(void)
{
	DIR *files = opendir(folder);
	struct dirent *entry;
	int n = 0;

	assert_non_null(files);
	while ((entry = readdir(files)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		assert_string_equal(entry->d_name, "page");
		n++;
	}
	closedir(files);
	return n;
}

static int write_and_signal(const void *data, FILE *out, struct diag *diag)
{
	const int *signal_number = data;

	(void)diag;
	fputs("half a ", out);
	fflush(out);
	if (*signal_number)
		raise(*signal_number);
	fputs("page", out);
	return 0;
}

/* Writes in a child, which a signal reaches halfway; what waitpid says of it. */
static int write_in_child(int signal_number, void (*handler)(int))
{
	struct rlimit no_core = { 0, 0 };
	const struct save_place place = { .path = path, .is_forced = 1 };
	struct diag diag = { "", "" };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (signal_number)
			signal(signal_number, handler);
		status = save_file(&place, write_and_signal, &signal_number, &diag);
		_exit(status == 0 && (!signal_number || signal(signal_number, SIG_DFL) == handler)
				? 0
				: 1);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void read_page(char text[32])
{
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	memset(text, 0, 32);
	assert_true(fread(text, 1, 31, file) > 0);
	fclose(file);
}

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU };

static void nothing_stays_beside(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		int status = write_in_child(ending[i], SIG_DFL);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), ending[i]);
		assert_int_equal(count_files(), 0);
	}
}

static void what_was_there_stays(void **state)
{
	char text[32];
	int status;

	(void)state;
	status = write_in_child(0, SIG_DFL);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	status = write_in_child(SIGINT, SIG_DFL);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(count_files(), 1);
	read_page(text);
	assert_string_equal(text, "half a page");
}

static int n_seen;

static void see(int signal_number)
{
	(void)signal_number;
	n_seen++;
}

static void other_dispositions_stay(void **state)
{
	char text[32];
	int status;

	(void)state;
	status = write_in_child(SIGINT, SIG_IGN);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	status = write_in_child(SIGTERM, see);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	read_page(text);
	assert_string_equal(text, "half a page");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_stays_beside),
		cmocka_unit_test(what_was_there_stays),
		cmocka_unit_test(other_dispositions_stay),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
