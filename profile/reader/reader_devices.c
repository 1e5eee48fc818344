/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a profile, and the owners of the nodes of their trees. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

static struct reader_raw_node *node_of(const struct reader_raw *raw, uint64_t id)
{
	uint32_t index = id && id < raw->n_ids ? raw->index_of_id[id] : 0;

	return index ? &raw->nodes[index - 1] : NULL;
}

/* The node that a CONTEXT or EVENT of a device gets its owner from, or NULL. */
static const struct reader_raw_node *origin_of(
	const struct reader_raw *raw, const struct reader_raw_node *node)
{
	const struct reader_raw_node *origin = NULL;

	if (node->kind == PROFILE_NODE_CONTEXT) {
		origin = node_of(raw, reader_node_addr(node));
		if (origin && origin->kind != PROFILE_NODE_TARGET)
			return NULL;
	} else if (node->kind == PROFILE_NODE_EVENT) {
		origin = node_of(raw, node->parent);
		if (origin && origin->kind != PROFILE_NODE_CONTEXT)
			return NULL;
	}
	return origin && origin->owner != READER_NONE ? origin : NULL;
}

static void adopt_kind(const struct profile *profile, const struct reader_raw *raw, uint8_t kind)
{
	for (uint32_t i = 0; i < raw->n; i++) {
		struct reader_raw_node *node = &raw->nodes[i];
		const struct reader_raw_node *origin;

		if (node->owner != READER_NONE || node->kind != kind)
			continue;
		origin = origin_of(raw, node);
		if (!origin)
			continue;
		node->owner = origin->owner;
		if (kind == PROFILE_NODE_CONTEXT)
			node->parent = profile->threads[node->owner].root;
	}
}

void reader_adopt(const struct profile *profile, const struct reader_raw *raw)
{
	adopt_kind(profile, raw, PROFILE_NODE_CONTEXT);
	adopt_kind(profile, raw, PROFILE_NODE_EVENT);
	for (uint32_t i = 0; i < raw->n; i++) {
		struct reader_raw_node *node = &raw->nodes[i];

		if (node->owner != READER_NONE)
			continue;
		node->owner = 0;
		if (node->kind == PROFILE_NODE_THREAD)
			node->kind = READER_NO_NODE;
		else if (node->kind == PROFILE_NODE_CONTEXT || node->kind == PROFILE_NODE_EVENT)
			node->kind = node->is_known = 0;
	}
}

/* Turns ticks into nanoseconds. A trace that has not ended ends with the profile. */
static void read_times(const struct profile *profile, struct profile_device *device)
{
	uint64_t end = profile->header.end_ns ? profile->header.end_ns : profile->header.last_ns;
	uint64_t since, begin = profile->header.start_ticks;

	device->traced = reader_ns(profile, device->traced);
	device->busy = reader_ns(profile, device->busy);
	if (device->since >= begin && device->since) {
		since = reader_ns(profile, device->since - begin);
		device->traced += end > since ? end - since : 0;
	}
	reader_limit(&device->traced);
	for (size_t i = 0; i < sizeof(device->ops) / sizeof(device->ops[0]); i++) {
		device->ops[i].time = reader_ns(profile, device->ops[i].time);
		device->ops[i].longest = reader_ns(profile, device->ops[i].longest);
		reader_limit(&device->ops[i].n);
		reader_limit(&device->ops[i].bytes);
	}
}

static int read_device(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	struct profile_device *device = &profile->devices[profile->n_devices];

	(void)work;
	memcpy(device, bytes, sizeof(*device));
	if (!device->index)
		return 0;
	profile->n_devices++;
	read_times(profile, device);
	reader_limit(&device->n_records);
	reader_limit(&device->n_lent);
	reader_limit(&device->n_complete);
	reader_limit(&device->n_resets);
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		reader_limit(&device->lost[i]);
	device->native[sizeof(device->native) - 1] = '\0';
	device->type[sizeof(device->type) - 1] = '\0';
	return 1;
}

int reader_read_devices(struct profile *profile, struct reader_work *work)
{
	profile->devices =
		reader_alloc(work->input, PROFILE_SEGMENT_DEVICES, sizeof(*profile->devices), 0);
	if (!profile->devices)
		return -1;
	if (profile->has_ticks)
		reader_each(profile, work, PROFILE_SEGMENT_DEVICES, read_device);
	return 0;
}
