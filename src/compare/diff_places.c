/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of a run with their parts of its wall time; see diff_run.h. Each cause is listed at
 * one kind of place, so that nothing is listed twice. Useful work is listed at the functions and
 * constructs whose own code was sampled, serial time at functions, waits for mutexes at the places
 * of the waits, and all other causes at regions, or outside of them. Without samples of the serial
 * code its time is outside of regions, too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_places.h"
#include "src/findings/names_lookup.h"

enum { TEXT_BYTES = ADVICE_NAME_BYTES };

static const char *keep(struct diff_collector *collector, const char *text)
{
	const char *kept = name_tree_intern(collector->strings, text);

	collector->is_out_of_memory |= !kept;
	return kept ? kept : "";
}

static int by_path(const void *left, const void *right)
{
	const struct profile_module *const *a = left, *const *b = right;

	return strcmp((*a)->path, (*b)->path);
}

/* For print_build_id. Returns 0, or -1 when out of memory. */
static int sort_modules(struct diff_collector *collector)
{
	const struct profile *profile = &collector->report->profile;

	collector->modules = malloc((profile->n_modules + 1) * sizeof(struct profile_module *));
	if (!collector->modules)
		return -1;
	for (size_t i = 0; i < profile->n_modules; i++)
		collector->modules[i] = &profile->modules[i];
	qsort(collector->modules, profile->n_modules, sizeof(struct profile_module *), by_path);
	return 0;
}

/* Writes the build-id of an object; "" if it has none or is not known. */
static void print_build_id(char text[65], const struct diff_collector *collector, const char *path)
{
	const struct profile *profile = &collector->report->profile;
	struct profile_module wanted = { .path = "" };
	const struct profile_module *key = &wanted, **found;

	text[0] = '\0';
	if (snprintf(wanted.path, sizeof(wanted.path), "%s", path) >= (int)sizeof(wanted.path))
		return;
	found = bsearch(&key, collector->modules, profile->n_modules, sizeof(key), by_path);
	for (size_t k = 0; found && path[0] && k < (*found)->build_id_bytes && k < 32; k++)
		snprintf(text + 2 * k, 3, "%02x", (*found)->build_id[k]);
}

static void set_module(
	struct diff_collector *collector, struct diff_place *place, const struct name_label *label)
{
	char id[65];

	place->module = keep(collector, names_base(label->module));
	print_build_id(id, collector, label->module);
	place->build_id = keep(collector, id);
}

/* "parallel" from "[omp parallel @solve.c:142]". */
static const char *construct_word(struct diff_collector *collector, const struct name_label *label)
{
	struct name_label alone = *label;
	char text[TEXT_BYTES];

	alone.function = "";
	advice_construct(text, sizeof(text), &alone);
	return keep(collector, text);
}

static void set_line(
	struct diff_collector *collector, struct diff_place *place, const char *file, uint32_t line)
{
	place->path = keep(collector, line ? file : "");
	place->file = keep(collector, line ? names_base(file) : "");
	place->line = line;
}

/* Fills the texts and lines of a place. */
static void describe(
	struct diff_collector *collector, struct diff_place *place, const struct name_label *label)
{
	char text[TEXT_BYTES];

	place->construct = "";
	place->decl_line = label->decl_line;
	set_module(collector, place, label);
	advice_place(text, sizeof(text), label);
	place->where = keep(collector, text);
	if (names_is_construct(label->kind)) {
		place->function = keep(collector, label->function);
		place->construct = construct_word(collector, label);
		set_line(collector, place, label->file, label->line);
		advice_construct(text, sizeof(text), label);
		place->what = keep(collector, text);
		return;
	}
	place->function = keep(collector, label->name);
	place->what = place->where;
	set_line(collector, place, label->decl_line ? label->decl_file : label->file,
		label->decl_line ? label->decl_line : label->line);
	if (names_is_code(label->kind)) {
		snprintf(text, sizeof(text), "%s:%u", place->file, place->line);
		place->what = strncmp(label->name, "0x", 2) == 0 ? place->where : place->function;
		place->where = place->line ? keep(collector, text) : "";
	}
}

struct diff_place *diff_places_add(
	struct diff_collector *collector, enum diff_kind kind, const struct name_label *label)
{
	struct diff_place *place = &collector->run->places[collector->run->n_places++];

	*place = (struct diff_place){ .kind = (uint8_t)kind,
		.function = "",
		.construct = "",
		.module = "",
		.build_id = "",
		.path = "",
		.file = "",
		.where = "",
		.what = "" };
	if (label)
		describe(collector, place, label);
	return place;
}

/*
 * Sets an amount and its error. The error is that of a figure from events, and that of the samples
 * that divide time between this cause and others: they represent sampled_ns of thread time.
 */
static void set_amount(struct diff_collector *collector, struct diff_place *place,
	enum metrics_cause cause, uint64_t thread_ns, double sampled_ns)
{
	uint64_t wall_ns = metrics_gain(&collector->report->metrics, thread_ns);

	place->wall_ns[cause] = wall_ns;
	place->variance[cause] = diff_square((double)wall_ns * DIFF_TIMED_PERMILLE / 1000) +
				 (sampled_ns > 0 ? collector->run->period_ns * sampled_ns /
							   diff_square(collector->slots)
						 : 0);
}

/*
 * Sets all causes of a region, or of the time outside of regions. Samples tell unseen_ns of the
 * waits.
 */
static void set_causes(struct diff_collector *collector, struct diff_place *place,
	const uint64_t cause_ns[METRICS_N_CAUSES], uint64_t unseen_ns)
{
	uint64_t busy_ns = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		busy_ns += metrics_is_sampled(i) ? cause_ns[i] : 0;
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		double sampled_ns = metrics_is_sampled(i)
					    ? (double)cause_ns[i]
					    : (double)diff_unseen(i, cause_ns, unseen_ns);

		set_amount(collector, place, i, cause_ns[i],
			i == METRICS_BLOCKED ? (double)busy_ns : sampled_ns);
	}
}

