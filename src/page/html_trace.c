/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace for the page; see html.h. Moments of one node and kind share a key: the page has few
 * numbers for each moment, and the nodes of both views only once for each key.
 */
#include <stdlib.h>

#include "attribution/select/select_time.h"
#include "src/page/html.h"
#include "src/report/phases.h"
#include "src/views/view_json.h"

struct keys {
	const struct report *report;
	uint32_t *of; /* by node, then by wait for moments without a node: the key, or NAMES_NONE */
	uint32_t *moment; /* by key: a moment that has it */
	uint32_t n;
};

static size_t slot_of(const struct keys *keys, const struct profile_moment_record *moment)
{
	return moment->node != UINT32_MAX ? moment->node
					  : keys->report->profile.n_nodes + moment->what;
}

/* Numbers the keys in the order of the moments. Returns 0, or -1 when out of memory. */
static int find_keys(struct keys *keys, const struct report *report)
{
	const struct profile *profile = &report->profile;
	size_t n = profile->n_nodes + PROFILE_N_WAITS;

	*keys = (struct keys){ report, malloc(n * sizeof(*keys->of)),
		malloc(n * sizeof(*keys->moment)), 0 };
	if (!keys->of || !keys->moment)
		return -1;
	for (size_t i = 0; i < n; i++)
		keys->of[i] = NAMES_NONE;
	for (size_t i = 0; i < profile->n_moments; i++) {
		uint32_t *key = &keys->of[slot_of(keys, &profile->moments[i])];

		if (*key != NAMES_NONE)
			continue;
		keys->moment[keys->n] = (uint32_t)i;
		*key = keys->n++;
	}
	return 0;
}

static void release(struct keys *keys)
{
	free(keys->of);
	free(keys->moment);
}

/* A moment's figure in its node: "work", "overhead", "wait"; "" if the node has none of it. */
static const char *figure_of(const struct report *report,
	const struct profile_moment_record *moment, enum profile_class class)
{
	int is_sample = moment->kind == PROFILE_MOMENT_SAMPLE;

	if (is_sample ? tree_is_measured(&report->profile, class)
		      : moment->what == PROFILE_REDUCTION)
		return "";
	return class == PROFILE_WORK ? "work" : class == PROFILE_OVERHEAD ? "overhead" : "wait";
}

/* Where the place is not known, a moment belongs to the root. */
static uint32_t node_of(const struct report *report, const struct profile_moment_record *moment,
	enum profile_class *class)
{
	uint32_t node = report_moment_node(report, moment, class);

	if (node != NAMES_NONE)
		return node;
	*class = moment->kind == PROFILE_MOMENT_WAIT ? tree_wait_class(moment->what)
						     : (enum profile_class)moment->what;
	return 0;
}

static void put_keys(struct json *json, const struct keys *keys)
{
	const struct profile *profile = &keys->report->profile;

	json_array(json, "keys");
	for (uint32_t i = 0; i < keys->n; i++) {
		const struct profile_moment_record *moment = &profile->moments[keys->moment[i]];
		enum profile_class class;
		uint32_t node = node_of(keys->report, moment, &class);

		json_newline(json);
		json_array(json, NULL);
		json_number(json, NULL, node);
		json_string(json, NULL, figure_of(keys->report, moment, class));
		json_string(json, NULL, view_json_time_words[moment->time]);
		json_number(json, NULL,
			moment->node != UINT32_MAX ? profile->nodes[moment->node].phase : 0);
		json_end_array(json);
	}
	json_end_array(json);
}

static void put_phases(struct json *json, const struct profile *profile)
{
	char name[1024];

	json_array(json, "phases");
	for (size_t i = 0; i < profile->n_phases; i++) {
		phases_name(name, sizeof(name), profile, i);
		json_string(json, NULL, name);
	}
	json_end_array(json);
}

enum moment_number { MOMENT_END, MOMENT_LENGTH, MOMENT_MORE, MOMENT_KEY, N_MOMENT_NUMBERS };

