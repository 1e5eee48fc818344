/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a report's figures doubtful, one sentence each; see report.h. */
#include "src/report.h"

#include <stdio.h>
#include <string.h>

#include "src/names_sites.h"
#include "src/report_text.h"

/* Below this many samples the error of a 10 % share is more than 3 %. */
enum {
	FEW_SAMPLES = 100,
	LOST_PERCENT = 5,
	BUSY_PERCENT = 10,
	OWN_PERCENT = 5,
	CUT_PERCENT = 5,
	GUESSED_PERCENT = 1,
	UNBLAMED_PERCENT = 20,
};

struct writer {
	char *text;
	size_t bytes;
};

/* Each check writes its sentence and returns 1, or returns 0. */
typedef int check(const struct report *report, struct writer *to);

static int is_more(uint64_t part, uint64_t whole, unsigned percent)
{
	return whole > 0 && (double)part * 100.0 > (double)whole * percent;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static int check_handler(const struct report *report, struct writer *to)
{
	if (!report->totals.lost[PROFILE_LOST_HANDLER])
		return 0;
	snprintf(to->text, to->bytes,
		"no samples since the program took the signal over; run with --signal");
	return 1;
}

/* Whether the program was to start measuring, and never did. */
static int has_never_measured(const struct report *report)
{
	return report->profile.header.flags & PROFILE_PAUSED && report->totals.wall_ns == 0;
}

static int check_paused(const struct report *report, struct writer *to)
{
	const struct profile_header *header = &report->profile.header;
	char paused[TEXT_NUMBER_BYTES];

	if (!header->n_pauses)
		return 0;
	if (has_never_measured(report))
		snprintf(to->text, to->bytes,
			"nothing was measured: begun paused, and the program never started it");
	else if (header->flags & PROFILE_PAUSED && !(header->flags & PROFILE_COMPLETE))
		snprintf(to->text, to->bytes,
			"paused by the program when it was seen last: no figure has that in it");
	else
		snprintf(to->text, to->bytes,
			"paused %s s by the program: no figure has that in it",
			text_seconds(paused, header->paused_ns));
	return 1;
}

static int check_ended(const struct report *report, struct writer *to)
{
	if (!(report->profile.header.flags & PROFILE_ENDED))
		return 0;
	snprintf(to->text, to->bytes,
		"the program ended the measuring itself: what it did later is not here");
	return 1;
}

/* Phases that were begun and ended other than in pairs, or are too many. */
static int check_phases(const struct report *report, struct writer *to)
{
	const struct profile_header *header = &report->profile.header;
	int is_too_many = 0;

	for (size_t i = 0; i < report->profile.n_phases; i++)
		is_too_many |= report->profile.phases[i].flags & PROFILE_PHASE_OTHER;
	if (header->n_phases_unbegun)
		snprintf(to->text, to->bytes, "%u end%s of a phase where none was open",
			header->n_phases_unbegun, plural(header->n_phases_unbegun));
	else if (header->n_phases_deep)
		snprintf(to->text, to->bytes,
			"%u phase%s begun within too many others: counted with these",
			header->n_phases_deep, header->n_phases_deep == 1 ? " was" : "s were");
	else if (is_too_many)
		snprintf(to->text, to->bytes,
			"too many phases: those without a place of their own are '(other)'");
	else
		return 0;
	return 1;
}

/* Processes that count and have not come to their end. */
static size_t count_open(const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->job.n; i++)
		n += report->job.processes[i].is_counted && !report->job.processes[i].is_complete;
	return n;
}

static int check_incomplete(const struct report *report, struct writer *to)
{
	char wall[TEXT_NUMBER_BYTES];

	if (report->profile.header.flags & PROFILE_COMPLETE)
		return 0;
	if (report->job.n_counted > 1) {
		snprintf(to->text, to->bytes, "%zu of %zu %s incomplete: killed, or still running",
			count_open(report), report->job.n_counted, report_job_word(&report->job));
		return 1;
	}
	if (report->profile.is_running)
		snprintf(to->text, to->bytes, "still running: this is the first %s s",
			text_seconds(wall, report->totals.wall_ns));
	else if (report->totals.wall_ns == 0)
		snprintf(to->text, to->bytes,
			"incomplete (killed, left by _exit or still running): no moment is known");
	else
		snprintf(to->text, to->bytes,
			"incomplete (killed or still running): this is the first %s s",
			text_seconds(wall, report->totals.wall_ns));
	return 1;
}

