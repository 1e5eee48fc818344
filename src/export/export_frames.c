/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes of an export are the same function; see export_frames.h. */
#include "src/export/export_frames.h"

#include <stdlib.h>
#include <string.h>

const char *export_frame_file(const struct export_node *node)
{
	return names_is_construct(node->kind) || !*node->decl_file ? node->file : node->decl_file;
}

uint32_t export_frame_line(const struct export_node *node)
{
	return names_is_construct(node->kind) ? node->line : node->decl_line;
}

static int compare(const void *a, const void *b, void *data)
{
	const struct export *export = data;
	const struct export_node *one = &export->nodes[*(const uint32_t *)a];
	const struct export_node *other = &export->nodes[*(const uint32_t *)b];
	uint32_t line = export_frame_line(one), other_line = export_frame_line(other);
	int order = strcmp(one->name, other->name);

	if (order == 0)
		order = strcmp(export_frame_file(one), export_frame_file(other));
	return order ? order : (line > other_line) - (line < other_line);
}

int export_frames_init(struct export_frames *frames, const struct export *export)
{
	size_t n = 0;

	memset(frames, 0, sizeof(*frames));
	frames->of = malloc((export->n_nodes + 1) * sizeof(*frames->of));
	frames->node = malloc((export->n_nodes + 1) * sizeof(*frames->node));
	if (!frames->of || !frames->node)
		return -1;
	for (uint32_t i = 0; i < export->n_nodes; i++) {
		frames->of[i] = EXPORT_NONE;
		if (i > 0 && export->nodes[i].kind != NAME_THREAD)
			frames->node[n++] = i;
	}
	qsort_r(frames->node, n, sizeof(*frames->node), compare, (void *)export);
	for (size_t i = 0; i < n; i++) {
		uint32_t node = frames->node[i];

		if (frames->n == 0 ||
			compare(&frames->node[frames->n - 1], &node, (void *)export) != 0)
			frames->node[frames->n++] = node;
		frames->of[node] = frames->n - 1;
	}
	return 0;
}

void export_frames_release(struct export_frames *frames)
{
	free(frames->of);
	free(frames->node);
}

void export_thread_name(
	char text[EXPORT_THREAD_BYTES], const struct export *export, uint32_t thread)
{
	const struct profile *profile = &export->report->profile;
	char process[48], number[NAMES_NUMBER_BYTES];

	if (thread == EXPORT_NONE) {
		snprintf(text, EXPORT_THREAD_BYTES, "no thread");
		return;
	}
	names_process(process, sizeof(process), profile, thread);
	names_team_number(number, profile, thread);
	snprintf(text, EXPORT_THREAD_BYTES, "%s%sthread %u (%s%s)", process, *process ? ", " : "",
		profile->threads[thread].index, names_thread_word(profile, thread), number);
}
