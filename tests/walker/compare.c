/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload: samples every thread of a program by timer, walks each sample's stack by
 * walker_cfi, without and with the memory of the walk before, and by libunwind, all from the same
 * registers, and compares the lists of (ip, cfa). At exit it writes to the file named by
 * WALK_COMPARE_OUT:
 *
 *   samples N equal N explained N unexplained N frames N kept N
 *   differs: REASON; <how the paths differ, with symbols>     (the first few)
 *
 * kept: samples of which the memory gave frames.
 * explained: see explain() below. libunwind makes the handler not signal-safe: the programs block
 * the signal where that would matter.
 */
#include "unwinder/core/walk.h"
#include "tests/walker/program.h"
#include "tests/walker/row.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define PERIOD_NS       300000
#define WANTED_DEFAULT  2000
#define CAP_SECONDS     20 /* and a second for each CAP_SAMPLES that are wanted */
#define CAP_SAMPLES     100
#define MAX_DIFFERENCES 24

struct difference {
	uint32_t n_cfi, n_unw; /* frames; of each path those around the first difference */
	uint32_t end;
	uint32_t at;
	int has_memory;     /* the walk */
	const char *reason; /* NULL: unexplained */
	struct walk_frame cfi[3], unw[3];
	uint64_t first_ip;
};

static struct {
	atomic_long n_samples, n_equal, n_explained, n_unexplained, n_frames, n_kept;
	atomic_int n_differences, is_over;
	long wanted;
	time_t deadline;
	struct walk_bounds libgcc; /* its code, if the program uses it */
	struct difference difference[MAX_DIFFERENCES];
} compare;

struct thread_start {
	void *(*routine)(void *);
	void *argument;
};

static _Thread_local struct walk_bounds bounds __attribute__((tls_model("initial-exec")));
static _Thread_local int is_walking __attribute__((tls_model("initial-exec")));
/*
 * The thread's CPU time after the last walk. On a busy machine a walk can last as long as a period:
 * without a sample left out now and then, the program would not go on.
 */
static _Thread_local uint64_t walked_ns __attribute__((tls_model("initial-exec")));
static _Thread_local struct walk_path fresh_path __attribute__((tls_model("initial-exec")));
static _Thread_local struct walk_path kept_path __attribute__((tls_model("initial-exec")));
static _Thread_local struct walk_path *judged __attribute__((tls_model("initial-exec")));
static _Thread_local struct walk_path unw_path __attribute__((tls_model("initial-exec")));

/* libunwind's path; the CFA of a frame is the stack pointer of the next. */
static void walk_by_libunwind(ucontext_t *context, struct walk_path *path)
{
	unw_cursor_t cursor;
	unw_word_t ip, sp;
	int step = 1;

	walk_path_begin(path);
	path->end = WALK_COMPLETE;
	unw_init_local2(&cursor, (unw_context_t *)context, UNW_INIT_SIGNAL_FRAME);
	while (step > 0 && path->n < WALK_MAX_FRAMES) {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || ip == 0)
			return;
		path->frame[path->n++] = (struct walk_frame){ .ip = ip };
		step = unw_step(&cursor);
		if (step > 0 && unw_get_reg(&cursor, UNW_REG_SP, &sp) == 0)
			path->frame[path->n - 1].cfa = sp;
	}
	if (step < 0)
		path->end = WALK_BAD_CFI;
	else if (step > 0)
		path->end = WALK_LIMIT;
}

/* The first frame in which the paths differ, or -1. An unknown CFA equals any. */
static int first_difference(const struct walk_path *a, const struct walk_path *b)
{
	uint32_t n = a->n < b->n ? a->n : b->n;

	for (uint32_t i = 0; i < n; i++) {
		if (a->frame[i].ip != b->frame[i].ip)
			return (int)i;
		if (a->frame[i].cfa && b->frame[i].cfa && a->frame[i].cfa != b->frame[i].cfa)
			return (int)i;
	}
	return a->n == b->n ? -1 : (int)n;
}

static int is_in_libgcc(uint64_t ip)
{
	return ip >= compare.libgcc.lo && ip < compare.libgcc.hi;
}

/* Whether both paths have the same first n frames, but for the CFA of the last. */
static int is_agreed(uint32_t n)
{
	if (n > unw_path.n)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (judged->frame[i].ip != unw_path.frame[i].ip ||
			(i + 1 < n && judged->frame[i].cfa != unw_path.frame[i].cfa))
			return 0;
	return 1;
}

/*
 * Both walkers are misled alike: libgcc installs a context by overwriting the registers that its own
 * frame has saved, and then returns through them. Meanwhile its rules yield the new context's
 * registers for its old caller. They agree as far as walker_cfi goes: to an address that is in no
 * object or to an impossible CFA. It says so; libunwind follows rbp or reports an ordinary end.
 */