static int check_truncated_file(const struct report *report, struct writer *to)
{
	if (!report->profile.is_truncated)
		return 0;
	snprintf(to->text, to->bytes,
		"the file is truncated: part of it is missing, and so are its samples");
	return 1;
}

static int check_dropped(const struct report *report, struct writer *to)
{
	if (!report->profile.n_dropped)
		return 0;
	snprintf(to->text, to->bytes, "%zu damaged records of the file were left out",
		report->profile.n_dropped);
	return 1;
}

static int check_space(const struct report *report, struct writer *to)
{
	if (!(report->profile.header.flags & PROFILE_SPACE_OUT))
		return 0;
	snprintf(to->text, to->bytes,
		"the file could not grow: what the program did later is missing in part");
	return 1;
}

static int check_note(const struct report *report, struct writer *to)
{
	if (!report->profile.header.note[0])
		return 0;
	snprintf(to->text, to->bytes, "%s", report->profile.header.note);
	return 1;
}

static int is_started(const struct report *report)
{
	return (report->profile.header.flags & PROFILE_OMPT_STARTED) != 0;
}

/* Beside a runtime that has OMPT, libgomp has threads of its own. */
static int check_libgomp(const struct report *report, struct writer *to)
{
	if (!report_libgomp(&report->profile))
		return 0;
	snprintf(to->text, to->bytes, "%s",
		is_started(report)
			? "GCC's libgomp was loaded, too: what ran on it shows without regions"
			: "it ran on GCC's libgomp, without OMPT: no regions, waits show as work");
	return 1;
}

/* Where the runtime's work is a good part of all, it may be that of this runtime alone. */
static int check_exchanged(const struct report *report, struct writer *to)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t busy_ns = metrics->cause_ns[METRICS_OVERHEAD], all_ns = metrics_capacity(metrics);
	char percent[TEXT_NUMBER_BYTES];

	if (!report_is_exchanged(&report->profile) || !is_more(busy_ns, all_ns, BUSY_PERCENT))
		return 0;
	snprintf(to->text, to->bytes,
		"on libomp, not GCC's libgomp, it lost %s %% to runtime overhead; larger chunks, "
		"or run --runtime=native",
		text_percent(percent, busy_ns, all_ns));
	return 1;
}

static int check_events(const struct report *report, struct writer *to)
{
	if (has_never_measured(report) || (!is_started(report) && report_libgomp(&report->profile)))
		return 0;
	if (!is_started(report))
		snprintf(to->text, to->bytes,
			"no OpenMP runtime started ompprof: no regions, waits show as work");
	else if (report->totals.n_callbacks == 0)
		snprintf(to->text, to->bytes,
			"the OpenMP runtime sent no events: no regions, waits may show as work");
	else
		return 0;
	return 1;
}

static int check_short(const struct report *report, struct writer *to)
{
	uint64_t samples = report->totals.all.samples;

	if (samples >= FEW_SAMPLES || has_never_measured(report))
		return 0;
	if (samples == 0 && report->is_event) {
		snprintf(to->text, to->bytes, "no samples: the event '%s' came too seldom or never",
			report->profile.header.clock_name);
		return 1;
	}
	snprintf(to->text, to->bytes, "short run: %llu samples only, shares are rough",
		(unsigned long long)samples);
	return 1;
}

static int check_lost(const struct report *report, struct writer *to)
{
	uint64_t lost = report->totals.n_lost, all = lost + report->totals.all.samples;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(lost, all, LOST_PERCENT))
		return 0;
	snprintf(to->text, to->bytes, "%s %% of the samples were lost",
		text_percent(percent, lost, all));
	return 1;
}

static int check_lost_threads(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_THREADS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu thread%s not sampled: no clock or no memory to be had",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

/* Of native threads only the CPU time is known while they must not be signalled. */
static int check_unsampled_threads(const struct report *report, struct writer *to)
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

static int check_lost_modules(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_MODULES];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu loaded file%s not recorded: functions there show as addresses",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

static int check_lost_contexts(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_CONTEXT];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu region%s or task%s not recorded: their time shows elsewhere",
		(unsigned long long)n, plural(n), plural(n));
	return 1;
}

static int check_lost_regions(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_REGIONS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu region%s no record: no figures of %s runs",
		(unsigned long long)n, n == 1 ? " got" : "s got", n == 1 ? "its" : "their");
	return 1;
}

