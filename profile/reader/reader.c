/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a profile; see reader.h. */
#include "profile/reader/reader.h"

#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

/* Node ids have 32 bits; bytes beyond the largest id are not read. */
#define MAX_BYTES ((uint64_t)UINT32_MAX * PROFILE_NODE_BYTES)

#define TERMINATE(field) ((field)[sizeof(field) - 1] = '\0')

/* Copies the header. Returns 0, or -1 with *diag set if this reader does not know it. */
static int read_header(struct profile *profile, const struct reader_input *input, const char *name,
	struct diag *diag)
{
	struct profile_header *header = &profile->header;

	if (input->size < sizeof(header->magic) ||
		memcmp(input->bytes, PROFILE_MAGIC, sizeof(header->magic)) != 0)
		return diag_set(diag, "'%s' is not an ompprof profile", name);
	if (input->size < sizeof(*header))
		return diag_set(
			diag, "'%s' is too short to be a profile: %zu bytes", name, input->size);
	memcpy(header, input->bytes, sizeof(*header));
	if (header->version > PROFILE_VERSION)
		return diag_set(diag,
			"cannot read '%s': its format, version %u, is newer than this ompprof "
			"reads (%u)",
			name, header->version, PROFILE_VERSION);
	/* Files without `contention` have zeros there. */
	if (header->version < PROFILE_VERSION_READ ||
		header->sizes.header_bytes > sizeof(*header) ||
		header->sizes.header_bytes < offsetof(struct profile_header, contention) ||
		header->sizes.segment_bytes != PROFILE_SEGMENT_BYTES)
		return diag_set(diag, "cannot read '%s': its header is damaged", name);
	reader_limit(&header->end_ns);
	reader_limit(&header->last_ns);
	reader_limit(&header->period);
	reader_limit(&header->usage.setup_ns);
	reader_limit(&header->usage.system_ns);
	reader_limit(&header->usage.n_faults);
	reader_limit(&header->usage.peak_bytes);
	TERMINATE(header->clock_name);
	TERMINATE(header->walker);
	TERMINATE(header->host);
	TERMINATE(header->runtime);
	TERMINATE(header->note);
	TERMINATE(header->tool);
	for (size_t i = 0; i < PROFILE_MOST_COUNTERS; i++)
		TERMINATE(header->counters.names[i]);
	if (header->counters.n > PROFILE_MOST_COUNTERS)
		header->counters.n = PROFILE_MOST_COUNTERS;
	return 0;
}

/* Bounds `value` by what is left, and subtracts it from what is left. */
static void take(uint64_t *value, uint64_t *left)
{
	if (*value > *left)
		*value = *left;
	*left -= *value;
}

/* Whether the node's time contains time of the samples and waits under it. */
static int is_stay(uint8_t kind)
{
	return kind == PROFILE_NODE_CONTEXT || kind == PROFILE_NODE_EVENT ||
	       kind == PROFILE_NODE_TARGET || kind == PROFILE_NODE_PHASE;
}

/* Keeps sums over nodes, or over moments, within PROFILE_MOST_SUM, whatever the file says. */
static void limit_sums(struct profile *profile)
{
	uint64_t time_left = PROFILE_MOST_SUM, stays_left = PROFILE_MOST_SUM;
	uint64_t events_left = PROFILE_MOST_SUM, blame_left = PROFILE_MOST_SUM;
	uint64_t counted_left = PROFILE_MOST_SUM, counters_left = PROFILE_MOST_SUM;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == PROFILE_NODE_COUNTS) {
			take(&node->time_ns, &counters_left);
			take(&node->events, &counters_left);
			take(&node->blame_ns, &counters_left);
			take(&node->n_events, &counters_left);
			continue;
		}
		take(&node->time_ns, is_stay(node->kind) ? &stays_left : &time_left);
		if (node->kind != PROFILE_NODE_CONTEXT)
			take(&node->events, &events_left);
		if (node->kind == PROFILE_NODE_BLAME)
			take(&node->blame_ns, &blame_left);
		if (node->kind == PROFILE_NODE_EVENT)
			take(&node->n_events, &counted_left);
	}
	time_left = events_left = PROFILE_MOST_SUM;
	for (size_t i = 0; i < profile->n_moments; i++) {
		take(&profile->moments[i].ns, &time_left);
		take(&profile->moments[i].events, &events_left);
	}
}

