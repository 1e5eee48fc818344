/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of figures and names that cannot be trusted, one sentence each. */
#include <math.h>
#include <string.h>

#include "profile/shared/perf_event.h"
#include "src/findings/names_lookup.h"
#include "src/text/text.h"
#include "src/report/report_warnings_internal.h"
#include "src/findings/contention.h"
#include "src/findings/report_runtime.h"

/* With FEW_SAMPLES the error of a share of 10 % is 3 %. For a ranking: report_can_rank. */
enum {
	FEW_SAMPLES = 100,
	BUSY_PERCENT = 10,
	OWN_PERCENT = 5,
	CUT_PERCENT = 5,
	GUESSED_PERCENT = 1,
	UNBLAMED_PERCENT = 20,
	WAITING_PERCENT = 5,
	KERNEL_PERCENT = 5,
	MAPPED_TIMES = 4,  /* page faults for each page of the most memory at a time */
	PAGE_BYTES = 4096, /* or more */
	FAULT_NS = 2000,   /* a guess; a page fault took 7000 on a virtual machine */
};

/* Whether so much of the run is measured waiting that a doubt about it matters. */
static int is_waiting_much(const struct report *report)
{
	uint64_t unblamed_ns;

	return warning_is_more(report_waiting(report, &unblamed_ns),
		metrics_capacity(&report->metrics), WAITING_PERCENT);
}

static int is_started(const struct report *report)
{
	return (report->profile.header.flags & PROFILE_OMPT_STARTED) != 0;
}

/* A program can have loaded both libgomp and a libomp. Only one of them reports events. */
int warn_libgomp(const struct report *report, struct warning *to)
{
	if (report_has_untold_libomp(&report->profile))
		return warning_say(
			to, "a libomp was loaded, too: code that ran on it has no regions");
	if (!report_libgomp(&report->profile))
		return 0;
	return warning_say(to, "%s",
		is_started(report)
			? "GCC's libgomp was loaded, too: code that ran on it has no regions"
			: "no call of GCC's libgomp was seen: neither regions nor waits are known");
}

/* libomp can have more overhead than libgomp, with which the program runs without ompprof. */
int warn_exchanged(const struct report *report, struct warning *to)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t busy_ns = metrics->cause_ns[METRICS_OVERHEAD], all_ns = metrics_capacity(metrics);
	char percent[TEXT_NUMBER_BYTES];

	if (!report_is_exchanged(&report->profile) ||
		!warning_is_more(busy_ns, all_ns, BUSY_PERCENT))
		return 0;
	return warning_say(to,
		"on libomp, not GCC's libgomp, it lost %s %% to runtime overhead; to compare: time "
		"it without ompprof",
		text_percent(percent, busy_ns, all_ns));
}

int warn_events(const struct report *report, struct warning *to)
{
	if (warning_never_measured(report) ||
		(!is_started(report) && report_libgomp(&report->profile)))
		return 0;
	if (!is_started(report))
		return warning_say(to, "%s: no regions, waits show as work",
			report->profile.header.flags & PROFILE_OTHER_TOOL
				? "the program has an OpenMP tool of its own"
				: "no OpenMP runtime started ompprof");
	if (report->totals.own.n_callbacks)
		return 0;
	return warning_say(
		to, "the OpenMP runtime sent no events: no regions, waits may show as work");
}

/* Not all acquisitions were looked at: `ompprof run --budget`. */
int warn_budget(const struct report *report, struct warning *to)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t n_all = 0, n_estimated = 0;
	char percent[TEXT_NUMBER_BYTES];

	for (size_t i = 0; i < metrics->n_locks; i++) {
		n_all += metrics->locks[i].n_acquired;
		n_estimated += metrics->locks[i].n_estimated;
	}
	if (!n_estimated)
		return 0;
	return warning_say(to,
		"%s %% of the acquisitions of locks were not looked at (--budget): their waits are "
		"rough and often too small, each lock's figures are estimates",
		text_percent(percent, n_estimated, n_all));
}

