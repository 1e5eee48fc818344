/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: what was lost and what profiling cost; see info.h. */
#include "src/info/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/text/text.h"

void info_cost_make(struct info_cost *cost, const struct profile *profile)
{
	*cost = (struct info_cost){ 0 };
	report_losses(cost->lost, profile);
	own_cost_make(&cost->own, profile);
	for (size_t t = 0; t < profile->n_threads; t++) {
		const struct profile_thread *thread = &profile->threads[t];

		for (int i = 0; i < PROFILE_WALK_N_ENDS; i++)
			cost->ends[i] += thread->ends[i];
		cost->n_samples += thread->n_samples;
		cost->n_same += thread->n_same;
		cost->n_captures += thread->n_captures;
		cost->n_guessed += thread->n_guessed;
		cost->n_cut_captures += thread->n_cut_captures;
		cost->n_guessed_captures += thread->n_guessed_captures;
		cost->n_frames += thread->n_frames;
		cost->n_overruns += thread->n_overruns;
	}
	for (int i = 0; i < PROFILE_WALK_N_ENDS; i++)
		cost->n_walks += cost->ends[i];
}

/* Prints a line for each number that is not 0; only `none` if all are 0. */
static void print_numbers(
	const uint64_t *numbers, const char *const *meanings, int n, const char *none)
{
	int is_any = 0;

	for (int i = 0; i < n; i++) {
		if (!numbers[i])
			continue;
		printf("%10" PRIu64 "  %s\n", numbers[i], meanings[i]);
		is_any = 1;
	}
	if (!is_any)
		printf("  %s\n", none);
}

static void print_captures(const struct info_cost *cost)
{
	uint64_t lost = cost->lost[PROFILE_LOST_CONTEXT];

	puts("\nCreation paths of regions and tasks");
	if (!cost->n_captures && !lost)
		puts("  none was walked");
	if (cost->n_captures)
		printf("%10" PRIu64 "  walked where they were created\n", cost->n_captures);
	if (cost->n_cut_captures)
		printf("%10" PRIu64 "  of these cut\n", cost->n_cut_captures);
	if (cost->n_guessed_captures)
		printf("%10" PRIu64 "  of these with a guessed caller\n", cost->n_guessed_captures);
	if (lost)
		printf("%10" PRIu64 "  regions and tasks without one\n", lost);
}

void info_print_losses(const struct info *info)
{
	static const char *const losses[PROFILE_N_LOSSES] = {
		[PROFILE_LOST_NO_SPACE] =
			"no room in the file: disk full, size limit, or file just growing",
		[PROFILE_LOST_UNREGISTERED] = "the signal met a thread that the tool did not know",
		[PROFILE_LOST_NESTED] =
			"none lost: the signal met the tool's own code; shown as overhead",
		[PROFILE_LOST_CONTEXT] = "a region or task without its creation path",
		[PROFILE_LOST_THREADS] = "a thread was not registered or had no clock",
		[PROFILE_LOST_MODULES] = "a loaded object was not recorded",
		[PROFILE_LOST_HANDLER] = "the program replaced the tool's signal handler",
		[PROFILE_LOST_STACK] = "the signal met a thread on a small alternate stack",
		[PROFILE_LOST_REGIONS] = "a region without a record of its executions",
		[PROFILE_LOST_LOCKS] = "an event of a mutex without a record of its own",
		[PROFILE_LOST_WAITS] = "a wait whose end or place is not known",
		[PROFILE_LOST_BLOCKED] = "a native thread that blocked the signal: not sampled",
		[PROFILE_LOST_NO_ROOM] =
			"a native thread with a stack too small for the handler: not sampled",
		[PROFILE_LOST_EVENTS] = "an event of --events whose count had no room",
		[PROFILE_LOST_TRACE_BUFFERS] =
			"a device wanted a buffer and none was left: records dropped",
		[PROFILE_LOST_TRACE_RECORDS] =
			"a device's record could not be read, or had no place",
	};
	static const char *const ends[PROFILE_WALK_N_ENDS] = {
		[PROFILE_WALK_COMPLETE] = "complete",
		[PROFILE_WALK_NO_CFI] = "cut: code without call frame information",
		[PROFILE_WALK_BAD_CFI] = "cut: call frame information malformed or not supported",
		[PROFILE_WALK_OFF_STACK] = "cut: left the thread's stack",
		[PROFILE_WALK_NO_PROGRESS] = "cut: frames that do not grow",
		[PROFILE_WALK_LIMIT] = "cut: deeper than the walker goes",
		[PROFILE_WALK_UNKNOWN_CODE] = "cut: code in no loaded object",
	};
	const struct info_cost *cost = &info->cost;

	puts("\nLosses");
	print_numbers(cost->lost, losses, PROFILE_N_LOSSES, "none");
	puts("\nCall paths");
	print_numbers(cost->ends, ends, PROFILE_WALK_N_ENDS, "none was walked");
	if (cost->n_same)
		printf("%10" PRIu64 "  not walked: same wait as the sample before\n", cost->n_same);
	if (cost->n_guessed)
		printf("%10" PRIu64 "  samples with a guessed caller\n", cost->n_guessed);
	print_captures(cost);
}

