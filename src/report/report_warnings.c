/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the warnings of a report and their order; see report.h. */
#include <stdio.h>

#include "src/report/report_warnings_internal.h"

static warning_check *const of_run[] = { warn_contention, warn_paused, warn_ended, warn_phases,
	warn_handler, warn_woken, warn_incomplete, warn_truncated_file, warn_dropped, warn_space,
	warn_lost_threads, warn_unlisted_threads, warn_unsampled_threads, warn_note, warn_libgomp,
	warn_exchanged, warn_events, warn_counters, warn_counters_shared, warn_counters_lost,
	warn_budget, warn_unseen, warn_short, warn_lost, warn_lost_stack, warn_lost_contexts,
	warn_lost_modules, warn_lost_python, warn_lost_regions, warn_lost_locks, warn_lost_waits,
	warn_lost_traces, warn_trace, warn_memory, warn_own, warn_cut, warn_cut_captures,
	warn_guessed, warn_guessed_captures, warn_threads, warn_unblamed, warn_lines,
	warn_unreadable, warn_unread, warn_ranks, warn_others };

/*
 * With --time. Most other checks need figures of the whole run. The list begins with what
 * view_put_incomplete looks for, as it prints the first warning.
 */
static warning_check *const of_part[] = { warn_handler, warn_incomplete, warn_truncated_file,
	warn_dropped, warn_space, warn_unknown, warn_note, warn_libgomp, warn_events, warn_trace,
	warn_lines, warn_unreadable, warn_unread, warn_ranks };

const char *report_warning(const struct report *report, size_t i, char *text, size_t text_bytes)
{
	int is_part = report->profile.part.is_cut;
	warning_check *const *list = is_part ? of_part : of_run;
	size_t n =
		is_part ? sizeof(of_part) / sizeof(of_part[0]) : sizeof(of_run) / sizeof(of_run[0]);
	struct warning to = { text, text_bytes };
	const char *problem;

	for (size_t k = 0; k < n; k++)
		if (list[k](report, &to) && i-- == 0)
			return text;
	problem = report->symbols ? symbols_problem(report->symbols, i) : NULL;
	if (problem)
		snprintf(text, text_bytes, "%s", problem);
	return problem ? text : NULL;
}
