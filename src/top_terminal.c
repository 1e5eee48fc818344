/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal of `ompprof top`; see top.h. The few sequences that are written every terminal since the VT100 knows,
 * or passes over: a library of terminals would be one more dependency for them. One struct, as signals know of no
 * other.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "src/top.h"

static const char enter[] = "\033[?1049h\033[?25l\033[2J";
static const char leave[] = "\033[?25h\033[?1049l";
static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT };

enum { N_CAUGHT = sizeof(caught) / sizeof(caught[0]) };

static struct {
	int fd, is_ours;
	struct termios before;
	struct sigaction previous[N_CAUGHT];
	volatile sig_atomic_t end_by, has_changed, is_to_stop;
} state = { .fd = -1 };

static void note(int signal)
{
	if (signal == SIGWINCH || signal == SIGCONT)
		state.has_changed = 1;
	else if (signal == SIGTSTP)
		state.is_to_stop = 1;
	else
		state.end_by = signal;
}

static void put_bytes(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t step = write(state.fd, bytes, n);

		if (step < 0 && errno == EINTR)
			continue;
		if (step <= 0)
			return;
		bytes += step;
		n -= (size_t)step;
	}
}

/* Keys come one by one; Ctrl-C and Ctrl-Z stay signals. */
static int take(void)
{
	struct termios keys = state.before;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 0;
	keys.c_cc[VTIME] = 0;
	if (tcsetattr(state.fd, TCSADRAIN, &keys) != 0)
		return errno;
	put_bytes(enter, sizeof(enter) - 1);
	return 0;
}

static void give_back(void)
{
	put_bytes(leave, sizeof(leave) - 1);
	tcsetattr(state.fd, TCSADRAIN, &state.before);
}

int top_terminal_begin(int fd)
{
	struct sigaction action = { .sa_handler = note };
	int error;

	state.fd = fd;
	if (tcgetattr(fd, &state.before) != 0)
		return errno;
	state.end_by = state.is_to_stop = 0;
	state.has_changed = 1;
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &action, &state.previous[i]);
	error = take();
	state.is_ours = 1;
	return error;
}

void top_terminal_end(void)
{
	if (!state.is_ours)
		return;
	state.is_ours = 0;
	give_back();
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &state.previous[i], NULL);
}

/* As if nobody had caught the signal; goes on when somebody continues us. */
static void stop(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	sigset_t stops;

	state.is_to_stop = 0;
	give_back();
	sigemptyset(&stops);
	sigaddset(&stops, SIGTSTP);
	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stops, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	take();
	state.has_changed = 1;
}

int top_terminal_signal(void)
{
	return state.end_by;
}

static int read_key(void)
{
	unsigned char bytes[8];
	ssize_t n = read(state.fd, bytes, sizeof(bytes));

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		return TOP_KEY_GONE;
	if (n < 0)
		return 0;
	if (n >= 3 && bytes[0] == '\033' && (bytes[1] == '[' || bytes[1] == 'O'))
		return bytes[2] == 'D' ? TOP_KEY_LEFT : bytes[2] == 'C' ? TOP_KEY_RIGHT : 0;
	return bytes[0];
}

int top_terminal_key(int timeout_ms)
{
	struct pollfd ready = { .fd = state.fd, .events = POLLIN };

	if (state.is_to_stop)
		stop();
	if (state.has_changed) {
		state.has_changed = 0;
		return TOP_KEY_REDRAW;
	}
	if (state.end_by || poll(&ready, 1, timeout_ms) <= 0)
		return 0;
	if (ready.revents & (POLLHUP | POLLERR | POLLNVAL))
		return TOP_KEY_GONE;
	return read_key();
}

void top_terminal_size(int *width, int *height)
{
	struct winsize size = { 0 };

	if (ioctl(state.fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		size = (struct winsize){ .ws_col = 80, .ws_row = 24 };
	*width = size.ws_col;
	*height = size.ws_row;
}

/* Line over line, the rest of each erased, so that nothing flickers; the last line is not ended, it would scroll. */
void top_terminal_put(const char *screen)
{
	put_bytes("\033[H", 3);
	while (*screen) {
		size_t n = strcspn(screen, "\n");

		put_bytes(screen, n);
		put_bytes("\033[K", 3);
		screen += n + (screen[n] == '\n');
		if (*screen)
			put_bytes("\r\n", 2);
	}
	put_bytes("\033[J", 3);
}
