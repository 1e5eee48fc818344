/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile made ready to be shown: read, attributed, named, with the figures of the whole run.
 * `ompprof report` and `ompprof CMD` load it; the views (view.h) print it and change nothing.
 */
#ifndef OMPPROF_SRC_REPORT_REPORT_H
#define OMPPROF_SRC_REPORT_REPORT_H

#include <stdio.h>

#include "attribution/metrics/metrics.h"
#include "attribution/tree/tree.h"
#include "profile/reader/reader.h"
#include "src/findings/advice.h"
#include "src/findings/findings.h"
#include "src/report/filter.h"
#include "src/findings/names.h"
#include "src/findings/own_cost.h"
#include "src/report/report_job.h"
#include "src/symbols/symbols.h"
#include "src/report/time_range.h"

struct report_options {
	enum tree_view view;
	int by_thread;
	struct report_selection selection; /* of the run's processes */
	uint32_t n_threads; /* that read the files of several processes; 0: one for each CPU */
	struct symbols_options symbols;
	int no_cache; /* look all symbols up, and keep none */
	struct symbols *
		kept; /* names that other reports have looked up, too, and that outlive this one; or NULL */
	const struct filter *filter;   /* or NULL; must outlive the report */
	const struct filter *phases;   /* likewise: what is loaded of the profile (phases.h) */
	const struct time_range *time; /* likewise (time_range.h) */
	int is_shown_again;            /* report_again follows */
};

/* The run as a whole. Times are summed over threads unless they say wall. */
struct report_totals {
	struct tree_metrics all;            /* every sample of the profile */
	struct tree_metrics shown;          /* what filters leave of it, or the same */
	uint64_t events[PROFILE_N_CLASSES]; /* perf events by class */
	uint64_t wall_ns;
	uint64_t cpu_ns;       /* CPU time of the threads while they were profiled */
	uint64_t off_cpu_ns;   /* their life time less that; 0 when the clock is the wall clock */
	uint64_t asleep_ns;    /* by the wall clock alone: asleep, and not in OpenMP's waiting */
	uint64_t unsampled_ns; /* CPU time that no sample stands for */
	struct own_cost own;
	uint64_t lost[PROFILE_N_LOSSES];
	uint64_t n_lost; /* samples of these */
	uint64_t n_walks;
	uint64_t n_cut_walks; /* that did not reach the outermost frame */
	uint64_t n_guessed;   /* samples whose call path has a guessed frame */
	uint64_t n_captures;  /* creation paths of regions and tasks */
	uint64_t n_cut_captures;
	uint64_t n_guessed_captures;
	uint32_t n_openmp_threads;
	uint64_t n_lives;             /* threads, also those that share a record */
	uint64_t n_native_threads;    /* of these: the program's own beside OpenMP's, */
	uint64_t n_helper_threads;    /* and the runtime's that execute target tasks */
	uint64_t native_cpu_ns;       /* of cpu_ns: that of native threads */
	uint64_t native_unsampled_ns; /* of that: of those that could not be signalled */
	/* Native threads that had a CPU for less than 1/100 of their life, and waited for one for less than 1/10. */
	uint64_t n_asleep_threads, asleep_cpu_ns;
	uint64_t asleep_off_ns;   /* the rest of their life; 0 when the clock is the wall clock */
	uint64_t asleep_delay_ns; /* of asleep_off_ns: ready to run */
};

/*
 * Which rows of the tables filters leave, 1 each; NULL: all. See report_shows. A filter that says nothing of
 * a table leaves it as it is: the view says which it heeds (struct view).
 */
struct report_rows {
	uint8_t *regions;       /* by index into figures.regions */
	uint8_t *waits;         /* figures.waits */
	uint8_t *metrics_waits; /* metrics.waits */
	uint8_t *locks;         /* figures.locks */
	uint8_t *tasks;         /* figures.tasks */
	uint8_t *targets;       /* figures.targets */
	uint8_t *events;        /* figures.events */
	uint8_t *threads;       /* metrics.threads */
	unsigned found;         /* enum filter_hit that any node has */
	size_t n_mixed;         /* regions left whose rows have executions in others that are not */
	size_t n_uncut; /* waits for mutexes not left because they are of all regions together */
};

