/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings on a comparison; see diff.h. */
#include <stdio.h>
#include <string.h>

#include "src/compare/diff.h"
#include "src/text/text.h"

/* Places of both runs should have at least this part of the second run's time. */
enum { COMMON_LEAST_PERCENT = 50 };

static int is_whole(const struct diff_run *run)
{
	return run->is_complete && !run->is_truncated;
}

static int say_incomplete(const struct diff_run *run, char *text, size_t text_bytes)
{
	if (is_whole(run))
		return 0;
	snprintf(text, text_bytes, "'%s' is incomplete: %s", run->path,
		run->is_truncated ? "the file is truncated"
				  : "the program was killed, or still runs");
	return 1;
}

static int say_before(const struct diff *diff, char *text, size_t text_bytes)
{
	return say_incomplete(diff->before, text, text_bytes);
}

static int say_after(const struct diff *diff, char *text, size_t text_bytes)
{
	return say_incomplete(diff->after, text, text_bytes);
}

static int say_unread(const struct diff *diff, char *text, size_t text_bytes)
{
	const struct diff_run *run = diff->before->n_unread ? diff->before : diff->after;

	return diff_run_say_unread(run, text, text_bytes);
}

static int say_programs(const struct diff *diff, char *text, size_t text_bytes)
{
	const char *a = diff->before->program, *b = diff->after->program;
	unsigned percent =
		diff->placed_ns
			? (unsigned)((double)diff->common_ns * 100.0 / (double)diff->placed_ns)
			: 100;

	if (percent >= COMMON_LEAST_PERCENT)
		return 0;
	snprintf(text, text_bytes, "%s (%s, %s): %u %% of the time is at places of both",
		strcmp(a, b) != 0 ? "different programs" : "little in common", a, b, percent);
	return 1;
}

static int say_clocks(const struct diff *diff, char *text, size_t text_bytes)
{
	if (strcmp(diff->before->clock, diff->after->clock) == 0)
		return 0;
	snprintf(text, text_bytes, "the clocks differ (%s, %s): samples mean different things",
		diff->before->clock, diff->after->clock);
	return 1;
}

static int say_waits(const struct diff *diff, char *text, size_t text_bytes)
{
	if (diff->before->has_waits == diff->after->has_waits)
		return 0;
	snprintf(text, text_bytes, "waits were measured in '%s' only: causes cannot be compared",
		diff->before->has_waits ? diff->before->path : diff->after->path);
	return 1;
}

static int say_crowded(const struct diff_run *run, char *text, size_t text_bytes)
{
	if (run->n_slots <= run->n_cpus || run->n_cpus == 0)
		return 0;
	snprintf(text, text_bytes, "%u threads on %u cpu%s: they take turns", run->n_slots,
		run->n_cpus, text_plural(run->n_cpus));
	return 1;
}

static int say_crowds(const struct diff *diff, char *text, size_t text_bytes)
{
	return diff->before->n_slots != diff->after->n_slots &&
	       say_crowded(
		       diff->after->n_slots > diff->before->n_slots ? diff->after : diff->before,
		       text, text_bytes);
}

static int say_cpus(const struct diff *diff, char *text, size_t text_bytes)
{
	if (diff->before->n_cpus == diff->after->n_cpus)
		return 0;
	snprintf(text, text_bytes, "the programs had different numbers of cpus: %u, %u",
		diff->before->n_cpus, diff->after->n_cpus);
	return 1;
}

static int say_processes(const struct diff *diff, char *text, size_t text_bytes)
{
	if (diff->before->n_processes == diff->after->n_processes)
		return 0;
	snprintf(text, text_bytes, "the runs had different numbers of processes: %u, %u",
		diff->before->n_processes, diff->after->n_processes);
	return 1;
}

const char *diff_why_not(const struct diff *diff, char *text, size_t text_bytes)
{
	return say_programs(diff, text, text_bytes) || say_waits(diff, text, text_bytes) ? text
											 : NULL;
}

int diff_is_comparable(const struct diff *diff)
{
	char text[512];

	return !diff_why_not(diff, text, sizeof(text));
}

const char *diff_warning(const struct diff *diff, size_t i, char *text, size_t text_bytes)
{
	static int (*const rules[])(const struct diff *diff, char *text,
		size_t text_bytes) = { say_before, say_after, say_unread, say_programs, say_clocks,
		say_waits, say_processes, say_cpus, say_crowds };

	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++)
		if (rules[k](diff, text, text_bytes) && i-- == 0)
			return text;
	return NULL;
}
