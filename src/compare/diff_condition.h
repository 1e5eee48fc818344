/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions of `ompprof diff --fail-if`.
 *
 *  CONDITION = METRIC ['@' PLACE] ('>' | '<') ['+' | '-'] NUMBER ('%' | 's' | 'ms') ['sure']
 *  METRIC    = wall | efficiency | waiting | a cause (report_cause_word)
 *
 * With a sign the condition is about the change: in seconds, or in percent of the value before.
 * Without a sign it is about the value after: in seconds, or in percent of the wall time. The
 * efficiency is a percentage, and its change is in points. Waiting is imbalance, lock and task
 * together. PLACE is a function, FILE:LINE as reports show it, or a construct such as
 * "critical(sum)"; wall and efficiency take no PLACE. The last '<' or '>' is the operator: names
 * can contain these, too. Blanks around the parts are ignored. Figures are compared exactly, not as
 * they are printed. A `sure` condition holds only if the figure is beyond the limit by more than
 * twice its error, with the difference between such runs as a part of the error; not if nothing
 * tells this difference.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_CONDITION_H
#define OMPPROF_SRC_COMPARE_DIFF_CONDITION_H

#include "profile/shared/diag.h"
#include "src/compare/diff.h"

enum diff_unit { DIFF_PERCENT, DIFF_SECONDS };

struct diff_condition {
	const char *text; /* the whole condition */
	int metric;       /* enum metrics_cause, or one of the numbers below */
	char place[512];  /* "": the whole run */
	int is_greater;   /* '>' */
	int is_change;    /* the number has a sign */
	int is_sure;
	enum diff_unit unit;
	long double number; /* in percent, or in ns */
};

enum { DIFF_WALL = METRICS_N_CAUSES, DIFF_EFFICIENCY, DIFF_WAITING, DIFF_N_METRICS };

/* Reads a condition; `text` must outlive it. Returns 0, or -1 with the reason in *diag. */
int diff_condition_parse(struct diff_condition *condition, const char *text, struct diag *diag);

/* A condition and its result. */
struct diff_judgement {
	struct diff_condition condition;
	int is_known; /* 0: neither run has the place */
	int holds;
	int is_unsure; /* a `sure` condition that does not hold, but would without `sure` */
	char why[512]; /* the figures and their error, or why the condition cannot be judged */
};

/* Fills all but the condition. */
void diff_judge(struct diff_judgement *judgement, const struct diff *diff);

#endif
