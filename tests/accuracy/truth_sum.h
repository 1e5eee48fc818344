/* SPDX-License-Identifier: Apache-2.0 */
/* From the marks of all threads to sums, and their print as JSON. Included by truth.h alone. */
#ifndef OMPPROF_TESTS_ACCURACY_TRUTH_SUM_H
#define OMPPROF_TESTS_ACCURACY_TRUTH_SUM_H

static struct {
	struct truth_now now[TRUTH_THREADS];
	int next[TRUTH_THREADS]; /* mark */
	/* in a second, between its marks around this moment: CPU time, and time ready without a CPU */
	double cpu[TRUTH_THREADS], delay[TRUTH_THREADS];
	unsigned members[TRUTH_TEAMS];
	double seconds[TRUTH_THREADS][TRUTH_N_STATES];
	double not_running[TRUTH_THREADS];
	double unblamed[TRUTH_N_STATES];
	struct truth_blame blame[TRUTH_CAUSES];
	int n_blame;
} truth_sums;

static int truth_is_mutex(int state)
{
	return (state >= TRUTH_LOCK && state <= TRUTH_CRITICAL) || state == TRUTH_ATOMIC;
}

/* Whether thread `other` works, and thread `waiter` waits for that. */
static int truth_delays(int other, int waiter)
{
	const struct truth_now *now = &truth_sums.now[other], *waits = &truth_sums.now[waiter];

	if (now->state != TRUTH_WORK || other == waiter)
		return 0;
	if (truth_is_mutex(waits->state))
		return now->holds;
	if (waits->state == TRUTH_IDLE)
		return !now->team;
	return (truth_sums.members[waits->team] >> other & 1) != 0;
}

static void truth_charge(int state, int thread, double seconds)
{
	const char *cause = truth_sums.now[thread].cause ? truth_sums.now[thread].cause : "other";
	struct truth_blame *blame = truth_sums.blame, *end = blame + truth_sums.n_blame;

	while (blame < end &&
		(blame->state != state || blame->thread != thread || strcmp(blame->cause, cause)))
		blame++;
	if (blame == end) {
		if (truth_sums.n_blame++ == TRUTH_CAUSES)
			abort();
		*blame = (struct truth_blame){ state, thread, cause, 0 };
	}
	blame->seconds += seconds;
}

static void truth_settle(int waiter, double seconds)
{
	int state = truth_sums.now[waiter].state, n = 0;

	double left = seconds;

	for (int i = 0; i < truth_n_threads; i++)
		n += truth_delays(i, waiter);
	for (int i = 0; i < truth_n_threads; i++) {
		double share = seconds * truth_sums.cpu[i] / (truth_is_mutex(state) ? 1 : n);

		if (!truth_delays(i, waiter))
			continue;
		truth_charge(state, i, share);
		left -= share;
	}
	truth_sums.unblamed[state] += left;
}

/* All threads are what they are for so long. */
static void truth_pass(double seconds)
{
	for (int i = 0; i < truth_n_threads; i++) {
		int state = truth_sums.now[i].state;
		double delay = state > TRUTH_UNBORN ? seconds * truth_sums.delay[i] : 0;

		truth_sums.not_running[i] += delay;
		truth_sums.seconds[i][state] += seconds - delay;
		if (state > TRUTH_WORK)
			truth_settle(i, seconds - delay);
	}
}

/* The index of the thread whose next mark is the earliest one, or -1. */
static int truth_earliest(void)
{
	int first = -1;

	for (int i = 0; i < truth_n_threads; i++) {
		int next = truth_sums.next[i];

		if (next < truth_threads[i].n &&
			(first < 0 ||
				truth_threads[i].marks[next].at <
					truth_threads[first].marks[truth_sums.next[first]].at))
			first = i;
	}
	return first;
}

/* Finds what the thread gets from this mark to its next one. */
static void truth_find_rates(int thread, const struct truth_mark *mark)
{
	const struct truth_thread *of = &truth_threads[thread];
	double seconds = mark + 1 < of->marks + of->n ? mark[1].at - mark->at : 0;
	double delay = seconds > 0 ? (mark[1].delay - mark->delay) / seconds : 0;

	truth_sums.cpu[thread] = seconds > 0 ? (mark[1].cpu - mark->cpu) / seconds : 0;
	truth_sums.delay[thread] = delay < 0 ? 0 : delay > 1 ? 1 : delay;
}

static void truth_apply(int thread, const struct truth_mark *mark)
{
	truth_find_rates(thread, mark);
	for (int i = 0; mark->ended && i < truth_n_threads; i++)
		if (truth_sums.now[i].team == mark->ended)
			truth_sums.now[i] = (struct truth_now){ NULL, TRUTH_IDLE, 0, 0 };
	truth_sums.now[thread] = mark->now;
	truth_sums.members[mark->now.team] |= 1u << thread;
}

static double truth_sum(void)
{
	double begin = 0, last = 0;
	int thread;

	while ((thread = truth_earliest()) >= 0) {
		const struct truth_mark *mark =
			&truth_threads[thread].marks[truth_sums.next[thread]++];

		if (begin == 0)
			begin = last = mark->at;
		truth_pass(mark->at - last);
		truth_apply(thread, mark);
		last = mark->at;
	}
	return last - begin;
}

static void truth_print_thread(int thread)
{
	printf("{\"tid\":%d,\"not_running\":%.6f", truth_threads[thread].tid,
		truth_sums.not_running[thread]);
	for (int i = TRUTH_WORK; i < TRUTH_N_STATES; i++)
		printf(",\"%s\":%.6f", truth_words[i], truth_sums.seconds[thread][i]);
	printf("}");
}

/* All threads are still what they are. The others' CPU time is not known, nor needed, as they wait. */
static void truth_mark_end(void)
{
	double at = work_clock(CLOCK_MONOTONIC);

	for (int i = 0; i < truth_n_threads; i++) {
		struct truth_thread *of = &truth_threads[i];

		if (of->n == 0 || of->n == TRUTH_MARKS)
			continue;
		of->marks[of->n] = (struct truth_mark){ at, of->marks[of->n - 1].cpu,
			truth_delay(of), of->now, 0 };
		of->n++;
	}
}

/* Ends the truth, and prints it on stdout. Call it last, outside of regions. */
static void truth_print(const char *name)
{
	struct truth_now now = truth_me()->now;

	truth_mark(now, 0);
	truth_mark_end();
	printf("{\"construct\":\"%s\",\"wall\":%.6f,\"threads\":[", name, truth_sum());
	for (int i = 0; i < truth_n_threads; i++) {
		printf(i ? "," : "");
		truth_print_thread(i);
	}
	printf("],\"blame\":[");
	for (int i = 0; i < truth_sums.n_blame; i++) {
		const struct truth_blame *blame = &truth_sums.blame[i];

		printf("%s{\"kind\":\"%s\",\"tid\":%d,\"name\":\"%s\",\"s\":%.6f}", i ? "," : "",
			truth_words[blame->state], truth_threads[blame->thread].tid, blame->cause,
			blame->seconds);
	}
	printf("],\"unblamed\":{");
	for (int i = TRUTH_IDLE; i < TRUTH_N_STATES; i++)
		printf("%s\"%s\":%.6f", i > TRUTH_IDLE ? "," : "", truth_words[i],
			truth_sums.unblamed[i]);
	printf("}}\n");
}

#endif