/* Tasks were too tiny to look at each: samples tell their time, and that of waits for them. */
int warn_unseen(const struct report *report, struct warning *to)
{
	uint64_t ns = report->metrics.unseen_ns, cpu_ns = report->totals.cpu_ns;
	char seconds[TEXT_NUMBER_BYTES];
	double n;

	for (size_t i = 0; i < report->metrics.n_tasks; i++)
		metrics_add(&ns, report->metrics.tasks[i].unseen_ns);
	n = cpu_ns ? (double)ns / (double)cpu_ns * (double)report->totals.all.samples : 0;
	if (ns * 100 <= cpu_ns || n < 1)
		return 0;
	return warning_say(to,
		"tasks too small to look at each: %s thread-s in them and in waits for them are an "
		"estimate by %.0f samples, +-%.0f %% (run --budget=off looks at all)",
		text_seconds(seconds, ns), n, 100 / sqrt(n));
}

int warn_short(const struct report *report, struct warning *to)
{
	uint64_t samples = report->totals.all.samples;

	if (samples >= FEW_SAMPLES || warning_never_measured(report))
		return 0;
	if (samples == 0 && report->is_event)
		return warning_say(to, "no samples: the event '%s' came too seldom or never",
			report->profile.header.clock_name);
	return warning_say(
		to, "short run: %llu samples only, shares are rough", (unsigned long long)samples);
}

int warn_unblamed(const struct report *report, struct warning *to)
{
	uint64_t unblamed_ns, wait_ns = report_waiting(report, &unblamed_ns);

	if (!report->metrics.has_waits || report->is_event || !is_waiting_much(report))
		return 0;
	return warning_share(to, unblamed_ns, wait_ns, UNBLAMED_PERCENT,
		"the waiting has no known cause: no sample or lock holder tells why");
}

/* Callbacks that take so much time distort what comes after them. */
int warn_own(const struct report *report, struct warning *to)
{
	return warning_share(to, report->totals.lost[PROFILE_LOST_NESTED],
		report->totals.all.samples, OWN_PERCENT,
		"the samples met ompprof itself: very short regions or tasks");
}

int warn_cut(const struct report *report, struct warning *to)
{
	const struct report_totals *totals = &report->totals;

	return warning_share(to, totals->n_cut_walks, totals->n_walks, CUT_PERCENT,
		"the call paths are truncated");
}

int warn_cut_captures(const struct report *report, struct warning *to)
{
	const struct report_totals *totals = &report->totals;

	return warning_share(to, totals->n_cut_captures, totals->n_captures, CUT_PERCENT,
		"the regions and tasks have a truncated call path");
}

int warn_guessed(const struct report *report, struct warning *to)
{
	const struct report_totals *totals = &report->totals;

	return warning_share(to, totals->n_guessed, totals->all.samples, GUESSED_PERCENT,
		"the samples have a guessed caller");
}

int warn_guessed_captures(const struct report *report, struct warning *to)
{
	const struct report_totals *totals = &report->totals;

	return warning_share(to, totals->n_guessed_captures, totals->n_captures, GUESSED_PERCENT,
		"the regions and tasks have a guessed caller");
}

/* The first warning: a screen begins with it. */
int warn_contention(const struct report *report, struct warning *to)
{
	struct contention contention;
	char text[160], remedy[160];

	if (!report_find_contention(report, &contention))
		return 0;
	contention_describe(text, sizeof(text), &contention);
	contention_advise(remedy, sizeof(remedy), &contention);
	return warning_say(to, "%s; %s", text, remedy);
}

/*
 * Each page is touched for the first time once. Many more page faults can be of memory that was
 * freed and taken again. A job has only the header of one of its processes: then nothing is said.
 */