static int check_lost_locks(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_LOCKS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"too many locks: %llu event%s of those without a record counted together",
		(unsigned long long)n, plural(n));
	return 1;
}

static int check_lost_waits(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_WAITS];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%llu wait%s not counted: no end or place is known",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

static int check_lost_traces(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_TRACE_BUFFERS];
	uint64_t n_records = report->totals.lost[PROFILE_LOST_TRACE_RECORDS];

	if (!n && !n_records)
		return 0;
	if (n)
		snprintf(to->text, to->bytes,
			"device traces have %llu gap%s: no buffer was left, so records were "
			"dropped",
			(unsigned long long)n, plural(n));
	else
		snprintf(to->text, to->bytes,
			"%llu record%s of device traces not counted: damaged, late or of no "
			"construct",
			(unsigned long long)n_records, plural(n_records));
	return 1;
}

/* Of run --trace. */
static int check_trace(const struct report *report, struct writer *to)
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

static int check_unblamed(const struct report *report, struct writer *to)
{
	uint64_t unblamed_ns, wait_ns = report_waiting(report, &unblamed_ns);
	char percent[TEXT_NUMBER_BYTES];

	if (!report->metrics.has_waits || report->is_event ||
		!is_more(unblamed_ns, wait_ns, UNBLAMED_PERCENT))
		return 0;
	snprintf(to->text, to->bytes,
		"%s %% of the waiting is unblamed: nobody of the team was at work then",
		text_percent(percent, unblamed_ns, wait_ns));
	return 1;
}

static int check_lost_stack(const struct report *report, struct writer *to)
{
	uint64_t n = report->totals.lost[PROFILE_LOST_STACK];

	if (!n)
		return 0;
	snprintf(to->text, to->bytes,
		"%llu sample%s lost: an alternate signal stack of less than 8 KB",
		(unsigned long long)n, n == 1 ? " was" : "s were");
	return 1;
}

/* Callbacks that take so long blur what comes after them. */
static int check_own(const struct report *report, struct writer *to)
{
	uint64_t own = report->totals.lost[PROFILE_LOST_NESTED];
	uint64_t all = report->totals.all.samples;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(own, all, OWN_PERCENT))
		return 0;
	snprintf(to->text, to->bytes,
		"%s %% of the samples met ompprof itself: very short regions or tasks",
		text_percent(percent, own, all));
	return 1;
}

static int check_cut(const struct report *report, struct writer *to)
{
	const struct report_totals *totals = &report->totals;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(totals->n_cut_walks, totals->n_walks, CUT_PERCENT))
		return 0;
	snprintf(to->text, to->bytes, "%s %% of the call paths are truncated",
		text_percent(percent, totals->n_cut_walks, totals->n_walks));
	return 1;
}

static int check_guessed(const struct report *report, struct writer *to)
{
	const struct report_totals *totals = &report->totals;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(totals->n_guessed, totals->all.samples, GUESSED_PERCENT))
		return 0;
	snprintf(to->text, to->bytes, "%s %% of the samples have a guessed caller",
		text_percent(percent, totals->n_guessed, totals->all.samples));
	return 1;
}

static int check_cut_captures(const struct report *report, struct writer *to)
{
	const struct report_totals *totals = &report->totals;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(totals->n_cut_captures, totals->n_captures, CUT_PERCENT))
		return 0;
	snprintf(to->text, to->bytes, "%s %% of the regions and tasks have a truncated call path",
		text_percent(percent, totals->n_cut_captures, totals->n_captures));
	return 1;
}

static int check_guessed_captures(const struct report *report, struct writer *to)
{
	const struct report_totals *totals = &report->totals;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_more(totals->n_guessed_captures, totals->n_captures, GUESSED_PERCENT))
		return 0;
	snprintf(to->text, to->bytes, "%s %% of the regions and tasks have a guessed caller",
		text_percent(percent, totals->n_guessed_captures, totals->n_captures));
	return 1;
}

static int check_threads(const struct report *report, struct writer *to)
{
	int is_job = report->job.n_counted > 1;
	uint32_t cpus = is_job ? report->job.most_cpus : report->profile.header.n_cpus;
	uint32_t threads = is_job ? report->job.most_threads : report->totals.n_openmp_threads;

	if (cpus == 0 || threads <= cpus)
		return 0;
	snprintf(to->text, to->bytes,
		"%u OpenMP threads on %u cpu%s: they took turns, so waits are longer", threads,
		cpus, cpus == 1 ? "" : "s");
	return 1;
}

