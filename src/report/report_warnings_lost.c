/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of events that were seen and could not be kept, one sentence each. */
#include <stdio.h>

#include "src/text/text.h"
#include "src/report/report_warnings_internal.h"

enum { LOST_PERCENT = 5 };

int warn_lost(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.n_lost;

	return warning_share(
		to, n, n + report->totals.all.samples, LOST_PERCENT, "the samples were lost");
}

int warn_lost_threads(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_THREADS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu thread%s not sampled: no clock or no memory available",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

/* For native threads that must not be signalled, only the CPU time is known. */
int warn_unsampled_threads(const struct report *report, struct warning *to)
{
	uint64_t n_blocked = report->totals.lost[PROFILE_LOST_BLOCKED];
	uint64_t n = n_blocked + report->totals.lost[PROFILE_LOST_NO_ROOM];
	char cpu[TEXT_NUMBER_BYTES];

	if (!n && report->totals.native_unsampled_ns * 100 <= report->totals.cpu_ns)
		return 0;
	text_seconds(cpu, report->totals.native_unsampled_ns);
	if (!n)
		snprintf(to->text, to->bytes,
			"threads blocked the signal for %s s of CPU time: not sampled", cpu);
	else
		snprintf(to->text, to->bytes, "%llu thread%s not sampled, %s s of CPU time: %s",
			(unsigned long long)n, n == 1 ? " was" : "s were", cpu,
			n_blocked == n   ? "signal blocked"
			: n_blocked == 0 ? "stack too small"
					 : "signal blocked or stack too small");
	return 1;
}

int warn_lost_modules(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_MODULES];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu loaded file%s not recorded: functions there show as addresses",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

int warn_lost_contexts(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_CONTEXT];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu region%s or task%s not recorded: their time shows elsewhere",
		(unsigned long long)n, text_plural(n), text_plural(n));
	return 1;
}

int warn_lost_regions(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_REGIONS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu region%s no record: no figures of %s runs",
		(unsigned long long)n, n == 1 ? " got" : "s got", n == 1 ? "its" : "their");
	return 1;
}

int warn_lost_locks(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_LOCKS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"too many locks: %llu event%s of locks without a record counted together",
		(unsigned long long)n, text_plural(n));
	return 1;
}

int warn_lost_waits(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_WAITS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu wait%s not counted: no end or place is known",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

int warn_lost_traces(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_TRACE_BUFFERS];
	uint64_t n_records = report->totals.lost[PROFILE_LOST_TRACE_RECORDS];

	if (!n && !n_records)
		return 0;
	if (n)
		snprintf(to->text, to->bytes,
			"device traces have %llu gap%s: no buffer was left, so records were "
			"dropped",
			(unsigned long long)n, text_plural(n));
	else
		snprintf(to->text, to->bytes,
			"%llu record%s of device traces not counted: damaged, late or without a "
			"construct",
			(unsigned long long)n_records, text_plural(n_records));
	return 1;
}

/* Warns about a trace of run --trace. */
int warn_trace(const struct report *report, struct warning *to)
{
	const struct profile *profile = &report->profile;
	uint64_t n = 0;

	for (size_t i = 0; profile->timelines && i < profile->n_threads; i++)
		n += profile->timelines[i].n_dropped;
	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"the trace was full: %llu later %s not in it; set OMPPROF_TRACE",
		(unsigned long long)n, n == 1 ? "sample or wait is" : "samples and waits are");
	return 1;
}

int warn_lost_stack(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_STACK];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu sample%s lost: an alternate signal stack of less than 8 KB",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}