int warn_memory(const struct report *report, struct warning *to)
{
	const struct profile_header *header = &report->profile.header;
	const struct profile_usage *usage = &header->usage;
	uint64_t process_ns = header->contention.process_ns;
	char percent[TEXT_NUMBER_BYTES], count[TEXT_NUMBER_BYTES];

	if (report->job.n_counted > 1 || !usage->peak_bytes || usage->system_ns > process_ns ||
		usage->n_faults / MAPPED_TIMES < usage->peak_bytes / PAGE_BYTES ||
		usage->n_faults < process_ns / 100 * KERNEL_PERCENT / FAULT_NS ||
		!warning_is_more(usage->system_ns, process_ns, KERNEL_PERCENT))
		return 0;
	return warning_say(to,
		"the kernel takes %s %% of the CPU time: perhaps freed memory is taken again; %s "
		"page faults, see run -e page-faults@100",
		text_percent(percent, usage->system_ns, process_ns),
		text_count(count, usage->n_faults));
}

int warn_threads(const struct report *report, struct warning *to)
{
	const struct contention_crowd *crowd = &report->job.crowd;
	uint32_t cpus = crowd->n_processes ? crowd->n_cpus : report->profile.header.n_cpus;
	uint32_t threads = crowd->n_processes ? crowd->n_threads : report->totals.n_openmp_threads;
	struct contention contention;

	if (cpus == 0 || threads <= cpus || report_find_contention(report, &contention) ||
		(report->metrics.has_waits && !is_waiting_much(report)))
		return 0;
	return warning_say(to,
		"%u OpenMP threads on %u cpu%s: they took turns, so waits are longer", threads,
		cpus, text_plural(cpus));
}

/* Whether symbols_problem names this file: it then has a warning of its own. */
static int has_problem(const struct report *report, const char *path)
{
	const char *problem;

	for (size_t i = 0; report->symbols && (problem = symbols_problem(report->symbols, i)); i++)
		if (strstr(problem, path))
			return 1;
	return 0;
}

/*
 * Warns if functions of the executable are in the report, but none has a line. A warning on its
 * symbols takes the place of this warning.
 */
int warn_lines(const struct report *report, struct warning *to)
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
	return warning_say(
		to, "no debug information in '%s': compile with -g for lines", names_base(path));
}

int warn_counters(const struct report *report, struct warning *to)
{
	return perf_event_refusal(to->text, to->bytes, &report->profile.header.counters);
}

/* The hardware's counters, which others may use meanwhile. */
int warn_counters_shared(const struct report *report, struct warning *to)
{
	enum { LEAST_PERCENT = 95 };
	uint64_t open_ns = 0, ran_ns = 0;
	char share[TEXT_NUMBER_BYTES];

	for (size_t i = 0; i < report->profile.n_threads; i++) {
		metrics_add(&open_ns, report->profile.threads[i].more.counters_open_ns);
		metrics_add(&ran_ns, report->profile.threads[i].more.counters_ran_ns);
	}
	if (!open_ns || warning_is_more(ran_ns, open_ns, LEAST_PERCENT))
		return 0;
	return warning_say(to,
		"the processor's counters ran %s %% of the time, as others use them, too: their "
		"figures are scaled",
		text_percent(share, ran_ns, open_ns));
}

int warn_counters_lost(const struct report *report, struct warning *to)
{
	uint64_t n_samples = 0, n_threads = 0, reason = 0;
	char count[TEXT_NUMBER_BYTES];

	for (size_t i = 0; i < report->profile.n_threads; i++) {
		const struct profile_thread_more *more = &report->profile.threads[i].more;

		metrics_add(&n_samples, more->n_uncounted);
		n_threads += more->uncounted != 0;
		reason = more->uncounted ? more->uncounted : reason;
	}
	if (n_threads)
		return warning_say(to, "%s thread%s no counters, or lost them: %s",
			text_count(count, n_threads), n_threads == 1 ? " has" : "s have",
			strerror((int)reason));
	if (!n_samples)
		return 0;
	return warning_say(to, "counters could not be read at %s sample%s",
		text_count(count, n_samples), text_plural(n_samples));
}