/* Whether a problem with the symbols of this file is known; it then has a warning of its own. */
static int has_problem(const struct report *report, const char *path)
{
	const char *problem;

	for (size_t i = 0; report->symbols; i++) {
		problem = symbols_problem(report->symbols, i);
		if (!problem)
			break;
		if (strstr(problem, path))
			return 1;
	}
	return 0;
}

/* The executable has functions in the profile but not one line number. */
static int check_lines(const struct report *report, struct writer *to)
{
	const struct profile *profile = &report->profile;
	const char *path = NULL;
	int n_functions = 0;

	for (size_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_MAIN)
			path = profile->modules[i].path;
	for (size_t i = 0; path && i < report->names.n_nodes; i++) {
		const struct name_label *label = report->names.nodes[i].label;
		if (strcmp(label->module, path) != 0)
			continue;
		if (label->line || label->decl_line)
			return 0;
		n_functions++;
	}
	if (!n_functions || has_problem(report, path))
		return 0;
	snprintf(to->text, to->bytes, "no debug information in '%s': compile with -g for lines",
		names_base(path));
	return 1;
}

/* Beside those that count, the shell of a script and the like. */
static int check_others(const struct report *report, struct writer *to)
{
	size_t n = report->job.n - report->job.n_counted - report->job.n_unreadable;

	if (report->job.n <= report->job.n_counted + report->job.n_unreadable)
		return 0;
	snprintf(to->text, to->bytes,
		"%zu more process%s without OpenMP left out: ompprof report --by process", n,
		n == 1 ? "" : "es");
	return 1;
}

static int check_unreadable(const struct report *report, struct writer *to)
{
	if (!report->job.n_unreadable)
		return 0;
	snprintf(to->text, to->bytes, "%zu file%s of the run cannot be read: see ompprof info",
		report->job.n_unreadable, plural(report->job.n_unreadable));
	return 1;
}

/* Ranks that never came to write a file. */
static int check_ranks(const struct report *report, struct writer *to)
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
	snprintf(to->text, to->bytes, "%zu of %zu ranks have no profile here", n_ranks - job->n,
		n_ranks);
	return 1;
}

/* Threads of which a part of the run (--time) has nothing. */
static int check_unknown(const struct report *report, struct writer *to)
{
	size_t n = report->profile.part.n_unknown;

	if (!n)
		return 0;
	snprintf(to->text, to->bytes, "%zu thread%s no timeline: nothing of %s is in this part", n,
		n == 1 ? " has" : "s have", n == 1 ? "it" : "them");
	return 1;
}

/* What is doubtful of a part of the run: most of what others look at is known of the whole alone. */
static check *const part_checks[] = { check_truncated_file, check_dropped, check_space,
	check_unknown, check_note, check_libgomp, check_events, check_trace, check_lines,
	check_unreadable, check_ranks };

const char *report_warning(const struct report *report, size_t i, char *text, size_t text_bytes)
{
	static check *const checks[] = { check_paused, check_ended, check_phases, check_handler,
		check_incomplete, check_truncated_file, check_dropped, check_space,
		check_lost_threads, check_unsampled_threads, check_note, check_libgomp,
		check_exchanged, check_events, check_short, check_lost, check_lost_stack,
		check_lost_contexts, check_lost_modules, check_lost_regions, check_lost_locks,
		check_lost_waits, check_lost_traces, check_trace, check_own, check_cut,
		check_cut_captures, check_guessed, check_guessed_captures, check_threads,
		check_unblamed, check_lines, check_unreadable, check_ranks, check_others };
	int is_part = report->profile.part.is_cut;
	check *const *list = is_part ? part_checks : checks;
	size_t n = is_part ? sizeof(part_checks) / sizeof(part_checks[0])
			   : sizeof(checks) / sizeof(checks[0]);
	struct writer to = { text, text_bytes };
	const char *problem;

	for (size_t k = 0; k < n; k++)
		if (list[k](report, &to) && i-- == 0)
			return text;
	problem = report->symbols ? symbols_problem(report->symbols, i) : NULL;
	if (problem)
		snprintf(text, text_bytes, "%s", problem);
	return problem ? text : NULL;
}
