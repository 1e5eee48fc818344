/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile that is ready to be shown: read, attributed, named and filtered. `ompprof report` and
 * other verbs load it. The views (view.h) print it and change nothing.
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
	struct report_selection selection; /* the processes to load */
	/* how many threads read the files of several processes: see ordered_pool.n_threads */
	uint32_t n_threads;
	struct symbols_options symbols;
	int no_cache; /* neither reads nor writes the cache of symbols */
	/* symbols to use, which the caller closes; NULL: the report opens its own */
	struct symbols *kept;
	const struct filter *filter; /* or NULL; must outlive the report */
	/* --phase, or NULL; must outlive the report */
	const struct filter *phases;
	/* --time, or NULL; must outlive the report */
	const struct time_range *time;
	/* the report shows rows of threads or regions, which can be without samples and waits */
	int has_rows;
	int is_shown_again; /* keeps profile.nodes: report_again and `ompprof info` need them */
};

/* The run as a whole. Times are sums over threads unless the name says wall. */
struct report_totals {
	struct tree_metrics all; /* all samples and measured waits */
	/* the part that filters select; without filters equal to `all` */
	struct tree_metrics shown;
	uint64_t events[PROFILE_N_CLASSES]; /* with a clock that counts events: events by class */
	uint64_t wall_ns;
	uint64_t cpu_ns; /* CPU time of the threads while they were profiled */
	/* threads' life time less their CPU time and measured waits; 0 with the wall clock */
	uint64_t off_cpu_ns;
	/* time in which threads slept, but samples show work; 0 without the wall clock */
	uint64_t asleep_ns;
	/* CPU time that no sample represents; 0 without the CPU clock */
	uint64_t unsampled_ns;
	struct own_cost own;
	uint64_t lost[PROFILE_N_LOSSES];
	uint64_t n_lost; /* lost samples */
	uint64_t n_walks;
	uint64_t n_cut_walks; /* walks of samples that did not reach the outermost frame */
	uint64_t n_guessed;   /* samples whose call path has a guessed frame */
	uint64_t n_captures;  /* walks of creation paths; the next two are parts of it */
	uint64_t n_cut_captures;
	uint64_t n_guessed_captures;
	uint32_t n_openmp_threads;
	uint64_t n_lives;          /* threads; several short native threads can share a record */
	uint64_t n_native_threads; /* native threads, a part of n_lives */
	uint64_t n_helper_threads; /* hidden helpers, a part of n_lives */
	uint64_t native_cpu_ns;
	/* of native threads that could not be signalled; part of native_cpu_ns */
	uint64_t native_unsampled_ns;
	/*
	 * Native threads that used a CPU for less than 1/100 of their life, and waited for a CPU
	 * for less than 1/10 of it. 0 with the wall clock.
	 */
	uint64_t n_asleep_threads, asleep_cpu_ns;
	uint64_t asleep_off_ns;   /* their life without their CPU time */
	uint64_t asleep_delay_ns; /* part of asleep_off_ns in which they were ready to run */
};

/*
 * The rows of tables that filters select: 1 for each selected row. NULL: all rows. Read them with
 * report_shows. The view says which filters it heeds (struct view); other filters select all its
 * rows.
 */
struct report_rows {
	/* these, unless they have a comment: by index into the array of that name in figures */
	uint8_t *regions;
	uint8_t *waits;
	uint8_t *constructs;
	uint8_t *metrics_waits; /* by index into metrics.waits */
	uint8_t *locks;
	uint8_t *tasks;
	uint8_t *targets;
	uint8_t *events;
	uint8_t *threads; /* by index into metrics.threads */
	unsigned found;   /* the hits (enum filter_hit) of all nodes together */
	/* selected regions whose row also has paths that are not selected */
	size_t n_mixed;
	size_t n_uncut; /* mutexes whose waits --region leaves out: they are not known by region */
};

struct contention;

struct report {
	char path[4096];     /* the profile, or the folder of several profiles */
	const char *given;   /* the path that report_load was given; NULL in tests */
	const char *sysroot; /* of symbols_options; or NULL */
	struct report_selection selection;
	char cache_folder[4096]; /* holds the path for symbols_options.cache_folder */
	struct report_job job;
	enum tree_view view;
	struct profile profile;
	struct tree tree;
	struct symbols *symbols; /* NULL in tests */
	int has_kept_symbols;    /* `symbols` is report_options.kept, which is not closed */
	struct name_tree names;
	struct report_totals totals;
	/* by thread: the name of a thread's start function, or "" */
	const char **starts;
	int is_event; /* the clock counts events, and the figures are events */
	/*
	 * metrics, figures and advice are made from the user view of all threads together. If
	 * `tree` is another view, user_tree is that user view; else user_tree and user_names are
	 * empty.
	 */
	struct tree user_tree;
	struct name_tree user_names;
	struct metrics metrics;
	struct findings figures;
	struct advice_list advice;
	const struct filter *filter; /* as applied, or NULL */
	const struct filter *phases; /* as applied, or NULL */
	struct report_rows rows;
};

