/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and compares runs at several numbers of threads; see scale.h. */
#include "src/compare/scale.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/order.h"
#include "src/text/text.h"

enum { PATH_BYTES = 4200, RUNS_MOST = 4096 };

/* A run in the folder: number `number` with n_threads. */
struct found {
	uint32_t n_threads, number;
};

static int by_threads(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	return ORDER({ a->n_threads, b->n_threads }, { a->number, b->number });
}

static int by_wall(const void *left, const void *right)
{
	const struct diff_run *a = left, *b = right;

	return ORDER({ a->wall_ns, b->wall_ns });
}

/*
 * Lists the runs in a folder, at most RUNS_MOST. Returns their number, or 0 with the reason in
 * *diag.
 */
static size_t list_runs(struct found *found, const char *folder, struct diag *diag)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	if (!entries) {
		diag_set(diag, "cannot read '%s': %s", folder, strerror(errno));
		return 0;
	}
	while (n < RUNS_MOST && (entry = readdir(entries)) != NULL)
		n += scale_folder_parse(entry->d_name, &found[n].n_threads, &found[n].number) == 0;
	closedir(entries);
	if (n == 0)
		diag_set(diag, "'%s' has no runs of 'ompprof scale'", folder);
	qsort(found, n, sizeof(*found), by_threads);
	return n;
}

static struct scale_point *add_point(struct scale *scale, uint32_t n_asked, struct diff_run *runs)
{
	struct scale_point *last = scale->n_points ? &scale->points[scale->n_points - 1] : NULL;

	if (!last || last->n_asked != n_asked) {
		last = &scale->points[scale->n_points++];
		*last = (struct scale_point){ .n_asked = n_asked, .runs = runs };
	}
	return last;
}

int scale_make(struct scale *scale, struct diff_run *runs, const uint32_t *n_asked, size_t n_runs,
	int is_weak)
{
	scale->is_weak = is_weak;
	scale->points = calloc(n_runs + 1, sizeof(*scale->points));
	if (!scale->points)
		return -1;
	for (size_t i = 0; i < n_runs; i++)
		add_point(scale, n_asked[i], &runs[i])->n_runs++;
	for (size_t i = 0; i < scale->n_points; i++) {
		struct scale_point *point = &scale->points[i];

		qsort(point->runs, point->n_runs, sizeof(*point->runs), by_wall);
		point->run = &point->runs[(point->n_runs - 1) / 2];
		if (diff_make(&point->diff, scale->points[0].run, point->run, is_weak) != 0)
			return -1;
	}
	return 0;
}

int scale_load(struct scale *scale, const char *folder, const struct report_options *options,
	int is_weak, struct diag *diag)
{
	struct found *found = malloc(RUNS_MOST * sizeof(*found));
	uint32_t *n_asked = malloc(RUNS_MOST * sizeof(*n_asked));
	struct diff_run *runs = NULL;
	size_t n_loaded = 0, n = 0;
	char path[PATH_BYTES];
	int status = -1;

	memset(scale, 0, sizeof(*scale));
	if (found && n_asked && name_tree_init(&scale->strings, 1) == 0) {
		n = list_runs(found, folder, diag);
		runs = calloc(n + 1, sizeof(*runs));
		status = n && runs ? 0 : -1;
	}
	if (status != 0 && n == 0 && !diag->text[0])
		diag_set(diag, "cannot compare the runs: out of memory");
	for (; status == 0 && n_loaded < n; n_loaded++) {
		n_asked[n_loaded] = found[n_loaded].n_threads;
		snprintf(path, sizeof(path), "%s/t%u-%u", folder, found[n_loaded].n_threads,
			found[n_loaded].number);
		status = diff_run_load(&runs[n_loaded], path, options, &scale->strings, 0, diag);
	}
	if (status == 0 && scale_make(scale, runs, n_asked, n, is_weak) != 0)
		status = diag_set(diag, "cannot compare the runs: out of memory");
	if (!scale->n_points) {
		for (size_t i = 0; runs && i < n; i++)
			diff_run_release(&runs[i]);
		free(runs);
	}
	free(found);
	free(n_asked);
	return status;
}

void scale_release(struct scale *scale)
{
	struct diff_run *runs = scale->n_points ? scale->points[0].runs : NULL;

	for (size_t i = 0; i < scale->n_points; i++) {
		diff_release(&scale->points[i].diff);
		for (size_t k = 0; k < scale->points[i].n_runs; k++)
			diff_run_release(&scale->points[i].runs[k]);
	}
	free(runs);
	free(scale->points);
	name_tree_release(&scale->strings);
	memset(scale, 0, sizeof(*scale));
}

int scale_is_repeated(const struct scale *scale)
{
	for (size_t i = 0; i < scale->n_points; i++)
		if (scale->points[i].n_runs > 1)
			return 1;
	return 0;
}

static double point_noise(const struct scale_point *point)
{
	double wall_ns = (double)point->run->wall_ns;

	if (wall_ns <= 0)
		return -1;
	if (point->n_runs > 1)
		return ((double)point->runs[point->n_runs - 1].wall_ns -
			       (double)point->runs[0].wall_ns) /
		       wall_ns;
	if (!diff_run_knows_noise(point->run))
		return -1;
	return 2 * point->run->noise_ns / wall_ns;
}

double scale_noise(const struct scale *scale)
{
	int is_repeated = scale_is_repeated(scale);
	double most = 0;

	for (size_t i = 0; i < scale->n_points; i++) {
		double noise = point_noise(&scale->points[i]);

		/* Points with one run do not count if others have several. */
		if (is_repeated && scale->points[i].n_runs == 1)
			continue;
		if (noise < 0)
			return -1;
		most = fmax(most, noise);
	}
	return most;
}

/* The program did not use the number of threads that it was asked for. */
static int say_disobeyed(const struct scale_point *point, char *text, size_t text_bytes)
{
	if (point->run->n_team == point->n_asked)
		return 0;
	snprintf(text, text_bytes, "asked for %u thread%s, the largest team had %u: %s",
		point->n_asked, text_plural(point->n_asked), point->run->n_team,
		point->run->is_openmp ? "the program decides itself" : "no OpenMP was seen");
	return 1;
}

const char *scale_warning(const struct scale *scale, size_t i, char *text, size_t text_bytes)
{
	const struct diff *last = &scale->points[scale->n_points - 1].diff;

	for (size_t k = 0; k < scale->n_points; k++)
		if (say_disobeyed(&scale->points[k], text, text_bytes) && i-- == 0)
			return text;
	return diff_warning(last, i, text, text_bytes);
}
