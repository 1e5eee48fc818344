/* SPDX-License-Identifier: Apache-2.0 */
/* A made-up run and the advice on it, for tests of the rules. */
#ifndef OMPPROF_TESTS_UNIT_COMMAND_ADVICE_FIXTURE_H
#define OMPPROF_TESTS_UNIT_COMMAND_ADVICE_FIXTURE_H

#include "attribution/tree/tree.h"
#include "src/findings/advice.h"
#include "src/report/report.h"
#include "tests/unit/scenes/made_metrics.h"

#define MSEC 1000000ull

/* The scene "faults" with its made-up metrics, which a test may change before finish(). */
struct fixture {
	struct profile profile;
	struct tree tree;
	struct name_tree names;
	struct metrics metrics;
	struct findings figures;
	struct advice_list list;
};

/* A test may change the metrics between begin() and finish(), and finish() again. */
void begin_scene(struct fixture *f, const char *scene);
void begin(struct fixture *f);
void finish(struct fixture *f);
void end(struct fixture *f);
struct metrics_region *region(struct fixture *f, enum made_region which);
/* Sets what a region lost, and the run with it. */
void lose(struct fixture *f, enum made_region which, enum metrics_cause cause, uint64_t thread_ns);
/* The list's first entry of that cause. */
const struct advice *find(const struct fixture *f, enum metrics_cause cause);
void expect_none(const struct fixture *f, enum metrics_cause cause);
void expect_text(const struct fixture *f, enum metrics_cause cause, const char *text);
/* Makes the closing barrier of MADE_SOLVE a barrier behind a loop, in a function of its own. */
struct metrics_wait *make_construct(struct fixture *f);

#endif