struct report {
	char path[4096];         /* of the profile file; of several their folder */
	char cache_folder[4096]; /* where symbols are kept; "" nowhere */
	struct report_job job;
	enum tree_view view;
	struct profile profile;
	struct tree tree;
	struct symbols *symbols; /* NULL in tests */
	int has_kept_symbols;    /* that is report_options.kept */
	struct name_tree names;
	struct report_totals totals;
	const char **starts; /* by thread: name of its start function, "" not known; in `names` */
	int is_event;        /* the clock counts events: they are the figures */
	/* What is made of the user view of all threads together; of another tree than the above if
	   that is of another view. */
	struct tree user_tree;
	struct name_tree user_names;
	struct metrics metrics;
	struct findings figures;
	struct advice_list advice;
	const struct filter *filter; /* that was applied, or NULL */
	const struct filter *phases; /* likewise */
	struct report_rows rows;
};

/*
 * Reads the profile that `path` (a file or a folder) stands for. Returns 0, or -1 with *diag set.
 * Release with report_release in either case.
 */
int report_load(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/*
 * Makes a report that has been loaded from `path`, with is_shown_again, into one of another view: the same file is not
 * read again, and no name is looked up twice. Returns as report_load.
 */
int report_again(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/* The names_lookup of report->symbols, which `data` is. */
void report_look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at);

/* From report->profile to the tree, its names and totals; the part of report_load after reading. */
int report_make(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/*
 * Names report->metrics and advises: report->figures and report->advice. Part of report_make. Returns
 * as that.
 */
int report_figure(struct report *report, struct diag *diag);

/*
 * Applies the filters, which may be NULL: the figures of report->names and report->tree, which say what is
 * left of each node from then on, totals.shown and report->rows. The last part of report_make. Returns as
 * that.
 */
int report_filter(struct report *report, const struct filter *filter, struct diag *diag);
void report_rows_release(struct report_rows *rows);

/* Whether causes are known, and are of all that the program did: not of native threads that work without OpenMP. */
static inline int report_has_causes(const struct report *report)
{
	return report->metrics.has_waits &&
	       (report->metrics.n_regions > 0 || report->totals.n_native_threads == 0);
}

/* Whether a row is left, of one of report->rows. */
static inline int report_shows(const uint8_t *rows, size_t i)
{
	return !rows || rows[i];
}

/* Whether what is in no region is left. */
int report_shows_outside(const struct report *report);

/* What percentages are of: the whole run, or what is left of it. */
const struct tree_metrics *report_whole(const struct report *report);

/* names_thread_word of the report's profile. */
const char *report_thread_word(const struct report *report, size_t thread);

/* The id in report->names of a node of the tree that the figures are made of, or NAMES_NONE. */
uint32_t report_node(const struct report *report, uint32_t tree_node);

/* The totals of one profile. */
void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);

/* The measured waiting of the run in all, and the part that nobody is blamed for. */
uint64_t report_waiting(const struct report *report, uint64_t *unblamed_ns);

/* Frees what *report owns; harmless on a zeroed struct. */
void report_release(struct report *report);

/*
 * Prints the summary of the profile at `path` to `out`, 80 columns wide and without colour.
 * Returns an exit status; failures are said on stderr.
 */
int report_summary(const char *path, FILE *out);

/* What figures can be asked of a node. */
enum report_metric {
	METRIC_TOTAL, /* thread time in all classes, or events */
	METRIC_WORK,
	METRIC_WAIT, /* waits and idle */
	METRIC_OVERHEAD,
	METRIC_BLAME, /* waiting of others that it is to blame for */
	METRIC_SAMPLES,
};

uint64_t report_metric(
	const struct report *report, const struct tree_metrics *metrics, enum report_metric metric);

/* What was lost in all threads and of none, by enum profile_loss. */
void report_losses(uint64_t lost[PROFILE_N_LOSSES], const struct profile *profile);

/* The amount of one class in the whole run: nanoseconds, or events. */
uint64_t report_class(const struct report *report, enum profile_class class);

/* The word for a class, as options and JSON have it ("work", "barrier"); the second is NULL but for waits and idle. */
const char *report_class_word(enum profile_class class);
const char *report_wait_word(enum profile_class class);

/* The word for a cause, as keys of JSON begin and conditions have it: "imbalance". */
const char *report_cause_word(enum metrics_cause cause);

/* The words for views, by enum tree_view; NULL after the last. */
extern const char *const report_view_words[];

/*
 * Sentence i on what makes the figures doubtful, or NULL past the last, in the buffer. The order
 * is that of weight.
 */
const char *report_warning(const struct report *report, size_t i, char *text, size_t text_bytes);

#endif
