/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is shown of a function or file: for each of its source files the lines that have figures, and the
 * ranges of lines around them that are shown. The text, JSON and CSV printers follow it, so that all
 * show the same. The sum over a plan's rows, with what has no line, is the place's own figures.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_PLAN_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_PLAN_H

#include "src/annotate/annotate.h"
#include "src/annotate/annotate_choose.h"
#include "src/symbols/source.h"

enum {
	ANNOTATE_CONTEXT_DEFAULT = 3,
	ANNOTATE_MOST_FILES = 64, /* of one function: what is in more of them has no line */
};

struct annotate_options {
	uint32_t context;    /* lines shown around one that has figures */
	int show_all;        /* lines: all of the function or file */
	int is_inclusive;    /* figures are with what is called */
	int show_code;       /* instructions */
	int code_for_source; /* likewise where there is no source text */
	struct source_rules rules;
	const char *objdump; /* the disassembler, or NULL: as PATH has it */
	int demangle;
};

/* A line that has figures. */
struct annotate_row {
	uint32_t line;
	struct annotate_figures self, total;
};

struct annotate_range {
	uint32_t first, last;
};

struct annotate_section {
	const char *file; /* as recorded */
	struct source source;
	int has_source;
	char problem[512]; /* why there is no source text, or why it may be another one; or "" */
	struct annotate_row *rows; /* by line */
	size_t n_rows;
	struct annotate_range *ranges; /* of lines that are shown, in order, with gaps between */
	size_t n_ranges;
	uint32_t first, last; /* the lines that show_all shows */
	uint64_t weight;
};

struct annotate_plan {
	const struct annotate *annotate;
	const struct annotate_target *target;
	const struct annotate_options *options;
	uint32_t node;                     /* of annotate->places: the function or file */
	struct annotate_section *sections; /* its own file first, then by their time */
	size_t n_sections;
	struct annotate_row nowhere; /* of no known line */
	struct annotate_figures self, total;
};

/*
 * Plans `node`, a function or file. `last_line` is the function's last one in its own file, 0 if not
 * known. Reads the sources; one that is not there leaves has_source 0 and a problem. Returns 0, or
 * -1 when out of memory; release in either case.
 */
int annotate_plan_make(struct annotate_plan *plan, const struct annotate *annotate, uint32_t node,
	const struct annotate_target *target, const struct annotate_options *options,
	uint32_t last_line);
void annotate_plan_release(struct annotate_plan *plan);

/* The row of a line, or NULL. */
const struct annotate_row *annotate_row_at(const struct annotate_section *section, uint32_t line);

/* The construct at a line of the section's file, the k-th; NULL past the last. */
const struct annotate_construct *annotate_construct_at(const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line, size_t k);

#endif
