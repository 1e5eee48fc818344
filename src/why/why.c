/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what is said of an item of "Fix first"; see why.h. */
#include "src/why/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "src/findings/contention.h"
#include "src/report/phases.h"
#include "src/report/report_cells.h"
#include "src/text/text.h"
#include "src/why/why_directive.h"

static int check(const struct report *report, size_t number, struct diag *diag)
{
	size_t n = report->advice.n;

	if (report->is_event || !report_has_causes(report))
		return diag_set(diag, "waits were not measured: nothing tells what to fix first");
	if (number >= 1 && number <= n)
		return 0;
	if (!report_can_rank(report))
		return diag_set(diag, "too few samples to rank losses: run it longer");
	if (n == 0)
		return diag_set(diag, "nothing stands out: 'Fix first' has no items");
	return diag_set(
		diag, "there is no such item: 'Fix first' has %zu item%s", n, text_plural(n));
}

/* Sets why->region for the index of a region, or UINT32_MAX. */
static void find_region(struct why *why, const struct report *report, uint32_t region)
{
	const struct name_label *label;

	if (region == UINT32_MAX) {
		if (why->advice.cause == METRICS_SERIAL)
			snprintf(why->region, sizeof(why->region), "none");
		return;
	}
	label = report->figures.regions[region].label;
	if (label->line)
		snprintf(why->region, sizeof(why->region), "%s:%u", label->file, label->line);
}

/* Whether two labels have equal texts. They are of different trees, so pointers can differ. */
static int is_same(const struct name_label *a, const struct name_label *b)
{
	return a->line == b->line && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->function, b->function) == 0 && strcmp(a->file, b->file) == 0;
}

/*
 * Whether a cell's time is shown for the item: the time in its region; for serial code the time in
 * no region; of other items without a region all time.
 */
static int is_part(const struct why *why, const struct report *report,
	const struct report_within *cell, uint32_t region)
{
	if (region != UINT32_MAX)
		return cell->region != NAMES_NONE &&
		       is_same(report->names.nodes[cell->region].label,
			       report->figures.regions[region].label);
	return why->advice.cause != METRICS_SERIAL || cell->region == NAMES_NONE;
}

/* Adds up the cells of each thread, whose nodes are neighbours. Returns 0 or -1. */
static int add_threads(struct why *why, const struct report *report,
	const struct report_cells *cells, uint32_t region)
{
	uint32_t last = NAMES_NONE;
	size_t capacity = 0;

	for (uint32_t i = 0; i < report->names.n_nodes; i++) {
		const struct report_within *cell = &cells->within[i];
		struct why_thread *thread;

		if (!report_cells_has(cells, i) || !is_part(why, report, cell, region))
			continue;
		if (cell->thread != last) {
			if (ARRAY_GROW(why->threads, why->n_threads, capacity) != 0)
				return -1;
			thread = &why->threads[why->n_threads++];
			*thread = (struct why_thread){ .name = "" };
			text_clean(thread->name, sizeof(thread->name),
				report->names.nodes[cell->thread].label->name);
			last = cell->thread;
		}
		thread = &why->threads[why->n_threads - 1];
		thread->work_ns += report_metric(report, &cells->sums[i], METRIC_WORK);
		thread->wait_ns += report_metric(report, &cells->sums[i], METRIC_WAIT);
		thread->overhead_ns += report_metric(report, &cells->sums[i], METRIC_OVERHEAD);
	}
	return 0;
}

int why_begin(struct why *why, const struct report *report, size_t number, struct diag *diag)
{
	struct report_cells cells = { 0 };
	struct contention contention;
	uint32_t region;
	int status;

	memset(why, 0, sizeof(*why));
	if (check(report, number, diag) != 0)
		return -1;
	why->item = number - 1;
	why->advice = report->advice.entries[why->item];
	region = advice_region(&report->figures, &why->advice);
	find_region(why, report, region);
	why->lacks_cpus = report_find_contention(report, &contention);
	/* No cell has the time without a CPU or asleep. */
	if (why->advice.cause == METRICS_NOT_RUNNING || why->advice.cause == METRICS_BLOCKED)
		return 0;
	status = report_cells_make(&cells, report) == 0 ? add_threads(why, report, &cells, region)
							: -1;
	report_cells_release(&cells);
	return status == 0 ? 0 : diag_set(diag, "cannot explain the item: out of memory");
}

