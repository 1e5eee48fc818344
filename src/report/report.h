/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile that is ready to be shown: read, attributed and named, with the figures of the whole
 * run. `ompprof report` and `ompprof CMD` load it. The views (view.h) print it and change nothing.
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
	struct report_selection selection; /* which processes of the run */
	/* threads that read the files of several processes; 0: one thread for each CPU */
	uint32_t n_threads;
	struct symbols_options symbols;
	int no_cache; /* look up all symbols, and keep none */
	struct symbols *
		kept; /* symbols that several reports share and that outlive this report; or NULL */
	const struct filter *filter; /* or NULL; must outlive the report */
	/* phases to load (phases.h), or NULL; must outlive the report */
	const struct filter *phases;
	/* time to load (time_range.h), or NULL; must outlive the report */
	const struct time_range *time;
	int is_shown_again; /* report_again will be called */
};

/* The run as a whole. Times are sums over threads unless the name says wall. */
struct report_totals {
	struct tree_metrics all; /* of every sample of the profile */
	/* of the samples that filters select; equal to `all` without filters */
	struct tree_metrics shown;
	uint64_t events[PROFILE_N_CLASSES]; /* perf events by class */
	uint64_t wall_ns;
	uint64_t cpu_ns; /* CPU time of the threads while they were profiled */
	/* life time of the threads minus their CPU time; 0 with the wall clock */
	uint64_t off_cpu_ns;
	uint64_t asleep_ns;    /* with the wall clock only: asleep outside of OpenMP's waiting */
	uint64_t unsampled_ns; /* CPU time that no sample represents */
	struct own_cost own;
	uint64_t lost[PROFILE_N_LOSSES];
	uint64_t n_lost; /* lost samples */
	uint64_t n_walks;
	uint64_t n_cut_walks; /* walks that did not reach the outermost frame */
	uint64_t n_guessed;   /* samples whose call path has a guessed frame */
	uint64_t n_captures;  /* creation paths of regions and tasks */
	uint64_t n_cut_captures;
	uint64_t n_guessed_captures;
	uint32_t n_openmp_threads;
	uint64_t n_lives;          /* threads; a record may be shared by several of them */
	uint64_t n_native_threads; /* threads of the program's own that are not OpenMP's */
	uint64_t n_helper_threads; /* threads of the runtime that execute target tasks */
	uint64_t native_cpu_ns;    /* CPU time of native threads; part of cpu_ns */
	/* part of native_cpu_ns: of threads that could not be signalled */
	uint64_t native_unsampled_ns;
	/*
	 * Native threads that used a CPU for less than 1/100 of their life, and waited for a CPU
	 * for less than 1/10 of it.
	 */
	uint64_t n_asleep_threads, asleep_cpu_ns;
	uint64_t asleep_off_ns;   /* the rest of their life; 0 with the wall clock */
	uint64_t asleep_delay_ns; /* part of asleep_off_ns: ready to run */
};

/*
 * The rows of the tables that filters select, 1 each. NULL: all rows. See report_shows. A filter
 * that does not apply to a table leaves it as it is. The view says which filters it heeds (struct
 * view).
 */
struct report_rows {
	uint8_t *regions;       /* by index into figures.regions */
	uint8_t *waits;         /* by index into figures.waits */
	uint8_t *metrics_waits; /* by index into metrics.waits */
	uint8_t *locks;         /* by index into figures.locks */
	uint8_t *tasks;         /* by index into figures.tasks */
	uint8_t *targets;       /* by index into figures.targets */
	uint8_t *events;        /* by index into figures.events */
	uint8_t *threads;       /* by index into metrics.threads */
	unsigned found;         /* all bits of enum filter_hit that nodes have */
	/* selected regions whose rows also have executions inside regions that are not selected */
	size_t n_mixed;
	size_t n_uncut; /* waits for mutexes that are left out because all regions share them */
};

struct report {
	char path[4096];         /* of the profile file; of the folder if there are several files */
	char cache_folder[4096]; /* folder where symbols are kept; "": nowhere */
	struct report_job job;
	enum tree_view view;
	struct profile profile;
	struct tree tree;
	struct symbols *symbols; /* NULL in tests */
	int has_kept_symbols;    /* symbols is report_options.kept */
	struct name_tree names;
	struct report_totals totals;
	/* by thread: name of its start function, in `names`; "" if not known */
	const char **starts;
	int is_event; /* the clock counts events, and the figures are events */
	/*
	 * The members below are made from the user view of all threads together. If `tree` has
	 * another view, they belong to another tree.
	 */
	struct tree user_tree;
	struct name_tree user_names;
	struct metrics metrics;
	struct findings figures;
	struct advice_list advice;
	const struct filter *filter; /* the filter that was applied, or NULL */
	const struct filter *phases; /* the phases that were applied, or NULL */
	struct report_rows rows;
};