static int is_listed_by_region(enum metrics_cause cause)
{
	return cause != METRICS_USEFUL && cause != METRICS_SERIAL && cause != METRICS_LOCK;
}

static uint16_t region_list(void)
{
	uint16_t listed = 0;

	for (unsigned i = 0; i < METRICS_N_CAUSES; i++)
		listed |= (uint16_t)(is_listed_by_region(i) << i);
	return listed;
}

uint64_t diff_places_order(const struct diff_collector *collector, uint32_t tree_node)
{
	const struct tree *tree = collector->report->figures.tree;
	const struct profile *profile = &collector->report->profile;
	const struct tree_node *node;

	if (tree_node >= tree->n_nodes)
		return 0;
	node = &tree->nodes[tree_node];
	return node->module < profile->n_modules ? node->addr - profile->modules[node->module].bias
						 : node->addr;
}

/* The time is from events. */
static void set_region(struct diff_place *place, uint64_t wall_ns)
{
	place->region_ns = wall_ns;
	place->region_variance = diff_square((double)wall_ns * DIFF_TIMED_PERMILLE / 1000);
}

static void add_regions(struct diff_collector *collector)
{
	const struct findings *figures = &collector->report->figures;
	struct diff_place *outside = diff_places_add(collector, DIFF_OUTSIDE, NULL);

	outside->what = keep(collector, "outside of regions");
	outside->listed = region_list();
	if (figures->n_serial == 0)
		outside->listed |= 1u << METRICS_SERIAL;
	set_causes(collector, outside, figures->metrics->serial_cause_ns, 0);
	set_region(outside, metrics_wall(figures->metrics, figures->metrics->serial_ns));
	for (size_t i = 0; i < figures->n_regions; i++) {
		const struct findings_region *region = &figures->regions[i];
		struct diff_place *place = diff_places_add(collector, DIFF_REGION, region->label);

		place->listed = region_list();
		place->order = diff_places_order(collector, region->sum.node);
		place->n = region->sum.n;
		set_region(place, metrics_wall(figures->metrics, region->sum.wall_ns));
		set_causes(collector, place, region->sum.cause_ns, region->sum.unseen_ns);
	}
}

/*
 * Adds the mutexes that are waited for at one place as one place. A name that is an address is
 * replaced by the kind.
 */
static void add_mutex(
	struct diff_collector *collector, const struct findings_wait *wait, uint64_t all_ns)
{
	const struct findings *figures = &collector->report->figures;
	const struct metrics *metrics = figures->metrics;
	const char *word = findings_wait_name(wait->sum.kind);
	uint64_t wait_ns = wait->sum.wait_ns, n_mutexes = 1;
	uint64_t run_ns = metrics->cause_ns[METRICS_LOCK];
	struct diff_place *place = diff_places_add(collector, DIFF_MUTEX, wait->label);
	char text[TEXT_BYTES];

	for (uint32_t i = wait->next_at_place; i != UINT32_MAX;
		i = figures->waits[i].next_at_place) {
		wait_ns += figures->waits[i].sum.wait_ns;
		n_mutexes++;
	}
	if (all_ns > run_ns)
		wait_ns = (uint64_t)((unsigned __int128)wait_ns * run_ns / all_ns);
	place->construct = n_mutexes > 1 || strstr(wait->name, " 0x") ? keep(collector, word)
								      : keep(collector, wait->name);
	if (wait->place.line) {
		set_line(collector, place, wait->place.file, wait->place.line);
		snprintf(text, sizeof(text), "%s:%u", place->file, place->line);
		place->where = keep(collector, text);
	}
	snprintf(text, sizeof(text), "%s in %s", place->construct, place->function);
	place->what = place->function[0] ? keep(collector, text) : place->construct;
	place->listed = 1u << METRICS_LOCK;
	set_amount(collector, place, METRICS_LOCK, wait_ns, 0);
}

static void add_mutexes(struct diff_collector *collector)
{
	const struct findings *figures = &collector->report->figures;
	uint64_t all_ns = 0;

	for (size_t i = 0; i < figures->n_waits; i++)
		if (findings_is_mutex(figures->waits[i].sum.kind))
			all_ns += figures->waits[i].sum.wait_ns;
	for (size_t i = 0; i < figures->n_waits; i++)
		if (figures->waits[i].is_first_at_place &&
			findings_is_mutex(figures->waits[i].sum.kind))
			add_mutex(collector, &figures->waits[i], all_ns);
}

int diff_places_make(
	struct diff_run *run, const struct report *report, struct name_tree *strings, int has_paths)
{
	struct diff_collector collector = { .run = run,
		.report = report,
		.strings = strings,
		.slots = fmax((double)metrics_slots(&report->metrics) / 1e9, 1e-9) };
	struct flat flat;
	int status = flat_make(&flat, report, flat_by_function);

	if (status == 0)
		run->places = calloc(1 + report->figures.n_regions + report->figures.n_waits +
					     flat.names.n_nodes,
			sizeof(*run->places));
	if (status == 0 && run->places && sort_modules(&collector) == 0) {
		add_regions(&collector);
		add_mutexes(&collector);
		status = diff_places_add_code(&collector, &flat);
		if (status == 0 && has_paths)
			status = diff_paths_make(&collector, &flat);
	}
	flat_release(&flat);
	free(collector.modules);
	return status != 0 || !collector.modules || collector.is_out_of_memory ? -1 : 0;
}
