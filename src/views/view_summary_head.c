/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of the summary: what ran, and how it was sampled; see view_summary_internal.h. */
#include <string.h>

#include "src/findings/contention.h"
#include "src/findings/names_lookup.h"
#include "src/text/text.h"
#include "src/views/view_counters.h"
#include "src/views/view_summary_internal.h"
#include "src/findings/report_runtime.h"

/*
 * COMMAND_LEAST: with less room for the command, or less than its program's name takes, the run's
 * figures get a line of their own.
 */
enum { COMMAND_LEAST = 14, RUNTIME_MOST = 24, COMMAND_BYTES = 1024 };

/* Removes the first `part`: libomp says "LLVM OMP version: 5.0.20140926". */
static void cut_out(char *text, const char *part)
{
	char *at = strstr(text, part);

	if (at)
		memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

static void join_args(char *text, size_t text_bytes, const struct profile *profile)
{
	size_t to = 0;

	text[0] = '\0';
	for (size_t i = 0; i < profile->n_args && to + 2 < text_bytes; i++) {
		if (i)
			text[to++] = ' ';
		text_clean(text + to, text_bytes - to, profile->args[i]);
		to += strlen(text + to);
	}
	if (to == 0)
		text_clean(text, text_bytes,
			profile->program.exe ? names_base(profile->program.exe) : "");
}

/* Writes the command without the program's folders. Returns the bytes of the program. */
static size_t name_program(char *text, size_t text_bytes, const char *command)
{
	const char *from = command + strcspn(command, " ");

	while (from > command && from[-1] != '/')
		from--;
	snprintf(text, text_bytes, "%s", from);
	return strcspn(text, " ");
}

/* Leaves the folders out if there is no room for all, and then cuts the arguments. */
static void fit_command(char *command, size_t command_bytes, size_t width)
{
	char short_form[COMMAND_BYTES];

	if (text_width(command) <= width)
		return;
	if (name_program(short_form, sizeof(short_form), command) <= width) {
		snprintf(command, command_bytes, "%s", short_form);
		text_cut(command, width);
	} else {
		text_shorten(command, width);
	}
}

int summary_is_measured(const struct report *report)
{
	return report_has_causes(report) && !report->is_event;
}

/*
 * The threads that the figures leave out: native threads; without causes native threads that slept.
 */
static uint64_t count_others(const struct report *report)
{
	return summary_is_measured(report) ? report->totals.n_native_threads
					   : report->totals.n_asleep_threads;
}

/* "LLVM OMP 5.0.20140926", "GCC libgomp"; "LLVM OMP for libgomp" if libomp took libgomp's place. */
static void describe_runtime(char *text, size_t text_bytes, const struct profile *profile)
{
	size_t n;

	text_clean(text, text_bytes,
		profile->header.runtime[0] ? profile->header.runtime
		: report_libgomp(profile)  ? "GCC libgomp"
					   : "no OpenMP");
	cut_out(text, " version:");
	n = strlen(text);
	if (report_is_exchanged(profile)) {
		while (n > 0 && strchr(" .0123456789", text[n - 1]))
			n--;
		snprintf(text + n, text_bytes - n, " for libgomp");
	}
}

/* "1.4 s wall, 8 threads, 8 cpus, LLVM OMP 5.0" */
static void describe_run(char *facts, size_t facts_bytes, const struct report *report, size_t width)
{
	const struct profile_header *header = &report->profile.header;
	uint64_t n_threads = report->totals.n_lives - report->totals.n_helper_threads;
	char runtime[128], wall[TEXT_NUMBER_BYTES], processes[48] = "";

	n_threads -= count_others(report);
	describe_runtime(runtime, sizeof(runtime), &report->profile);
	text_shorten(runtime, terminal_is_endless(width) ? width : RUNTIME_MOST);
	if (report->job.n_counted > 1)
		snprintf(processes, sizeof(processes), "%zu %s, ", report->job.n_counted,
			report_job_word(&report->job));
	snprintf(facts, facts_bytes, "%s s wall, %s%zu thread%s, %u cpu%s, %s",
		text_seconds(wall, report->totals.wall_ns), processes, (size_t)n_threads,
		text_plural(n_threads), header->n_cpus, text_plural(header->n_cpus), runtime);
}

void summary_put_run(struct summary *summary)
{
	size_t width = summary->terminal->width, used, name;
	size_t edge = (size_t)terminal_edge(summary->terminal);
	int is_two_lines;
	char command[COMMAND_BYTES], program[COMMAND_BYTES], facts[256];

	describe_run(facts, sizeof(facts), summary->report, width);
	text_cut(facts, width);
	join_args(command, sizeof(command), &summary->report->profile);
	name = name_program(program, sizeof(program), command) + strlen("   ");
	is_two_lines = text_width(facts) + strlen("ompprof: ") +
			       (name > COMMAND_LEAST ? name : COMMAND_LEAST) >
		       width;
	used = strlen("ompprof: ") + (is_two_lines ? 0 : text_width(facts) + 3);
	fit_command(command, sizeof(command), width - used);
	fprintf(summary->terminal->out, "%sompprof: %s%s",
		terminal_style(summary->terminal, STYLE_HEADING), command,
		terminal_style(summary->terminal, STYLE_NONE));
	used += text_width(command) - (is_two_lines ? 0 : 3);
	if (is_two_lines)
		fprintf(summary->terminal->out, "\n%s\n", facts);
	else
		fprintf(summary->terminal->out, "%*s%s\n",
			(int)(edge >= used + 3 ? edge - used : 3), "", facts);
	summary->n_lines += 1 + is_two_lines;
}

void summary_put_contention(struct summary *summary)
{
	struct contention contention;
	char text[2][160];

	summary->has_contention = (size_t)report_find_contention(summary->report, &contention);
	if (!summary->has_contention)
		return;
	contention_describe(text[0], sizeof(text[0]), &contention);
	contention_advise(text[1], sizeof(text[1]), &contention);
	for (size_t i = 0; i < 2; i++) {
		text_cut(text[i], summary->terminal->width - (i ? 2 : 0));
		fprintf(summary->terminal->out, "%s%s%s%s\n", i ? "  " : "",
			i ? "" : terminal_style(summary->terminal, STYLE_WARNING), text[i],
			i ? "" : terminal_style(summary->terminal, STYLE_NONE));
	}
	summary->n_lines += 2;
}

/* "cost about 24.0 % more time", "cost 0.4 to 6.0 % more time" */
static void describe_cost(char *text, size_t text_bytes, const struct own_cost *cost)
{
	char percent[OWN_COST_TEXT_BYTES];

	if (!own_cost_ns(cost) || !own_cost_without_ns(cost))
		snprintf(text, text_bytes, "cost not known");
	else
		snprintf(text, text_bytes, "cost %s %% more time", own_cost_percent(percent, cost));
}

/* A large cost: what makes it, and how to do without. */
static void put_main_cost(struct summary *summary, const struct own_cost *cost)
{
	static const char *const words[OWN_COST_N_KINDS] = {
		[OWN_COST_LOCKS] = "locks",
		[OWN_COST_SERIAL] = "serialized regions",
		[OWN_COST_TEAMS] = "regions, barriers",
		[OWN_COST_TASKS] = "tasks and others",
		[OWN_COST_UNDEFERRED] = "undeferred tasks",
	};
	static const char none[] = "none: ompprof run env OMP_TOOL=disabled ...";
	enum own_cost_kind kind = own_cost_main_kind(cost);
	char text[160] = "  by samples; fewer: ompprof run -F 50";

	if (kind == OWN_COST_N_KINDS)
		return;
	if (kind == OWN_COST_START)
		strcpy(text, "  by the start of ompprof: less of a longer run");
	else if (own_cost_is_of_runtime(cost))
		snprintf(text, sizeof(text), "  the runtime tells of each task; %s", none);
	else if (kind != OWN_COST_SAMPLES)
		snprintf(text, sizeof(text), "  by events of %s; %s", words[kind], none);
	text_cut(text, summary->terminal->width);
	fprintf(summary->terminal->out, "%s\n", text);
	summary->n_lines++;
}

static void put_label(struct summary *summary)
{
	char label[256];

	text_clean(label, sizeof(label), profile_label(&summary->report->profile));
	if (!label[0])
		return;
	text_cut(label, (size_t)summary->terminal->width - strlen("label: "));
	fprintf(summary->terminal->out, "label: %s\n", label);
	summary->n_lines++;
}

static void put_others(struct summary *summary)
{
	const struct report_totals *totals = &summary->report->totals;
	int is_measured = summary_is_measured(summary->report);
	uint64_t n = count_others(summary->report);
	char text[160], count[TEXT_NUMBER_BYTES], cpu[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	if (!n)
		return;
	snprintf(text, sizeof(text), "and %s thread%s %s: %s of %s s CPU time (--by thread)",
		text_count(count, n), text_plural(n),
		is_measured ? "beside OpenMP's" : "that slept beside them",
		text_seconds(cpu, is_measured ? totals->native_cpu_ns : totals->asleep_cpu_ns),
		text_seconds(all, totals->cpu_ns));
	text_cut(text, summary->terminal->width);
	fprintf(summary->terminal->out, "%s\n", text);
	summary->n_lines++;
}

static void put_counters(struct summary *summary)
{
	char text[512];

	view_describe_counters(text, sizeof(text), summary->report);
	if (!text[0])
		return;
	text_cut(text, (size_t)summary->terminal->width - strlen("counters: "));
	fprintf(summary->terminal->out, "counters: %s\n", text);
	summary->n_lines++;
}

void summary_put_sampling(struct summary *summary)
{
	const struct report *report = summary->report;
	const struct report_totals *totals = &report->totals;
	uint64_t samples = totals->all.samples, time_ns = report_sampled_ns(report, &totals->all);
	char count[TEXT_NUMBER_BYTES], lost[TEXT_NUMBER_BYTES];
	char rate[64] = "", taken[256], own[160], clock[32];
	int is_one_line;

	text_clean(clock, sizeof(clock), report->profile.header.clock_name);
	if (report->is_event)
		snprintf(rate, sizeof(rate), " (clock %s)", clock);
	else if (time_ns)
		snprintf(rate, sizeof(rate), " (%.0f/s of %s time)",
			(double)samples * 1e9 / (double)time_ns,
			report->profile.header.clock_kind == PROFILE_CLOCK_WALL ? "wall" : "CPU");
	snprintf(taken, sizeof(taken), "%s sample%s%s, %s %% lost", text_count(count, samples),
		text_plural(samples), rate,
		text_percent(lost, totals->n_lost, totals->n_lost + samples));
	text_cut(taken, summary->terminal->width);
	describe_cost(own, sizeof(own), &totals->own);
	is_one_line = text_width(taken) + 2 + text_width(own) <= (size_t)summary->terminal->width;
	fprintf(summary->terminal->out, "%s%s%s\n", taken, is_one_line ? ", " : "\n", own);
	put_main_cost(summary, &totals->own);
	put_label(summary);
	put_others(summary);
	put_counters(summary);
	fputc('\n', summary->terminal->out);
	summary->n_lines += is_one_line ? 2 : 3;
}
