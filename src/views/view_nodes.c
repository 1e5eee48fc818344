/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are nodes of a named tree; see view_nodes.h. */
#include "src/views/view_nodes.h"

#include <stdio.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/findings/names_lookup.h"
#include "src/text/text.h"

#define BIT(column) ((uint64_t)1 << (column))

const struct table_column node_columns[] = { NODE_COLUMNS(TABLE_COLUMN){ .key = NULL } };

const uint64_t node_of_run = BIT(NODE_BLAME) | BIT(NODE_RUNS);

uint64_t node_hidden(const struct report *report, int is_tree)
{
	uint64_t hidden = is_tree ? 0 : BIT(NODE_DEPTH) | BIT(NODE_PATH);

	hidden |= view_counters_hidden(report, NODE_IPC);
	if (report->view != TREE_MACHINE)
		hidden |= BIT(NODE_ADDRESS) | BIT(NODE_OFFSET);
	if (report->profile.part.is_cut)
		hidden |= node_of_run;
	return hidden | (report->is_event ? BIT(NODE_TOTAL) | BIT(NODE_SELF) | BIT(NODE_WORK) |
						    BIT(NODE_WAIT) | BIT(NODE_OVERHEAD)
					  : BIT(NODE_EVENTS) | BIT(NODE_SELF_EVENTS));
}

static void set_total(
	struct table_row *row, const struct report *report, const struct tree_metrics *total)
{
	table_set_part(row, NODE_TOTAL_SHARE, report_metric(report, total, METRIC_TOTAL),
		report_metric(report, report_whole(report), METRIC_TOTAL));
	table_set(row, NODE_TOTAL, tree_metrics_time(total));
	table_set(row, NODE_WORK, report_metric(report, total, METRIC_WORK));
	table_set(row, NODE_WAIT, report_metric(report, total, METRIC_WAIT));
	table_set(row, NODE_OVERHEAD, report_metric(report, total, METRIC_OVERHEAD));
	if (!report->profile.part.is_cut)
		table_set(row, NODE_BLAME, total->blame_ns);
	table_set(row, NODE_EVENTS, total->events);
	table_set(row, NODE_SAMPLES, total->samples);
}

/* Figures of the node alone: ratios of code and of waits together would say nothing. */
static void set_counters(
	struct table_row *row, const struct report *report, const struct tree_metrics *self)
{
	struct metrics_counts counts = { .ns = report_sampled_ns(report, self) };

	memcpy(counts.counters, self->counters, sizeof(counts.counters));
	view_set_counters(row, NODE_IPC, report, &counts, &counts);
}

void node_set_figures(struct table_row *row, const struct report *report,
	const struct tree_metrics *total, const struct tree_metrics *self)
{
	if (total)
		set_total(row, report, total);
	if (!self)
		return;
	table_set_part(row, NODE_SELF_SHARE, report_metric(report, self, METRIC_TOTAL),
		report_metric(report, report_whole(report), METRIC_TOTAL));
	table_set(row, NODE_SELF, tree_metrics_time(self));
	table_set(row, NODE_SELF_EVENTS, self->events);
	table_set(row, NODE_SELF_SAMPLES, self->samples);
	set_counters(row, report, self);
}

/* The text after a name: whether it is inlined or guessed, levels of recursion or executions. */
static const char *describe(
	struct table_row *row, const struct name_node *node, uint64_t n_executions)
{
	char count[TEXT_NUMBER_BYTES];
	const char *guessed = node->is_guessed ? " (guessed)" : "";

	if (strncmp(node->label->name, "0x", 2) == 0 && node->label->module[0])
		return guessed;
	if (node->label->kind == NAME_INLINED)
		return node->is_guessed ? " (inlined, guessed)" : " (inlined)";
	if (node->repeats > 1)
		return table_print_text(row, " (x%u)%s", node->repeats, guessed);
	if (n_executions > 0)
		return table_print_text(row, " x%s%s", text_count(count, n_executions), guessed);
	return guessed;
}

/* The line of a function's declaration if it is known, else the label's own line. */
static struct name_place place_of(const struct name_label *label)
{
	if (names_is_construct(label->kind) || !label->decl_line)
		return (struct name_place){ label->file, label->line };
	return (struct name_place){ label->decl_file, label->decl_line };
}

/* The text at the right: FILE:LINE, a construct's function, or the object file. */
static const char *describe_place(struct table_row *row, const struct name_label *label)
{
	struct name_place place = place_of(label);

	if (label->addr && !label->module[0])
		return "[unknown]";
	if (label->addr)
		return table_print_text(row, "%s+0x%llx", names_base(label->module),
			(unsigned long long)label->offset);
	if (names_is_construct(label->kind))
		return label->function;
	if (!names_is_code(label->kind) && !place.line)
		return "";
	if (place.line)
		return table_print_text(row, "%s:%u", names_base(place.file), place.line);
	/* In --by module the name is the object file: it is not repeated. */
	return strncmp(label->name, "0x", 2) != 0 &&
			       strcmp(label->name, names_base(label->module)) != 0
		       ? names_base(label->module)
		       : "";
}

/* In the machine view a name is "0x401390 FUNCTION". */
static void set_machine_name(struct table_row *row, int name, const struct name_node *node)
{
	const char *function = node->label->name, *guessed = node->is_guessed ? " (guessed)" : "";
	unsigned long long addr = node->label->addr;

	if (strncmp(function, "0x", 2) == 0)
		table_set_name(row, name, "", table_print_text(row, "0x%llx", addr), guessed);
	else
		table_set_name(
			row, name, table_print_text(row, "0x%llx ", addr), function, guessed);
}

void node_set_name(struct table_row *row, int name, int place, const struct name_node *node,
	uint64_t n_executions)
{
	const struct name_label *label = node->label;
	const char *before = "";

	if (label->addr) {
		set_machine_name(row, name, node);
		table_set_text(row, place, describe_place(row, label));
		return;
	}
	if (strncmp(label->name, "0x", 2) == 0 && label->module[0])
		before = table_print_text(row, "%s+", names_base(label->module));
	table_set_name(row, name, before, label->name, describe(row, node, n_executions));
	table_set_text(row, place, describe_place(row, label));
}

void node_set_label(struct table_row *row, const struct name_node *node, uint64_t n_executions)
{
	const struct name_label *label = node->label;
	struct name_place place = place_of(label);

	node_set_name(row, NODE_NAME, NODE_PLACE, node, n_executions);
	table_set_text(row, NODE_KIND, names_kind_word(label->kind));
	table_set_text(
		row, NODE_FUNCTION, names_is_code(label->kind) ? label->name : label->function);
	table_set_text(row, NODE_FILE, place.file);
	if (place.line)
		table_set(row, NODE_LINE, place.line);
	table_set_text(row, NODE_MODULE, label->module);
	if (label->addr) {
		table_set_text(row, NODE_ADDRESS,
			table_print_text(row, "0x%llx", (unsigned long long)label->addr));
		table_set_text(row, NODE_OFFSET,
			table_print_text(row, "0x%llx", (unsigned long long)label->offset));
	}
	if (names_is_construct(label->kind))
		table_set(row, NODE_RUNS, n_executions);
	/* Rows that differ only in folders read the same. */
	row->identity = hash_text(hash_text(HASH_START, place.file), label->module);
}

int node_has_figures(const struct tree_metrics *metrics)
{
	return metrics->samples > 0 || metrics->n_waits > 0;
}
