/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables whose rows are nodes of a named tree: what a function, construct or wait took with and
 * without its callees.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_NODES_H
#define OMPPROF_SRC_VIEWS_VIEW_NODES_H

#include "src/report/report.h"
#include "src/text/table.h"
#include "src/views/view_counters.h"

/* NODE_ADDRESS and NODE_OFFSET are for the machine view. */
#define NODE_COLUMNS(X)                                                                            \
	X(NODE_DEPTH, "depth", "depth", TABLE_DEPTH, TABLE_IN_CSV, 0)                              \
	X(NODE_PATH, "path", "path", TABLE_PATH, TABLE_IN_CSV, 0)                                  \
	X(NODE_TOTAL_SHARE, "total%", "total%", TABLE_SHARE, TABLE_IN_CSV, 0)                      \
	X(NODE_SELF_SHARE, "self%", "self%", TABLE_SHARE, TABLE_IN_CSV, 0)                         \
	X(NODE_TOTAL, "total", "total s", TABLE_SECONDS, TABLE_IN_CSV, 0)                          \
	X(NODE_SELF, "self", "self s", TABLE_SECONDS, TABLE_IN_CSV, 0)                             \
	X(NODE_WORK, "work", "work s", TABLE_SECONDS, TABLE_IN_CSV, 0)                             \
	X(NODE_WAIT, "wait", "wait s", TABLE_SECONDS, TABLE_IN_CSV, 0)                             \
	X(NODE_OVERHEAD, "overhead", "ovhd s", TABLE_SECONDS, TABLE_IN_CSV, 1)                     \
	X(NODE_BLAME, "blame", "blame s", TABLE_SECONDS, TABLE_IN_CSV | TABLE_IF_ANY, 0)           \
	X(NODE_EVENTS, "events", "events", TABLE_COUNT, TABLE_IN_CSV, 0)                           \
	X(NODE_SELF_EVENTS, "self_events", "events", TABLE_COUNT, TABLE_IN_CSV, 0)                 \
	X(NODE_SAMPLES, "samples", "samples", TABLE_COUNT, TABLE_IN_CSV, 0)                        \
	X(NODE_SELF_SAMPLES, "self_samples", "samples", TABLE_COUNT, TABLE_IN_CSV, 0)              \
	X(NODE_RUNS, "executions", "runs", TABLE_COUNT, TABLE_IN_CSV, 0)                           \
	COUNTER_COLUMNS(X, NODE_, TABLE_IN_CSV)                                                    \
	X(NODE_KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                                  \
	X(NODE_NAME, "name", "name", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(NODE_FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                      \
	X(NODE_FILE, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(NODE_LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                \
	X(NODE_MODULE, "module", "module", TABLE_NAME, TABLE_IN_CSV, 0)                            \
	X(NODE_ADDRESS, "address", "address", TABLE_WORD, TABLE_IN_CSV, 0)                         \
	X(NODE_OFFSET, "offset", "offset", TABLE_WORD, TABLE_IN_CSV, 0)                            \
	X(NODE_PLACE, "place", "place", TABLE_PLACE, 0, 0)

enum node_column { NODE_COLUMNS(TABLE_ENUM) };

extern const struct table_column node_columns[];

/* Bits of the columns that --time cannot show. */
extern const uint64_t node_of_run;

/* Bits of the columns that a table of this report must hide. is_tree: the table is a tree. */
uint64_t node_hidden(const struct report *report, int is_tree);

/* Sets the figures of a node with its callees and of the node itself; either may be NULL. */
void node_set_figures(struct table_row *row, const struct report *report,
	const struct tree_metrics *total, const struct tree_metrics *self);

/* Sets the columns that say what the node is, and row->identity. */
void node_set_label(struct table_row *row, const struct name_node *node, uint64_t n_executions);

/* Sets the columns `name` and `place` alone. */
void node_set_name(struct table_row *row, int name, int place, const struct name_node *node,
	uint64_t n_executions);

/* Whether there are figures to show: samples, or measured waits. */
int node_has_figures(const struct tree_metrics *metrics);

#endif
