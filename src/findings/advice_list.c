/* SPDX-License-Identifier: Apache-2.0 */
/* The list of advice that rules add to; see advice_internal.h. */
#include "src/findings/advice_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/text/text.h"

int advice_is_percent(uint64_t part, uint64_t whole, unsigned percent)
{
	return whole > 0 && (double)part * 100.0 >= (double)whole * percent;
}

uint64_t advice_of_run(const struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns)
{
	uint64_t run_ns = adviser->figures->metrics->cause_ns[cause], own_ns = 0;
	uint64_t all_ns = adviser->at_places_ns[cause];

	if (all_ns < run_ns)
		all_ns = run_ns;
	if (cause == METRICS_OVERHEAD)
		own_ns = adviser->figures->run.own_least_ns;
	if (own_ns > run_ns)
		own_ns = run_ns;
	return all_ns ? (uint64_t)((unsigned __int128)thread_ns * (run_ns - own_ns) / all_ns) : 0;
}

int advice_is_worth(const struct adviser *adviser, uint64_t thread_ns)
{
	const struct metrics *metrics = adviser->figures->metrics;
	uint64_t lost_ns = metrics_gain(metrics, adviser->contention.lost_ns);

	/* Without the wall time that lacking CPUs cost: that makes no other gain less useful. */
	return advice_is_percent(metrics_most_gain(metrics, thread_ns), metrics->wall_ns - lost_ns,
		ADVICE_WALL_PERCENT);
}

void advice_say(struct advice *advice, enum advice_remedy remedy, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(advice->text, sizeof(advice->text), format, arguments);
	va_end(arguments);
	advice->remedy = remedy;
}

void advice_is_about(struct advice *advice, enum advice_about about, size_t index)
{
	advice->about = about;
	advice->index = (uint32_t)index;
}

int advice_lacks_cpus(const struct adviser *adviser, struct advice *advice)
{
	if (!contention_is_large(&adviser->contention))
		return 0;
	advice_say(advice, ADVICE_TRY_SPLIT,
		"threads with a CPU wait for each other's work: split it evenly");
	return 1;
}

/* The table that has more about the cause. Some rules set another table. */
static const char *find_by(enum metrics_cause cause)
{
	switch (cause) {
	case METRICS_SERIAL:
	case METRICS_BLOCKED:
		return "function";
	case METRICS_IMBALANCE:
	case METRICS_NOT_RUNNING:
	case METRICS_HELD_UP:
		return "thread";
	case METRICS_LOCK:
		return "lock";
	case METRICS_TASK:
		return "task";
	case METRICS_MPI:
		return "rank";
	case METRICS_DEVICE:
		return "target";
	default:
		return "region";
	}
}

struct advice *advice_add(struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns)
{
	const struct metrics *metrics = adviser->figures->metrics;
	struct advice_list *list = adviser->list;
	uint64_t gain_ns = metrics_most_gain(metrics, thread_ns);
	size_t at = list->n;

	if (!advice_is_worth(adviser, thread_ns))
		return NULL;
	while (at > 0 && list->entries[at - 1].gain_ns < gain_ns)
		at--;
	if (at == ADVICE_MOST)
		return NULL;
	if (list->n < ADVICE_MOST)
		list->n++;
	memmove(&list->entries[at + 1], &list->entries[at],
		(list->n - at - 1) * sizeof(list->entries[0]));
	list->entries[at] = (struct advice){
		.cause = cause,
		.gain_ns = gain_ns,
		.by = find_by(cause),
		.node = NAMES_NONE,
		.file = "",
	};
	return &list->entries[at];
}

void advice_set_place(struct advice *advice, uint32_t node, const struct name_label *label)
{
	advice->node = node;
	advice->file = label->file;
	advice->line = label->line;
	advice_place(advice->place, sizeof(advice->place), label);
	advice_construct(advice->name, sizeof(advice->name), label);
	if (strncmp(advice->name, "0x", 2) == 0)
		snprintf(advice->name, sizeof(advice->name), "code without a symbol");
}

void advice_set_line(struct advice *advice, const char *file, uint32_t line)
{
	if (!line)
		return;
	advice->file = file;
	advice->line = line;
	snprintf(advice->place, sizeof(advice->place), "%s:%u", names_base(file), line);
}

void advice_set_region(
	struct adviser *adviser, struct advice *advice, const struct findings_region *region)
{
	char count[TEXT_NUMBER_BYTES];
	size_t used;

	advice_set_place(advice, findings_node(adviser->figures, region->sum.node), region->label);
	advice_is_about(advice, ADVICE_OF_REGION, (size_t)(region - adviser->figures->regions));
	used = strlen(advice->name);
	if (region->sum.n)
		snprintf(advice->name + used, sizeof(advice->name) - used, ", %sx",
			text_count(count, region->sum.n));
}

/* The region in which threads wait for all mutexes of a place; UINT32_MAX if there are several. */
static uint32_t region_of_mutexes(const struct findings *figures, const struct findings_wait *wait)
{
	uint32_t region = figures->region_of[wait->sum.node];

	while (!wait->sum.has_regions && figures->region_of[wait->sum.node] == region) {
		if (wait->next_at_place == UINT32_MAX)
			return region;
		wait = &figures->waits[wait->next_at_place];
	}
	return UINT32_MAX;
}

uint32_t advice_region(const struct findings *figures, const struct advice *advice)
{
	const struct findings_wait *wait;

	switch (advice->about) {
	case ADVICE_OF_REGION:
		return advice->index;
	case ADVICE_OF_WAIT:
		wait = &figures->waits[advice->index];
		return wait->sum.region == UINT32_MAX ? region_of_mutexes(figures, wait)
						      : figures->region_of[wait->sum.region];
	case ADVICE_OF_TASK:
		return figures->tasks[advice->index].region;
	case ADVICE_OF_UNEVEN:
		return figures->uneven[advice->index].region;
	case ADVICE_OF_TARGET:
		return figures->targets[advice->index].region;
	default:
		return UINT32_MAX;
	}
}