static int is_context_installed(void)
{
	struct dl_find_object object;
	uint64_t last = judged->frame[judged->n - 1].ip;

	if (!is_in_libgcc(judged->frame[0].ip) || !is_agreed(judged->n))
		return 0;
	if (judged->end == WALK_UNKNOWN_CODE)
		return _dl_find_object((void *)(uintptr_t)last, &object) != 0;
	return judged->end == WALK_OFF_STACK || judged->end == WALK_NO_PROGRESS;
}

/*
 * A landing pad begins at an address that is also a return address: libgcc, about to jump there, has
 * it for one, and it is looked up one byte before, where another row may hold. libunwind caches rows
 * by address alone: it takes the row that was right when the address was met in the other way.
 */
static int is_cached_row(uint32_t at)
{
	const struct walk_frame *a = &judged->frame[at], *b = &unw_path.frame[at];
	struct cfi_row before, exact;
	int64_t more;

	if (at >= judged->n || !is_agreed(at + 1) || !a->cfa ||
		(at > 0 && (!is_in_libgcc(judged->frame[0].ip) || a->how != WALK_CALL)))
		return 0;
	if (row_find(a->ip - 1, &before) != 0 || row_find(a->ip, &exact) != 0 ||
		before.cfa.reg != WALK_RSP || exact.cfa.reg != WALK_RSP)
		return 0;
	more = exact.cfa.value - before.cfa.value;
	return b->cfa - a->cfa == (uint64_t)(at > 0 ? more : -more);
}

/*
 * The C library's start and end code, and hand-written code, has no call frame information.
 * walker_cfi stops there, or in the first frame goes on by a guess that it marks; libunwind guesses
 * without a mark.
 */
static int is_without_cfi(void)
{
	int is_guessed = judged->n > 1 && judged->frame[1].how == WALK_GUESS;
	uint32_t gap = is_guessed ? 0 : judged->n - 1;
	uint64_t pc = judged->frame[gap].ip - (judged->frame[gap].how != WALK_EXACT);
	struct cfi_row row;

	return (is_guessed || judged->end == WALK_NO_CFI) && is_agreed(gap + 1) &&
	       row_find(pc, &row) != 0;
}

/*
 * longjmp while it loads registers: its rules count from the buffer, so that libunwind reports the
 * buffer's address as the frame's; walker_cfi reports the stack pointer that is being loaded.
 */
static int is_jump(int at)
{
	struct cfi_row row;

	return at == 0 && row_find(judged->frame[0].ip, &row) == 0 && row_is_jump(&row);
}

/* Why a difference is none of walker_cfi's faults; NULL if that cannot be shown. */
static const char *explain(int at)
{
	if (is_context_installed())
		return "a context is being installed by libgcc";
	if (is_cached_row((uint32_t)at))
		return "a landing pad in libunwind's cache";
	if (is_without_cfi())
		return "code without call frame information";
	if (is_jump(at))
		return "longjmp is loading registers";
	return NULL;
}

static void keep_difference(int at, const char *reason)
{
	int slot = atomic_fetch_add(&compare.n_differences, 1);
	struct difference *d;

	if (slot >= MAX_DIFFERENCES)
		return;
	d = &compare.difference[slot];
	d->has_memory = judged == &kept_path;
	d->n_cfi = judged->n;
	d->n_unw = unw_path.n;
	d->end = judged->end;
	d->at = (uint32_t)at;
	d->reason = reason;
	d->first_ip = judged->frame[0].ip;
	for (int i = 0; i < 3; i++) {
		uint32_t k = (uint32_t)(at + i - 1);

		if (k < judged->n)
			d->cfi[i] = judged->frame[k];
		if (k < unw_path.n)
			d->unw[i] = unw_path.frame[k];
	}
}

enum verdict {
	EQUAL,
	EXPLAINED,
	UNEXPLAINED,
};

/* Compares a path of walker_cfi's with libunwind's. */
static enum verdict judge(struct walk_path *path)
{
	const char *reason;
	int at;

	judged = path;
	at = first_difference(path, &unw_path);
	if (at < 0 && path->end != WALK_COMPLETE && unw_path.end == WALK_COMPLETE)
		at = (int)path->n - 1;
	if (at < 0)
		return EQUAL;
	reason = explain(at);
	keep_difference(at, reason);
	return reason ? EXPLAINED : UNEXPLAINED;
}

static void count(enum verdict verdict)
{
	atomic_fetch_add(&compare.n_samples, 1);
	atomic_fetch_add(&compare.n_frames, fresh_path.n);
	atomic_fetch_add(&compare.n_kept, kept_path.n_kept > 0);
	atomic_fetch_add(verdict == EQUAL       ? &compare.n_equal
			 : verdict == EXPLAINED ? &compare.n_explained
						: &compare.n_unexplained,
		1);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void on_timer(int signal_number, siginfo_t *info, void *context)
{
	enum verdict fresh, kept;
	struct walk_registers registers;
	int saved_errno = errno;

	(void)signal_number;
	(void)info;
	if (compare.is_over || is_walking || !bounds.hi || cpu_ns() - walked_ns < PERIOD_NS / 10)
		return;
	is_walking = 1;
	walk_registers_from_ucontext(&registers, context);
	walk_path_begin(&fresh_path);
	walker_cfi.walk(&registers, &bounds, UINT64_MAX, &fresh_path);
	walker_cfi.walk(&registers, &bounds, UINT64_MAX, &kept_path);
	walk_by_libunwind(context, &unw_path);
	fresh = judge(&fresh_path);
	kept = judge(&kept_path);
	count(fresh > kept ? fresh : kept);
	walked_ns = cpu_ns();
	is_walking = 0;
	errno = saved_errno;
}

static void find_bounds(void)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	bounds.lo = (uintptr_t)lo;
	bounds.hi = bounds.lo + size;
}

