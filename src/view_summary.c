/* SPDX-License-Identifier: Apache-2.0 */
/* The default view: one screen with what ran, where the time went and what to doubt. */
#include <string.h>

#include "src/names_sites.h"
#include "src/report_text.h"
#include "src/view_causes.h"
#include "src/view_classes.h"
#include "src/view_filter.h"
#include "src/view_flat.h"
#include "src/view_process.h"
#include "src/view.h"
#include "src/view_nodes.h"

/* A screen of 24 lines: see lay_out for how its parts share them. */
enum {
	SCREEN_LINES = 24,
	WARNINGS = 4,
	WARNINGS_MOST = 64,
	WRAPS = 2,
	FUNCTIONS_MOST = 8,
	FUNCTIONS_LEAST = 3,
	REGIONS_MOST = 3,
	CAUSES_LEAST = 7, /* rows of the table of causes before a screen is full */
	CAUSES_FEWEST = 4,
	ADVICE_LEAST = 3,
	WARNING_BYTES = 512,
	PROCESSES_MOST = 4,    /* of a job */
	PROCESSES_SAMPLED = 2, /* beside a table of classes, which is longer */
	COMMAND_LEAST = 14,    /* columns of the command beside the run's figures */
};

/* How many lines each part gets. */
struct layout {
	size_t n_causes;
	size_t n_advice; /* entries, of two lines */
	size_t n_functions;
	size_t n_more_functions; /* not shown */
	size_t n_regions;
	size_t n_warnings; /* the last of them says how many more there are */
	size_t n_wraps;    /* warnings that take two lines */
	int has_blanks;    /* lines between the parts */
	int is_filtered;   /* the advice, which is of the whole run, makes room for functions */
};

struct summary {
	const struct report *report;
	struct terminal *terminal;
	struct flat flat;
	size_t n_lines; /* printed so far */
	size_t n_warnings;
	struct layout layout;
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Takes the first `part` out of `text`: libomp says "LLVM OMP version: 5.0.20140926". */
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
		text_clean(text, text_bytes, profile->exe ? names_base(profile->exe) : "");
}

/* Whether the figures are about OpenMP: not if threads that do not use it are all that the program has. */
static int is_measured(const struct report *report)
{
	return report->metrics.has_waits && !report->is_event &&
	       (report->metrics.n_regions > 0 || report->totals.n_native_threads == 0);
}

/* Whether the program has native threads beside those that the figures are about. */
static int has_others(const struct report *report)
{
	return is_measured(report) && report->totals.n_native_threads > 0;
}

/* "LLVM OMP 5.0.20140926"; of one in another's place "LLVM OMP for libgomp". */
static void describe_runtime(char *text, size_t text_bytes, const struct profile *profile)
{
	size_t n;

	text_clean(text, text_bytes,
		profile->header.runtime[0] ? profile->header.runtime : "no OpenMP");
	cut_out(text, " version:");
	n = strlen(text);
	if (report_is_exchanged(profile)) {
		while (n > 0 && strchr(" .0123456789", text[n - 1]))
			n--;
		snprintf(text + n, text_bytes - n, " for libgomp");
	}
	text_shorten(text, 24);
}

/* "1.4 s wall, 8 threads, 8 cpus, LLVM OMP 5.0" */
static void describe_run(char *facts, size_t facts_bytes, const struct report *report)
{
	const struct profile_header *header = &report->profile.header;
	uint64_t n_threads = report->totals.n_lives - report->totals.n_helper_threads;
	char runtime[128], wall[TEXT_NUMBER_BYTES], processes[48] = "";

	if (has_others(report))
		n_threads -= report->totals.n_native_threads;
	describe_runtime(runtime, sizeof(runtime), &report->profile);
	if (report->job.n_counted > 1)
		snprintf(processes, sizeof(processes), "%zu %s, ", report->job.n_counted,
			report_job_word(&report->job));
	snprintf(facts, facts_bytes, "%s s wall, %s%zu thread%s, %u cpu%s, %s",
		text_seconds(wall, report->totals.wall_ns), processes, (size_t)n_threads,
		plural(n_threads), header->n_cpus, plural(header->n_cpus), runtime);
}

