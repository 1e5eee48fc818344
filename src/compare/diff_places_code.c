/* SPDX-License-Identifier: Apache-2.0 */
/* Useful work and serial time by function and construct; see diff_places.h. */
#include "src/compare/diff_places.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns, by node of flat.names, the sampled work that is useful time. NULL when out of memory;
 * the caller frees it.
 */
static uint64_t *sum_work(const struct diff_collector *collector, const struct flat *flat)
{
	const struct tree *tree = collector->report->figures.tree;
	const struct name_tree *names = collector->report->figures.names;
	uint64_t *work_ns = calloc(flat->names.n_nodes, sizeof(*work_ns));
	uint8_t *is_out = calloc(tree->n_nodes, 1);
	uint8_t *is_mpi = metrics_find_mpi(tree, &collector->report->profile);
	int has_mpi = collector->report->metrics.cause_ns[METRICS_MPI] > 0;

	for (uint32_t i = 1; work_ns && is_out && is_mpi && i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		/* Native threads are in no cause, and MPI is a cause of its own. */
		is_out[i] = is_out[node->parent] || (has_mpi && is_mpi[i]) ||
			    (node->kind == TREE_FRAME && node->flags & TREE_FRAME_NATIVE);
		if (!is_out[i])
			work_ns[flat->function_of[names->node_of[i]]] +=
				tree_self(tree, i).time_ns[PROFILE_WORK];
	}
	if (!is_out || !is_mpi) {
		free(work_ns);
		work_ns = NULL;
	}
	free(is_out);
	free(is_mpi);
	return work_ns;
}

static struct diff_amounts amounts_of(const struct report *report, const struct tree_metrics *total,
	const struct tree_metrics *self)
{
	return (struct diff_amounts){
		.total = report_metric(report, total, METRIC_TOTAL),
		.self = report_metric(report, self, METRIC_TOTAL),
		.work = report_metric(report, total, METRIC_WORK),
		.wait = report_metric(report, total, METRIC_WAIT),
		.overhead = report_metric(report, total, METRIC_OVERHEAD),
	};
}

/* Sets a share of whole_ns in proportion to samples: part_ns of all_ns. */
static void set_share(struct diff_collector *collector, struct diff_place *place,
	enum metrics_cause cause, uint64_t whole_ns, double part_ns, double all_ns)
{
	double scale = all_ns > 0 ? (double)whole_ns / all_ns : 0;
	uint64_t thread_ns = diff_round(part_ns * scale);

	place->wall_ns[cause] = metrics_gain(&collector->report->metrics, thread_ns);
	place->variance[cause] = diff_square(scale) * collector->run->period_ns * part_ns /
				 diff_square(collector->slots);
	place->listed |= (uint16_t)(1u << cause);
}

/* Node i of flat.names becomes the place with index i - 1, from here on. */
static void add_functions(struct diff_collector *collector, const struct flat *flat)
{
	for (uint32_t i = 1; i < flat->names.n_nodes; i++) {
		const struct name_node *node = &flat->names.nodes[i];
		enum diff_kind kind = names_is_construct(node->label->kind) ? DIFF_BODY
				      : names_is_code(node->label->kind)    ? DIFF_FUNCTION
									    : DIFF_STATE;
		struct diff_place *place = diff_places_add(collector, kind, node->label);

		struct tree_metrics total = name_totals_get(&flat->totals, i);
		struct tree_metrics self = name_self(&flat->names, i);

		place->amounts = amounts_of(collector->report, &total, &self);
		place->amounts.self_variance =
			collector->run->period_ns * (double)place->amounts.self;
		place->amounts.total_variance =
			collector->run->period_ns * (double)place->amounts.total;
		if (kind == DIFF_BODY)
			place->order = i;
	}
}

/* Replaces the order of bodies by the addresses of their constructs. */
static void order_bodies(
	struct diff_collector *collector, struct diff_place *first, const struct flat *flat)
{
	const struct tree *tree = collector->report->figures.tree;
	const struct name_tree *names = collector->report->figures.names;

	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		uint32_t at;

		if (!tree_is_construct(tree->nodes[i].kind))
			continue;
		at = flat->function_of[names->node_of[i]];
		if (at && first[at - 1].kind == DIFF_BODY)
			first[at - 1].order = diff_places_order(collector, i);
	}
}

static int share_out(
	struct diff_collector *collector, struct diff_place *first, const struct flat *flat)
{
	const struct findings *figures = &collector->report->figures;
	const struct metrics *metrics = figures->metrics;
	uint64_t *work_ns = sum_work(collector, flat);
	double all_ns = 0;

	if (!work_ns)
		return -1;
	for (uint32_t i = 1; i < flat->names.n_nodes; i++)
		all_ns += (double)work_ns[i];
	for (uint32_t i = 1; i < flat->names.n_nodes; i++)
		if (work_ns[i])
			set_share(collector, &first[i - 1], METRICS_USEFUL,
				metrics->cause_ns[METRICS_USEFUL], (double)work_ns[i], all_ns);
	/* Two functions can be one node of flat.names, as static functions of the same name. */
	memset(work_ns, 0, flat->names.n_nodes * sizeof(*work_ns));
	for (size_t i = 0; i < figures->n_serial; i++)
		work_ns[flat->function_of[figures->serial[i].node]] += figures->serial[i].work_ns;
	for (uint32_t i = 1; i < flat->names.n_nodes; i++)
		if (work_ns[i])
			set_share(collector, &first[i - 1], METRICS_SERIAL,
				metrics->cause_ns[METRICS_SERIAL], (double)work_ns[i],
				(double)figures->serial_work_ns);
	free(work_ns);
	return 0;
}

int diff_places_add_code(struct diff_collector *collector, const struct flat *flat)
{
	struct tree_metrics all = name_totals_get(&flat->totals, 0);
	struct diff_place *first;

	collector->run->amounts = amounts_of(collector->report, &all, &all);
	collector->first_function = (uint32_t)collector->run->n_places;
	first = &collector->run->places[collector->first_function];
	add_functions(collector, flat);
	order_bodies(collector, first, flat);
	return share_out(collector, first, flat);
}
