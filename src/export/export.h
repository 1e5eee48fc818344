/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report in the formats of other tools. Each format is one file export_FORMAT.c and one line of
 * formats.def; the rest of the command knows nothing about it.
 *
 *   report_load() ─► report->names, filtered
 *   export_make() ─► struct export: clean names, figures by metric
 *   export_save() ─► format->write(FILE *); the file appears when it is complete
 *
 * export_make() puts everything that formats share into one array, so that formats cannot differ in
 * it:
 * - A stack is a node with the nodes above it. Its figures are the node's own (self), so that the
 *   sum over all nodes is export.totals. `ompprof report --format json` has the same sums.
 * - Time in a wait, or in the runtime, is in a leaf of its own ("[barrier wait]") in all views:
 *   time of a frame in another class than work is moved to such a leaf below the frame.
 * - A construct is named "solve_cg [omp parallel x8]". " @solve.c:142" is added where another
 *   construct would have the same name.
 * - Text is valid UTF-8 without control characters: a format only escapes characters that are
 *   special in it.
 * - A stack has EXPORT_MOST_DEPTH frames at most: figures of deeper nodes are added at that depth.
 *
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
	EXPORT_WAIT, /* including idle time */
	EXPORT_OVERHEAD,
	EXPORT_BLAME,  /* waits of other threads that the node is to blame for */
	EXPORT_EVENTS, /* only in profiles by a perf event */
	EXPORT_N_METRICS,
};

/* Unknown text is "", an unknown number 0. Strings live as long as the export and its report. */
struct export_node {
	/* index, always smaller than the node's own; EXPORT_NONE for the root, nodes[0] */
	uint32_t parent;
	/* the nearest node of a parallel region, possibly this node, or EXPORT_NONE */
	uint32_t region;
	uint32_t thread; /* index into profile.threads; EXPORT_NONE: all threads together */
	uint8_t kind;    /* enum name_kind; a NAME_INLINED is inlined into its parent */
	uint8_t class;   /* enum profile_class of its time */
	uint16_t depth;  /* 0 for the root */
	const char *name;
	const char *function; /* of a construct: the function that it is in; else the name */
	const char *file;     /* of the line that was sampled, or that calls the node below */
	uint32_t line;
	uint32_t decl_line; /* where the function begins, in decl_file */
	const char *decl_file;
	const char *module; /* path of the object file */
	uint64_t address;   /* in the machine view, else 0 */
	uint64_t self[EXPORT_N_METRICS];
};

struct export_format;

struct export_options {
	const struct export_format *format;
	int metric; /* enum export_metric that the user asked for; -1: none */
	int by_thread;
	/* --no-inline was given, and the format has folds_inlined */
	int fold_inlined;
};

struct export
{
	const struct report *report;
	/* the metric of a format with one metric; the first metric of other formats */
	enum export_metric metric;
	int by_thread;
	/* inlined code is shown as part of its caller */
	int are_inlined_folded;
	struct export_node *nodes; /* parents before children */
	size_t n_nodes;
	uint32_t *place; /* by node of report->names: its node, or the node that has its figures */
	uint64_t totals[EXPORT_N_METRICS];
	struct name_tree strings; /* holds strings only */
};

/* The figures that a format writes, and the effect of --metric on it. */
enum export_takes {
	EXPORT_ALL_METRICS, /* writes all metrics, none first: --metric is refused */
	/* writes all metrics; --metric says which metric its reader shows first */
	EXPORT_FIRST_METRIC,
	EXPORT_SINGLE_METRIC, /* writes one metric */
	EXPORT_STATES,        /* writes times by state: --metric is refused */
};

struct export_format {
	const char *name;    /* for --format */
	const char *suffix;  /* of files whose format is known without --format: ".svg" */
	const char *file;    /* name of the file that is written without -o */
	const char *summary; /* a few words for help */
	const char *viewer;  /* command that shows the file given after it; or NULL */
	enum export_takes takes;
	int is_binary;
	/* the format writes lines of inlined code without its calls: it obeys --no-inline itself */
	int folds_inlined;
	int is_by_thread; /* its stacks are always by thread, also without --per-thread */

	struct own_mark mark; /* of its files; a format without such a mark has is_own() */
	int (*is_own)(const char *path, const char *head, size_t n);

	/* Writes all. Returns 0, or -1 with *diag set. The caller checks `out` for errors. */
	int (*write)(const struct export *export, FILE *out, struct diag *diag);
};

#define FORMAT(name) extern const struct export_format export_##name;
#include "src/export/formats.def"
#undef FORMAT

/* All formats, in the order of help. The list ends in NULL. */
extern const struct export_format *const export_formats[];

/* Names of formats, and names of metrics by enum export_metric. The lists end in NULL. */
extern const char *const export_format_words[];
extern const char *const export_metric_words[];

/* The format of a file with this name; NULL if there is none. */
const struct export_format *export_format_of_file(const char *path);

/*
 * Makes *export; the report must outlive it. Returns 0, or -1 with *diag. Release in either case.
 */
int export_make(struct export *export, const struct report *report,
	const struct export_options *options, struct diag *diag);
void export_release(struct export *export);

/* Whether the profile has this metric: no blame in a part of a run, events only with a counter. */
int export_has(const struct export *export, enum export_metric metric);

/* "ns" or "count". */
const char *export_unit(enum export_metric metric);

/* Whether any figure is not 0. A node with figures of its own (self) is a stack. */
int export_has_figures(const uint64_t figures[EXPORT_N_METRICS]);

/* Whether the node is for time in a wait or in the runtime. */
static inline int export_is_state(const struct export_node *node)
{
	return node->kind == NAME_WAIT || node->kind == NAME_RUNTIME;
}

/* The state of a node's time: "work", "overhead", "idle", or a wait as for --state: "barrier". */
const char *export_state(const struct export_node *node);

/* The region of a node: "solve.c:142 solve_cg"; "" outside regions. */
void export_region(char *text, size_t text_bytes, const struct export *export, uint32_t node);

/* A node's thread ("3") and process ("rank 2"). "" without a thread, or with one process. */
void export_thread(char *text, size_t text_bytes, const struct export *export, uint32_t node);
void export_process(char *text, size_t text_bytes, const struct export *export, uint32_t node);

/* Fills `path` from the root's child to `node`. Returns its length, at most EXPORT_MOST_DEPTH. */
size_t export_path(uint32_t *path, const struct export *export, uint32_t node);

/*
 * Merges siblings of the same name, whatever their lines, for formats that only know names. *merged
 * gets a node for each; (*values)[i] is the sum of export->metric that its nodes have themselves.
 * Returns 0, or -1 with *diag set. The caller frees both in either case.
 */
int export_merge(const struct export *export, struct name_tree *merged, uint64_t **values,
	struct diag *diag);

/*
 * Returns, by node, the index into report->figures.regions of the region whose path the node is.
 * EXPORT_NONE: the node is no such path, or filters leave the region out. Returns NULL when out of
 * memory. The caller frees the array.
 */
uint32_t *export_regions(const struct export *export);

/* Writes the format as save_file() does (atomic_write.h). Returns 0, or -1 with *diag set. */
int export_save(const struct export *export, const struct export_format *format,
	const struct save_place *place, struct diag *diag);

#endif