/* Writes FILE:LINE or a function, for annotate_choose(); "" if there is no place. */
static void make_place(
	char *text, size_t text_bytes, const struct report *report, const struct advice *advice)
{
	text[0] = '\0';
	if (advice->about == ADVICE_OF_SERIAL)
		snprintf(text, text_bytes, "%s", report->figures.serial[advice->index].label->name);
	else if (advice->line)
		snprintf(text, text_bytes, "%s:%u", advice->file, advice->line);
}

static const char *function_of(const struct annotate_listing *listing)
{
	uint32_t function = listing->target.function;

	return function == NAMES_NONE ? "" : listing->functions.places.nodes[function].label->name;
}

/*
 * Adds the function with most work, as others may wait for it. Not if the first listing is of the
 * same function, or if its source cannot be read.
 */
static void add_hottest(struct why *why, struct report *report, const struct names_options *names,
	const struct annotate_options *options)
{
	struct annotate_listing *listing = &why->listings[1];
	struct diag diag;

	if (annotate_listing_make(listing, report, names, NULL, options, &diag) == 0 &&
		listing->plan.n_sections && listing->plan.sections[0].has_source &&
		strcmp(function_of(listing), function_of(&why->listings[0])) != 0)
		why->n_listings = 2;
}

void why_find_source(struct why *why, struct report *report, const struct names_options *names,
	const struct annotate_options *options)
{
	char place[WHY_PLACE_BYTES];
	struct diag diag = { "", "" };

	why->advice = report->advice.entries[why->item];
	make_place(place, sizeof(place), report, &why->advice);
	if (!place[0]) {
		if (why->advice.node != NAMES_NONE)
			snprintf(why->problem, sizeof(why->problem),
				"no line is known for it: compile with -g");
		return;
	}
	if (annotate_listing_make(&why->listings[0], report, names, place, options, &diag) != 0) {
		snprintf(why->problem, sizeof(why->problem), "%s", diag.text);
		return;
	}
	why->n_listings = 1;
	why_read_directive(why);
	/* Without a region the work of the whole run has little to do with a lock. */
	if (why->advice.cause == METRICS_IMBALANCE || why->advice.cause == METRICS_SERIAL ||
		(why->advice.cause == METRICS_LOCK && why->region[0]))
		add_hottest(why, report, names, options);
}

void why_release(struct why *why)
{
	free(why->threads);
	annotate_listing_release(&why->listings[0]);
	annotate_listing_release(&why->listings[1]);
}

uint64_t why_at_best(const struct why *why, const struct report *report)
{
	uint64_t wall_ns = report->metrics.wall_ns;

	return wall_ns > why->advice.gain_ns ? wall_ns - why->advice.gain_ns : 0;
}

const char *why_command(
	const struct why *why, const struct report *report, size_t i, char *text, size_t text_bytes)
{
	const char *by = why->advice.by;
	size_t used;

	if (i > 1 || (i == 1 && !why->n_listings))
		return NULL;
	if (i == 1) {
		report_command_of(text, text_bytes, report, "annotate", why->advice.place);
		return text;
	}
	/* With --phase there is no table of locks, as holds are not known by phase. */
	if (phases_are_given(report->phases) && strcmp(by, "lock") == 0)
		by = "wait";
	/* The table is of the whole run. */
	report_command_of(text, text_bytes, report, "report", NULL);
	used = strlen(text);
	snprintf(text + used, text_bytes - used, " --by %s", by);
	return text;
}
