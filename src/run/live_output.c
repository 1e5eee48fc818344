/* SPDX-License-Identifier: Apache-2.0 */
/* The program's output while the view has the terminal; see live.h. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "src/run/live.h"
#include "src/run/close_from.h"

/*
 * TAKE_BLOCKS: how many blocks are read at once. LAST_TIMES: how often that is repeated at the end
 * before another process takes over.
 */
enum { TAKE_BLOCKS = 16, LAST_TIMES = 64 };

/* Whether it is the controlling terminal: no other one has a foreground group to ask for. */
static int is_terminal(int fd)
{
	return tcgetpgrp(fd) >= 0;
}

static void close_on_exec(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Opens a file without a name, which vanishes with this process. */
static int open_kept(void)
{
	FILE *file = tmpfile();
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
	int error = errno;

	if (file)
		fclose(file);
	errno = error;
	return fd;
}

int live_output_begin(struct live_output *output, int terminal)
{
	struct termios modes;
	struct winsize size;

	*output = (struct live_output){ .master = -1, .slave = -1, .kept = -1 };
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		output->is_taken[fd] = is_terminal(fd);
	if (!output->is_taken[STDOUT_FILENO] && !output->is_taken[STDERR_FILENO])
		return 0;
	if (tcgetattr(terminal, &modes) != 0 || ioctl(terminal, TIOCGWINSZ, &size) != 0)
		return errno;
	/* The real terminal processes the output when it is shown. */
	modes.c_oflag &= ~(tcflag_t)OPOST;
	output->kept = open_kept();
	if (output->kept < 0 || openpty(&output->master, &output->slave, NULL, &modes, &size) != 0)
		return errno;
	close_on_exec(output->master);
	close_on_exec(output->slave);
	fcntl(output->master, F_SETFL, O_NONBLOCK);
	return 0;
}

void live_output_redirect(const struct live_output *output)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		if (output->is_taken[fd])
			dup2(output->slave, fd);
	}
}

void live_output_resize(const struct live_output *output, int terminal)
{
	struct winsize size;

	if (output->master >= 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0)
		ioctl(output->master, TIOCSWINSZ, &size);
}

/* Returns how many bytes were written. */
static size_t write_all(int fd, const char *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t step = write(fd, bytes + done, n - done);

		if (step < 0 && errno == EINTR)
			continue;
		if (step <= 0)
			break;
		done += (size_t)step;
	}
	return done;
}

/* Returns 0, or -1 if bytes could not be kept: output->rest then has them. */
static int keep(struct live_output *output, const char *bytes, size_t n)
{
	size_t done = write_all(output->kept, bytes, n);

	output->n_rest = n - done;
	memcpy(output->rest, bytes + done, output->n_rest);
	return output->n_rest ? -1 : 0;
}

int live_output_take(struct live_output *output, int terminal)
{
	char bytes[LIVE_BLOCK];
	ssize_t n;

	if (output->n_rest)
		return LIVE_FULL;
	for (int i = 0; i < TAKE_BLOCKS && output->master >= 0; i++) {
		n = read(output->master, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return LIVE_EMPTY;
		if (n <= 0)
			return LIVE_ENDED;
		if (output->is_passed)
			write_all(terminal, bytes, (size_t)n);
		else if (keep(output, bytes, (size_t)n) != 0)
			return LIVE_FULL;
	}
	return output->master >= 0 ? LIVE_MORE : LIVE_ENDED;
}

void live_output_give(struct live_output *output, int terminal)
{
	char bytes[4096];
	ssize_t n;

	if (output->is_passed || output->kept < 0)
		return;
	lseek(output->kept, 0, SEEK_SET);
	while ((n = read(output->kept, bytes, sizeof(bytes))) > 0)
		write_all(terminal, bytes, (size_t)n);
	write_all(terminal, output->rest, output->n_rest);
	output->n_rest = 0;
	close(output->kept);
	output->kept = -1;
	output->is_passed = 1;
}

/*
 * In a process of its own: passes output on until nobody can write any more. It closes all other
 * descriptors, so that nobody waits for its copies.
 */
static void pass_on(int master, int terminal)
{
	char bytes[4096];
	ssize_t n;

	dup2(master, STDIN_FILENO);
	dup2(terminal, STDOUT_FILENO);
	close_from(STDERR_FILENO);
	fcntl(STDIN_FILENO, F_SETFL, 0);
	while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			write_all(STDOUT_FILENO, bytes, (size_t)n);
	}
	_exit(0);
}

void live_output_end(struct live_output *output, int terminal)
{
	int state = LIVE_MORE;

	if (output->master < 0)
		return;
	live_output_give(output, terminal);
	for (int i = 0; i < LAST_TIMES && state == LIVE_MORE; i++)
		state = live_output_take(output, terminal);
	if (state != LIVE_ENDED && fork() == 0)
		pass_on(output->master, terminal);
	close(output->master);
	output->master = -1;
}
