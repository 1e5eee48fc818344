/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of how the run went and of what the file lacks, one sentence each. */
#include <stdarg.h>
#include <stdio.h>

#include "src/text/text.h"
#include "src/report/report_warnings_internal.h"

int warning_say(struct warning *to, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(to->text, to->bytes, format, arguments);
	va_end(arguments);
	return 1;
}

int warning_is_more(uint64_t part, uint64_t whole, unsigned percent)
{
	return whole > 0 && (double)part * 100.0 > (double)whole * percent;
}

int warning_share(
	struct warning *to, uint64_t part, uint64_t whole, unsigned percent, const char *what)
{
	char text[TEXT_NUMBER_BYTES];

	if (!warning_is_more(part, whole, percent))
		return 0;
	return warning_say(to, "%s %% of %s", text_percent(text, part, whole), what);
}

int warning_never_measured(const struct report *report)
{
	return report->profile.header.flags & PROFILE_PAUSED && report->totals.wall_ns == 0;
}

enum { MOST_ASLEEP_PERCENT = 1 };

int warn_handler(const struct report *report, struct warning *to)
{
	if (!report->totals.lost[PROFILE_LOST_HANDLER])
		return 0;
	return warning_say(
		to, "no samples since the program took the signal over; run with --signal");
}

/* The wall clock's signals end calls in which a thread sleeps, unless the kernel restarts them. */
int warn_woken(const struct report *report, struct warning *to)
{
	uint64_t asleep_ns = report->totals.asleep_ns;
	char asleep[TEXT_NUMBER_BYTES];

	if (!warning_is_more(
		    asleep_ns, tree_metrics_time(&report->totals.all), MOST_ASLEEP_PERCENT))
		return 0;
	return warning_say(to,
		"-e wall ends sleep, poll and select early (EINTR), and the program slept %s s: it "
		"may behave differently without",
		text_seconds(asleep, asleep_ns));
}

int warn_paused(const struct report *report, struct warning *to)
{
	const struct profile_header *header = &report->profile.header;
	char paused[TEXT_NUMBER_BYTES];

	if (!header->n_pauses)
		return 0;
	if (warning_never_measured(report))
		return warning_say(
			to, "nothing was measured: begun paused, and the program never started it");
	if (header->flags & PROFILE_PAUSED && !(header->flags & PROFILE_COMPLETE))
		return warning_say(
			to, "paused by the program when it was seen last: no figure includes that");
	return warning_say(to, "paused %s s by the program: no figure includes that",
		text_seconds(paused, header->paused_ns));
}

int warn_ended(const struct report *report, struct warning *to)
{
	uint32_t flags = report->profile.header.flags;

	if (!(flags & PROFILE_ENDED))
		return 0;
	return warning_say(to, "%s: what it did later is not here",
		flags & PROFILE_LOCKED_DOWN
			? "the program gave up the time-stamp counter or system calls"
			: "the program ended the measuring itself");
}

/* Phases that ended without a begin, were nested too deep, or were too many. */
int warn_phases(const struct report *report, struct warning *to)
{
	const struct profile_header *header = &report->profile.header;
	int is_too_many = 0;

	for (size_t i = 0; i < report->profile.n_phases; i++)
		is_too_many |= report->profile.phases[i].flags & PROFILE_PHASE_OTHER;
	if (header->left_out.n_unbegun)
		return warning_say(to, "%u end%s of a phase where none was open",
			header->left_out.n_unbegun, text_plural(header->left_out.n_unbegun));
	if (header->left_out.n_deep)
		return warning_say(to,
			"%u phase%s begun within too many others: counted with these",
			header->left_out.n_deep, header->left_out.n_deep == 1 ? " was" : "s were");
	if (!is_too_many)
		return 0;
	return warning_say(
		to, "too many phases: phases without a place of their own are '(other)'");
}

/* The number of processes that count in the figures and are not complete. */
static size_t count_open(const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->job.n; i++)
		n += report->job.processes[i].is_counted && !report->job.processes[i].is_complete;
	return n;
}

int warn_incomplete(const struct report *report, struct warning *to)
{
	const struct profile_part *part = &report->profile.part;
	uint64_t wall_ns = part->is_cut ? part->whole_ns : report->totals.wall_ns;
	char wall[TEXT_NUMBER_BYTES];

	if (report->profile.header.flags & PROFILE_COMPLETE)
		return 0;
	if (report->job.n_counted > 1)
		return warning_say(to, "%zu of %zu %s incomplete: killed, or still running",
			count_open(report), report->job.n_counted, report_job_word(&report->job));
	text_seconds(wall, wall_ns);
	if (report->profile.is_running)
		return warning_say(to, "still running: this is the first %s s", wall);
	if (wall_ns == 0)
		return warning_say(to,
			"incomplete (killed, left by _exit or still running): no times are known");
	return warning_say(
		to, "incomplete (killed or still running): this is the first %s s", wall);
}

int warn_truncated_file(const struct report *report, struct warning *to)
{
	if (!report->profile.is_truncated)
		return 0;
	return warning_say(
		to, "the file is truncated: part of it is missing, and so are its samples");
}

int warn_dropped(const struct report *report, struct warning *to)
{
	if (!report->profile.n_dropped)
		return 0;
	return warning_say(
		to, "%zu damaged records of the file were left out", report->profile.n_dropped);
}

int warn_space(const struct report *report, struct warning *to)
{
	if (!(report->profile.header.flags & PROFILE_SPACE_OUT))
		return 0;
	return warning_say(to, "the file could not grow: part of what happened later is missing");
}

int warn_note(const struct report *report, struct warning *to)
{
	if (!report->profile.header.note[0])
		return 0;
	return warning_say(to, "%s", report->profile.header.note);
}

/* Counts processes without OpenMP that were left out, such as the shell of a script. */
int warn_others(const struct report *report, struct warning *to)
{
	size_t n = report->job.n - report->job.n_counted - report->job.n_unreadable;

	if (report->job.n <= report->job.n_counted + report->job.n_unreadable)
		return 0;
	return warning_say(to,
		"%zu more process%s without OpenMP left out: ompprof report --by process", n,
		n == 1 ? "" : "es");
}

int warn_unreadable(const struct report *report, struct warning *to)
{
	if (!report->job.n_unreadable)
		return 0;
	return warning_say(to, "%zu file%s of the run cannot be read: see ompprof info",
		report->job.n_unreadable, text_plural(report->job.n_unreadable));
}

int warn_unread(const struct report *report, struct warning *to)
{
	size_t n = report->job.of.n_unread;

	if (!n)
		return 0;
	return warning_say(to,
		"%zu file%s in the folder %s no profile: a process or a run can be missing", n,
		text_plural(n), n == 1 ? "is" : "are");
}

int warn_ranks(const struct report *report, struct warning *to)
{
	const struct report_job *job = &report->job;
	size_t n_ranks = 0;

	for (size_t i = 0; i < job->n; i++) {
		if (!job->processes[i].rank)
			return 0;
		if (job->processes[i].n_ranks > n_ranks)
			n_ranks = job->processes[i].n_ranks;
	}
	if (job->n < 2 || n_ranks <= job->n)
		return 0;
	return warning_say(to, "%zu of %zu ranks have no profile here", n_ranks - job->n, n_ranks);
}

int warn_unknown(const struct report *report, struct warning *to)
{
	size_t n = report->profile.part.n_unknown;

	if (!n)
		return 0;
	return warning_say(to, "%zu thread%s no timeline: nothing of %s is in this part", n,
		n == 1 ? " has" : "s have", n == 1 ? "it" : "them");
}
