/* SPDX-License-Identifier: Apache-2.0 */
/* Lists by thread; see export_threads.h. */
#include "src/export/export_threads.h"

#include <stdlib.h>
#include <string.h>

typedef uint32_t number_of(const struct export_threads *threads, size_t i);

static uint32_t number_of_node(const struct export_threads *threads, size_t i)
{
	return export_thread_number(threads, threads->export->nodes[i].thread);
}

static uint32_t number_of_moment(const struct export_threads *threads, size_t i)
{
	return threads->export->report->profile.moments[i].thread;
}

/* Groups the items by their numbers, in ascending order. Returns 0, or -1: out of memory. */
static int list(const struct export_threads *threads, size_t n_items, number_of *number,
	size_t **first, uint32_t **items)
{
	size_t n = (size_t)threads->n + 1, *at;

	*first = calloc(n + 2, sizeof(**first));
	*items = malloc((n_items + 1) * sizeof(**items));
	if (!*first || !*items)
		return -1;
	/*
	 * at[k] is where group k begins and, during the last loop, where its next item goes. After
	 * the loop it is where group k + 1 begins: so (*first)[k] is right.
	 */
	at = *first + 1;
	for (size_t i = 0; i < n_items; i++)
		at[number(threads, i) + 1]++;
	for (size_t i = 1; i <= n; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < n_items; i++)
		(*items)[at[number(threads, i)]++] = (uint32_t)i;
	return 0;
}

int export_threads_init(struct export_threads *threads, const struct export *export)
{
	const struct profile *profile = &export->report->profile;

	*threads = (struct export_threads){ .export = export, .n = (uint32_t)profile->n_threads };
	if (list(threads, export->n_nodes, number_of_node, &threads->first_node, &threads->node) !=
		0)
		return -1;
	return list(threads, profile->n_moments, number_of_moment, &threads->first_moment,
		&threads->moment);
}

void export_threads_release(struct export_threads *threads)
{
	free(threads->first_node);
	free(threads->node);
	free(threads->first_moment);
	free(threads->moment);
	memset(threads, 0, sizeof(*threads));
}

uint32_t export_moment_node(const struct export *export, const struct profile_moment_record *moment,
	enum profile_class *class)
{
	uint32_t at = report_moment_node(export->report, moment, class);

	if (at == NAMES_NONE)
		return EXPORT_NONE;
	at = export->place[at];
	if (*class == PROFILE_WORK || export_is_state(&export->nodes[at]))
		return at;
	/* A frame's leaves follow it. */
	for (uint32_t i = at + 1; i < export->n_nodes && export->nodes[i].parent == at &&
				  export_is_state(&export->nodes[i]);
		i++)
		if (export->nodes[i].class == *class)
			return i;
	return EXPORT_NONE;
}
