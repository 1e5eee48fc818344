/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of tables whose rows are nodes of a named tree: what a function, construct or wait took with
 * and without what it calls, and what it is. Used by the trees and the lists of functions.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_NODES_H
#define OMPPROF_SRC_VIEWS_VIEW_NODES_H

#include "src/report/report.h"
#include "src/text/table.h"

enum node_column {
	NODE_DEPTH,
	NODE_PATH,
	NODE_TOTAL_SHARE,
	NODE_SELF_SHARE,
	NODE_TOTAL,
	NODE_SELF,
	NODE_WORK,
	NODE_WAIT,
	NODE_OVERHEAD,
	NODE_BLAME,
	NODE_EVENTS,
	NODE_SELF_EVENTS,
	NODE_SAMPLES,
	NODE_SELF_SAMPLES,
	NODE_RUNS,
	NODE_KIND,
	NODE_NAME,
	NODE_FUNCTION,
	NODE_FILE,
	NODE_LINE,
	NODE_MODULE,
	NODE_ADDRESS, /* of the machine view */
	NODE_OFFSET,
	NODE_PLACE,
};

extern const struct table_column node_columns[];

/* Columns by bit whose figures are known of the whole run alone, not of a part of it. */
extern const uint64_t node_of_run;

/* Columns by bit that a table of the report hides: those of a tree, of events, of time. */
uint64_t node_hidden(const struct report *report, int is_tree);

/* Fills a row: figures of a node with what it calls, and of itself; either may be NULL. */
void node_set_figures(struct table_row *row, const struct report *report,
	const struct tree_metrics *total, const struct tree_metrics *self);

/* And what the node is, and how often it was executed. */
void node_set_label(struct table_row *row, const struct name_node *node, uint64_t n_executions);

/* Its name and place alone, in these columns. */
void node_set_name(struct table_row *row, int name, int place, const struct name_node *node,
	uint64_t n_executions);

/* Whether there is something to show: samples, or waits that were measured. */
int node_has_figures(const struct tree_metrics *metrics);

#endif
