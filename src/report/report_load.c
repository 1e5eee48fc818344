/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a report from profile files; see report.h. */
#include "profile/shared/folder.h"
#include "src/report/phases.h"
#include "src/report/report_internal.h"
#include "src/findings/names_lookup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint32_t report_node(const struct report *report, uint32_t tree_node)
{
	return report->figures.names == &report->names ? findings_code(&report->figures, tree_node)
						       : NAMES_NONE;
}

int report_make(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag)
{
	struct report_loading loading = { .profile = report->profile };
	int status = report_process_make(&loading, options);

	if (status != 0)
		*diag = loading.diag;
	report_adopt(report, &loading);
	return status == 0 ? report_name(report, options, lookup, data, diag) : -1;
}

/*
 * The folder for the cache of symbols: the profile's folder. NULL if the profile is a single file
 * whose folder `ompprof run` did not make.
 */
static const char *find_cache_folder(struct report *report, const char *path)
{
	char marker[sizeof(report->cache_folder) + sizeof(PROFILE_JOB_MARKER) + 1];
	size_t n = strlen(path);
	const char *slash;
	struct stat st;

	if (n >= sizeof(report->cache_folder) || stat(path, &st) != 0)
		return NULL;
	strcpy(report->cache_folder, path);
	if (S_ISDIR(st.st_mode))
		return report->cache_folder;
	slash = strrchr(path, '/');
	snprintf(report->cache_folder, sizeof(report->cache_folder), "%.*s",
		slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	snprintf(marker, sizeof(marker), "%s/%s", report->cache_folder, PROFILE_JOB_MARKER);
	return lstat(marker, &st) == 0 ? report->cache_folder : NULL;
}

static int open_symbols(struct report *report, const char *path,
	const struct report_options *options, struct diag *diag)
{
	struct symbols_options symbols = options->symbols;

	report->has_kept_symbols = options->kept != NULL;
	report->symbols = options->kept;
	if (report->symbols)
		return 0;
	if (!options->no_cache)
		symbols.cache_folder = find_cache_folder(report, path);
	report->symbols = symbols_open(&symbols);
	return report->symbols ? 0 : diag_set(diag, "cannot look symbols up: out of memory");
}

int report_load(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag)
{
	memset(report, 0, sizeof(*report));
	report->phases = options->phases;
	snprintf(report->path, sizeof(report->path), "%s", path);
	report->given = path;
	report->sysroot = options->symbols.sysroot;
	report->selection = options->selection;
	if (report_job_find(&report->job, path, &options->selection, diag) != 0 ||
		open_symbols(report, path, options, diag) != 0 ||
		report_job_load(report, options, diag) != 0 ||
		phases_check(options->phases, &report->profile, diag) != 0 ||
		time_range_check(options->time, &report->profile.part, report->profile.n_threads,
			report->path, diag) != 0)
		return -1;
	if (report->profile.part.is_cut)
		report->totals.wall_ns =
			report->profile.part.end_ns - report->profile.part.begin_ns;
	if (report_name(report, options, report_look_up, report->symbols, diag) != 0)
		return -1;
	return report_check_found(report, options, diag);
}

/* Releases what report_make makes, except the totals and the advice, which own nothing. */
static void release_made(struct report *report)
{
	report_rows_release(&report->rows);
	findings_release(&report->figures);
	metrics_release(&report->metrics);
	name_tree_release(&report->user_names);
	tree_release(&report->user_tree);
	name_tree_release(&report->names);
	tree_release(&report->tree);
	free(report->starts);
	report->starts = NULL;
}

/*
 * Only sums of several processes are in memory, so their files are read again; known names are
 * kept.
 */
static int load_with_names(struct report *report, const char *path,
	const struct report_options *options, struct diag *diag)
{
	struct report before = *report;
	struct report_options with_names = *options;
	int status;

	with_names.kept = before.symbols;
	status = report_load(report, path, &with_names, diag);
	report->symbols = before.symbols;
	report->has_kept_symbols = before.has_kept_symbols;
	before.symbols = NULL;
	report_release(&before);
	return status;
}

int report_again(struct report *report, const char *path, const struct report_options *options,
	struct diag *diag)
{
	if (report->profile.n_processes)
		return load_with_names(report, path, options, diag);
	release_made(report);
	return report_make(report, options, report_look_up, report->symbols, diag);
}

void report_release(struct report *report)
{
	release_made(report);
	if (report->symbols && !report->has_kept_symbols)
		symbols_close(report->symbols);
	profile_release(&report->profile);
	report_job_release(&report->job);
	memset(report, 0, sizeof(*report));
}