static void find_libgcc(void)
{
	struct dl_find_object object;
	void *resume = dlsym(RTLD_DEFAULT, "_Unwind_Resume");

	if (!resume || _dl_find_object(resume, &object) != 0)
		return;
	compare.libgcc.lo = (uintptr_t)object.dlfo_map_start;
	compare.libgcc.hi = (uintptr_t)object.dlfo_map_end;
}

static int start_timer(timer_t *timer)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
	struct itimerspec period = { .it_value.tv_nsec = PERIOD_NS,
		.it_interval.tv_nsec = PERIOD_NS };

	find_bounds();
	event._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, timer) != 0)
		return -1;
	return timer_settime(*timer, 0, &period, NULL);
}

static void *run_thread(void *argument)
{
	struct thread_start start = *(struct thread_start *)argument;
	timer_t timer;
	int has_timer;
	void *result;

	free(argument);
	has_timer = start_timer(&timer) == 0;
	result = start.routine(start.argument);
	if (has_timer)
		timer_delete(timer);
	return result;
}

/* In place of the C library's: the new thread gets a timer too. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
	const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct thread_start *start = malloc(sizeof(*start));

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (!real || !start)
		return EAGAIN;
	*start = (struct thread_start){ .routine = routine, .argument = argument };
	return real(thread, attributes, run_thread, start);
}

__attribute__((visibility("default"))) int walk_is_enough(void)
{
	if (walker_cfi.refresh)
		walker_cfi.refresh();
	return compare.n_samples >= compare.wanted || time(NULL) >= compare.deadline;
}

__attribute__((constructor)) static void begin(void)
{
	struct sigaction action = { .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART };
	const char *wanted = getenv("WALK_COMPARE_SAMPLES");
	struct walk_registers here;
	ucontext_t context;
	timer_t timer;

	compare.wanted = wanted ? atol(wanted) : WANTED_DEFAULT;
	compare.deadline = time(NULL) + CAP_SECONDS + compare.wanted / CAP_SAMPLES;
	if (walker_cfi.init && walker_cfi.init() != 0)
		return;
	/* libunwind prepares itself at its first use, which must not be in a handler. */
	find_bounds();
	find_libgcc();
	getcontext(&context);
	walk_by_libunwind(&context, &unw_path);
	walk_registers_here(&here);
	walker_cfi.walk(&here, &bounds, UINT64_MAX, &kept_path);
	sigfillset(&action.sa_mask);
	sigaction(SIGPROF, &action, NULL);
	start_timer(&timer);
}

static void print_frame(FILE *out, const char *walker, const struct walk_frame *frame)
{
	Dl_info info = { 0 };

	if (!frame->ip)
		return;
	dladdr((void *)(uintptr_t)frame->ip, &info);
	fprintf(out, "  %s %#lx cfa %#lx %s+%#lx (%s+%#lx)\n", walker, frame->ip, frame->cfa,
		info.dli_sname ? info.dli_sname : "?", frame->ip - (uintptr_t)info.dli_saddr,
		info.dli_fname ? info.dli_fname : "?", frame->ip - (uintptr_t)info.dli_fbase);
}

static void print_difference(FILE *out, const struct difference *d)
{
	struct walk_frame first = { .ip = d->first_ip };

	fprintf(out, "differs: %s; at frame %u; cfi%s: %u frames, end %u; libunwind: %u frames\n",
		d->reason ? d->reason : "unexplained", d->at, d->has_memory ? " with memory" : "",
		d->n_cfi, d->end, d->n_unw);
	print_frame(out, "first", &first);
	for (int i = 0; i < 3; i++) {
		print_frame(out, "cfi      ", &d->cfi[i]);
		print_frame(out, "libunwind", &d->unw[i]);
	}
}

__attribute__((destructor)) static void finish(void)
{
	const char *name = getenv("WALK_COMPARE_OUT");
	FILE *out;

	compare.is_over = 1;
	out = name ? fopen(name, "w") : NULL;
	if (!out)
		return;
	fprintf(out, "samples %ld equal %ld explained %ld unexplained %ld frames %ld kept %ld\n",
		compare.n_samples, compare.n_equal, compare.n_explained, compare.n_unexplained,
		compare.n_frames, compare.n_kept);
	for (int i = 0; i < compare.n_differences && i < MAX_DIFFERENCES; i++)
		print_difference(out, &compare.difference[i]);
	fclose(out);
}
