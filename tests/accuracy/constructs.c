/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constructs NAME [FACTOR]: two threads wait for each other in one construct, three times, once longer
 * than the runtime's block time of 200 ms. Prints where the threads' time went (truth.h).
 */
#include "truth.h"

static const double rounds[] = { 0.03, 0.02, 0.27 };
enum { N_ROUNDS = 3 };

static double factor = 1;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static volatile int n_made;  /* rounds whose task is created */
static volatile int n_begun; /* rounds in which what the others wait for has begun */

BURNER(late_kernel)
BURNER(early_kernel)
BURNER(serial_kernel)

/* Until the other thread has come so far. */
static NOINLINE void await(const volatile int *n, int round)
{
	double limit = work_clock(CLOCK_MONOTONIC) + 0.2;

	while (*n <= round && work_clock(CLOCK_MONOTONIC) < limit)
		;
}

/* The late thread of a round. */
static int is_late(int thread, int round)
{
	return thread == round % 2;
}

static void burn_share(int thread, int round)
{
	if (is_late(thread, round))
		late_kernel(rounds[round] * factor);
	else
		early_kernel(rounds[round] * factor / 20);
}

static void meet(int thread, int round)
{
	struct truth_now was;

	burn_share(thread, round);
	was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
}

static void share_loop(int thread, int round)
{
	struct truth_now was = truth_enter(TRUTH_WORKSHARE);

	(void)thread;
#pragma omp for schedule(static, 1)
	for (int i = 0; i < 2; i++)
		burn_share(i, round);
	truth_back(was);
}

static void share_sections(int thread, int round)
{
	struct truth_now was = truth_enter(TRUTH_WORKSHARE);

	(void)thread;
#pragma omp sections
	{
#pragma omp section
		burn_share(0, round);
#pragma omp section
		burn_share(1, round);
	}
	truth_back(was);
}

static void share_single(int thread, int round)
{
	struct truth_now was = truth_enter(TRUTH_WORKSHARE);

	(void)thread;
#pragma omp single
	late_kernel(rounds[round] * factor);
	truth_back(was);
}

static NOINLINE void child(int round)
{
	n_begun = round + 1;
	late_kernel(rounds[round] * factor);
}

/* Thread 0, in a barrier, executes the task: runtimes do not always wake it for one that comes later. */
static void wait_for_child(int thread, int round)
{
	struct truth_now was;

	if (thread == 0) {
		await(&n_made, round);
	} else {
#pragma omp task
		child(round);
		n_made = round + 1;
		await(&n_begun, round);
		was = truth_enter(TRUTH_TASKWAIT);
#pragma omp taskwait
		truth_back(was);
	}
	was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
}

static void wait_for_group(int thread, int round)
{
	struct truth_now was;

	if (thread == 0) {
		await(&n_made, round);
	} else {
#pragma omp taskgroup
		{
#pragma omp task
			child(round);
			n_made = round + 1;
			await(&n_begun, round);
			was = truth_enter(TRUTH_TASKGROUP);
		}
		truth_back(was);
	}
	was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
}

/* Both threads execute tasks in the barrier, one of them longer. */
static void meet_with_tasks(int thread, int round)
{
	struct truth_now was;

	if (thread == 0) {
#pragma omp task
		late_kernel(rounds[round] * factor);
		for (int i = 0; i < 4; i++) {
#pragma omp task
			early_kernel(rounds[round] * factor / 12);
		}
	}
	was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
}

/* Holds what the other thread then waits for. */
static void hold(int round)
{
	truth_hold(1);
	n_begun = round + 1;
	late_kernel(rounds[round] * factor);
	truth_hold(0);
}

static void set_lock(int thread, int round)
{
	struct truth_now was;

	if (is_late(thread, round)) {
		omp_set_lock(&lock);
		hold(round);
	} else {
		await(&n_begun, round);
		was = truth_enter(TRUTH_LOCK);
		omp_set_lock(&lock);
		truth_back(was);
		early_kernel(rounds[round] * factor / 20);
	}
	omp_unset_lock(&lock);
}

