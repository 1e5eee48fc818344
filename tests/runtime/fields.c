/* SPDX-License-Identifier: Apache-2.0 */
/* Figures by name; see fields.h. */
#include "tests/runtime/fields.h"

#include <string.h>

#include "profile/reader/reader.h"
#include "tests/runtime/words.h"

/* clang-format off */
#define SIZE(type, name)        sizeof(((struct type *)0)->name)
#define FIELD(type, name)       { #name, offsetof(struct type, name), SIZE(type, name), NULL, 0, 0 }
#define TIME(type, name)        { #name, offsetof(struct type, name##_ns), 8, NULL, 0, 1 }
#define WORD(type, name, list)  { #name, offsetof(struct type, name), SIZE(type, name), list, 0, 0 }
#define ARRAY(type, name, list) { #name, offsetof(struct type, name), SIZE(type, name[0]), list, 1, 0 }
#define TIMES(type, name, list) { #name, offsetof(struct type, name##_ns), 8, list, 1, 1 }
#define COUNT                   { "count", 0, 0, NULL, 0, 0 }
#define END                     { NULL, 0, 0, NULL, 0, 0 }

static const struct field node_fields[] = { COUNT, FIELD(profile_tree_node, n),
	TIME(profile_tree_node, time), FIELD(profile_tree_node, events),
	TIME(profile_tree_node, blame), TIME(profile_tree_node, longest),
	FIELD(profile_tree_node, n_stolen), FIELD(profile_tree_node, n_created),
	FIELD(profile_tree_node, flags), WORD(profile_tree_node, wait, "wait"),
	FIELD(profile_tree_node, addr), FIELD(profile_tree_node, module),
	WORD(profile_tree_node, event, "event"), FIELD(profile_tree_node, n_events),
	FIELD(profile_tree_node, phase),
	{ "leaf", offsetof(struct profile_tree_node, event), 1, "leaf", 0, 0 },
	{ "detail", offsetof(struct profile_tree_node, addr), 8, NULL, 0, 0 },
	{ "class", offsetof(struct profile_tree_node, addr), 8, "class", 0, 0 },
	{ "mutex", offsetof(struct profile_tree_node, addr), 8, NULL, 0, 0 }, END };

static const struct field thread_fields[] = { COUNT, FIELD(profile_thread, index),
	WORD(profile_thread, type, "thread"), FIELD(profile_thread, flags),
	FIELD(profile_thread, n_signals), { "n_unseen", offsetof(struct profile_thread, more.n_unseen), 8, NULL, 0, 0 },
	{ "team_number", offsetof(struct profile_thread, more.team_number), 8, NULL, 0, 0 },
	TIME(profile_thread, start), TIME(profile_thread, end),
	TIME(profile_thread, last), TIME(profile_thread, cpu_start), TIME(profile_thread, cpu_last),
	FIELD(profile_thread, n_samples), FIELD(profile_thread, n_same),
	FIELD(profile_thread, n_frames), FIELD(profile_thread, n_captures),
	FIELD(profile_thread, n_callbacks), FIELD(profile_thread, n_regions),
	FIELD(profile_thread, n_tasks), FIELD(profile_thread, n_overruns),
	ARRAY(profile_thread, lost, "loss"), TIMES(profile_thread, time, "class"),
	FIELD(profile_thread, n_guessed), FIELD(profile_thread, n_cut_captures),
	FIELD(profile_thread, n_waits), FIELD(profile_thread, n_lives), TIME(profile_thread, lived),
	TIME(profile_thread, unsampled), END };

static const struct field region_fields[] = { COUNT, FIELD(profile_region_record, n),
	FIELD(profile_region_record, min_team), FIELD(profile_region_record, max_team),
	TIME(profile_region_record, wall), TIME(profile_region_record, min),
	TIME(profile_region_record, max), TIME(profile_region_record, team_wall),
	FIELD(profile_region_record, n_barriers), TIME(profile_region_record, imbalance),
	TIME(profile_region_record, release), TIME(profile_region_record, starved),
	TIME(profile_region_record, elsewhere), TIME(profile_region_record, team_elsewhere), END };

static const struct field lock_fields[] = { COUNT, WORD(profile_lock_record, kind, "wait"),
	FIELD(profile_lock_record, n_acquired), FIELD(profile_lock_record, n_contended),
	FIELD(profile_lock_record, n_estimated),
	TIME(profile_lock_record, wait), TIME(profile_lock_record, max_wait),
	FIELD(profile_lock_record, n_held), TIME(profile_lock_record, held),
	TIME(profile_lock_record, max_held), FIELD(profile_lock_record, impl),
	FIELD(profile_lock_record, hints),
	{ "mutex", offsetof(struct profile_lock_record, wait_id), 8, NULL, 0, 0 }, END };

static const struct field phase_fields[] = { COUNT, FIELD(profile_phase_record, number),
	FIELD(profile_phase_record, n), FIELD(profile_phase_record, id),
	FIELD(profile_phase_record, flags), FIELD(profile_phase_record, outer),
	TIME(profile_phase_record, own), END };

