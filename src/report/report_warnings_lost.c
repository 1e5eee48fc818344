/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of what was seen and could not be kept, one sentence each. */
#include "src/text/text.h"
#include "src/report/report_warnings_internal.h"

enum { LOST_PERCENT = 5 };

int warn_lost(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.n_lost;

	return warning_share(
		to, n, n + report->totals.all.samples, LOST_PERCENT, "the samples were lost");
}

/* Warns of a loss: "1 ONE" or "N MANY". */
static int say_lost(const struct report *report, struct warning *to, enum profile_loss loss,
	const char *one, const char *many)
{
	uint64_t n = report->totals.lost[loss];

	return n && warning_say(to, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

int warn_lost_threads(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_THREADS,
		"thread was not sampled: no clock or no memory available",
		"threads were not sampled: no clock or no memory available");
}

int warn_unlisted_threads(const struct report *report, struct warning *to)
{
	uint32_t n = report->profile.header.left_out.n_threads;

	return n && warning_say(to, "too many threads: %u of them can be blamed for no wait", n);
}

/* If a native thread cannot be signalled, only its CPU time is known. */
int warn_unsampled_threads(const struct report *report, struct warning *to)
{
	uint64_t n_blocked = report->totals.lost[PROFILE_LOST_BLOCKED];
	uint64_t n = n_blocked + report->totals.lost[PROFILE_LOST_NO_ROOM];
	char cpu[TEXT_NUMBER_BYTES];

	if (!n && report->totals.native_unsampled_ns * 100 <= report->totals.cpu_ns)
		return 0;
	text_seconds(cpu, report->totals.native_unsampled_ns);
	if (!n)
		return warning_say(
			to, "threads blocked the signal for %s s of CPU time: not sampled", cpu);
	return warning_say(to, "%llu thread%s not sampled, %s s of CPU time: %s",
		(unsigned long long)n, n == 1 ? " was" : "s were", cpu,
		n_blocked == n   ? "signal blocked"
		: n_blocked == 0 ? "stack too small"
				 : "signal blocked or stack too small");
}

int warn_lost_modules(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_MODULES,
		"loaded file was not recorded: functions there show as addresses",
		"loaded files were not recorded: functions there show as addresses");
}

int warn_lost_contexts(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_CONTEXT,
		"region or task not recorded: their time shows elsewhere",
		"regions or tasks not recorded: their time shows elsewhere");
}

int warn_lost_regions(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_REGIONS,
		"region got no record: no figures of its runs",
		"regions got no record: no figures of their runs");
}

int warn_lost_locks(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_LOCKS];

	return n &&
	       warning_say(to,
		       "too many locks: %llu event%s of locks without a record counted together",
		       (unsigned long long)n, text_plural(n));
}

int warn_lost_waits(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_WAITS,
		"wait was not counted: no end or place is known",
		"waits were not counted: no end or place is known");
}

int warn_lost_traces(const struct report *report, struct warning *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_TRACE_BUFFERS];

	if (n)
		return warning_say(to,
			"device traces have %llu gap%s: no buffer was left, so records were "
			"dropped",
			(unsigned long long)n, text_plural(n));
	return say_lost(report, to, PROFILE_LOST_TRACE_RECORDS,
		"record of device traces not counted: damaged, late or without a construct",
		"records of device traces not counted: damaged, late or without a construct");
}

int warn_trace(const struct report *report, struct warning *to)
{
	const struct profile *profile = &report->profile;
	uint64_t n = 0;

	for (size_t i = 0; profile->timelines && i < profile->n_threads; i++)
		n += profile->timelines[i].n_dropped;
	return n &&
	       warning_say(to, "the trace was full: %llu later %s not in it; set OMPPROF_TRACE",
		       (unsigned long long)n,
		       n == 1 ? "sample or wait is" : "samples and waits are");
}

int warn_lost_stack(const struct report *report, struct warning *to)
{
	return say_lost(report, to, PROFILE_LOST_STACK,
		"sample was lost: an alternate signal stack of less than 8 KB",
		"samples were lost: an alternate signal stack of less than 8 KB");
}

int warn_lost_python(const struct report *report, struct warning *to)
{
	const struct profile_header *header = &report->profile.header;
	uint64_t n = header->usage.n_python_lost;

	if (header->flags & PROFILE_PYTHON_UNREAD)
		return warning_say(
			to, "Python functions are not shown: no known version of CPython");
	return warning_share(to, n, n + report->totals.all.samples, LOST_PERCENT,
		"the paths show the interpreter's functions, not Python's");
}
