/* SPDX-License-Identifier: Apache-2.0 */
/* Loads one process of a run, from its file to its tree and figures; see report_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/report/phases.h"
#include "src/report/report_internal.h"

int report_copy_args(char ***to, size_t *n_to, char *const *from, size_t n)
{
	*to = calloc(n + 1, sizeof(**to));
	for (*n_to = 0; *to && *n_to < n; ++*n_to) {
		(*to)[*n_to] = strdup(from[*n_to]);
		if (!(*to)[*n_to])
			return -1;
	}
	return *to ? 0 : -1;
}

static int copy_text(struct report_process *process, const struct profile *profile)
{
	const char *path = profile->program.exe;

	for (size_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_MAIN)
			path = profile->modules[i].path;
	process->program = strdup(names_base(path ? path : ""));
	if (!process->program)
		return -1;
	return report_copy_args(&process->args, &process->n_args, profile->args, profile->n_args);
}

/* If the process uses OpenMP, native threads and hidden helpers are not counted. */
static size_t count_threads(const struct report_process *process, const struct profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		n += !process->has_openmp || !profile_is_beside(&profile->threads[i]);
	return n;
}

static void describe(struct report_process *process, const struct profile *profile)
{
	const struct profile_header *header = &profile->header;

	process->rank = header->around.rank;
	process->n_ranks = header->around.n_ranks;
	process->pid = header->pid;
	snprintf(process->host, sizeof(process->host), "%s", header->host);
	process->n_threads = count_threads(process, profile);
	process->begin_ns = header->start_realtime_ns;
	process->n_cpus = header->n_cpus;
	process->machine_cpus = header->around.machine_cpus;
	process->busy_ns = header->contention.busy_ns;
	process->process_ns = header->contention.process_ns;
	process->is_complete = (header->flags & PROFILE_COMPLETE) != 0;
	process->is_running = profile->is_running;
}

/* Without OpenMP there is one slot, of the first thread. So this sums over all threads. */
static void measure_threads(struct report_process *process, const struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->n_threads; i++) {
		const struct metrics_thread *thread = &metrics->threads[i];

		process->useful_ns += thread->useful_ns;
		process->mpi_ns += thread->mpi_ns;
		process->other_ns += thread->total_ns - thread->useful_ns - thread->mpi_ns;
	}
}

static void measure(struct report_process *process, const struct metrics *metrics,
	const struct report_totals *totals)
{
	process->n_slots = metrics->n_slots;
	process->wall_ns = metrics->wall_ns;
	process->n_openmp_threads = totals->n_openmp_threads;
	process->n_samples = totals->all.samples;
	if (process->is_plain && totals->n_native_threads) {
		measure_threads(process, metrics);
		return;
	}
	process->useful_ns = process->mpi_ns = process->wait_ns = process->other_ns = 0;
	memcpy(process->cause_ns, metrics->cause_ns, sizeof(process->cause_ns));
#define CAUSE(NAME, word, label, advice, heading, columns, json, factor, member, ...)              \
	process->member += process->cause_ns[METRICS_##NAME];
#include "attribution/metrics/causes.def"
}

int report_process_describe(
	struct report_process *process, const char *path, const struct report_loading *loading)
{
	process->path = strdup(path);
	if (!process->path || copy_text(process, &loading->profile) != 0)
		return -1;
	describe(process, &loading->profile);
	measure(process, &loading->metrics, &loading->totals);
	return 0;
}

/* Makes the tree to show, and in tree.kept the part that --thread and --state select. */
static int attribute_shown(struct report_loading *loading, const struct report_options *options)
{
	struct tree_selection selection;
	struct tree_options tree_options = {
		.view = options->view, .by_thread = options->by_thread, .user = &loading->user_tree
	};
	int selects = filter_select(options->filter, &loading->profile, &selection), status;

	if (selects < 0)
		return diag_set(&loading->diag, "cannot filter the profile: out of memory");
	if (selects)
		tree_options.selection = &selection;
	status = attribute(&loading->tree, &loading->profile, &tree_options, &loading->diag);
	free(selection.threads);
	return status;
}

int report_process_make(struct report_loading *loading, const struct report_options *options)
{
	static const struct tree_options user = { .view = TREE_USER };
	int is_user_view = options->view == TREE_USER && !options->by_thread;
	struct tree *tree = is_user_view ? &loading->tree : &loading->user_tree;
	int status;

	if (!is_user_view && attribute(tree, &loading->profile, &user, &loading->diag) != 0)
		return -1;
	if (attribute_shown(loading, options) != 0)
		return -1;
	report_totals_make(&loading->totals, &loading->profile, &loading->tree);
	status = metrics_make(&loading->metrics, &loading->profile, tree, &loading->diag);
	scale_blame_release(&tree->blame_scale);
	return status;
}

void report_adopt(struct report *report, struct report_loading *loading)
{
	report->profile = loading->profile;
	report->tree = loading->tree;
	report->user_tree = loading->user_tree;
	report->metrics = loading->metrics;
	report->totals = loading->totals;
	memset(loading, 0, sizeof(*loading));
}

/*
 * The trees and figures that have been made contain the nodes' data; nodes take most of the memory.
 */
static void drop_nodes(struct profile *profile)
{
	free(profile->nodes);
	profile->nodes = NULL;
	profile->n_nodes = 0;
}

struct report_loading *report_process_load(
	const char *path, int is_replaced, uint64_t origin_ns, const struct report_options *options)
{
	struct report_loading *loading = calloc(1, sizeof(*loading));

	if (!loading)
		return NULL;
	if (profile_open(&loading->profile, path, &loading->diag) != 0) {
		loading->is_unreadable = 1;
		return loading;
	}
	loading->has_failed =
		phases_cut(options->phases, &loading->profile, &loading->diag) != 0 ||
		time_range_cut(options->time, &loading->profile, origin_ns, &loading->diag) != 0;
	if (is_replaced)
		loading->profile.header.flags |= PROFILE_COMPLETE;
	loading->has_failed = loading->has_failed || report_process_make(loading, options) != 0;
	if (!options->is_shown_again)
		drop_nodes(&loading->profile);
	return loading;
}

void report_process_drop(struct report_loading *loading)
{
	if (!loading)
		return;
	metrics_release(&loading->metrics);
	tree_release(&loading->user_tree);
	tree_release(&loading->tree);
	profile_release(&loading->profile);
	free(loading);
}
