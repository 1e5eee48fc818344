/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a whole run; see diff_run.h. */
#include "src/compare/diff_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/tree/scale_blame.h"
#include "src/findings/names_lookup.h"
#include "src/text/text.h"

/* With fewer executions the scatter of a region is not known. */
enum { SCATTER_LEAST = 5 };

uint64_t diff_round(double number)
{
	if (!(number > 0))
		return 0;
	return number < 9e18 ? (uint64_t)(number + 0.5) : (uint64_t)9e18;
}

/*
 * Splits the wall time as the causes split the capacity, so that no nanosecond is lost by rounding.
 */
static void select_wall(struct diff_run *run, const struct metrics *metrics)
{
	struct scale_blame_shares shares = { .total = run->wall_ns,
		.whole = metrics_capacity(metrics) };

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		run->wall_of_ns[i] = scale_blame_share(&shares, metrics->cause_ns[i]);
}

uint64_t diff_unseen(
	enum metrics_cause cause, const uint64_t cause_ns[METRICS_N_CAUSES], uint64_t unseen_ns)
{
	if (cause != METRICS_TASK && cause != METRICS_IMBALANCE)
		return 0;
	return unseen_ns < cause_ns[cause] ? unseen_ns : cause_ns[cause];
}

/* Waits are timed, but for waits of unseen tasks. The rest of the time is split by samples. */
static void estimate_errors(struct diff_run *run, const struct metrics *metrics)
{
	double slots = (double)metrics_slots(metrics) / 1e9, busy_ns = 0;
	uint64_t unseen_ns = 0;

	for (size_t i = 0; i < metrics->n_regions; i++)
		unseen_ns += metrics->regions[i].unseen_ns;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		run->variance[i] = i == METRICS_USEFUL ? 0
						       : diff_square((double)run->wall_of_ns[i] *
								     DIFF_TIMED_PERMILLE / 1000);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		busy_ns += metrics_is_sampled(i) ? (double)metrics->cause_ns[i] : 0;
	for (size_t i = 0; i < METRICS_N_CAUSES && slots > 0; i++) {
		double ns = (double)metrics->cause_ns[i];

		if (!metrics_is_sampled(i))
			ns = (double)diff_unseen(i, metrics->cause_ns, unseen_ns);
		else if (busy_ns > 0)
			ns *= 1 - ns / busy_ns;
		run->variance[i] += run->period_ns * ns / diff_square(slots);
	}
}

/*
 * The variance of the lengths of a region's executions, in ns^2; -1 if there are too few.
 * Executions are assumed to be spread evenly within a bucket.
 */
static double scatter(const struct metrics *metrics, const struct metrics_region *region)
{
	double ns_of_tick = 1e9 / (double)metrics->ticks_per_s;
	double n = 0, sum = 0, squares = 0, within = 0;

	for (unsigned b = 0; region->lengths && b < METRICS_N_LENGTHS; b++) {
		double middle = metrics_bucket_middle(b) * ns_of_tick;
		double width = metrics_bucket_width(b) * ns_of_tick;

		n += region->lengths[b];
		sum += region->lengths[b] * middle;
		squares += region->lengths[b] * diff_square(middle);
		within += region->lengths[b] * diff_square(width) / 12;
	}
	if (n < SCATTER_LEAST)
		return -1;
	return (fmax(0, squares - sum * sum / n) + within) / (n - 1);
}

static void estimate_noise(struct diff_run *run, const struct report *report)
{
	const struct metrics *metrics = &report->metrics;
	double variance = diff_square((double)run->wall_of_ns[METRICS_NOT_RUNNING]);

	for (size_t i = 0; i < metrics->n_regions; i++) {
		const struct metrics_region *region = &metrics->regions[i];
		double of_one = scatter(metrics, region);

		if (region->outer != UINT32_MAX || of_one < 0 || !metrics->ticks_per_s)
			continue;
		variance += (double)region->n * of_one;
		run->noise_of_ns += metrics_wall(metrics, region->wall_ns);
	}
	run->noise_ns = sqrt(variance);
}

/* The mean time that a sample represents, without measured waits. */
static double mean_period(const struct report *report)
{
	const struct tree_metrics *all = &report->totals.all;
	uint64_t ns = report_sampled_ns(report, all);

	if (all->samples && ns > 0)
		return (double)ns / (double)all->samples;
	return (double)report->profile.header.period;
}

static char *join_command(const struct profile *profile)
{
	size_t bytes = 1, to = 0;
	char *text;

	for (size_t i = 0; i < profile->n_args; i++)
		bytes += strlen(profile->args[i]) + 1;
	text = malloc(bytes);
	if (!text)
		return NULL;
	text[0] = '\0';
	for (size_t i = 0; i < profile->n_args; i++)
		to += (size_t)sprintf(text + to, "%s%s", i ? " " : "", profile->args[i]);
	return text;
}

static char *find_program(const struct report *report)
{
	const struct profile *profile = &report->profile;
	const char *path =
		profile->program.exe && profile->program.exe[0] ? profile->program.exe : "";

	for (size_t i = 0; i < report->job.n; i++)
		if (report->job.processes[i].is_counted && report->job.processes[i].program)
			return strdup(report->job.processes[i].program);
	for (size_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_MAIN)
			path = profile->modules[i].path;
	return strdup(names_base(path));
}

