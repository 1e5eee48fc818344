/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal of `ompprof top`; see top.h. Every terminal since the VT100 knows or ignores the few
 * sequences that are written here. A library for terminals would be one more dependency for their
 * sake. The state is one struct, because signal handlers can reach nothing else. Signals are
 * blocked except while the process waits for a key, so no signal is missed before the wait.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "src/top/top.h"

static const char enter[] = "\033[?1049h\033[?25l\033[2J";
static const char leave[] = "\033[?25h\033[?1049l";
static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGWINCH, SIGTSTP,
	SIGCONT };

enum { N_CAUGHT = sizeof(caught) / sizeof(caught[0]), ESCAPE_MS = 50 };

static struct {
	int in, out, is_ours;
	struct termios before;
	struct sigaction previous[N_CAUGHT];
	sigset_t mask;         /* the mask before top_terminal_begin */
	sigset_t mask_in_wait; /* the mask while waiting: no caught signal is blocked */
	volatile sig_atomic_t came[N_CAUGHT];
	volatile sig_atomic_t has_changed;
	unsigned char typed[64]; /* n_typed bytes that are not taken as keys yet */
	size_t n_typed;
} state = { .in = -1, .out = -1 };

static void note(int signal)
{
	for (int i = 0; i < N_CAUGHT; i++) {
		if (caught[i] == signal)
			state.came[i] = 1;
	}
	if (signal == SIGWINCH || signal == SIGCONT)
		state.has_changed = 1;
}

static void put_bytes(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t step = write(state.out, bytes, n);

		if (step < 0 && errno == EINTR)
			continue;
		if (step <= 0)
			return;
		bytes += step;
		n -= (size_t)step;
	}
}

/* Ctrl-C and Ctrl-Z remain signals. */
int top_terminal_enter(void)
{
	struct termios keys = state.before;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 0;
	keys.c_cc[VTIME] = 0;
	if (tcsetattr(state.in, TCSADRAIN, &keys) != 0)
		return errno;
	put_bytes(enter, sizeof(enter) - 1);
	state.has_changed = 1;
	return 0;
}

void top_terminal_leave(void)
{
	put_bytes(leave, sizeof(leave) - 1);
	tcsetattr(state.in, TCSADRAIN, &state.before);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = note };
	sigset_t ours;

	sigfillset(&action.sa_mask);
	sigemptyset(&ours);
	for (int i = 0; i < N_CAUGHT; i++)
		sigaddset(&ours, caught[i]);
	sigprocmask(SIG_BLOCK, &ours, &state.mask);
	state.mask_in_wait = state.mask;
	for (int i = 0; i < N_CAUGHT; i++) {
		state.came[i] = 0;
		sigaction(caught[i], &action, &state.previous[i]);
		/* A signal that is ignored stays ignored, as with nohup. */
		if (state.previous[i].sa_handler == SIG_IGN)
			sigaction(caught[i], &state.previous[i], NULL);
		sigdelset(&state.mask_in_wait, caught[i]);
	}
}

int top_terminal_begin(int in, int out)
{
	int error;

	state.in = in;
	state.out = out;
	state.n_typed = 0;
	if (tcgetattr(in, &state.before) != 0)
		return errno;
	catch_signals();
	error = top_terminal_enter();
	state.is_ours = 1;
	return error;
}

void top_terminal_end(void)
{
	if (!state.is_ours)
		return;
	state.is_ours = 0;
	top_terminal_leave();
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &state.previous[i], NULL);
	sigprocmask(SIG_SETMASK, &state.mask, NULL);
}

void top_terminal_stop(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	sigset_t stops;

	top_terminal_leave();
	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigemptyset(&stops);
	sigaddset(&stops, SIGTSTP);
	/* The process stops here, and continues when somebody sends SIGCONT. */
	sigprocmask(SIG_UNBLOCK, &stops, NULL);
	sigprocmask(SIG_BLOCK, &stops, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	top_terminal_enter();
}

int top_terminal_signal(void)
{
	for (int i = 0; i < N_CAUGHT; i++) {
		if (state.came[i]) {
			state.came[i] = 0;
			return caught[i];
		}
	}
	return 0;
}

size_t top_key_parse(const unsigned char *bytes, size_t n, int *key)
{
	size_t end = 2;

	*key = bytes[0] < 128 ? bytes[0] : 0;
	if (bytes[0] != '\033' || n < 2)
		return 1;
	*key = 0;
	if (bytes[1] != '[' && bytes[1] != 'O')
		return 2;
	/* First parameters, then a last byte that identifies the key. */
	while (end < n && bytes[end] >= 0x20 && bytes[end] < 0x40)
		end++;
	if (end == n)
		return n;
	*key = bytes[end] == 'D' ? TOP_KEY_LEFT : bytes[end] == 'C' ? TOP_KEY_RIGHT : 0;
	return end + 1;
}

/* Waits for input or a signal. Returns 1 for input, 0, or -1 when the terminal is gone. */
static int await_bytes(int timeout_ms)
{
	struct pollfd ready = { .fd = state.in, .events = POLLIN };
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	if (ppoll(&ready, 1, &timeout, &state.mask_in_wait) <= 0)
		return 0;
	return ready.revents & (POLLHUP | POLLERR | POLLNVAL) ? -1 : 1;
}

/* Reads more bytes into state.typed. Returns 0, or -1 when the terminal is gone. */
static int read_bytes(void)
{
	ssize_t n =
		read(state.in, state.typed + state.n_typed, sizeof(state.typed) - state.n_typed);

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		return -1;
	state.n_typed += n > 0 ? (size_t)n : 0;
	return 0;
}

/* Takes a key of the typed bytes. If it may begin a sequence, waits a moment for the rest. */
static int take_key(void)
{
	int key;
	size_t n;

	if (state.typed[0] == '\033' && state.n_typed < 3 && await_bytes(ESCAPE_MS) > 0 &&
		read_bytes() != 0)
		return TOP_KEY_GONE;
	n = top_key_parse(state.typed, state.n_typed, &key);
	state.n_typed -= n;
	memmove(state.typed, state.typed + n, state.n_typed);
	return key;
}

int top_terminal_key(int timeout_ms)
{
	int ready;

	if (!state.n_typed && !state.has_changed) {
		ready = await_bytes(timeout_ms);
		if (ready < 0 || (ready > 0 && read_bytes() != 0))
			return TOP_KEY_GONE;
	}
	if (state.has_changed) {
		state.has_changed = 0;
		return TOP_KEY_REDRAW;
	}
	return state.n_typed ? take_key() : 0;
}

void top_terminal_size(int *width, int *height)
{
	struct winsize size = { 0 };

	if (ioctl(state.out, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		size = (struct winsize){ .ws_col = 80, .ws_row = 24 };
	*width = size.ws_col;
	*height = size.ws_row;
}

/*
 * Writes each line over the old one and erases only the rest of it, so nothing flickers. The last
 * line gets no line end, which would scroll the screen.
 */
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
