/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter for what the profile does not have is a slip of the pen, and an empty report is no answer to it: this says
 * what there is. What is left by several filters together can be nothing. Used by report_load.c.
 */
#include <stdlib.h>
#include <string.h>

#include "src/report/filter.h"
#include "src/text/name_list.h"
#include "src/findings/names_lookup.h"
#include "src/report/report_internal.h"
#include "src/text/text.h"

enum { LABEL_BYTES = 128 };

static void list_threads(struct listed *list, const struct profile *profile)
{
	uint32_t *numbers = malloc((profile->n_threads + 1) * sizeof(*numbers));

	for (size_t i = 0; numbers && i < profile->n_threads; i++)
		numbers[i] = profile->threads[i].index;
	if (numbers)
		listed_add_numbers(list, numbers, profile->n_threads);
	free(numbers);
}

static void list_words(struct listed *list, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_threads; i++) {
		const char *word = names_thread_word(profile, i);

		if (!strstr(list->text, word))
			listed_add(list, "%s", word);
	}
}

static int check_threads(const struct report *report, struct diag *diag)
{
	struct listed list = { "", 0 };
	char missing[FILTER_ITEM_BYTES];

	if (filter_find_threads(report->filter, &report->profile, missing) == 0)
		return 0;
	if (missing[0] >= '0' && missing[0] <= '9')
		list_threads(&list, &report->profile);
	else
		list_words(&list, &report->profile);
	return diag_set(diag, "no thread matches '%s' (threads: %s)", missing, list.text);
}

static int check_regions(const struct report *report, struct diag *diag)
{
	const struct figures *figures = &report->figures;
	struct listed list = { "", 0 };

	if (report->rows.found & FILTER_HIT_REGION || filter_has_none(report->filter))
		return 0;
	if (!figures->n_regions)
		return diag_set(diag,
			"option '--region' selects nothing: the profile has no parallel regions");
	for (size_t i = 0; i < figures->n_regions; i++) {
		const struct name_label *label = figures->regions[i].label;
		char name[LABEL_BYTES];

		text_clean(name, sizeof(name), label->line ? names_base(label->file) : label->name);
		if (label->line)
			listed_add(&list, "'%s:%u'", name, label->line);
		else
			listed_add(&list, "'%s'", name);
	}
	return diag_set(diag, "no region matches '%s' (regions: %s)",
		filter_text(report->filter, FILTER_REGION, 0), list.text);
}

static int check_focus(const struct report *report, struct diag *diag)
{
	if (report->rows.found & FILTER_HIT_FOCUS)
		return 0;
	diag_set(diag, "no function or place matches '%s'",
		filter_text(report->filter, FILTER_FOCUS, 0));
	diag_hint(diag, "'ompprof report --by function' lists what there is");
	return -1;
}

int report_check_found(const struct report *report, struct diag *diag)
{
	unsigned given = report->filter ? report->filter->given : 0;

	if ((given & FILTER_THREAD && check_threads(report, diag) != 0) ||
		(given & FILTER_REGION && check_regions(report, diag) != 0) ||
		(given & FILTER_FOCUS && check_focus(report, diag) != 0))
		return -1;
	return 0;
}
