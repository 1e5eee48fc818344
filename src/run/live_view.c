/* SPDX-License-Identifier: Apache-2.0 */
/* The process that shows the view of `ompprof run --live`; see live.h. */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include "src/run/live.h"
#include "src/run/run_marker.h"
#include "src/top/top.h"
#include "src/run/close_from.h"

enum { INTERVAL_MS = 1000 };

struct view {
	const struct live *live;
	int is_orphaned; /* nobody could continue the group if it stopped */
	int end_by;
};

/*
 * Whether the kernel treats the group of `pid` as orphaned: no process in it has a parent in
 * another group of the session. The kernel then ignores Ctrl-Z, and lets background reads fail.
 */
static int is_orphaned(pid_t pid)
{
	pid_t group = getpgid(pid), session = getsid(pid);
	uint64_t start;
	int parent;

	while (run_process_read(pid, &parent, &start) == 0 && parent > 0 &&
		getsid(parent) == session) {
		if (getpgid(parent) != group)
			return 0;
		pid = parent;
	}
	return 1;
}

/*
 * Adds a process to the group whose parent, this process, is in another group: so that background
 * reads stop the reader, as in any job.
 */
static void keep_from_orphanhood(pid_t group)
{
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, group);
		close_from(0);
		for (;;)
			pause();
	}
	if (pid > 0)
		setpgid(pid, group);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static const int awaited[] = { SIGCONT, SIGTERM, SIGUSR1, SIGHUP };

static void set_awaited(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(awaited) / sizeof(awaited[0]); i++)
		sigaddset(set, awaited[i]);
}

/* Waits for SIGCONT. Returns 0, or another signal, which ends the view. */
static int wait_for_foreground(void)
{
	sigset_t set;
	int signal_number;

	set_awaited(&set);
	do
		signal_number = sigwaitinfo(&set, NULL);
	while (signal_number < 0);
	return signal_number == SIGCONT ? 0 : signal_number;
}

/*
 * Ctrl-Z: stops the group and waits until it is continued, or for a signal that ends the view. Does
 * nothing if the view is orphaned. Returns whether the view continues.
 */
static int stop(struct view *view)
{
	const struct live *live = view->live;

	if (view->is_orphaned)
		return 1;
	top_terminal_leave();
	tcsetpgrp(live->terminal, live->group);
	kill(-live->group, SIGTSTP);
	view->end_by = wait_for_foreground();
	if (view->end_by)
		return 0;
	tcsetpgrp(live->terminal, getpgrp());
	return top_terminal_enter() == 0;
}

/* Passes signals of the terminal on to the program's group. Returns whether the view continues. */
static int heed(void *data, int signal_number)
{
	struct view *view = data;
	const struct live *live = view->live;

	switch (signal_number) {
	case SIGINT:
	case SIGQUIT:
		kill(-live->group, signal_number);
		return 1;
	case SIGWINCH:
		live_output_resize(&live->output, live->terminal);
		kill(-live->group, signal_number);
		return 1;
	case SIGTSTP:
		return stop(view);
	case SIGCONT:
		return 1;
	case SIGHUP:
		kill(-live->group, signal_number);
		/* fall through */
	default:
		view->end_by = signal_number;
		return 0;
	}
}

static int show(struct view *view)
{
	static const struct top_options options = {
		.report = { .symbols = SYMBOLS_OPTIONS_DEFAULT }, .interval_ms = INTERVAL_MS
	};
	const struct top_host host = { heed, view };
	struct top_target target = { 0 };
	struct diag diag = { "", "" };
	struct top top;
	int status;

	snprintf(target.path, sizeof(target.path), "%s", view->live->path);
	status = top_begin(&top, &options, &target, &diag);
	if (status == 0)
		status = top_watch(&top, &host, &diag);
	top_release(&top);
	return status;
}

void live_view_clean(const struct live *live)
{
	dprintf(live->terminal, "\033[?25h\033[?1049l");
	tcsetattr(live->terminal, TCSADRAIN, &live->modes);
}

void live_view_run(const struct live *live)
{
	struct view view = { .live = live, .is_orphaned = is_orphaned(getppid()) };
	sigset_t set;
	int status = 0;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	set_awaited(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Without this it would stop when it takes the terminal from the background. */
	signal(SIGTTOU, SIG_IGN);
	if (view.is_orphaned)
		keep_from_orphanhood(live->group);
	dup2(live->terminal, STDIN_FILENO);
	dup2(live->terminal, STDOUT_FILENO);
	dup2(live->terminal, STDERR_FILENO);
	view.end_by = wait_for_foreground();
	if (!view.end_by) {
		tcsetpgrp(live->terminal, getpgrp());
		status = show(&view);
		tcsetpgrp(live->terminal, live->group);
	}
	if (view.end_by == SIGUSR1)
		kill(-live->group, SIGCONT);
	_exit(status < 0);
}
