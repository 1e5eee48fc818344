/* SPDX-License-Identifier: Apache-2.0 */
/* Where a moment of the trace is in the tree; see report.h. */
#include "src/report/report.h"

/* The class of a moment as attribute() sees it: work inside the runtime is overhead. */
static enum profile_class class_of(
	const struct profile_moment_record *moment, const struct tree_node *node)
{
	enum profile_class class = moment->kind == PROFILE_MOMENT_WAIT
					   ? tree_wait_class(moment->what)
					   : (enum profile_class)moment->what;

	if (class == PROFILE_WORK &&
		(node->kind == TREE_RUNTIME ||
			(node->kind == TREE_FRAME && node->flags & PROFILE_FRAME_RUNTIME)))
		return PROFILE_OVERHEAD;
	return class;
}

uint32_t report_moment_node(const struct report *report, const struct profile_moment_record *moment,
	enum profile_class *class)
{
	const struct tree_node *node;

	if (moment->node == UINT32_MAX || !report->tree.place || !report->names.node_of)
		return NAMES_NONE;
	node = &report->tree.nodes[report->tree.place[moment->node]];
	*class = class_of(moment, node);
	return report->names.node_of[node - report->tree.nodes];
}