/* "1234 ns" or "12 us" for ns / n, or "-". */
static const char *text_each(char text[TEXT_NUMBER_BYTES], uint64_t ns, uint64_t n)
{
	uint64_t each_ns = n ? ns / n : 0;

	if (!n)
		snprintf(text, TEXT_NUMBER_BYTES, "-");
	else if (each_ns < 10000)
		snprintf(text, TEXT_NUMBER_BYTES, "%" PRIu64 " ns", each_ns);
	else
		snprintf(text, TEXT_NUMBER_BYTES, "%" PRIu64 " us", (each_ns + 500) / 1000);
	return text;
}

/* Callbacks are not timed, but samples meet them in proportion to their time. */
static void print_callbacks(const struct own_cost *own, const struct profile_header *header)
{
	uint64_t callback_ns = own->callback_ns;
	char seconds[TEXT_NUMBER_BYTES];

	fputs("  callbacks   ", stdout);
	if (!header->ticks_per_s || (own->n_unseen && !callback_ns))
		fputs("time not known: ", stdout);
	else
		printf("%s%s s: ", callback_ns ? "about " : "", text_seconds(seconds, callback_ns));
	printf("%" PRIu64 " calls", own->n_callbacks);
	if (own->n_unseen)
		puts("; with this clock only the time of captures is known");
	else
		printf(", met by %" PRIu64 " of %" PRIu64 " samples\n", own->n_met, own->n_samples);
}

static void print_captures_cost(const struct info_cost *cost)
{
	char each[TEXT_NUMBER_BYTES], seconds[TEXT_NUMBER_BYTES];

	if (!cost->n_captures)
		return;
	/* Most captures are not timed; see sampler/core/capture.c. */
	printf("  captures    about %s s of that: %" PRIu64 " creation paths, %s each\n",
		text_seconds(seconds, cost->own.capture_ns), cost->n_captures,
		text_each(each, cost->own.capture_ns, cost->n_captures));
}

static void print_times(const struct info_cost *cost, const struct profile_header *header)
{
	const struct own_cost *own = &cost->own;
	char each[TEXT_NUMBER_BYTES], seconds[TEXT_NUMBER_BYTES], percent[OWN_COST_TEXT_BYTES];

	printf("  handler     %s s: %" PRIu64 " signals, %s each\n",
		text_seconds(seconds, own->handler_ns), own->n_signals,
		text_each(each, own->handler_ns, own->n_signals));
	printf("  delivery    about %s s: of these signals, by the kernel\n",
		text_seconds(seconds, own->delivery_ns));
	print_callbacks(own, header);
	print_captures_cost(cost);
	printf("  together    %s%s s of CPU time, of %s s\n", own_cost_word(own),
		text_seconds(seconds, own_cost_ns(own)), text_seconds(each, own->cpu_ns));
	if (own->announce_ns)
		printf("  events      up to %s s more: around callbacks, in the runtime and "
		       "caches\n",
			text_seconds(seconds, own->announce_ns));
	if (own->setup_ns)
		printf("  start       %s s of CPU time: `ompprof run`, and in the program before "
		       "it begins\n",
			text_seconds(seconds, own->setup_ns));
	if (!own_cost_without_ns(own)) {
		printf("  longer      not known: that is more than the run\n");
		return;
	}
	printf("  longer      %s %% by that: ", own_cost_percent(percent, own));
	printf("%s s of wall time, of %s s\n", text_seconds(seconds, own->longer_ns),
		text_seconds(each, own->run_ns));
	if (own_cost_is_range(own))
		printf("  up to       %s s, with events, and if threads wait at barriers for each "
		       "other's samples\n",
			text_seconds(seconds, own->most_ns));
}

static void print_tables(const struct profile_header *header)
{
	char build[TEXT_NUMBER_BYTES];

	if (!header->tables.objects && strcmp(header->walker, "cfi") != 0)
		return;
	if (!header->tables.objects) {
		printf("  tables      none: call frame information is read in place\n");
		return;
	}
	printf("  tables      %s s of CPU time to make: %" PRIu64 " rows, %" PRIu64 " bytes\n",
		text_seconds(build, header->tables.build_ns), header->tables.rows,
		header->tables.bytes);
	printf("              for %" PRIu64 " object%s", header->tables.objects,
		text_plural(header->tables.objects));
	if (header->tables.missing)
		printf("; %" PRIu64 " without, read in place", header->tables.missing);
	putchar('\n');
}

static void print_memory(const struct profile *profile)
{
	uint64_t bytes = profile->header.bytes_private;

	printf("  memory      %" PRIu64 " bytes beside the file%s", bytes,
		profile->header.tables.objects ? " and tables" : "");
	if (bytes && profile->n_threads > 1)
		printf(", %" PRIu64 " a thread", bytes / profile->n_threads);
	putchar('\n');
}

void info_print_cost(const struct info *info)
{
	const struct profile *profile = info->profile;
	const struct info_cost *cost = &info->cost;

	puts("\nOwn cost");
	if (profile->header.ticks_per_s) {
		print_times(cost, &profile->header);
	} else {
		printf("  time        not known: the rate of the tick counter was not measured\n");
		print_callbacks(&cost->own, &profile->header);
	}
	if (cost->n_walks)
		printf("  frames      %" PRIu64 " walked, %.1f a sample\n", cost->n_frames,
			(double)cost->n_frames / (double)cost->n_walks);
	if (cost->n_overruns)
		printf("  overruns    %" PRIu64 " periods fell together with another\n",
			cost->n_overruns);
	printf("  file        %" PRIu64
	       " bytes for %zu nodes of call paths, %zu path%s with samples\n",
		profile->file_bytes, profile->n_nodes, info->n_paths, text_plural(info->n_paths));
	print_tables(&profile->header);
	print_memory(profile);
}