/* The command at the left and what is known of the run at the right, or below it. */
static void put_run(struct summary *summary)
{
	size_t width = summary->terminal->width, used;
	int is_two_lines;
	char command[1024], facts[256];

	describe_run(facts, sizeof(facts), summary->report);
	text_cut(facts, width);
	join_args(command, sizeof(command), &summary->report->profile);
	is_two_lines = text_width(facts) + strlen("ompprof: ") + COMMAND_LEAST > width;
	used = strlen("ompprof: ") + (is_two_lines ? 0 : text_width(facts) + 3);
	text_shorten(command, width - used);
	fprintf(summary->terminal->out, "%sompprof: %s%s",
		terminal_style(summary->terminal, STYLE_HEADING), command,
		terminal_style(summary->terminal, STYLE_NONE));
	used += text_width(command) - (is_two_lines ? 0 : 3);
	if (is_two_lines)
		fprintf(summary->terminal->out, "\n%s\n", facts);
	else
		fprintf(summary->terminal->out, "%*s%s\n", (int)(width - used), "", facts);
	summary->n_lines += 1 + is_two_lines;
}

/* Of the clock; measured waits are not, though the samples taken in them are. */
static uint64_t sampled_ns(const struct report *report)
{
	const struct tree_metrics *all = &report->totals.all;
	uint64_t sum_ns = all->sampled_ns;

	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		sum_ns += tree_is_measured(&report->profile, i) ? 0 : all->time_ns[i];
	return sum_ns;
}