static const struct field module_fields[] = { COUNT, FIELD(profile_module, flags), END };

/* Each figure of a device's operations is an entry of `ops`. */
static const struct field device_fields[] = { COUNT, FIELD(profile_device, index),
	FIELD(profile_device, number), FIELD(profile_device, flags), FIELD(profile_device, n_procs),
	FIELD(profile_device, traced), FIELD(profile_device, busy), FIELD(profile_device, n_records),
	FIELD(profile_device, n_lent), FIELD(profile_device, n_complete),
	FIELD(profile_device, n_resets), ARRAY(profile_device, lost, "trace_loss"),
	{ "ops", offsetof(struct profile_device, ops), 8, "device_op", 1, 0 },
	ARRAY(profile_device, n_of_type, "record_type"), END };

static const struct field profile_fields[] = { COUNT,
	{ "flags", offsetof(struct profile, header.flags), 4, NULL, 0, 0 },
	{ "end", offsetof(struct profile, header.end_ns), 8, NULL, 0, 1 },
	{ "last", offsetof(struct profile, header.last_ns), 8, NULL, 0, 1 },
	{ "paused", offsetof(struct profile, header.paused_ns), 8, NULL, 0, 1 },
	{ "n_pauses", offsetof(struct profile, header.n_pauses), 4, NULL, 0, 0 },
	{ "n_phases_unbegun", offsetof(struct profile, header.left_out.n_unbegun), 4, NULL, 0, 0 },
	{ "n_phases_deep", offsetof(struct profile, header.left_out.n_deep), 4, NULL, 0, 0 },
	{ "period", offsetof(struct profile, header.period), 8, NULL, 0, 1 },
	{ "ticks_per_s", offsetof(struct profile, header.ticks_per_s), 8, NULL, 0, 0 },
	{ "clock", offsetof(struct profile, header.clock_kind), 4, NULL, 0, 0 },
	{ "counted", offsetof(struct profile, header.counted.asked), 8, NULL, 0, 0 },
	{ "counted_never", offsetof(struct profile, header.counted.never), 8, NULL, 0, 0 },
	{ "counted_sometimes", offsetof(struct profile, header.counted.sometimes), 8, NULL, 0, 0 },
	{ "lost", offsetof(struct profile, header.lost), 8, "loss", 1, 0 }, FIELD(profile, waits),
	FIELD(profile, n_threads), FIELD(profile, n_nodes), FIELD(profile, n_regions),
	FIELD(profile, n_locks), FIELD(profile, n_open_waits),
	{ "bytes_private", offsetof(struct profile, header.bytes_private), 8, NULL, 0, 0 }, FIELD(profile, n_dropped), END };

static const struct field_kind kinds[] = {
	{ "region", PROFILE_NODE_REGION, node_fields, "n" },
	{ "task", PROFILE_NODE_TASK, node_fields, "n" },
	{ "context", PROFILE_NODE_CONTEXT, node_fields, "n" },
	{ "samples", PROFILE_NODE_SAMPLES, node_fields, "n" },
	{ "wait", PROFILE_NODE_WAIT, node_fields, "time" },
	{ "blame", PROFILE_NODE_BLAME, node_fields, "blame" },
	{ "frame", PROFILE_NODE_FRAME, node_fields, "count" },
	{ "truncated", PROFILE_NODE_TRUNCATED, node_fields, "count" },
	{ "event", PROFILE_NODE_EVENT, node_fields, "n_events" },
	{ "target", PROFILE_NODE_TARGET, node_fields, "n" },
	{ "phase", PROFILE_NODE_PHASE, node_fields, "count" },
	{ "threads", 0, thread_fields, "count" },
	{ "regions", 0, region_fields, "count" },
	{ "locks", 0, lock_fields, "count" },
	{ "modules", 0, module_fields, "count" },
	{ "devices", 0, device_fields, "count" },
	{ "phases", 0, phase_fields, "count" },
	{ "profile", 0, profile_fields, "count" },
};
/* clang-format on */

const struct field_kind *fields_kind(const char *name)
{
	size_t bytes = strcspn(name, ".");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].name) == bytes && strncmp(kinds[i].name, name, bytes) == 0)
			return &kinds[i];
	}
	return NULL;
}

const struct field *fields_find(const struct field_kind *kind, const char *name, uint64_t *place)
{
	size_t bytes = strcspn(name, ".");

	*place = 0;
	for (const struct field *field = kind->fields; field->name; field++) {
		if (strlen(field->name) != bytes || strncmp(field->name, name, bytes) != 0)
			continue;
		if (field->is_array != (name[bytes] == '.'))
			return NULL;
		if (field->is_array &&
			words_value(words_find(field->list), name + bytes + 1, place) != 0)
			return NULL;
		return field;
	}
	return NULL;
}

uint64_t fields_value(const struct field *field, uint64_t place, const void *record)
{
	uint64_t value = 0;

	/* Little-endian. */
	if (field->bytes == 0)
		return 1;
	memcpy(&value, (const char *)record + field->offset + place * field->bytes, field->bytes);
	return value;
}
