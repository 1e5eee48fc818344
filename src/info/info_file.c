/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: the file as a whole, and what its bytes are used for; see info.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics.h"
#include "src/info/info.h"
#include "src/report/report_process.h"

/* Counts the nodes with samples directly below them. Returns 0, or -1 when out of memory. */
static int count_paths(const struct profile *profile, size_t *n_paths)
{
	uint8_t *is_seen = calloc(profile->n_nodes + 1, 1);

	if (!is_seen)
		return -1;
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind != PROFILE_NODE_SAMPLES || node->parent >= i ||
			is_seen[node->parent])
			continue;
		is_seen[node->parent] = 1;
		++*n_paths;
	}
	free(is_seen);
	return 0;
}

int info_open(struct info *info, const char *path, struct diag *diag)
{
	static const struct report_options options = { .view = TREE_USER, .is_shown_again = 1 };
	struct report_loading *loading = report_process_load(path, 0, 0, &options);
	struct report *report = &info->report;
	int is_loaded = loading && !loading->is_unreadable && !loading->has_failed;

	memset(info, 0, sizeof(*info));
	info->path = path;
	info->profile = &report->profile;
	if (is_loaded)
		report_adopt(report, loading);
	else if (loading)
		*diag = loading->diag;
	report_process_drop(loading);
	report->is_event = report->profile.header.clock_kind == PROFILE_CLOCK_EVENT;
	info_cost_make(&info->cost, &report->profile);
	if (!loading || (is_loaded && count_paths(&report->profile, &info->n_paths) != 0))
		return diag_set(diag, "cannot read '%s': out of memory", path);
	return is_loaded ? 0 : -1;
}

void info_release(struct info *info)
{
	report_release(&info->report);
}

static void print_line(uint64_t used, uint64_t taken, uint64_t n, const char *what)
{
	printf("%12" PRIu64 " %12" PRIu64 " ", used, taken);
	if (n)
		printf("%10" PRIu64 "  %s\n", n, what);
	else
		printf("%10s  %s\n", "-", what);
}

void info_print_file(const struct info *info)
{
	static const char *const kinds[] = {
		[PROFILE_SEGMENT_FREE] = "free",
		[PROFILE_SEGMENT_RUN] = "text of the run: command, environment",
		[PROFILE_SEGMENT_THREADS] = "threads",
		[PROFILE_SEGMENT_MODULES] = "loaded objects",
		[PROFILE_SEGMENT_NODES] = "nodes of call paths",
		[PROFILE_SEGMENT_REGIONS] = "regions",
		[PROFILE_SEGMENT_LOCKS] = "mutexes",
		[PROFILE_SEGMENT_DEVICES] = "devices",
		[PROFILE_SEGMENT_PHASES] = "phases of the program",
		[PROFILE_SEGMENT_TIMELINE] = "timelines",
		[PROFILE_SEGMENT_MOMENTS] = "trace of samples and waits",
		[PROFILE_SEGMENT_COLLECTIVES] = "collective calls of MPI",
	};
	_Static_assert(
		sizeof(kinds) / sizeof(kinds[0]) == PROFILE_SEGMENT_N_KINDS, "words for each kind");
	const struct profile *profile = info->profile;
	uint64_t used = PROFILE_HEADER_BYTES, taken = PROFILE_SEGMENT_BYTES;

	printf("\nSections\n%12s %12s %10s  %s\n", "bytes used", "bytes taken", "records", "what");
	print_line(used, taken, 0, "header");
	for (size_t i = 1; i <= PROFILE_SEGMENT_N_KINDS; i++) {
		/* Free segments come last. */
		size_t kind = i % PROFILE_SEGMENT_N_KINDS;
		const struct profile_section *section = &profile->sections[kind];

		if (!section->n_segments)
			continue;
		print_line(section->used_bytes, section->n_segments * PROFILE_SEGMENT_BYTES,
			section->n_records, kinds[kind]);
		used += section->used_bytes;
		taken += section->n_segments * PROFILE_SEGMENT_BYTES;
	}
	if (profile->file_bytes > taken) {
		print_line(0, profile->file_bytes - taken, 0, "room to grow");
		taken = profile->file_bytes;
	}
	print_line(used, taken, 0, profile->is_truncated ? "in all, part of it missing" : "in all");
}

void info_print(const struct info *info)
{
	info_print_run(info);
	info_print_warnings(info);
	info_print_threads(info);
	info_print_states(info);
	info_print_losses(info);
	info_print_cost(info);
	info_print_file(info);
	info_print_modules(info);
	info_print_environment(info);
}
