/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for ranks that come later than others; see advice_internal.h. */
#include "src/findings/advice_internal.h"

#include <stdio.h>

#include "src/text/text.h"

/* A smaller part of the time in a call is not said. */
enum { LATE_PERCENT = 10, NO_CPU_PERCENT = 10 };

void advice_rank(char *text, size_t text_bytes, const struct findings *figures, uint32_t process)
{
	names_process(text, text_bytes, figures->profile,
		figures->profile->processes[process].first_thread);
}

static void say(
	struct advice *advice, const struct findings *figures, const struct findings_uneven *uneven)
{
	char rank[48], most[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];
	const char *call = uneven->call ? uneven->call->name : "";
	int n_call = advice_call_name(&call);

	advice_rank(rank, sizeof(rank), figures, uneven->process);
	if (uneven->kind == FINDINGS_LATE_WORK) {
		advice_set_place(advice, uneven->node, uneven->label);
		advice_say(advice, ADVICE_TRY_EVEN,
			"%s has %.1f times the ranks' mean work here; others waited in MPI", rank,
			(double)uneven->most_ns / (double)(uneven->mean_ns ? uneven->mean_ns : 1));
		return;
	}
	text_seconds(most, uneven->most_thread_ns);
	text_seconds(mean, uneven->mean_thread_ns);
	if (uneven->kind == FINDINGS_LATE_ASLEEP) {
		int is_team = uneven->most_thread_ns != uneven->most_ns;

		advice_set_place(advice, uneven->node, uneven->label);
		advice_say(advice, ADVICE_TRY_OVERLAP,
			"%s sleeps %s %s in %.*s, a mean rank %s%s; others waited in MPI", rank,
			most, is_team ? "thread-s" : "s", n_call, call, mean, is_team ? "" : " s");
		return;
	}
	snprintf(advice->name, sizeof(advice->name), "the whole of %s", rank);
	advice_say(advice, ADVICE_TRY_NOTHING,
		"%s s without a CPU, a mean rank %s s; others waited in MPI", most, mean);
}

uint64_t advise_uneven(struct adviser *adviser, double slots, uint64_t most_ns)
{
	const struct findings *figures = adviser->figures;
	uint64_t left_ns = most_ns;

	for (size_t i = 0; i < figures->n_uneven; i++) {
		const struct findings_uneven *uneven = &figures->uneven[i];
		double wanted_ns = (double)uneven->wait_ns * slots;
		uint64_t thread_ns = wanted_ns < (double)left_ns ? (uint64_t)wanted_ns : left_ns;
		struct advice *advice = advice_add(adviser, METRICS_MPI, thread_ns);

		if (!advice)
			continue;
		advice_is_about(advice, ADVICE_OF_UNEVEN, i);
		say(advice, figures, uneven);
		left_ns -= thread_ns;
	}
	return most_ns - left_ns;
}

/* The wait for a rank is a part of the time in the call, with a CPU or without. */
void advise_late(
	struct advice *advice, const struct findings *figures, const struct findings_sleep *sleep)
{
	const struct findings_late *late = findings_find_late(figures, sleep);
	uint64_t whole_ns = sleep->ns + sleep->no_cpu_ns;
	int lacks_cpu = advice_is_percent(sleep->no_cpu_ns, whole_ns, NO_CPU_PERCENT);
	char rank[48], whole[TEXT_NUMBER_BYTES], lacked[TEXT_NUMBER_BYTES], part[TEXT_NUMBER_BYTES];

	text_seconds(whole, whole_ns);
	text_seconds(lacked, sleep->no_cpu_ns);
	if (!late || !advice_is_percent(late->waits.ns, whole_ns, LATE_PERCENT)) {
		advice_say(advice, ADVICE_TRY_NOTHING,
			lacks_cpu ? "in this call for %s s, %s s without a CPU: ranks wait for "
				    "ranks or data"
				  : "in this call for %s s: ranks wait for each other or for data "
				    "(--by rank)",
			whole, lacked);
		return;
	}
	advice_rank(rank, sizeof(rank), figures, late->process);
	text_seconds(part, late->waits.ns < whole_ns ? late->waits.ns : whole_ns);
	if (lacks_cpu)
		advice_say(advice, ADVICE_TRY_NOTHING,
			"in this call for %s s, %s s for %s, which came last; %s s without a CPU",
			whole, part, rank, lacked);
	else
		advice_say(advice, ADVICE_TRY_NOTHING,
			"in this call for %s s, of which %s s for %s, which came last", whole, part,
			rank);
}