/*
 * Reads the profile in `path` (a file or a folder), a text that outlives the report. Returns 0, or
 * -1 with *diag set. Release with report_release in either case.
 */
int report_load(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/*
 * Changes the view of a report that report_load loaded from `path` with is_shown_again. Names are
 * not looked up twice. The files of several processes are read again, a single file is not. Returns
 * as report_load does.
 */
int report_again(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag);

/*
 * Finds for how long threads had no CPU, and why. Returns 1 if that is so long that a screen has to
 * begin with it; 0 also for events and parts of the run, which tell nothing of it.
 */
int report_find_contention(const struct report *report, struct contention *contention);

/* Whether `path` is a profile or a folder. */
int report_is_profile(const char *path);

/* A names_lookup function whose `data` is report->symbols. */
void report_look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at);

/* A names_body function whose `data` is report->symbols. */
int report_find_body(void *data, const struct symbols_object *object, uint64_t addr,
	enum names_function which, struct symbol *body);

/* Makes everything from report->profile, the profile of a single process, as report_load does. */
int report_make(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/*
 * Makes report->figures and report->advice from report->metrics; without report_can_rank, without
 * report_has_causes and with is_event no advice. A part of report_make; returns as it does.
 */
int report_figure(struct report *report, struct diag *diag);

/*
 * Applies the filter, which may be NULL: the figures of report->names and report->tree then have
 * only the selected part of each node. Also sets totals.shown and report->rows. The last part of
 * report_make; returns as it does.
 */
int report_filter(struct report *report, const struct filter *filter, struct diag *diag);
void report_rows_release(struct report_rows *rows);

/*
 * Whether waits were measured, and the causes cover the program's work: they do not if it has
 * native threads and no regions.
 */
static inline int report_has_causes(const struct report *report)
{
	return report->metrics.has_waits &&
	       (report->metrics.n_regions > 0 || report->totals.n_native_threads == 0);
}

static inline int report_shows(const uint8_t *rows, size_t i)
{
	return !rows || rows[i];
}

/* Whether --region, if it is given, selects code in no region. */
int report_shows_outside(const struct report *report);

/*
 * The figures that percentages refer to: of the whole run, or with is_relative of the selected
 * part.
 */
const struct tree_metrics *report_whole(const struct report *report);

const char *report_thread_word(const struct report *report, size_t thread);

/*
 * The named node, in report->names, of a node of the tree that the figures were made from.
 * NAMES_NONE if report->names is of another view.
 */
uint32_t report_node(const struct report *report, uint32_t tree_node);

/*
 * Writes the command line that shows the same profile, with the same selection and filters, and
 * with `options`: "ompprof report prof/heat --by lock". A shell reads it as it is.
 */
void report_command(
	char *text, size_t text_bytes, const struct report *report, const char *options);

/*
 * As report_command, but without the filters, and for any verb: "ompprof annotate prof/heat
 * solve.c:90". `operand` may be NULL.
 */
void report_command_of(char *text, size_t text_bytes, const struct report *report, const char *verb,
	const char *operand);

void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);

/* Whether the run has samples enough to tell what to fix first. Else it has to be run longer. */
int report_can_rank(const struct report *report);

/* The measured waiting of the whole run; *unblamed_ns is the part for which nobody is blamed. */
uint64_t report_waiting(const struct report *report, uint64_t *unblamed_ns);

/* Frees what *report owns; harmless on a zeroed struct. */
void report_release(struct report *report);

/*
 * Prints the summary of the profile in `path`, 80 columns wide and without colour. Returns an exit
 * status; writes failures to stderr.
 */
int report_summary(const char *path, FILE *out);

enum report_metric {
	METRIC_TOTAL, /* thread time in all classes, or events */
	METRIC_WORK,
	METRIC_WAIT,
	METRIC_OVERHEAD,
	METRIC_BLAME, /* waiting of other threads that the node is to blame for */
	METRIC_SAMPLES,
};

uint64_t report_metric(
	const struct report *report, const struct tree_metrics *metrics, enum report_metric metric);

/*
 * The sums of losses over all threads and of losses that belong to no thread, by enum profile_loss.
 */
void report_losses(uint64_t lost[PROFILE_N_LOSSES], const struct profile *profile);

/* The whole run's ns in a class, or its events. */
uint64_t report_class(const struct report *report, enum profile_class class);

/*
 * The word for a class in options and JSON: "work", "barrier". report_wait_word returns NULL for
 * work and overhead.
 */
const char *report_class_word(enum profile_class class);
const char *report_wait_word(enum profile_class class);

/* The word for a cause in options and JSON: "imbalance". */
const char *report_cause_word(enum metrics_cause cause);

/* The words for views, by enum tree_view; NULL after the last. */
extern const char *const report_view_words[];

/*
 * Writes warning i into the buffer and returns the buffer; NULL past the last warning. The most
 * important warnings come first.
 */
const char *report_warning(const struct report *report, size_t i, char *text, size_t text_bytes);

#endif
