/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JSON, as ompprof-diff(1) describes it. scale_json.c writes parts of it, too. */
#ifndef OMPPROF_SRC_COMPARE_DIFF_DATA_H
#define OMPPROF_SRC_COMPARE_DIFF_DATA_H

#include "src/compare/diff.h"
#include "src/compare/diff_condition.h"
#include "src/text/json.h"

void diff_put_json(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out);

/* Write members into an open object: of a run; "places"; the speed-up by factors. */
void diff_put_run(struct json *json, const struct diff_run *run);
void diff_put_places(struct json *json, const struct diff *diff);

void diff_put_scaling(struct json *json, const struct diff_run *before,
	const struct diff_run *after, int is_weak);

/* Writes a number with nine decimals; 0 if it is no number or has 19 digits or more. */
void diff_put_real(struct json *json, const char *key, double number);

/* "outside", "region", "body", "function", "mutex", "state". */
const char *diff_kind_word(enum diff_kind kind);

#endif
