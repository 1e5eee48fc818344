/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a few threads of a few operations in all orders that a machine with weakly ordered memory
 * may show, and looks for a forbidden outcome. The machine has one memory that all threads see, as
 * ARMv8 has: a thread's operations take place one by one in any order but for these rules.
 *
 *   - Operations on one location stay in order. A load may take the value of the thread's own
 *     store before the store takes place.
 *   - Nothing takes place before an earlier load with acquire order, and nothing earlier behind a
 *     store with release order. An operation that reads and writes takes place in two steps;
 *     meanwhile no other thread writes there. Acquire is for its read, release for its write. A
 *     load with sequentially consistent order also stays behind an
 *     earlier store of that order; a load with acquire order does not (ARMv8's ldapr).
 *   - An acquire fence keeps earlier loads before all that follows, a release fence all earlier
 *     operations before later stores, and a sequentially consistent fence both and stores before
 *     loads.
 *
 * Dependences between operations order nothing, as C11 says. So an outcome that is not found is
 * impossible on ARMv8 and on x86-64.
 */
#ifndef OMPPROF_TESTS_LITMUS_EXPLORE_H
#define OMPPROF_TESTS_LITMUS_EXPLORE_H

enum { LITMUS_MOST_THREADS = 3 };

struct litmus_case {
	const char *name;
	void (*reset)(void); /* the memory before the threads begin */
	/*
	 * Recorded one after the other, each with the memory that the earlier threads left. A
	 * recorded function that reads is called once more for each outcome, with the values that
	 * it reads then.
	 */
	void (*thread[LITMUS_MOST_THREADS])(void);
	int (*is_forbidden)(void);
	/* Orders and fences of these functions that other cases need, but this case does not. */
	int n_spare;
};

/*
 * Prints TAP points for a case: the outcome is impossible, and becomes possible when any order or
 * fence but n_spare of them is taken away. `number` is the number of the first point. Returns the
 * number of points.
 */
int litmus_check(const struct litmus_case *one, int number);

#endif
