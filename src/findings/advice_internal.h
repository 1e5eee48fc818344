/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of advice.h. Each rule adds its advice to the list if the gain is large
 * enough.
 */
#ifndef OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H
#define OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H

#include "src/findings/advice.h"
#include "src/findings/contention.h"

struct adviser {
	const struct findings *figures;
	struct advice_list *list;
	struct contention contention;
	uint64_t at_places_ns[METRICS_N_CAUSES]; /* sums over all places; can exceed the run's */
	/* places whose imbalance is too small for an entry of its own */
	size_t n_small;
	uint64_t small_ns;
	/* tiny regions whose imbalance and overhead are too small for entries of their own */
	size_t n_tiny;
	uint64_t n_tiny_executions, tiny_ns;
};

/* Whether `part` is at least `percent` % of `whole`. False if `whole` is 0. */
int advice_is_percent(uint64_t part, uint64_t whole, unsigned percent);

/*
 * Scales a place's thread time by the ratio of the run's time in the cause to the sum over all
 * places, if that sum is larger: with more threads than slots the run's causes are scaled down,
 * too. Overhead loses ompprof's own part, at all places alike.
 */
uint64_t advice_of_run(const struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/* Whether the gain of this part of the capacity is large enough for an entry. */
int advice_is_worth(const struct adviser *adviser, uint64_t thread_ns);

/*
 * Adds an entry for this part of the capacity. Returns NULL if its gain is too small, or if
 * ADVICE_MOST entries have gains at least as large. The pointer is valid until the next call.
 */
struct advice *advice_add(struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/* Sets the sentence and what can be tried. */
void advice_say(struct advice *advice, enum advice_remedy remedy, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets what the entry is about. */
void advice_is_about(struct advice *advice, enum advice_about about, size_t index);

/*
 * The lack of CPUs decides which thread comes last, but not how much work there is. If CPUs lacked,
 * this gives advice on imbalance that holds all the same, and returns 1; else it returns 0.
 */
int advice_lacks_cpus(const struct adviser *adviser, struct advice *advice);

/*
 * Set what the advice is about. The first takes a node of the named tree and its label; the second
 * replaces the line, unless `line` is 0; the third takes a region and adds how often it was
 * executed.
 */
void advice_set_place(struct advice *advice, uint32_t node, const struct name_label *label);
void advice_set_line(struct advice *advice, const char *file, uint32_t line);
void advice_set_region(
	struct adviser *adviser, struct advice *advice, const struct findings_region *region);

/* Whether most of the waiting was for code of one thread, wait->thread. */
static inline int advice_is_for_one(
	const struct findings *figures, const struct findings_wait *wait)
{
	return wait->thread < figures->profile->n_threads &&
	       advice_is_percent(wait->thread_ns, wait->sum.wait_ns, ADVICE_PERSISTENT_PERCENT);
}

/* The rule for the imbalance at one barrier within regions. */
void advise_construct(struct adviser *adviser, const struct findings_wait *wait);

/*
 * The worksharing constructs before a barrier. UNKNOWN if no work events were counted there, or
 * constructs of several kinds.
 */
enum advice_work {
	ADVICE_WORK_UNKNOWN,
	ADVICE_WORK_NO_LOOP, /* sections, workshare, scope; or several of these and single */
	ADVICE_WORK_SINGLE,
	ADVICE_WORK_LOOP, /* of a schedule that the runtime does not tell */
	ADVICE_WORK_STATIC,
	ADVICE_WORK_DYNAMIC,
	ADVICE_WORK_GUIDED,
};

/* The constructs in a region; with a wait, only the constructs at the line of the wait. */
enum advice_work advice_work_of(const struct findings *figures,
	const struct findings_region *region, const struct findings_wait *wait);

/*
 * Whether the program runs on GCC's libgomp, through libompprof-gomp.so, which gives the runtime
 * this name.
 */
int advice_is_libgomp(const struct findings *figures);

/* A possible reason or remedy for the imbalance of a loop of that kind; "" if there is no loop. */
const char *advice_work_hint(enum advice_work work);
enum advice_remedy advice_work_remedy(enum advice_work work);

uint64_t advice_mean_ns(uint64_t sum_ns, uint64_t n);

/* The largest team of a process. */
uint32_t advice_largest_team(const struct metrics *metrics);

/* Whether a region's tasks are tiny; its overhead is then in the advice on tasks. */
int advice_has_small_tasks(const struct findings_region *region);

void advise_tasks(struct adviser *adviser, const struct findings_region *region);

void advise_region(struct adviser *adviser, const struct findings_region *region);

/* The mutexes of one place. All but held_ns and within_ns are sums. */
struct advice_locks {
	uint64_t n_acquired, n_contended, wait_ns, max_wait_ns;
	/* of the mutex that was held for the largest part of the time */
	uint64_t held_ns, within_ns;
	size_t n;
};

/* Adds up the mutexes of the place whose first wait is `wait`. */
struct advice_locks advice_locks_at(
	const struct findings *figures, const struct findings_wait *wait);

/*
 * The rule for mutexes. `wait` is the first wait of its place; mutexes that are waited for at the
 * same place, as when each object has a lock, share this one entry.
 */
void advise_lock(struct adviser *adviser, const struct findings_wait *wait);

/* The wait that the advice is about, or the longest of the region's team, or NULL. */
const struct findings_wait *advice_find_wait(
	const struct findings *figures, const struct advice *advice);

/*
 * If threads waited mostly while another thread slept in a call, makes this the text. Returns
 * whether it did so.
 */
int advice_is_asleep(struct advice *advice, const struct findings *figures);

/* The rules for places that are each too small for an entry, but not all together. */
void advise_small(struct adviser *adviser);

void advise_device(struct adviser *adviser);

/*
 * The rule for ranks that others wait for in MPI: they work or sleep for longer at a place, or have
 * no CPU. One ns of a rank in MPI is `slots` ns of the cause, of which there are most_ns. Returns
 * how much of it is listed.
 */
uint64_t advise_uneven(struct adviser *adviser, double slots, uint64_t most_ns);

/*
 * "read" for "__libc_read@GLIBC_2.2.5", "fwrite" for "_IO_fwrite": a library can have several names
 * for a function. Moves *name to the begin, and returns the length.
 */
int advice_call_name(const char **name);

/* Says who came last to a call of MPI. */
void advise_late(
	struct advice *advice, const struct findings *figures, const struct findings_sleep *sleep);

/* "rank 1": the process of findings_uneven.process. */
void advice_rank(char *text, size_t text_bytes, const struct findings *figures, uint32_t process);

#endif
