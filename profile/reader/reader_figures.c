/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a node: ticks become ns, and fields that kinds share get their meaning. */
#include <string.h>

#include "profile/reader/reader_internal.h"

/* An event's amount, in `events`, is no time and stays as it is. */
static void read_event(const struct profile *profile, struct profile_tree_node *node)
{
	node->event = (uint8_t)PROFILE_EVENT_KIND(node->addr);
	node->addr = PROFILE_EVENT_DETAIL(node->addr);
	node->time_ns = reader_ns(profile, node->time_ns);
	node->longest_ns = reader_ns(profile, node->blame_ns);
	if (node->n_events > PROFILE_MOST_SUM)
		node->n_events = PROFILE_MOST_SUM;
	node->n_events += node->n;
}

/* The longest time is in the place of the events; `blame_ns` is a number of tasks, or 0. */
static void read_stay(const struct profile *profile, struct profile_tree_node *node)
{
	uint64_t longest = node->events, n_stolen = node->blame_ns;

	node->time_ns = reader_ns(profile, node->time_ns);
	node->events = 0;
	if (node->kind == PROFILE_NODE_CONTEXT)
		node->n_stolen = n_stolen;
	node->longest_ns = reader_ns(profile, longest);
}

/* The addr of a BLAME of a team stays its PROFILE_TEAM_ID. */
static void read_figures(const struct profile *profile, struct profile_tree_node *node)
{
	if (node->kind == PROFILE_NODE_WAIT || node->kind == PROFILE_NODE_BLAME) {
		node->wait = (uint8_t)PROFILE_WAIT_KIND(node->addr);
		node->addr = PROFILE_WAIT_ID(node->addr);
	}
	if (node->kind == PROFILE_NODE_BLAME && !(node->flags & PROFILE_BLAME_SAMPLED) &&
		(profile_is_mutex(node->wait) || profile_is_device(node->wait)))
		node->blame_ns = reader_ns(profile, node->blame_ns);
	reader_limit(&node->blame_ns);
	if (node->kind == PROFILE_NODE_COUNTS)
		return;
	if (node->kind == PROFILE_NODE_WAIT && !profile_is_mutex(node->wait))
		node->addr = 0;
	if (node->kind == PROFILE_NODE_BLAME)
		node->time_ns = node->events = 0;
	else if (node->kind == PROFILE_NODE_EVENT)
		read_event(profile, node);
	else if (node->kind == PROFILE_NODE_WAIT || node->kind == PROFILE_NODE_CONTEXT ||
		 node->kind == PROFILE_NODE_TARGET || node->kind == PROFILE_NODE_PHASE)
		read_stay(profile, node);
	else
		node->blame_ns = 0;
}

struct profile_tree_node reader_node(
	const struct profile *profile, const struct reader_raw_node *raw)
{
	struct profile_tree_node read;
	struct profile_node node;

	memcpy(&node, raw->bytes, sizeof(node));
	if (node.kind == PROFILE_NODE_SAMPLES && node.addr >= PROFILE_N_CLASSES)
		node.addr = PROFILE_WORK;
	read = (struct profile_tree_node){
		.addr = node.addr,
		.parent = raw->parent,
		.context = READER_NONE,
		.owner = raw->owner,
		.kind = node.kind,
		.flags = node.flags,
		.module = node.module,
		.n = node.n,
		.time_ns = node.time_ns,
		.events = node.events,
		.blame_ns = node.blame_ns,
	};
	if (node.kind == PROFILE_NODE_REGION)
		read.record = READER_NONE;
	else if (node.kind == PROFILE_NODE_CONTEXT)
		read.n_created = node.spare;
	else if (node.kind == PROFILE_NODE_EVENT || node.kind == PROFILE_NODE_COUNTS)
		read.n_events = node.spare;
	else if (node.kind == PROFILE_NODE_SAMPLES || node.kind == PROFILE_NODE_WAIT)
		read.delay_ns = node.spare < PROFILE_MOST_SUM ? node.spare : PROFILE_MOST_SUM;
	read_figures(profile, &read);
	return read;
}
