/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as one screen of text. Used by cmd_diff.c and scale_text.c. */
#ifndef OMPPROF_SRC_COMPARE_DIFF_TEXT_H
#define OMPPROF_SRC_COMPARE_DIFF_TEXT_H

#include "src/compare/diff.h"
#include "src/text/text.h"
#include "src/text/terminal.h"

struct diff_options {
	int shows_all;   /* also shows hidden changes */
	uint32_t n_rows; /* the most rows; TABLE_DEFAULT: 10 */
};

/* Prints the runs, the causes, the largest changes and the warnings. */
void diff_print(
	const struct diff *diff, const struct diff_options *options, struct terminal *terminal);

/* Print two of these parts: the causes; the changes, and how many are left out. */
void diff_print_causes(const struct diff *diff, struct terminal *terminal);
void diff_print_changes(
	const struct diff *diff, const struct diff_options *options, struct terminal *terminal);

/* Prints "warning: ...", with line breaks where needed. */
void diff_print_warning(const char *text, struct terminal *terminal);

void diff_print_warnings(const struct diff *diff, struct terminal *terminal);

/* "+0.30", "-1.50"; "0" below a nanosecond, "<0.001" below half a millisecond. */
const char *diff_signed_seconds(char text[TEXT_NUMBER_BYTES], double ns);

/* "+7.3", "-0.4"; "0.0" if it is so small; "new" if `whole` is 0. */
const char *diff_signed_percent(char text[TEXT_NUMBER_BYTES], double part, double whole);

/* Writes a place in clean text: "solve.c:142  parallel in solve_cg". */
void diff_place_text(char *text, size_t text_bytes, const struct diff_place *place);

#endif
