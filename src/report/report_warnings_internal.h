/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of report_warning, each for one reason why figures can be doubtful. */
#ifndef OMPPROF_SRC_REPORT_REPORT_WARNINGS_INTERNAL_H
#define OMPPROF_SRC_REPORT_REPORT_WARNINGS_INTERNAL_H

#include "src/report/report.h"

/* The buffer for a sentence, without a full stop or a newline. */
struct warning {
	char *text;
	size_t bytes;
};

/* Writes its sentence and returns 1 if the report has its problem; else returns 0. */
typedef int warning_check(const struct report *report, struct warning *to);

/* Writes the sentence, as printf does, and returns 1. */
int warning_say(struct warning *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether `part` is more than `percent` percent of `whole`. False if the whole is 0. */
int warning_is_more(uint64_t part, uint64_t whole, unsigned percent);

/*
 * Writes "12.5 % of WHAT" and returns 1 if `part` is more than `percent` % of `whole`; else returns
 * 0.
 */
int warning_share(
	struct warning *to, uint64_t part, uint64_t whole, unsigned percent, const char *what);

/* Whether the program began paused and never started the measuring. */
int warning_never_measured(const struct report *report);

/* report_warnings_run.c: how the run went, and how much of it the file has. */
warning_check warn_handler, warn_woken, warn_paused, warn_ended, warn_phases, warn_incomplete,
	warn_truncated_file, warn_dropped, warn_space, warn_note, warn_others, warn_unreadable,
	warn_unread, warn_ranks, warn_unknown;

/* report_warnings_lost.c: what was seen and could not be kept. */
warning_check warn_lost, warn_lost_threads, warn_unlisted_threads, warn_unsampled_threads,
	warn_lost_modules, warn_lost_contexts, warn_lost_regions, warn_lost_locks, warn_lost_waits,
	warn_lost_traces, warn_trace, warn_lost_stack, warn_lost_python;

/* report_warnings_figures.c: how far figures and names can be trusted. */
warning_check warn_libgomp, warn_exchanged, warn_budget, warn_unseen, warn_events, warn_short,
	warn_unblamed, warn_own, warn_cut, warn_guessed, warn_cut_captures, warn_guessed_captures,
	warn_threads, warn_lines, warn_contention, warn_memory, warn_counters, warn_counters_shared,
	warn_counters_lost;

#endif
