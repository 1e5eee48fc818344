/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the tables of counted events; see view_events.h. */
#include "src/views/view_events.h"

#include <stdio.h>

#include "src/text/text.h"
#include "src/views/warnings_footer.h"

const char *view_events_function(const struct figures_event *event)
{
	const struct name_label *label = event->label;

	if (names_is_construct(label->kind))
		return label->function;
	return label->kind == NAME_ROOT ? "" : label->name;
}

/* "(flush: call paths of 1.2 % of them looked at)" */
static void put_thinned(struct terminal *terminal, const struct report *report)
{
	uint64_t n[PROFILE_N_EVENTS] = { 0 }, n_looked[PROFILE_N_EVENTS] = { 0 };

	for (size_t i = 0; i < report->metrics.n_events; i++) {
		const struct metrics_event *event = &report->metrics.events[i];

		n[event->event] += event->n;
		n_looked[event->event] += event->n_looked;
	}
	for (uint32_t k = 0; k < PROFILE_N_EVENTS; k++) {
		double percent = n[k] ? 100.0 * (double)n_looked[k] / (double)n[k] : 0;

		if (n_looked[k] == n[k])
			continue;
		fprintf(terminal->out, "(%s: call paths of %.2g %% of them looked at)\n",
			event_name(k), percent < 99 ? percent : 99);
	}
}

static void put_never(struct terminal *terminal, uint64_t never)
{
	for (uint32_t k = 0; k < 64; k++)
		if (never >> k & 1 && event_name(k))
			fprintf(terminal->out, "(%s: never reported by this OpenMP runtime)\n",
				event_name(k));
}

void view_events_put_notes(struct terminal *terminal, const struct report *report)
{
	const struct profile_header *header = &report->profile.header;

	if (!header->counted.asked)
		fputs("(none were asked for: see 'ompprof run --events')\n", terminal->out);
	put_thinned(terminal, report);
	put_never(terminal, header->counted.never);
	view_put_incomplete(terminal, report);
}
