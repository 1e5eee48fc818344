/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For signals.sh:
 *	signals catch FILE             prints each signal that comes and the value of a queued signal;
 *	                               SIGUSR2 ends it with status 7
 *	signals send PID NUMBER VALUE  queues a signal with a value
 *	signals press FILE COMMAND...  gives COMMAND a terminal, on which Ctrl-C and Ctrl-\ are pressed
 *	signals hangup FILE COMMAND... gives COMMAND a terminal that goes away; then SIGUSR2 comes to the group
 *	signals blocked COMMAND...     executes COMMAND with all signals blocked
 * FILE is made by `catch` when it is ready. It keeps no file open, and takes blocked signals, but
 * does not print SIGURG, SIGWINCH, SIGCHLD and SIGCONT.
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int catch (const char *ready)
{
	siginfo_t info;
	sigset_t all;
	int number;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	close(open(ready, O_WRONLY | O_CREAT, 0600));
	do {
		number = sigwaitinfo(&all, &info);
		/* The profiler's own, and what tells of windows and children. */
		if (number < 0 || number == SIGURG || number == SIGWINCH || number == SIGCHLD ||
			number == SIGCONT)
			continue;
		if (info.si_code == SI_QUEUE)
			printf("%d %d\n", number, info.si_value.sival_int);
		else
			printf("%d\n", number);
		fflush(stdout);
	} while (number != SIGUSR2);
	return 7;
}

static void await_file(const char *path)
{
	for (int i = 0; i < 1000 && access(path, F_OK) != 0; i++)
		usleep(20000);
}

/* Copies what the terminal shows to the standard output until it has no other side. */
static int press(const char *ready, char **argv)
{
	char text[512];
	int terminal, status = 0;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
	ssize_t n;

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	await_file(ready);
	if (write(terminal, "\003", 1) != 1)
		return 99;
	usleep(300000);
	if (write(terminal, "\034", 1) != 1)
		return 99;
	usleep(300000);
	kill(pid, SIGUSR2);
	while ((n = read(terminal, text, sizeof(text))) > 0)
		fwrite(text, 1, (size_t)n, stdout);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int hang_up(const char *ready, char **argv)
{
	int terminal;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	await_file(ready);
	close(terminal);
	usleep(300000);
	kill(-pid, SIGUSR2);
	waitpid(pid, NULL, 0);
	return 0;
}

int main(int argc, char **argv)
{
	sigset_t all;

	if (argc == 3 && strcmp(argv[1], "catch") == 0)
		return catch (argv[2]);
	if (argc == 5 && strcmp(argv[1], "send") == 0)
		return sigqueue(atoi(argv[2]), atoi(argv[3]),
			       (union sigval){ .sival_int = atoi(argv[4]) }) != 0;
	if (argc > 3 && strcmp(argv[1], "press") == 0)
		return press(argv[2], argv + 3);
	if (argc > 3 && strcmp(argv[1], "hangup") == 0)
		return hang_up(argv[2], argv + 3);
	if (argc > 2 && strcmp(argv[1], "blocked") == 0) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		execv(argv[2], argv + 2);
	}
	return 99;
}