static void set_nest_lock(int thread, int round)
{
	struct truth_now was;

	if (is_late(thread, round)) {
		omp_set_nest_lock(&nest_lock);
		omp_set_nest_lock(&nest_lock);
		hold(round);
		omp_unset_nest_lock(&nest_lock);
	} else {
		await(&n_begun, round);
		was = truth_enter(TRUTH_NEST_LOCK);
		omp_set_nest_lock(&nest_lock);
		truth_back(was);
		early_kernel(rounds[round] * factor / 20);
	}
	omp_unset_nest_lock(&nest_lock);
}

/* Tries the lock again and again. */
static void test_lock(int thread, int round)
{
	struct truth_now was;

	if (is_late(thread, round)) {
		omp_set_lock(&lock);
		hold(round);
	} else {
		await(&n_begun, round);
		was = truth_enter(TRUTH_LOCK);
		while (!omp_test_lock(&lock))
			;
		truth_back(was);
		early_kernel(rounds[round] * factor / 20);
	}
	omp_unset_lock(&lock);
}

static void test_nest_lock(int thread, int round)
{
	struct truth_now was;

	if (is_late(thread, round)) {
		while (!omp_test_nest_lock(&nest_lock))
			;
		hold(round);
	} else {
		await(&n_begun, round);
		was = truth_enter(TRUTH_NEST_LOCK);
		while (!omp_test_nest_lock(&nest_lock))
			;
		truth_back(was);
		early_kernel(rounds[round] * factor / 20);
	}
	omp_unset_nest_lock(&nest_lock);
}

static void enter_critical(int thread, int round)
{
	struct truth_now was = truth_me()->now;
	int late = is_late(thread, round);

	if (!late) {
		await(&n_begun, round);
		was = truth_enter(TRUTH_CRITICAL);
	}
#pragma omp critical(door)
	if (late) {
		hold(round);
	} else {
		truth_back(was);
		early_kernel(rounds[round] * factor / 20);
	}
}

static void take_turns(int thread, int round)
{
	struct truth_now was = truth_me()->now;

#pragma omp for ordered schedule(static, 1) nowait
	for (int i = 0; i < 2; i++) {
		if (thread == 1)
			was = truth_enter(TRUTH_ORDERED);
#pragma omp ordered
		if (thread == 0) {
			late_kernel(rounds[round] * factor);
		} else {
			truth_back(was);
			early_kernel(rounds[round] * factor / 20);
		}
	}
}

/* An iteration needs the one before it. */
static void follow(int thread, int round)
{
#pragma omp for ordered(1) schedule(static, 1) nowait
	for (int i = 0; i < 2; i++) {
		struct truth_now was = truth_me()->now;

		if (thread == 1)
			was = truth_enter(TRUTH_ORDERED);
#pragma omp ordered depend(sink : i - 1)
		if (thread == 0) {
			late_kernel(rounds[round] * factor);
		} else {
			truth_back(was);
			early_kernel(rounds[round] * factor / 20);
		}
#pragma omp ordered depend(source)
	}
}

#if defined(__GNUC__) && !defined(__clang__)
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

/* gcc updates a long double between these two, under the one lock for all such. */
static void update(int thread, int round)
{
	static long double sum;
	struct truth_now was;

	if (is_late(thread, round)) {
		GOMP_atomic_start();
		hold(round);
		GOMP_atomic_end();
	} else {
		await(&n_begun, round);
		was = truth_enter(TRUTH_ATOMIC);
#pragma omp atomic
		sum += 1;
		truth_back(was);
	}
}
#else
static void update(int thread, int round)
{
	(void)thread;
	(void)round;
}
#endif

/* What combines two threads' sums takes long, and the runtime lets one thread in at a time. */
static double combining;

static NOINLINE void combine(double *out, double in)
{
	if (combining > 0)
		late_kernel(combining);
	*out += in;
}