/* Native threads have no part in the causes and the efficiency. */
static void put_others(struct summary *summary)
{
	const struct report_totals *totals = &summary->report->totals;
	char text[160], count[TEXT_NUMBER_BYTES], cpu[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	if (!has_others(summary->report))
		return;
	snprintf(text, sizeof(text),
		"and %s thread%s beside OpenMP's: %s of %s s CPU time (--by thread)",
		text_count(count, totals->n_native_threads), plural(totals->n_native_threads),
		text_seconds(cpu, totals->native_cpu_ns), text_seconds(all, totals->cpu_ns));
	text_cut(text, summary->terminal->width);
	fprintf(summary->terminal->out, "%s\n", text);
	summary->n_lines++;
}

static void put_sampling(struct summary *summary)
{
	const struct report *report = summary->report;
	const struct report_totals *totals = &report->totals;
	uint64_t samples = totals->all.samples, time_ns = sampled_ns(report);
	char count[TEXT_NUMBER_BYTES], lost[TEXT_NUMBER_BYTES], cost[TEXT_NUMBER_BYTES];
	char rate[64] = "", taken[256], own[64], clock[32];
	int is_one_line;

	text_clean(clock, sizeof(clock), report->profile.header.clock_name);
	if (report->is_event)
		snprintf(rate, sizeof(rate), " (clock %s)", clock);
	else if (time_ns)
		snprintf(rate, sizeof(rate), " (%.0f/s of %s time)",
			(double)samples * 1e9 / (double)time_ns,
			report->profile.header.clock_kind == PROFILE_CLOCK_WALL ? "wall" : "CPU");
	snprintf(taken, sizeof(taken), "%s sample%s%s, %s %% lost", text_count(count, samples),
		plural(samples), rate,
		text_percent(lost, totals->n_lost, totals->n_lost + samples));
	text_cut(taken, summary->terminal->width);
	snprintf(own, sizeof(own), "cost %s%s",
		totals->handler_ns ? text_percent(cost, totals->handler_ns, totals->cpu_ns)
				   : "not known",
		totals->handler_ns ? " % of CPU time" : "");
	is_one_line = text_width(taken) + 2 + text_width(own) <= (size_t)summary->terminal->width;
	fprintf(summary->terminal->out, "%s%s%s\n", taken, is_one_line ? ", " : "\n", own);
	put_others(summary);
	fputc('\n', summary->terminal->out);
	summary->n_lines += is_one_line ? 2 : 3;
}

static int is_place(const struct name_label *label)
{
	return label->kind == NAME_FUNCTION || names_is_construct(label->kind);
}

static const struct table_options all_rows = TABLE_OPTIONS_DEFAULT;

/* Some entries of the list of functions. */
struct entries {
	const struct summary *summary;
	uint32_t nodes[FUNCTIONS_MOST];
};

static void fill_entry(const void *data, size_t index, struct table_row *row)
{
	const struct entries *entries = data;
	const struct flat *flat = &entries->summary->flat;
	uint32_t node = entries->nodes[index];

	struct tree_metrics total = name_totals_get(&flat->totals, node);
	struct tree_metrics self = name_self(&flat->names, node);

	node_set_figures(row, entries->summary->report, &total, &self);
	node_set_label(row, &flat->names.nodes[node], self.n_executions);
}

static int put_entries(
	const struct entries *entries, size_t n, const char *fields, const char *title)
{
	const struct table table = {
		.columns = node_columns,
		.fields = fields,
		.title = title,
		.what = "function",
		.n_rows = n,
		.fill = fill_entry,
		.data = entries,
	};

	return table_print(&table, &all_rows, entries->summary->terminal);
}

/* Whether the entry is code with time of its own. */
static int is_listed(const struct flat *flat, uint32_t i)
{
	struct tree_metrics self = name_self(&flat->names, i);

	return is_place(&flat->names.nodes[i].label) && node_has_figures(&self);
}

/* Prints the first functions by their own time, and how many there are besides. */
static void put_functions(struct summary *summary)
{
	const struct flat *flat = &summary->flat;
	const struct report *report = summary->report;
	struct entries entries = { .summary = summary };
	size_t n = 0;

	if (summary->layout.n_functions == 0)
		return;
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	for (size_t i = 0; i < flat->n_order && n < summary->layout.n_functions; i++) {
		if (is_listed(flat, flat->order[i]))
			entries.nodes[n++] = flat->order[i];
	}
	put_entries(&entries, n,
		report->is_event ? "self%,self_events,name,place" : "self%,self,name,place",
		report->is_event || report->metrics.has_waits
			? "top functions (ompprof report --flat)"
			: "top functions, % of sampled time (ompprof report --flat)");
	if (summary->layout.n_more_functions)
		fprintf(summary->terminal->out, "(%zu more function%s)\n",
			summary->layout.n_more_functions, plural(summary->layout.n_more_functions));
}

static size_t count_functions(const struct flat *flat)
{
	size_t n = 0;

	for (size_t i = 0; i < flat->n_order; i++)
		n += is_listed(flat, flat->order[i]);
	return n;
}

static uint64_t total_of(const struct summary *summary, uint32_t i)
{
	struct tree_metrics total = name_totals_get(&summary->flat.totals, i);

	return report_metric(summary->report, &total, METRIC_TOTAL);
}

/* The regions with most time in all, largest first, into `best`. Returns how many there are. */
static size_t find_regions(const struct summary *summary, uint32_t best[REGIONS_MOST])
{
	const struct flat *flat = &summary->flat;
	size_t n = 0, n_best = 0;

	for (uint32_t i = 1; i < flat->names.n_nodes; i++) {
		uint64_t amount = total_of(summary, i);
		size_t at = n_best;

		if (flat->names.nodes[i].label.kind != NAME_REGION || amount == 0)
			continue;
		n++;
		for (; at > 0 && amount > total_of(summary, best[at - 1]); at--)
			if (at < REGIONS_MOST)
				best[at] = best[at - 1];
		if (at < REGIONS_MOST)
			best[at] = i;
		n_best = n_best < REGIONS_MOST ? n_best + 1 : n_best;
	}
	return n;
}

static void put_regions(struct summary *summary, const uint32_t *best)
{
	const struct report *report = summary->report;
	struct entries entries = { .summary = summary };

	if (summary->layout.n_regions == 0)
		return;
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	memcpy(entries.nodes, best, summary->layout.n_regions * sizeof(*best));
	put_entries(&entries, summary->layout.n_regions,
		report->is_event ? "total%,events,name,place" : "total%,work,wait,name,place",
		report->is_event ? "top regions (ompprof report --tree)"
				 : "top regions, % of sampled time (ompprof report --tree)");
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Warning i as it is shown, in the buffer: in one line if it cannot be `whole`. */
static void make_warning(
	const struct summary *summary, size_t i, int whole, char *clean, size_t clean_bytes)
{
	size_t width = summary->terminal->width - strlen("warning: ");
	char text[WARNING_BYTES];

	text_clean(clean, clean_bytes, report_warning(summary->report, i, text, sizeof(text)));
	if (whole || text_width(clean) <= width)
		return;
	/* What follows a semicolon says what comes of it, and can be spared. */
	if (strstr(clean, "; "))
		*strstr(clean, "; ") = '\0';
	text_cut(clean, width);
}

/* Prints a warning, on a second line what does not fit on the first. Returns how many it took. */
static size_t put_warning(struct terminal *terminal, const char *clean)
{
	size_t width = terminal->width - strlen("warning: "), columns = 0, end = 0;
	char rest[WARNING_BYTES];

	for (size_t i = 0; clean[i] && columns <= width; i++) {
		columns += ((unsigned char)clean[i] & 0xc0) != 0x80;
		if (clean[i] == ' ' && columns <= width + 1)
			end = i;
	}
	if (columns <= width || end == 0)
		end = strlen(clean);
	fprintf(terminal->out, "%swarning:%s %.*s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), (int)end, clean);
	if (!clean[end])
		return 1;
	snprintf(rest, sizeof(rest), "%s", clean + end + 1);
	text_cut(rest, width);
	fprintf(terminal->out, "%9s%s\n", "", rest);
	return 2;
}

static void put_warnings(struct summary *summary)
{
	size_t n_shown = summary->layout.n_warnings, n_spare = summary->layout.n_wraps;
	char clean[WARNING_BYTES];

	for (size_t i = 0; i < n_shown; i++) {
		if (i + 1 == n_shown && summary->n_warnings > n_shown)
			snprintf(clean, sizeof(clean), "and %zu more: 'ompprof report --warnings'",
				summary->n_warnings - i);
		else
			make_warning(summary, i, n_spare > 0, clean, sizeof(clean));
		n_spare -= put_warning(summary->terminal, clean) - 1;
	}
}

/* How many warnings are too long for a line. */
static size_t count_long(const struct summary *summary, size_t n)
{
	size_t width = summary->terminal->width - strlen("warning: "), n_long = 0;
	char clean[WARNING_BYTES];

	for (size_t i = 0; i < n; i++) {
		make_warning(summary, i, 1, clean, sizeof(clean));
		n_long += text_width(clean) > width;
	}
	return n_long;
}

/* Shares the lines below the table of classes out: a few for each part, then what each wants. */
static void lay_out(struct summary *summary, size_t n_regions)
{
	struct layout *layout = &summary->layout;
	size_t n_functions = count_functions(&summary->flat);
	/* Less the headings and a line that says how many more functions there are. */
	size_t used = summary->n_lines + 1 + (n_functions > 0) + (n_regions > 0);
	size_t space = SCREEN_LINES > used ? SCREEN_LINES - used : 0;

	layout->n_functions = least(n_functions, FUNCTIONS_LEAST);
	layout->n_regions = least(n_regions, REGIONS_MOST);
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	while (layout->n_functions + layout->n_regions + layout->n_warnings > space) {
		size_t *least_needed = layout->n_regions > 1     ? &layout->n_regions
				       : layout->n_warnings > 1  ? &layout->n_warnings
				       : layout->n_functions > 1 ? &layout->n_functions
				       : layout->n_regions > 0   ? &layout->n_regions
				       : layout->n_functions > 0 ? &layout->n_functions
								 : &layout->n_warnings;
		if (*least_needed == 0)
			break;
		--*least_needed;
	}
	if (space < layout->n_functions + layout->n_regions + layout->n_warnings)
		space = layout->n_functions + layout->n_regions + layout->n_warnings;
	space -= layout->n_functions + layout->n_regions + layout->n_warnings;
	layout->n_wraps = least(least(count_long(summary, layout->n_warnings), WRAPS), space);
	space -= layout->n_wraps;
	if (space >= 2) {
		layout->has_blanks = 1;
		space -= 2;
	}
	while (space > 0 && layout->n_functions < least(n_functions, FUNCTIONS_MOST)) {
		layout->n_functions++;
		space--;
	}
	layout->n_more_functions = n_functions - layout->n_functions;
	layout->n_warnings = least(summary->n_warnings, layout->n_warnings + space);
}

/*
 * Lines of the measured parts and the warnings: a blank one, the table of causes with its heading, a
 * blank one, the advice with its heading and last line.
 */
static size_t count_measured(const struct layout *layout)
{
	size_t advice = layout->n_advice ? 2 + 2 * layout->n_advice : !layout->is_filtered;

	return (layout->has_blanks ? 2 : 0) + 1 + layout->n_causes + advice + layout->n_warnings;
}

/* What to fix first and warnings go before small causes; functions take what is left. */
static void lay_out_measured(struct summary *summary)
{
	struct layout *layout = &summary->layout;
	size_t n_causes = view_count_causes(&summary->report->metrics);
	size_t n_functions = count_functions(&summary->flat), space, least_warnings;

	space = SCREEN_LINES - summary->n_lines;
	layout->has_blanks = 1;
	layout->n_causes = least(n_causes, CAUSES_LEAST);
	layout->is_filtered = view_count_filters(summary->report) > 0;
	layout->n_advice = layout->is_filtered ? 0 : summary->report->advice.n;
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	least_warnings = least(layout->n_warnings, 2);
	while (count_measured(layout) > space) {
		if (layout->n_advice > ADVICE_LEAST)
			layout->n_advice--;
		else if (layout->n_warnings > least_warnings)
			layout->n_warnings--;
		else if (layout->has_blanks)
			layout->has_blanks = 0;
		else if (layout->n_advice > 1)
			layout->n_advice--;
		else if (layout->n_causes > CAUSES_FEWEST)
			layout->n_causes--;
		else if (layout->n_warnings > 0)
			layout->n_warnings--;
		else
			break;
	}
	if (space < count_measured(layout))
		space = count_measured(layout);
	space -= count_measured(layout);
	while (space > 0 && layout->n_warnings < summary->n_warnings) {
		layout->n_warnings++;
		space--;
	}
	layout->n_wraps = least(least(count_long(summary, layout->n_warnings), WRAPS), space);
	space -= layout->n_wraps;
	while (space > 0 && layout->n_causes < n_causes) {
		layout->n_causes++;
		space--;
	}
	/* A blank line, the heading, and how many more there are. */
	if (space >= FUNCTIONS_LEAST + 3)
		layout->n_functions = least(least(n_functions, FUNCTIONS_MOST), space - 3);
	layout->n_more_functions = layout->n_functions ? n_functions - layout->n_functions : 0;
}

static void put_measured(struct summary *summary)
{
	struct terminal *terminal = summary->terminal;
	struct cause_rows causes;

	view_put_efficiency(terminal, &summary->report->metrics);
	summary->n_lines++;
	lay_out_measured(summary);
	if (summary->layout.has_blanks)
		fputc('\n', terminal->out);
	view_list_causes(&causes, summary->report, summary->layout.n_causes);
	view_print_causes(&causes, &all_rows, terminal);
	if (summary->layout.has_blanks && !summary->layout.is_filtered)
		fputc('\n', terminal->out);
	if (!summary->layout.is_filtered)
		view_put_advice(terminal, summary->report, summary->layout.n_advice);
	put_functions(summary);
}

static void put_processes(struct summary *summary, size_t n_most)
{
	if (summary->report->job.n_counted < 2)
		return;
	summary->n_lines += view_put_processes(summary->terminal, summary->report, n_most);
	fputc('\n', summary->terminal->out);
	summary->n_lines++;
}

static void put_sampled(struct summary *summary)
{
	uint32_t best[REGIONS_MOST];
	struct cause_rows classes;

	view_list_classes(&classes, summary->report, 0);
	view_print_causes(&classes, &all_rows, summary->terminal);
	summary->n_lines += classes.n + 2;
	lay_out(summary, find_regions(summary, best));
	put_functions(summary);
	put_regions(summary, best);
}

/* For programs: where the time went, and nothing else. */
static int print_csv(
	const struct report *report, const struct table_options *options, struct terminal *terminal)
{
	struct cause_rows causes;

	if (is_measured(report))
		view_list_causes(&causes, report, SIZE_MAX);
	else
		view_list_classes(&causes, report, 1);
	return view_print_causes(&causes, options, terminal);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct summary summary = { .report = report, .terminal = terminal };
	char text[WARNING_BYTES];

	if (options->table.is_csv)
		return print_csv(report, &options->table, terminal);
	if (flat_make(&summary.flat, report, flat_by_function) != 0) {
		flat_release(&summary.flat);
		return -1;
	}
	/* Each is found anew: of a program with any number of objects only so many are counted. */
	while (summary.n_warnings < WARNINGS_MOST &&
		report_warning(report, summary.n_warnings, text, sizeof(text)))
		summary.n_warnings++;
	summary.n_lines = view_count_filters(report) + view_count_phases(report);
	put_run(&summary);
	put_sampling(&summary);
	put_processes(&summary, is_measured(report) ? PROCESSES_MOST : PROCESSES_SAMPLED);
	if (is_measured(report))
		put_measured(&summary);
	else
		put_sampled(&summary);
	put_warnings(&summary);
	flat_release(&summary.flat);
	return 0;
}

const struct view view_summary = {
	.name = "summary", .columns = cause_columns, .filters = FILTER_ALL, .print = print
};
