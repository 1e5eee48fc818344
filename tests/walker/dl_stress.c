/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walker_cfi while objects come and go: threads open and close plugins of different frame layouts,
 * which tend to land where another has just been, and call functions in them that call back. Timers
 * sample every thread; each path is compared with the chain that the thread knows itself to have, of
 * which the addresses in plugins are those that were called.
 *
 *   dl_stress SECONDS PLUGIN...
 *
 * Each thread takes two of the plugins for itself, at most 8 threads. On a busy machine it
 * goes on for longer. It ends with status 1 if it could not run, and writes:
 *
 *   samples N complete N wrong N inside N kept N cycles N reused N
 *
 * inside: in a function of a plugin or called by one; kept: by the walker's memory; reused: a plugin
 * was opened where the thread's other one had been.
 */
#include "tests/walker/chain_judge.h"
#include "tests/walker/dl_stress.h"

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

#define PERIOD_NS   333333
#define REFRESH_NS  2000000
#define MAX_THREADS 8
#define MANY_CALLS  20
#define ROOM_BYTES  65536
#define LOADER      60 /* frames of the loader, and what it calls */
#define N_SHOWN     12

/* In a second; where that is not reached, the program goes on up to some times as long. */
#define WANTED_CYCLES  300
#define WANTED_SAMPLES 300
#define LONGER         10

/* The first wrong or short path of a thread. */
struct finding {
	const char *why;
	uint32_t n_frames, end, n_links;
	struct walk_frame frame[N_SHOWN];
	struct chain_link link[N_SHOWN]; /* innermost first */
};

struct stress_thread {
	pthread_t thread;
	const char *plugin[2];
	int n_calls;    /* per opening */
	int is_raising; /* each call back is sampled too, so that the next sample is often in
			      another plugin at the same place */
	struct walk_bounds bounds;
	struct chain_wanted wanted;
	struct chain chain;
	uint32_t n_outside; /* links that are not inside a plugin's function */
	struct walk_path fresh, kept;
	volatile long n_samples, n_cycles;
	long n_complete, n_wrong, n_inside, n_kept, n_reused;
	struct finding wrong, cut_short;
};

static struct stress_thread threads[MAX_THREADS];
static int n_threads;
static atomic_int is_over, is_failed;
static volatile int sink;

static _Thread_local struct stress_thread *volatile me __attribute__((tls_model("initial-exec")));

static void keep(struct finding *finding, const char *why, const struct walk_path *path)
{
	if (finding->why)
		return;
	finding->why = why;
	finding->n_frames = path->n;
	finding->end = path->end;
	for (uint32_t i = 0; i < path->n && i < N_SHOWN; i++)
		finding->frame[i] = path->frame[i];
	for (uint32_t i = 0; i < me->chain.n && i < N_SHOWN; i++)
		finding->link[finding->n_links++] = me->chain.link[me->chain.n - 1 - i];
}

/* Whether a path is complete and right; counts it if it is wrong, but not if it is cut short. */
static int judge(const struct walk_path *path, uint64_t ip)
{
	struct chain_trial trial = { .path = path,
		.ip = ip,
		.bounds = &me->bounds,
		.chain = &me->chain,
		.n = me->chain.n,
		.wanted = &me->wanted };
	const char *why = chain_judge(&trial);

	if (why && trial.is_short) {
		keep(&me->cut_short, why, path);
	} else if (why) {
		me->n_wrong++;
		keep(&me->wrong, why, path);
	}
	return !why;
}

static void on_timer(int signal_number, siginfo_t *info, void *context)
{
	struct walk_registers registers;
	int saved_errno = errno;
	int is_complete;
	uint64_t ip;

	(void)signal_number;
	(void)info;
	if (!me || is_over)
		return;
	walk_registers_from_ucontext(&registers, context);
	ip = registers.reg[WALK_IP];
	walker_cfi.walk(&registers, &me->bounds, UINT64_MAX, &me->kept);
	walk_path_begin(&me->fresh);
	walker_cfi.walk(&registers, &me->bounds, UINT64_MAX, &me->fresh);
	is_complete = judge(&me->kept, ip);
	me->n_complete += judge(&me->fresh, ip) && is_complete;
	me->n_samples++;
	me->n_kept += me->kept.n_kept > 0;
	me->n_inside += me->chain.n > me->n_outside;
	errno = saved_errno;
}

static CHAIN_KEEP int back_inner(struct chain *chain, int n)
{
	int x = n;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	for (int i = 0; i < SPIN; i++)
		x = x * 5 + i;
	if (me->is_raising)
		raise(SIGPROF);
	CHAIN_LEAVE(chain);
	return x;
}

static CHAIN_KEEP int back(struct chain *chain, int n)
{
	int result;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	result = back_inner(chain, n) + 1;
	CHAIN_LEAVE(chain);
	return result;
}

/*
 * Calls a plugin far down the stack, where the loader does not come: so what the frames of the last
 * plugin have left there is still there in the frames of the next.
 */
static CHAIN_KEEP int call_deep(struct stress_thread *t, stress_plugin function, int n)
{
	volatile char room[ROOM_BYTES];
	int result;

	CHAIN_ENTER(&t->chain, CHAIN_CALLED);
	room[0] = (char)n;
	result = function(&t->chain, back, n) + room[0];
	CHAIN_LEAVE(&t->chain);
	return result;
}