#pragma omp declare reduction(slow:double : combine(&omp_out, omp_in)) initializer(omp_priv = 0)

static void reduce(int thread, int round)
{
	static double sum;
	struct truth_now was;

	(void)thread;
	combining = rounds[round] * factor;
	was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
	was = truth_enter(TRUTH_REDUCTION);
#pragma omp for schedule(static, 1) reduction(slow : sum) nowait
	for (int i = 0; i < 2; i++)
		sum += i;
	truth_back(was);
}

/* With KMP_FORCE_REDUCTION=tree all meet at a barrier of their own before the sums are combined. */
static void reduce_tree(int thread, int round)
{
	static double sum;
	struct truth_now was = truth_enter(TRUTH_BARRIER);

	combining = 0;
	(void)thread;
#pragma omp for schedule(static, 1) reduction(slow : sum) nowait
	for (int i = 0; i < 2; i++) {
		burn_share(i, round);
		sum += i;
	}
	truth_back(was);
}

#ifdef WITH_WORKSHARE
void share_workshare(double seconds); /* workshare.f90 */
void workshare_kernel(double seconds);

void workshare_kernel(double seconds)
{
	late_kernel(seconds);
}
#else
static void share_workshare(double seconds)
{
	(void)seconds;
}
#endif

static void share_work(int thread, int round)
{
	struct truth_now was = truth_enter(TRUTH_WORKSHARE);

	(void)thread;
	share_workshare(rounds[round] * factor);
	truth_back(was);
}

struct construct {
	const char *name;
	void (*round)(int thread, int round);
};

/* All rounds in one region; they begin together. */
static void run_rounds(const struct construct *construct)
{
	struct truth_now was = truth_me()->now;
	int team = truth_team();

#pragma omp parallel num_threads(2)
	{
		truth_join(team);
		for (int i = 0; i < N_ROUNDS; i++) {
			struct truth_now before;

			construct->round(omp_get_thread_num(), i);
			before = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
			truth_back(before);
		}
		truth_close();
	}
	truth_end(team, was);
}

/* A region for each round; if is_serial, thread 0 alone works between them. */
static void run_regions(int is_serial)
{
	struct truth_now was = truth_me()->now;

	for (int i = 0; i < N_ROUNDS; i++) {
		int team = truth_team();

#pragma omp parallel num_threads(2)
		{
			truth_join(team);
			if (is_serial)
				early_kernel(0.01 * factor);
			else
				burn_share(omp_get_thread_num(), i);
			truth_close();
		}
		truth_end(team, was);
		if (is_serial)
			serial_kernel(rounds[i] * factor);
	}
}

static const struct construct constructs[] = {
	{ "barrier", meet },
	{ "for", share_loop },
	{ "sections", share_sections },
	{ "single", share_single },
	{ "taskwait", wait_for_child },
	{ "taskgroup", wait_for_group },
	{ "tasks", meet_with_tasks },
	{ "lock", set_lock },
	{ "nest_lock", set_nest_lock },
	{ "test_lock", test_lock },
	{ "test_nest_lock", test_nest_lock },
	{ "critical", enter_critical },
	{ "ordered", take_turns },
	{ "doacross", follow },
	{ "atomic", update },
	{ "reduction", reduce },
	{ "tree", reduce_tree },
	{ "workshare", share_work },
};

static int run(const char *name)
{
	if (!strcmp(name, "closing") || !strcmp(name, "idle")) {
		run_regions(!strcmp(name, "idle"));
		return 0;
	}
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++) {
		if (!strcmp(name, constructs[i].name)) {
			run_rounds(&constructs[i]);
			return 0;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	if (argc > 2)
		factor = atof(argv[2]);
	truth_me();
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	if (argc < 2 || run(argv[1])) {
		fprintf(stderr, "usage: constructs NAME [FACTOR]\n");
		return 2;
	}
	truth_print(argv[1]);
	return 0;
}
