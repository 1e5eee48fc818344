/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines shown for a function or file: for each of its source files the lines with figures, and
 * the ranges of lines around them. The text, JSON and CSV printers follow the plan, so that all
 * show the same. The sum over a plan's rows and the time without a line is the place's own figures.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_PLAN_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_PLAN_H

#include "src/annotate/annotate.h"
#include "src/annotate/annotate_choose.h"
#include "src/symbols/source.h"

enum {
	ANNOTATE_CONTEXT_DEFAULT = 3,
	/* of one function or file: lines in further files count as time without a line */
	ANNOTATE_MOST_FILES = 64,
};

struct annotate_options {
	uint32_t context; /* lines shown around a line with figures */
	/* if not 0: only so many lines with figures, by their time, and only of one file */
	uint32_t n_most;
	int show_all;
	int is_inclusive;
	int show_code;
	int code_for_source; /* shows instructions if there is no source */
	struct source_rules rules;
	const char *objdump; /* the disassembler; NULL: objdump from PATH */
	int demangle;
};

struct annotate_row {
	uint32_t line;
	struct annotate_figures self, total;
};

struct annotate_range {
	uint32_t first, last;
};

struct annotate_section {
	const char *file; /* as the debug information names it */
	struct source source;
	int has_source;
	/* why there is no source text, or why it may differ from what was compiled; or "" */
	char problem[512];
	struct annotate_row *rows; /* sorted by line */
	size_t n_rows, capacity;
	struct annotate_range *ranges; /* shown lines, in order, with gaps between */
	size_t n_ranges;
	uint32_t first, last; /* the lines of the function or file */
	uint64_t weight;
};

struct annotate_plan {
	const struct annotate *annotate;
	const struct annotate_target *target;
	const struct annotate_options *options;
	uint32_t node;                     /* of annotate->places: the function or file */
	struct annotate_section *sections; /* its own file first, then sorted by time */
	size_t n_sections;
	struct annotate_row nowhere; /* figures without a line, and in files past the bound */
	struct annotate_figures self, total;
};

/*
 * Plans `node`, a function or file. `last_line` is the function's last line in its own file, 0 if
 * not known. Reads the sources; a missing source leaves has_source 0 and a problem. Returns 0, or
 * -1 when out of memory. Release in either case.
 */
int annotate_plan_make(struct annotate_plan *plan, const struct annotate *annotate, uint32_t node,
	const struct annotate_target *target, const struct annotate_options *options,
	uint32_t last_line);
void annotate_plan_release(struct annotate_plan *plan);

/* The row of a line, or NULL. */
const struct annotate_row *annotate_row_at(const struct annotate_section *section, uint32_t line);

/* The k-th construct at a line of the section's file, or NULL. */
const struct annotate_construct *annotate_construct_at(const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line, size_t k);

#endif