/* Opens the plugin, calls it t->n_calls times and closes it. Returns where it was, or NULL. */
static CHAIN_KEEP void *cycle(struct stress_thread *t, const char *plugin)
{
	void *object, *function;

	CHAIN_ENTER(&t->chain, CHAIN_CALLED);
	object = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
	function = object ? dlsym(object, "stress_run") : NULL;
	for (int i = 0; function && i < t->n_calls; i++)
		sink = call_deep(t, (stress_plugin)function, i);
	if (object)
		dlclose(object);
	t->n_cycles++;
	CHAIN_LEAVE(&t->chain);
	return function;
}

static CHAIN_KEEP void cycles(struct stress_thread *t)
{
	void *previous = NULL, *function;

	CHAIN_ENTER(&t->chain, CHAIN_CALLED);
	while (!is_over) {
		for (int i = 0; i < 2; i++) {
			function = cycle(t, t->plugin[i]);
			if (!function) {
				is_over = 1;
				is_failed = 1;
			}
			/* The functions are at about the same place of either. */
			t->n_reused += (uintptr_t)function >> 12 == (uintptr_t)previous >> 12;
			previous = function;
		}
	}
	CHAIN_LEAVE(&t->chain);
}

static int start_timer(timer_t *timer)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
	struct itimerspec period = { .it_value.tv_nsec = PERIOD_NS,
		.it_interval.tv_nsec = PERIOD_NS };

	event._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, timer) != 0)
		return -1;
	return timer_settime(*timer, 0, &period, NULL);
}

static void *run(void *argument)
{
	struct stress_thread *t = argument;
	pthread_attr_t attributes;
	timer_t timer;
	size_t size;
	void *lo;

	CHAIN_ENTER(&t->chain, CHAIN_CALLED);
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	t->bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	/* run, cycles, cycle, call_deep. */
	t->n_outside = 4;
	t->wanted.max_inner = LOADER;
	me = t;
	if (start_timer(&timer) != 0)
		is_failed = 1;
	cycles(t);
	timer_delete(timer);
	me = NULL;
	CHAIN_LEAVE(&t->chain);
	return NULL;
}

static void sleep_ns(long ns)
{
	struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&t, NULL);
}

static int is_enough(int seconds)
{
	long n_cycles = 0, n_samples = 0;

	for (int i = 0; i < n_threads; i++) {
		n_cycles += threads[i].n_cycles;
		n_samples += threads[i].n_samples;
	}
	return n_cycles >= (long)seconds * WANTED_CYCLES &&
	       n_samples >= (long)seconds * WANTED_SAMPLES;
}

/* Until the time is over, makes what was opened known to the walker. */
static void poll_objects(int seconds)
{
	time_t begin = time(NULL);
	time_t passed = 0;

	while (!is_over && passed < (time_t)seconds * LONGER &&
		(passed < seconds || !is_enough(seconds))) {
		sleep_ns(REFRESH_NS);
		if (walker_cfi.refresh)
			walker_cfi.refresh();
		passed = time(NULL) - begin;
	}
	is_over = 1;
}

static void print_address(const char *what, uint64_t ip, uint64_t cfa)
{
	Dl_info info = { 0 };

	dladdr((void *)(uintptr_t)ip, &info);
	printf("  %s %#lx cfa %#lx in %s+%#lx\n", what, ip, cfa,
		info.dli_fname ? info.dli_fname : "?",
		info.dli_fbase ? ip - (uintptr_t)info.dli_fbase : 0);
}

static void print_finding(const char *what, const struct finding *finding)
{
	if (!finding->why)
		return;
	printf("%s: %s; %u frames, end %u\n", what, finding->why, finding->n_frames, finding->end);
	for (uint32_t i = 0; i < finding->n_frames && i < N_SHOWN; i++)
		print_address("frame", finding->frame[i].ip, finding->frame[i].cfa);
	for (uint32_t i = 0; i < finding->n_links; i++)
		print_address("link: from", finding->link[i].return_address, finding->link[i].cfa);
}

static void report(void)
{
	struct stress_thread sum = { 0 };

	for (int i = 0; i < n_threads; i++) {
		const struct stress_thread *t = &threads[i];

		sum.n_samples += t->n_samples;
		sum.n_complete += t->n_complete;
		sum.n_wrong += t->n_wrong;
		sum.n_inside += t->n_inside;
		sum.n_kept += t->n_kept;
		sum.n_cycles += t->n_cycles;
		sum.n_reused += t->n_reused;
	}
	printf("samples %ld complete %ld wrong %ld inside %ld kept %ld cycles %ld reused %ld\n",
		sum.n_samples, sum.n_complete, sum.n_wrong, sum.n_inside, sum.n_kept, sum.n_cycles,
		sum.n_reused);
	for (int i = 0; i < n_threads; i++) {
		print_finding("wrong", &threads[i].wrong);
		print_finding("cut short", &threads[i].cut_short);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART };

	n_threads = (argc - 2) / 2 < MAX_THREADS ? (argc - 2) / 2 : MAX_THREADS;
	if (n_threads < 1 || (walker_cfi.init && walker_cfi.init() != 0))
		return 1;
	sigfillset(&action.sa_mask);
	sigaction(SIGPROF, &action, NULL);
	for (int i = 0; i < n_threads; i++) {
		threads[i].plugin[0] = argv[2 + 2 * i];
		threads[i].plugin[1] = argv[3 + 2 * i];
		/* Some mostly open and close, some mostly call. */
		threads[i].is_raising = i % 4 == 0;
		threads[i].n_calls = i % 4 == 1 ? MANY_CALLS : 1;
		if (pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0)
			return 1;
	}
	poll_objects(atoi(argv[1]));
	for (int i = 0; i < n_threads; i++)
		pthread_join(threads[i].thread, NULL);
	report();
	return is_failed;
}