static const char *const number_words[N_MOMENT_NUMBERS] = { "end", "length", "more", "key" };

/* Writes one number of `n` moments of a thread; numbers are small, so that they compress well. */
static void put_numbers(struct json *json, const struct keys *keys,
	const struct profile_moment_record *const *moments, size_t n, enum moment_number which)
{
	uint64_t last = 0;

	json_array(json, number_words[which]);
	for (size_t i = 0; i < n; i++) {
		const struct profile_moment_record *moment = moments[i];
		uint64_t length = moment->end_ns - moment->begin_ns;

		switch (which) {
		case MOMENT_END:
			json_number(json, NULL, moment->end_ns - last);
			last = moment->end_ns;
			break;
		case MOMENT_LENGTH:
			json_number(json, NULL, length);
			break;
		case MOMENT_MORE:
			json_integer(json, NULL, (int64_t)(moment->ns - length));
			break;
		default:
			json_number(json, NULL, keys->of[slot_of(keys, moment)]);
		}
	}
	json_end_array(json);
}

/*
 * Returns the moments thread by thread, each thread's in their order, with the number of each
 * thread's in `n_of` (all 0); NULL when out of memory.
 */
static const struct profile_moment_record **moments_by_thread(
	const struct profile *profile, size_t *n_of)
{
	const struct profile_moment_record **all = malloc((profile->n_moments + 1) * sizeof(*all));
	size_t *next = malloc((profile->n_threads + 1) * sizeof(*next));
	size_t from = 0;

	if (!all || !next) {
		free(all);
		free(next);
		return NULL;
	}
	for (size_t i = 0; i < profile->n_moments; i++)
		n_of[profile->moments[i].thread]++;
	for (size_t i = 0; i < profile->n_threads; i++) {
		next[i] = from;
		from += n_of[i];
	}
	for (size_t i = 0; i < profile->n_moments; i++)
		all[next[profile->moments[i].thread]++] = &profile->moments[i];
	free(next);
	return all;
}

/* Returns 0, or -1 when out of memory. */
static int put_threads(struct json *json, const struct keys *keys)
{
	const struct profile *profile = &keys->report->profile;
	size_t *n_of = calloc(profile->n_threads + 1, sizeof(*n_of));
	const struct profile_moment_record **all = n_of ? moments_by_thread(profile, n_of) : NULL;
	const struct profile_moment_record *const *moments = all;

	json_array(json, "threads");
	for (uint32_t i = 0; all && i < profile->n_threads; moments += n_of[i++]) {
		json_newline(json);
		json_object(json, NULL);
		json_number(json, "thread", profile->threads[i].index);
		for (int which = 0; which < N_MOMENT_NUMBERS; which++)
			put_numbers(json, keys, moments, n_of[i], which);
		json_end_object(json);
	}
	json_end_array(json);
	free(all);
	free(n_of);
	return all ? 0 : -1;
}

int html_has_trace(const struct report *report)
{
	return report->profile.n_moments && !report->filter;
}

int html_put_trace(struct json *json, const struct report *report)
{
	struct keys keys;
	uint64_t traced_ns;
	int status = find_keys(&keys, report);

	if (status == 0)
		status = select_traced(&report->profile, &traced_ns);
	if (status == 0) {
		json_object(json, NULL);
		if (traced_ns != UINT64_MAX)
			json_number(json, "traced", traced_ns);
		put_phases(json, &report->profile);
		put_keys(json, &keys);
		status = put_threads(json, &keys);
		json_end_object(json);
	}
	release(&keys);
	return status;
}

int html_put_trace_nodes(struct json *json, const struct report *report)
{
	struct keys keys;
	int status = find_keys(&keys, report);

	json_array(json, NULL);
	for (uint32_t i = 0; status == 0 && i < keys.n; i++) {
		enum profile_class class;

		json_number(json, NULL,
			node_of(report, &report->profile.moments[keys.moment[i]], &class));
	}
	json_end_array(json);
	release(&keys);
	return status;
}
