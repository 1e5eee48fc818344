/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of a trace as markers of the format firefox; see export_firefox_internal.h. */
#include "src/export/export_firefox_internal.h"
#include "src/findings/findings.h"

static void put_field(struct json *json, const char *key, const char *label, const char *format)
{
	json_object(json, NULL);
	json_string(json, "key", key);
	json_string(json, "label", label);
	json_string(json, "format", format);
	json_end_object(json);
}

void firefox_marker_schema(struct firefox *firefox)
{
	static const char *const displays[] = { "marker-chart", "marker-table",
		"timeline-overview" };
	struct json *json = &firefox->json;

	json_array(json, "markerSchema");
	json_object(json, NULL);
	json_string(json, "name", "wait");
	json_string(json, "tooltipLabel", "{marker.data.kind}");
	json_string(json, "tableLabel", "{marker.data.kind}, {marker.data.function}");
	json_string(json, "chartLabel", "{marker.data.kind}");
	json_array(json, "display");
	for (size_t i = 0; i < sizeof(displays) / sizeof(displays[0]); i++)
		json_string(json, NULL, displays[i]);
	json_end_array(json);
	json_array(json, "fields");
	put_field(json, "kind", "For", "string");
	put_field(json, "function", "In", "unique-string");
	put_field(json, "region", "Region", "unique-string");
	put_field(json, "counts", "Counts for", "duration");
	json_end_array(json);
	json_end_object(json);
	json_end_array(json);
}

/* Writes the nearest frame at or above the node that is no wait and no runtime, if any. */
static void put_frame(struct firefox *firefox, const char *key, uint32_t node)
{
	while (node != EXPORT_NONE && export_is_state(&firefox->export->nodes[node]))
		node = firefox->export->nodes[node].parent;
	if (node != EXPORT_NONE && firefox->frames.of[node] != EXPORT_NONE)
		json_number(&firefox->json, key, firefox->frames.of[node]);
}

static void put_data(struct firefox *firefox, const struct profile_moment_record *moment)
{
	struct json *json = &firefox->json;
	enum profile_class class;
	uint32_t node = export_moment_node(firefox->export, moment, &class);

	json_object(json, NULL);
	json_string(json, "type", "wait");
	json_string(json, "kind", findings_wait_word(moment->what));
	if (node != EXPORT_NONE) {
		put_frame(firefox, "function", node);
		put_frame(firefox, "region", firefox->export->nodes[node].region);
	}
	firefox_ms(json, "counts", moment->ns);
	json_end_object(json);
}

/* With filters, only waits are shown whose node has wait time left. */
static int is_shown(const struct firefox *firefox, const struct profile_moment_record *moment)
{
	enum profile_class class;
	uint32_t node;

	if (moment->kind != PROFILE_MOMENT_WAIT)
		return 0;
	if (!firefox->export->report->filter)
		return 1;
	node = export_moment_node(firefox->export, moment, &class);
	return node != EXPORT_NONE && firefox->export->nodes[node].self[EXPORT_WAIT];
}

enum column { DATA, NAME, START, END, PHASE, CATEGORY, N_COLUMNS };

static void put_value(
	struct firefox *firefox, const struct profile_moment_record *moment, enum column column)
{
	struct json *json = &firefox->json;
	unsigned class = tree_wait_class(moment->what);

	switch (column) {
	case DATA:
		put_data(firefox, moment);
		return;
	case NAME:
		json_number(json, NULL, firefox_state_name(firefox, class));
		return;
	case START:
		firefox_ms(json, NULL, moment->begin_ns);
		return;
	case END:
		firefox_ms(json, NULL, moment->end_ns);
		return;
	case CATEGORY:
		json_number(json, NULL, firefox_category(class));
		return;
	default:
		json_number(json, NULL, 1); /* an interval */
	}
}

void firefox_markers(struct firefox *firefox, uint32_t thread)
{
	static const char *const keys[N_COLUMNS] = { "data", "name", "startTime", "endTime",
		"phase", "category" };
	const struct export_threads *threads = &firefox->threads;
	const struct profile_moment_record *all = firefox->export->report->profile.moments;
	uint32_t number = export_thread_number(threads, thread);
	struct json *json = &firefox->json;
	uint64_t n = 0;

	json_object(json, "markers");
	for (int column = 0; column < N_COLUMNS; column++) {
		n = 0;
		json_array(json, keys[column]);
		for (size_t i = threads->first_moment[number];
			i < threads->first_moment[number + 1]; i++) {
			const struct profile_moment_record *moment = &all[threads->moment[i]];

			if (!is_shown(firefox, moment))
				continue;
			put_value(firefox, moment, (enum column)column);
			n++;
		}
		json_end_array(json);
	}
	json_number(json, "length", n);
	json_end_object(json);
}
