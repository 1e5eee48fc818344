/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a trace as instants on their threads' tracks. "sf" is a node of "stackFrames", whose
 * "parent"s lead to the outermost frame. With a "samples" array beside them speedscope would show
 * nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_chrome_internal.h"
#include "src/export/export_threads.h"

static int is_sample(const struct chrome *chrome, const struct profile_moment_record *moment)
{
	return moment->kind == PROFILE_MOMENT_SAMPLE && chrome_shows(chrome, moment->thread);
}

/* The root and threads are no frames: the track already names its thread. */
static int is_frame(const struct export_node *node)
{
	return node->parent != EXPORT_NONE && node->kind != NAME_THREAD;
}

int chrome_find_samples(struct chrome *chrome)
{
	const struct export *export = chrome->export;

	chrome->is_used = calloc(export->n_nodes + 1, 1);
	if (!chrome->is_used)
		return -1;
	for (size_t i = 0; i < chrome->profile->n_moments; i++) {
		const struct profile_moment_record *moment = &chrome->profile->moments[i];
		enum profile_class class;
		uint32_t node;

		if (!is_sample(chrome, moment))
			continue;
		chrome->n_samples++;
		node = export_moment_node(export, moment, &class);
		for (; node != EXPORT_NONE && !chrome->is_used[node];
			node = export->nodes[node].parent)
			chrome->is_used[node] = 1;
	}
	return 0;
}

void chrome_stacks(struct chrome *chrome)
{
	const struct export *export = chrome->export;
	struct json *json = &chrome->json;
	char key[16];

	if (chrome->n_samples == 0)
		return;
	json_object(json, "stackFrames");
	for (uint32_t i = 0; i < export->n_nodes; i++) {
		const struct export_node *node = &export->nodes[i];

		if (!chrome->is_used[i] || !is_frame(node))
			continue;
		json_newline(json);
		snprintf(key, sizeof(key), "%u", i);
		json_object(json, key);
		json_string(json, "name", node->name);
		json_string(json, "category", export_state(node));
		if (is_frame(&export->nodes[node->parent]))
			json_number(json, "parent", node->parent);
		json_end_object(json);
	}
	json_end_object(json);
}

static void put_sample(struct chrome *chrome, const struct profile_moment_record *moment)
{
	struct json *json = &chrome->json;
	enum profile_class class;
	uint32_t node = export_moment_node(chrome->export, moment, &class);
	int has_stack = node != EXPORT_NONE && is_frame(&chrome->export->nodes[node]);

	chrome_begin(chrome, "i", has_stack ? chrome->export->nodes[node].name : "sample",
		chrome_pid(chrome, moment->thread), moment->thread + 1);
	json_string(json, "cat", "sample");
	json_string(json, "s", "t");
	chrome_us(json, "ts", moment->end_ns);
	if (has_stack)
		json_number(json, "sf", node);
	json_end_object(json);
}

void chrome_samples(struct chrome *chrome)
{
	for (size_t i = 0; i < chrome->profile->n_moments; i++)
		if (is_sample(chrome, &chrome->profile->moments[i]))
			put_sample(chrome, &chrome->profile->moments[i]);
}