/*
 * Reads the profile in `path` (a file or a folder). Returns 0, or -1 with *diag set. Release with
 * report_release in either case.
 */
int report_load(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/*
 * Changes the view of a report that was loaded from `path` with is_shown_again. A single file is
 * not read again, and no name is looked up twice. Returns as report_load does.
 */
int report_again(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/* The names_lookup function for report->symbols, which is passed as `data`. */
void report_look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at);

/*
 * Makes the tree, its names and the totals from report->profile: the part of report_load after
 * reading.
 */
int report_make(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/*
 * Names report->metrics and finds advice: report->figures and report->advice. Part of report_make.
 * Returns as report_make does.
 */
int report_figure(struct report *report, struct diag *diag);

/*
 * Applies the filters, which may be NULL. It changes the figures of report->names and report->tree,
 * which then have only the selected part of each node. It also sets totals.shown and report->rows.
 * This is the last part of report_make. Returns as report_make does.
 */
int report_filter(struct report *report, const struct filter *filter, struct diag *diag);
void report_rows_release(struct report_rows *rows);

/*
 * Whether causes are known, and cover everything that the program did. They do not cover native
 * threads that work without OpenMP.
 */
static inline int report_has_causes(const struct report *report)
{
	return report->metrics.has_waits &&
	       (report->metrics.n_regions > 0 || report->totals.n_native_threads == 0);
}

/* Whether a row is selected. `rows` is a member of report->rows. */
static inline int report_shows(const uint8_t *rows, size_t i)
{
	return !rows || rows[i];
}

/* Whether code that is in no region is selected. */
int report_shows_outside(const struct report *report);

/* The figures that percentages refer to: the figures of the whole run, or of its selected part. */
const struct tree_metrics *report_whole(const struct report *report);

/* Calls names_thread_word for the report's profile. */
const char *report_thread_word(const struct report *report, size_t thread);

/* The id in report->names of a node of the tree from which the figures were made, or NAMES_NONE. */
uint32_t report_node(const struct report *report, uint32_t tree_node);

/* The totals of one profile. */
void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);

/* The measured waiting of the whole run, and the part of it for which nobody is blamed. */
uint64_t report_waiting(const struct report *report, uint64_t *unblamed_ns);

/* Frees what *report owns; harmless on a zeroed struct. */
void report_release(struct report *report);

/*
 * Prints the summary of the profile in `path` to `out`, 80 columns wide and without colour. Returns
 * an exit status. Failures are reported on stderr.
 */
int report_summary(const char *path, FILE *out);

/* The figures of a node that a view can ask for. */
enum report_metric {
	METRIC_TOTAL, /* thread time in all classes, or events */
	METRIC_WORK,
	METRIC_WAIT, /* waits and idle */
	METRIC_OVERHEAD,
	METRIC_BLAME, /* waiting of other threads that the node is to blame for */
	METRIC_SAMPLES,
};

uint64_t report_metric(
	const struct report *report, const struct tree_metrics *metrics, enum report_metric metric);

/* The losses in all threads, and the losses outside of threads, by enum profile_loss. */
void report_losses(uint64_t lost[PROFILE_N_LOSSES], const struct profile *profile);

/* The amount of a class in the whole run: nanoseconds, or events. */
uint64_t report_class(const struct report *report, enum profile_class class);

/*
 * The word for a class in options and JSON ("work", "barrier"). report_wait_word returns NULL for
 * classes other than waits and idle.
 */
const char *report_class_word(enum profile_class class);
const char *report_wait_word(enum profile_class class);

/* The word for a cause in conditions and at the beginning of keys of JSON: "imbalance". */
const char *report_cause_word(enum metrics_cause cause);

/* The words for views, by enum tree_view; NULL after the last. */
extern const char *const report_view_words[];

/*
 * Writes sentence i on doubtful figures to the buffer. Returns the buffer, or NULL past the last
 * sentence. The most important sentences come first.
 */
const char *report_warning(const struct report *report, size_t i, char *text, size_t text_bytes);

#endif
