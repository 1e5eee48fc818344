/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report in the formats of other tools. Each format is one file export_FORMAT.c and one line of formats.def; the rest
 * of the command knows nothing of it.
 *
 *   report_load() ── report->names, filtered ── export_make() ──► struct export ──► format->write(FILE *)
 *                                               names clean,                        export_save(): a file
 *                                               figures by metric                   appears when it is whole
 *
 * export_make() puts into one array what all formats have in common, so that they cannot differ in it:
 *  - a stack is a node and those above it; what it stands for is in the node's own figures alone (self), so
 *    that the sum over the nodes is export.totals, and these are what `ompprof report --format json` has;
 *  - where a thread waited, or was in the runtime, is a leaf of its own ("[barrier wait]"), in all views: time of
 *    another class than work in a frame is moved to such a leaf below it;
 *  - a construct is named "solve_cg [omp parallel x8]", with " @solve.c:142" where this would be another one's, too;
 *  - text is valid UTF-8 without control characters: a format escapes only what is special in itself;
 *  - a stack has EXPORT_MOST_DEPTH frames at most: figures of deeper nodes count at that depth.
 * Times are whole nanoseconds.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_H
#define OMPPROF_SRC_EXPORT_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "src/export/own_files.h"
#include "src/report/report.h"
#include "src/text/atomic_write.h"

#define EXPORT_NONE UINT32_MAX

enum { EXPORT_MOST_DEPTH = 4096 };

enum export_metric {
	EXPORT_SAMPLES,
	EXPORT_TIME, /* thread time in all classes: the sum of the next three */
	EXPORT_WORK,
	EXPORT_WAIT, /* with idle time */
	EXPORT_OVERHEAD,
	EXPORT_BLAME,  /* waiting of others that it is to blame for */
	EXPORT_EVENTS, /* of profiles by a perf event alone */
	EXPORT_N_METRICS,
};

/* Strings are never NULL; unknown is "" or 0. They live as long as the export and its report. */
struct export_node {
	uint32_t
		parent; /* index, always smaller than the node's own; EXPORT_NONE: the root, nodes[0] */
	uint32_t
		region; /* the nearest node of a parallel region, itself included, or EXPORT_NONE */
	uint32_t thread; /* index into profile.threads, or EXPORT_NONE: of all together */
	uint8_t kind;    /* enum name_kind; a NAME_INLINED is inlined into its parent */
	uint8_t class;   /* enum profile_class that its time is of */
	uint16_t depth;  /* 0 of the root */
	const char *name;
	const char *function; /* of constructs: that they are in; else the name */
	const char *file;     /* of the line that was sampled, or calls what is below */
	uint32_t line;
	uint32_t decl_line; /* where the function begins, in decl_file */
	const char *decl_file;
	const char *module; /* path of the object file */
	uint64_t address;   /* of the machine view, else 0 */
	uint64_t self[EXPORT_N_METRICS];
};

struct export_format;

struct export_options {
	const struct export_format *format;
	int metric; /* enum export_metric that was asked for; -1: none was */
	int by_thread;
	int fold_inlined; /* of a format that has folds_inlined */
};

struct export
{
	const struct report *report;
	enum export_metric metric; /* the one of a format that has one, the first of others */
	int by_thread;
	int are_inlined_folded; /* formats with folds_inlined show what is inlined as part of its caller */
	struct export_node *nodes; /* parents before children */
	size_t n_nodes;
	uint32_t *place; /* by node of report->names: the node that it became, or counts in */
	uint64_t totals[EXPORT_N_METRICS];
	struct name_tree strings; /* for its strings alone */
};

/* What a format does with --metric. */
enum export_takes {
	EXPORT_ALL_METRICS,   /* has all, and none of them first: --metric is refused */
	EXPORT_FIRST_METRIC,  /* has all; --metric is what its reader shows first */
	EXPORT_SINGLE_METRIC, /* has one */
	EXPORT_STATES,        /* has times by state: --metric is refused */
};

struct export_format {
	const char *name;    /* of --format */
	const char *suffix;  /* of files from which it is known without --format: ".svg" */
	const char *file;    /* that is written without -o */
	const char *summary; /* for help, in few words */
	const char *viewer;  /* command that shows a file, which follows it; or NULL */
	enum export_takes takes;
	int is_binary;
	int folds_inlined; /* it has lines of inlined code without its calls: --no-inline is its own to do */
	int is_by_thread; /* always, whether --per-thread was asked for or not */

	struct own_mark mark; /* of its files; a format whose files can have none has is_own() */
	int (*is_own)(const char *path, const char *head, size_t n);

	/*
	 * Writes it all. Returns 0, or -1 with *diag set. What cannot be written to `out` need not be noticed: the
	 * caller looks.
	 */
	int (*write)(const struct export *export, FILE *out, struct diag *diag);
};

#define FORMAT(name) extern const struct export_format export_##name;
#include "src/export/formats.def"
#undef FORMAT

/* All formats, in the order of help; ends in NULL. */
extern const struct export_format *const export_formats[];

/* Their names, and those of the metrics by enum export_metric; end in NULL. */
extern const char *const export_format_words[];
extern const char *const export_metric_words[];

/* The format that a file of this name has, or NULL. */
const struct export_format *export_format_of_file(const char *path);

/* Makes *export of a loaded report, which must outlive it. Returns 0, or -1 with *diag set. Release in either case. */
int export_make(struct export *export, const struct report *report,
	const struct export_options *options, struct diag *diag);
void export_release(struct export *export);

/* Whether the profile has this metric: events and times need not be there. */
int export_has(const struct export *export, enum export_metric metric);

/* "ns", or "count". */
const char *export_unit(enum export_metric metric);

/* Whether a node has figures of its own: is a stack. */
int export_is_stack(const struct export_node *node);

/* "work", "wait" words as of --state: "barrier", "idle"; "overhead". */
const char *export_state(const struct export_node *node);

/* "solve.c:142 solve_cg", the region of a node; "" where it is in none. */
void export_region(char *text, size_t text_bytes, const struct export *export, uint32_t node);

/* "3" and "rank 2", of a node's thread; "" where there is none, or only one process. */
void export_thread(char *text, size_t text_bytes, const struct export *export, uint32_t node);
void export_process(char *text, size_t text_bytes, const struct export *export, uint32_t node);

/* The path from the root's child down to `node`: returns how many nodes it wrote, EXPORT_MOST_DEPTH + 1 at most. */
size_t export_path(uint32_t *path, const struct export *export, uint32_t node);

/*
 * Makes one of the nodes below equal ones that have the same name, whatever their lines: what formats know that have
 * names alone. *merged gets a node for each, (*values)[i] what its nodes have of export->metric themselves.
 * Returns 0, or -1 with *diag set. The caller frees both in either case.
 */
int export_merge(const struct export *export, struct name_tree *merged, uint64_t **values,
	struct diag *diag);

/* Writes the format as save_file() does (atomic_write.h). Returns 0, or -1 with *diag set. */
int export_save(const struct export *export, const struct export_format *format,
	const struct save_place *place, struct diag *diag);

#endif
