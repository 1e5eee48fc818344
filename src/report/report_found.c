/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses filters that select nothing, and says which names there are; see report_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/report/phases.h"
#include "src/report/report_internal.h"
#include "src/text/name_list.h"
#include "src/text/nearest.h"
#include "src/text/text.h"

enum { LABEL_BYTES = 128, FILTERS_BYTES = 320 };

static void list_threads(struct name_list *list, const struct profile *profile)
{
	uint32_t *numbers = malloc((profile->n_threads + 1) * sizeof(*numbers));

	for (size_t i = 0; numbers && i < profile->n_threads; i++)
		numbers[i] = profile->threads[i].index;
	if (numbers)
		name_list_add_numbers(list, numbers, profile->n_threads);
	free(numbers);
}

static void list_words(struct name_list *list, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_threads; i++) {
		const char *word = names_thread_word(profile, i);

		if (!strstr(list->text, word))
			name_list_add(list, "%s", word);
	}
}

static int check_threads(const struct report *report, struct diag *diag)
{
	struct name_list list = { "", 0 };
	char missing[FILTER_ITEM_BYTES];

	if (filter_find_threads(report->filter, &report->profile, missing) == 0)
		return 0;
	if (missing[0] >= '0' && missing[0] <= '9')
		list_threads(&list, &report->profile);
	else
		list_words(&list, &report->profile);
	return diag_set(diag, "no thread matches '%s' (threads: %s)", missing, list.text);
}

/* Tries a name without its arguments, and without the classes and namespaces around it. */
static void try_name(struct nearest *nearest, const char *name)
{
	char clean[LABEL_BYTES];
	char *last = clean;

	text_clean(clean, sizeof(clean), name);
	clean[strcspn(clean, "(")] = '\0';
	nearest_try(nearest, clean);
	for (char *at = clean; (at = strstr(at, "::")); at += 2)
		last = at + 2;
	nearest_try(nearest, last);
}

static void try_place(struct nearest *nearest, const char *file, uint32_t line)
{
	char raw[LABEL_BYTES], clean[LABEL_BYTES];

	if (line == 0)
		return;
	snprintf(raw, sizeof(raw), "%s:%u", names_base(file), line);
	text_clean(clean, sizeof(clean), raw);
	nearest_try(nearest, clean);
}

/* A region without a line is known by its address: "[omp parallel @cg+0x1260]". */
static void try_region(struct nearest *nearest, const struct name_label *label)
{
	const char *address = strrchr(label->name, '@');
	char clean[LABEL_BYTES];

	try_name(nearest, label->function);
	try_place(nearest, label->file, label->line);
	if (label->line || !address)
		return;
	text_clean(clean, sizeof(clean), address + 1);
	clean[strcspn(clean, "]")] = '\0';
	nearest_try(nearest, clean);
}

static int check_regions(const struct report *report, struct diag *diag)
{
	const struct findings *figures = &report->figures;
	struct name_list list = { "", 0 };
	struct nearest nearest;

	if (report->rows.found & FILTER_HIT_REGION || filter_has_none(report->filter))
		return 0;
	if (!figures->n_regions)
		return diag_set(diag,
			"option '--region' selects nothing: the profile has no parallel regions");
	nearest_init(&nearest, filter_text(report->filter, FILTER_REGION, 0));
	for (size_t i = 0; i < figures->n_regions; i++) {
		const struct name_label *label = figures->regions[i].label;
		char name[LABEL_BYTES];

		text_clean(name, sizeof(name), label->line ? names_base(label->file) : label->name);
		if (label->line)
			name_list_add(&list, "'%s:%u'", name, label->line);
		else
			name_list_add(&list, "'%s'", name);
		try_region(&nearest, label);
	}
	diag_set(diag, "no region matches '%s' (regions: %s)", nearest.typed, list.text);
	nearest_diag(&nearest, diag);
	return -1;
}

static int check_focus(const struct report *report, struct diag *diag)
{
	const struct name_tree *names = &report->names;
	struct nearest nearest;

	if (report->rows.found & FILTER_HIT_FOCUS)
		return 0;
	nearest_init(&nearest, filter_text(report->filter, FILTER_FOCUS, 0));
	for (size_t i = 1; i < names->n_nodes; i++) {
		const struct name_label *label = names->nodes[i].label;

		if (names_is_code(label->kind))
			try_name(&nearest, label->name);
		try_place(&nearest, label->file, label->line);
	}
	diag_set(diag, "no function or place matches '%s'", nearest.typed);
	if (!nearest_diag(&nearest, diag))
		diag_hint(diag, "'ompprof report --by function' lists the functions");
	return -1;
}

/* Reports that --state, as the only filter, leaves nothing, and which states there are. */
static int refuse_states(const struct report *report, const char *filters, struct diag *diag)
{
	const struct report_totals *totals = &report->totals;
	struct name_list list = { "", 0 };

	for (unsigned class = 0; class < PROFILE_N_CLASSES; class ++)
		if (totals->all.time_ns[class] || totals->events[class])
			name_list_add(&list, "%s", report_class_word(class));
	return diag_set(diag, "no sample or wait is left by %s (states: %s)", filters,
		list.text[0] ? list.text : "none");
}

/* Each filter matches something, but no sample or wait may match all of them. */
static int check_left(
	const struct report *report, const struct report_options *options, struct diag *diag)
{
	unsigned given = report->filter->given;
	const struct profile_part *part = &report->profile.part;
	char filters[FILTERS_BYTES];
	int is_of_rows = given == FILTER_THREAD || given == FILTER_REGION;

	if (tree_metrics_any(&report->totals.shown) || (options->has_rows && is_of_rows) ||
		(part->is_cut && !part->has_paths))
		return 0;
	filter_describe(filters, sizeof(filters), report->filter);
	if (given == FILTER_STATE)
		return refuse_states(report, filters, diag);
	return diag_set(diag, "no sample or wait is left by %s%s%s", filters,
		phases_are_given(report->phases) ? " in these phases" : "",
		part->is_cut ? " in this part of the run" : "");
}

int report_check_found(
	const struct report *report, const struct report_options *options, struct diag *diag)
{
	unsigned given = report->filter ? report->filter->given : 0;

	if ((given & FILTER_THREAD && check_threads(report, diag) != 0) ||
		(given & FILTER_REGION && check_regions(report, diag) != 0) ||
		(given & FILTER_FOCUS && check_focus(report, diag) != 0))
		return -1;
	return given ? check_left(report, options, diag) : 0;
}