static int read_parts(struct profile *profile, const struct reader_input *input)
{
	static int (*const steps[])(struct profile *, struct reader_work *) = { reader_read_text,
		reader_read_modules, reader_read_threads, reader_read_phases, reader_read_nodes,
		reader_read_regions, reader_read_locks, reader_read_devices, reader_read_timelines,
		reader_read_moments, reader_read_collectives };
	struct reader_work work = { .input = input };
	int status = 0;

	reader_read_clock(profile, &work);
	for (size_t i = 0; status == 0 && i < sizeof(steps) / sizeof(steps[0]); i++)
		status = steps[i](profile, &work);
	if (status != 0)
		goto out;
	reader_count_open(profile, &work);
	reader_sort_moments(profile);
	limit_sums(profile);
	status = reader_move_delays(profile);
	for (size_t i = 0; i < profile->n_nodes; i++) {
		if (profile->nodes[i].kind == PROFILE_NODE_WAIT)
			profile->waits |= 1u << profile->nodes[i].wait;
	}
out:
	free(work.index_of_id);
	free(work.root);
	free(work.open);
	return status;
}

/* Counts records and bytes by kind, as the segments' headers say. */
static void count_sections(struct profile *profile, const struct reader_input *input)
{
	for (uint32_t i = 1; i < input->n_segments; i++) {
		size_t start = (size_t)i * PROFILE_SEGMENT_BYTES;
		struct profile_segment segment = { 0 };
		struct profile_section *section = profile->sections;
		uint32_t first, most;

		if (input->size - start >= sizeof(segment))
			memcpy(&segment, input->bytes + start, sizeof(segment));
		if (segment.kind < PROFILE_SEGMENT_N_KINDS)
			section += segment.kind;
		section->n_segments++;
		if (segment.record_bytes == 0 || segment.record_bytes > PROFILE_SEGMENT_BYTES / 2 ||
			section == profile->sections)
			continue;
		first = segment.record_bytes > sizeof(segment) ? segment.record_bytes
							       : (uint32_t)sizeof(segment);
		most = (PROFILE_SEGMENT_BYTES - first) / segment.record_bytes;
		if (most > segment.used)
			most = segment.used;
		section->n_records += most;
		section->used_bytes += (uint64_t)most * segment.record_bytes;
	}
}

int profile_parse(struct profile *profile, const void *bytes, size_t size, const char *name,
	struct diag *diag)
{
	struct reader_input input = { .bytes = bytes, .size = size };
	uint64_t begun;

	*profile = (struct profile){ .file_bytes = size };
	if (read_header(profile, &input, name, diag))
		return -1;
	if (input.size > MAX_BYTES)
		input.size = MAX_BYTES;
	begun = ((uint64_t)input.size + PROFILE_SEGMENT_BYTES - 1) / PROFILE_SEGMENT_BYTES;
	input.n_segments = profile->header.n_segments;
	if (input.n_segments > begun)
		input.n_segments = (uint32_t)begun;
	profile->is_truncated = size < (uint64_t)profile->header.n_segments * PROFILE_SEGMENT_BYTES;
	count_sections(profile, &input);
	if (read_parts(profile, &input)) {
		profile_release(profile);
		return diag_set(diag, "cannot read '%s': out of memory", name);
	}
	return 0;
}

static void free_strings(char **strings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(strings[i]);
	free(strings);
}

const struct profile_process *profile_process_of(const struct profile *profile, size_t i)
{
	for (size_t p = 0; p < profile->n_processes; p++) {
		const struct profile_process *process = &profile->processes[p];

		if (i >= process->first_thread && i - process->first_thread < process->n_threads)
			return process;
	}
	return NULL;
}

void profile_release(struct profile *profile)
{
	free(profile->modules);
	free(profile->ranges);
	free(profile->devices);
	free(profile->nodes);
	free(profile->regions);
	free(profile->locks);
	free(profile->phases);
	free(profile->collectives.all);
	profile_drop_timelines(profile);
	free(profile->threads);
	free_strings(profile->args, profile->n_args);
	free_strings(profile->env, profile->n_env);
	for (size_t i = 0; i < profile->runtime.n_states; i++)
		free(profile->runtime.states[i].name);
	free(profile->runtime.states);
	for (size_t i = 0; i < profile->runtime.n_impls; i++)
		free(profile->runtime.impls[i].name);
	free(profile->runtime.impls);
	free(profile->processes);
	free(profile->program.exe);
	free(profile->program.cwd);
	*profile = (struct profile){ 0 };
}
