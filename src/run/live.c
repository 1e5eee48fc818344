/* SPDX-License-Identifier: Apache-2.0 */
/* The work of `ompprof run --live` while the program and the view run; see live.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "src/run/live.h"
#include "src/text/message.h"
#include "src/run/run_signals.h"

/* AWAY_MS: how often to ask for the foreground. END_MS: how long a view may take to end. */
enum { AWAY_MS = 250, END_MS = 5000, STEP_MS = 10 };

static const int heeded[] = { SIGCHLD, SIGCONT, SIGWINCH, SIGTTIN, SIGTTOU };

static void set_heeded(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(heeded) / sizeof(heeded[0]); i++)
		sigaddset(set, heeded[i]);
}

static void close_all(struct live *live)
{
	int *const all[] = { &live->terminal, &live->signals, &live->output.master,
		&live->output.slave, &live->output.kept };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (*all[i] >= 0)
			close(*all[i]);
		*all[i] = -1;
	}
}

static int refuse(struct live *live, struct diag *diag, const char *why)
{
	close_all(live);
	return diag_set(diag, "cannot show the live view: %s; the program runs without it", why);
}

int live_begin(struct live *live, const char *path, struct diag *diag)
{
	const char *kind = getenv("TERM");
	sigset_t set;
	int error;

	*live = (struct live){ .path = path,
		.group = getpgrp(),
		.is_away = 1,
		.signals = -1,
		.output = { .master = -1, .slave = -1, .kept = -1 } };
	live->terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (live->terminal < 0)
		return refuse(live, diag, "there is no terminal");
	if (!kind || !kind[0] || strcmp(kind, "dumb") == 0)
		return refuse(live, diag, "the terminal is too simple for it (TERM)");
	if (tcgetattr(live->terminal, &live->modes) != 0)
		return refuse(live, diag, strerror(errno));
	set_heeded(&set);
	live->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	error = live->signals < 0 ? errno : live_output_begin(&live->output, live->terminal);
	return error ? refuse(live, diag, strerror(error)) : 0;
}

void live_prepare(const struct live *live)
{
	if (live->terminal < 0)
		return;
	live_output_redirect(&live->output);
	/* If these were ignored, reading would fail instead of stopping the process. */
	signal(SIGTTIN, SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
}

/* Both processes set the group, so that it is set before it gets the foreground. */
static void begin_view(struct live *live)
{
	pid_t pid = fork();

	if (pid == 0) {
		run_signals_end();
		setpgid(0, 0);
		live_view_run(live);
	}
	if (pid > 0) {
		setpgid(pid, pid);
		live->view = pid;
		run_signals_set_view(pid);
	}
}

static int is_in_front(const struct live *live)
{
	return live->view > 0 && tcgetpgrp(live->terminal) == live->view;
}

/* The view's process has ended. The terminal is this group's again and gets the output. */
static void after_view(struct live *live, int status)
{
	int is_left = is_in_front(live);

	live->view = 0;
	run_signals_set_view(0);
	if (is_left) {
		tcsetpgrp(live->terminal, live->group);
		if (WIFSIGNALED(status))
			live_view_clean(live);
	}
	live_output_give(&live->output, live->terminal);
}

static void end_view(struct live *live, int signal_number)
{
	int status;

	if (live->view <= 0)
		return;
	kill(live->view, signal_number);
	for (int ms = 0; waitpid(live->view, &status, WNOHANG) == 0; ms += STEP_MS) {
		if (ms == END_MS)
			kill(live->view, SIGKILL);
		live_output_take(&live->output, live->terminal);
		usleep(STEP_MS * 1000);
	}
	after_view(live, status);
}

/* A process of this group wants the terminal: ends the view if that has it. */
static void yield_terminal(struct live *live)
{
	if (is_in_front(live)) {
		end_view(live, SIGUSR1);
		message("the program uses the terminal itself: the live view has ended");
	} else if (tcgetpgrp(live->terminal) == live->group) {
		/* The terminal has become the group's meanwhile: the process can go on. */
		kill(-live->group, SIGCONT);
	} else {
		/* The job is in the background, so the whole group stops. */
		raise(SIGSTOP);
	}
}

static void come_back(struct live *live)
{
	if (live->view > 0 && tcgetpgrp(live->terminal) == live->group) {
		live->is_away = 0;
		kill(live->view, SIGCONT);
	}
}

static void look_for_view(struct live *live)
{
	int status;

	if (live->view > 0 && waitpid(live->view, &status, WNOHANG) == live->view)
		after_view(live, status);
}

static void heed(struct live *live, uint32_t signal_number)
{
	switch (signal_number) {
	case SIGCHLD:
		look_for_view(live);
		break;
	case SIGCONT:
		live->is_away = 1;
		break;
	case SIGWINCH:
		live_output_resize(&live->output, live->terminal);
		break;
	default:
		yield_terminal(live);
	}
}

static int has_ended(pid_t child)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == child;
}

/* Takes output. Returns whether more may come. */
static int take(struct live *live)
{
	int state = live_output_take(&live->output, live->terminal);

	/* The output cannot be kept: it is shown once the view has left the screen. */
	if (state == LIVE_FULL)
		end_view(live, SIGTERM);
	return state != LIVE_ENDED;
}

static void loop(struct live *live, pid_t child)
{
	int is_open = live->output.master >= 0;

	while (!has_ended(child)) {
		struct pollfd ready[] = { { .fd = live->signals, .events = POLLIN },
			{ .fd = is_open ? live->output.master : -1, .events = POLLIN } };
		struct signalfd_siginfo info;

		if (live->is_away)
			come_back(live);
		poll(ready, 2, live->is_away && live->view > 0 ? AWAY_MS : -1);
		while (read(live->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
			heed(live, info.ssi_signo);
		if (ready[1].revents)
			is_open = take(live);
	}
}

void live_watch(struct live *live, pid_t child)
{
	sigset_t set, mask;

	if (live->terminal < 0)
		return;
	if (live->output.slave >= 0)
		close(live->output.slave);
	live->output.slave = -1;
	set_heeded(&set);
	sigprocmask(SIG_BLOCK, &set, &mask);
	begin_view(live);
	if (live->view <= 0)
		live_output_give(&live->output, live->terminal);
	loop(live, child);
	/* Keep what the program has written so far, then end the view. */
	take(live);
	end_view(live, SIGTERM);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

void live_end(struct live *live)
{
	if (live->terminal < 0)
		return;
	live_output_end(&live->output, live->terminal);
	close_all(live);
}