static void describe(struct diff_run *run, const struct report *report)
{
	const struct profile_header *header = &report->profile.header;
	const struct metrics *metrics = &report->metrics;

	run->n_slots = metrics->n_slots ? metrics->n_slots : 1;
	run->n_team = metrics->n_processes ? metrics->most_slots : run->n_slots;
	run->n_processes = metrics->n_processes ? metrics->n_processes : 1;
	run->n_cpus = header->n_cpus;
	run->n_runs = 1;
	run->wall_ns = metrics->wall_ns;
	run->capacity_ns = metrics_capacity(metrics);
	run->useful_ns = metrics->cause_ns[METRICS_USEFUL];
	run->n_samples = report->totals.all.samples;
	run->n_unread = report->job.of.n_unread;
	run->period_ns = mean_period(report);
	snprintf(run->clock, sizeof(run->clock), "%s", header->clock_name);
	snprintf(run->host, sizeof(run->host), "%s", header->host);
	run->begun_ns = header->start_realtime_ns;
	run->is_event = report->is_event;
	run->has_waits = metrics->has_waits;
	run->is_complete = (header->flags & PROFILE_COMPLETE) != 0;
	run->is_truncated = report->profile.is_truncated;
	run->is_openmp = (header->flags & PROFILE_OMPT_STARTED) != 0;
	efficiency_make(run->left_ns, metrics);
}

int diff_run_knows_noise(const struct diff_run *run)
{
	return run->wall_ns > 0 && run->noise_of_ns * 2 >= run->wall_ns;
}

int diff_run_make(struct diff_run *run, const struct report *report, struct name_tree *strings,
	int has_paths, struct diag *diag)
{
	memset(run, 0, sizeof(*run));
	describe(run, report);
	select_wall(run, &report->metrics);
	estimate_errors(run, &report->metrics);
	estimate_noise(run, report);
	run->path = strdup(report->path);
	run->command = join_command(&report->profile);
	run->program = find_program(report);
	run->label = strdup(profile_label(&report->profile));
	if (run->path && run->command && run->program && run->label &&
		diff_places_make(run, report, strings, has_paths) == 0)
		return 0;
	return diag_set(diag, "cannot compare the profile '%s': out of memory", report->path);
}

/* Loads the run with this number, or with 0 the only run. */
static int load_one(struct diff_run *run, const char *path, const struct report_options *options,
	struct name_tree *strings, int has_paths, struct diag *diag)
{
	struct report report;
	char *given;
	int status = -1;

	memset(run, 0, sizeof(*run));
	if (report_load(&report, path, options, diag) == 0)
		status = diff_run_make(run, &report, strings, has_paths, diag);
	report_release(&report);
	given = status == 0 ? strdup(path) : NULL;
	if (given) {
		free(run->path);
		run->path = given;
	}
	return status;
}

int diff_runs_add(struct diff_runs *runs, const char *path, const struct report_options *options,
	struct name_tree *strings, struct diag *diag)
{
	struct report_options of_run = *options;
	struct profile_list list;
	struct diff_run *more;
	int status = profile_list_read(&list, path, diag);
	size_t n = list.n_runs > 1 ? list.n_runs : 1;

	more = status == 0 ? realloc(runs->runs, (runs->n + n) * sizeof(*more)) : NULL;
	if (status == 0 && !more)
		status = diag_set(diag, "cannot compare the profile '%s': out of memory", path);
	if (more)
		runs->runs = more;
	for (size_t i = 0; status == 0 && i < n; i++) {
		of_run.selection.run_id = list.n_runs > 1 ? list.runs[i].id : 0;
		status = load_one(
			&runs->runs[runs->n++], path, &of_run, strings, runs->has_paths, diag);
	}
	profile_list_release(&list);
	return status;
}

void diff_runs_release(struct diff_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		diff_run_release(&runs->runs[i]);
	free(runs->runs);
	*runs = (struct diff_runs){ 0 };
}

int diff_run_load(struct diff_run *run, const char *path, const struct report_options *options,
	struct name_tree *strings, int has_paths, struct diag *diag)
{
	struct diff_runs runs = { .has_paths = has_paths };
	int status = diff_runs_add(&runs, path, options, strings, diag);

	memset(run, 0, sizeof(*run));
	if (status == 0) {
		if (diff_run_join(run, runs.runs, runs.n) != 0)
			status = diag_set(
				diag, "cannot compare the profile '%s': out of memory", path);
		runs.n = 0;
	}
	diff_runs_release(&runs);
	return status;
}

int diff_run_say_unread(const struct diff_run *run, char *text, size_t text_bytes)
{
	if (!run->n_unread)
		return 0;
	snprintf(text, text_bytes, "'%s' has %zu file%s that %s no profile: a run can be missing",
		run->path, run->n_unread, text_plural(run->n_unread),
		run->n_unread == 1 ? "is" : "are");
	return 1;
}

void diff_run_release(struct diff_run *run)
{
	free(run->path);
	free(run->command);
	free(run->program);
	free(run->label);
	free(run->places);
	free(run->paths);
	memset(run, 0, sizeof(*run));
}
