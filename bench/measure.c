/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure COMMAND...: runs it and prints `WALL CPU INNER KB PROGRAM-CPU PROGRAM-KB`, times in ns.
 * WALL is its wall time; CPU the CPU time of it and of all processes that it waited for; KB the
 * greatest peak memory among them. INNER, PROGRAM-CPU and PROGRAM-KB come from lines "inner_ns N",
 * "cpu_ns N" and "peak_kb N" that a kernel prints about itself; 0 without. Ends with the command's
 * status, or 126 if a signal ended it.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t cpu_ns(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * INT64_C(1000000000) +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * INT64_C(1000);
}

/* Reads the command's stdout up to its end; text that does not fit is dropped. */
static void read_all(int fd, char *text, size_t bytes)
{
	char rest[4096];
	size_t used = 0;
	ssize_t n;

	do {
		int is_full = used == bytes - 1;

		n = read(fd, is_full ? rest : text + used,
			is_full ? sizeof(rest) : bytes - 1 - used);
		if (n > 0 && !is_full)
			used += (size_t)n;
	} while (n > 0);
	text[used] = '\0';
}

/* The number that follows the word, or 0. */
static int64_t said(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	int64_t number = 0;

	if (at)
		sscanf(at + strlen(word), "%" SCNd64, &number);
	return number;
}

int main(int argc, char **argv)
{
	char text[65536];
	struct rusage usage;
	int out[2], status;
	int64_t start, wall;

	if (argc < 2 || pipe(out) != 0)
		return 125;
	start = now_ns();
	pid_t child = fork();

	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	close(out[1]);
	read_all(out[0], text, sizeof(text));
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 125;
	wall = now_ns() - start;
	printf("%" PRId64 " %" PRId64 " %" PRId64 " %ld %" PRId64 " %" PRId64 "\n", wall,
		cpu_ns(&usage), said(text, "inner_ns "), usage.ru_maxrss, said(text, "cpu_ns "),
		said(text, "peak_kb "));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
