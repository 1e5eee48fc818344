/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of "Fix first" over repeated runs; see repeats.h. */
#include "src/compare/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_run.h"

/* The gain of the entry in another run; 0 if that run does not list the entry. */
static uint64_t gain_in(const struct advice_list *list, const struct advice *entry)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct advice *other = &list->entries[i];

		if (other->cause == entry->cause && other->about == entry->about &&
			strcmp(other->place, entry->place) == 0)
			return other->gain_ns;
	}
	return 0;
}

/* Sets the gain of each entry in one run. `gains` has n_runs values for each entry. */
static void add_gains(const struct advice_list *entries, const struct advice_list *list,
	double *gains, size_t n_runs)
{
	for (size_t i = 0; i < entries->n; i++)
		gains[i * n_runs] = (double)gain_in(list, &entries->entries[i]);
}

/* How far a run can be from the mean, in 19 of 20 cases. */
static double scatter_of(const double *values, size_t n)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += diff_square(values[i] - mean);
	return diff_student(n - 1) * sqrt(squares / (double)(n - 1));
}

static void set_error(struct advice *entry, double scatter)
{
	entry->is_repeated = 1;
	entry->error_ns = diff_round(scatter);
}

static int load_gains(const struct report *report, const char *path,
	const struct report_options *options, double *gains, struct diag *diag)
{
	const struct profile_list *list = &report->job.of;
	struct report_options of_run = *options;
	int status = 0;

	for (size_t r = 0; status == 0 && r < list->n_runs; r++) {
		struct report other = { .path = "" };

		of_run.selection.run_id = list->runs[r].id;
		status = report_load(&other, path, &of_run, diag);
		if (status == 0)
			add_gains(&report->advice, &other.advice, gains + r, list->n_runs);
		report_release(&other);
	}
	return status;
}

int repeats_find_errors(struct report *report, const char *path,
	const struct report_options *options, struct diag *diag)
{
	size_t n = report->job.of.n_runs;
	double *gains;
	int status;

	if (n < 2 || !report->advice.n)
		return 0;
	gains = calloc(report->advice.n * n, sizeof(*gains));
	if (!gains)
		return diag_set(diag, "cannot compare the runs: out of memory");
	status = load_gains(report, path, options, gains, diag);
	for (size_t i = 0; status == 0 && i < report->advice.n; i++)
		set_error(&report->advice.entries[i], scatter_of(gains + i * n, n));
	free(gains);
	return status;
}
