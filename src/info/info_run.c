/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: the run, its threads, modules and environment; see info.h. */
#include "src/info/info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "profile/shared/event_names.h"
#include "src/report/phases.h"
#include "src/report/report.h"
#include "src/report/report_json.h"
#include "src/text/text.h"
#include "src/findings/report_runtime.h"
#include "src/text/signal_name.h"

enum { COLUMNS = 80, LABEL_COLUMNS = 12 };

/* Prints a line, printf-style, after its label. */
static void __attribute__((format(printf, 2, 3))) put(const char *label, const char *format, ...)
{
	va_list args;

	printf("%-*s", LABEL_COLUMNS, label);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void put_clean(const char *label, const char *text)
{
	char clean[4096];

	text_clean(clean, sizeof(clean), text);
	if (clean[0])
		put(label, "%s", clean);
}

static void put_words(const char *label, char *const *words, size_t n)
{
	size_t column = LABEL_COLUMNS;

	printf("%-*s", LABEL_COLUMNS, label);
	for (size_t i = 0; i < n; i++) {
		char clean[4096];
		size_t width;

		text_clean(clean, sizeof(clean), words[i]);
		width = text_width(clean);
		if (i && column + 1 + width > COLUMNS) {
			printf("\n%*s", LABEL_COLUMNS, "");
			column = LABEL_COLUMNS;
		} else if (i) {
			putchar(' ');
			column++;
		}
		fputs(clean, stdout);
		column += width;
	}
	putchar('\n');
}

/* Prints a sentence in lines of COLUMNS, indented. */
static void put_sentence(char *text)
{
	char clean[4096];

	text_clean(clean, sizeof(clean), text);
	fputs("  ", stdout);
	text_put(stdout, clean, (struct text_lines){ COLUMNS, 2, 4 });
}

static void print_file(const struct info *info)
{
	const struct profile *profile = info->profile;

	char tool[64];

	text_clean(tool, sizeof(tool), profile->header.tool);
	put_clean("Profile", info->path);
	put("", "%" PRIu64 " bytes, format version %u, by ompprof %s", profile->file_bytes,
		profile->header.version, tool);
	if (profile->is_truncated)
		put("", "truncated: part of the file is missing");
	if (profile->n_dropped)
		put("", "damaged: %zu records made no sense and were left out", profile->n_dropped);
}

static void print_rank(const struct profile_header *header)
{
	if (header->around.rank && header->around.n_ranks)
		put("Rank", "%u of %u", header->around.rank - 1, header->around.n_ranks);
	else if (header->around.rank)
		put("Rank", "%u", header->around.rank - 1);
}

/*
 * For an incomplete profile: the sum over threads of the time since the thread last read how long
 * it had waited for a CPU.
 */
static uint64_t unknown_delay_ns(const struct profile *profile)
{
	uint64_t end_ns = profile->header.last_ns, sum_ns = 0;

	for (size_t i = 0; i < profile->n_threads; i++) {
		uint64_t at_ns = profile->threads[i].more.run_delay_at_ns;

		if (at_ns && at_ns < end_ns && end_ns - at_ns < PROFILE_MOST_NS - sum_ns)
			sum_ns += end_ns - at_ns;
	}
	return sum_ns;
}

static void print_time(const struct profile *profile)
{
	const struct profile_header *header = &profile->header;
	time_t seconds = (time_t)(header->start_realtime_ns / 1000000000);
	char number[TEXT_NUMBER_BYTES], date[64] = "not known";
	uint64_t wall_ns = header->end_ns ? header->end_ns : header->last_ns;
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm);
	put("Begun", "%s", date);
	if (header->flags & PROFILE_COMPLETE) {
		put("Lasted", "%s s, complete", text_seconds(number, wall_ns));
	} else {
		if (wall_ns)
			put("Lasted", "%s s up to the last known moment, incomplete:",
				text_seconds(number, wall_ns));
		else
			put("Lasted", "%s", "not known, incomplete:");
		put("", "the program was killed, crashed, or still runs");
		if (unknown_delay_ns(profile))
			put("", "waits for a CPU in the last %s thread-s are not known",
				text_seconds(number, unknown_delay_ns(profile)));
	}
	if (header->cpu_before_ns >= 10000000)
		put("", "%s s of CPU time had been used before the profile began",
			text_seconds(number, header->cpu_before_ns));
	if (header->usage.peak_bytes)
		put("",
			"%s s of CPU time in the kernel, %" PRIu64
			" page faults, at most %.1f MB of memory",
			text_seconds(number, header->usage.system_ns), header->usage.n_faults,
			(double)header->usage.peak_bytes / 1e6);
	if (header->flags & PROFILE_SPACE_OUT)
		put("", "the file could not grow: what came later is missing in part");
}

static void print_control(const struct profile *profile)
{
	const struct profile_header *header = &profile->header;
	char number[TEXT_NUMBER_BYTES];

	if (header->n_pauses)
		put("Paused", "%s s in %u pause%s%s", text_seconds(number, header->paused_ns),
			header->n_pauses, text_plural(header->n_pauses),
			header->flags & PROFILE_PAUSED ? ", up to the end" : "");
	if (header->flags & PROFILE_ENDED)
		put("Ended", "%s, which went on",
			header->flags & PROFILE_LOCKED_DOWN ? "before a prctl(2) of the program"
							    : "by the program");
	for (size_t i = 0; i < profile->n_phases; i++) {
		char name[4096], clean[4096];

		phases_name(name, sizeof(name), profile, i);
		text_clean(clean, sizeof(clean), name);
		if (isatty(STDOUT_FILENO))
			text_cut(clean, COLUMNS - LABEL_COLUMNS - 28);
		put(i ? "" : "Phases", "%s: %" PRIu64 " time%s, %s s", clean, profile->phases[i].n,
			text_plural(profile->phases[i].n),
			text_seconds(number, profile->phases[i].own_ns));
	}
}

static void print_runtime(const struct profile *profile)
{
	const struct profile_header *header = &profile->header;
	const char *libgomp = report_libgomp(profile);

	if (header->flags & PROFILE_OTHER_TOOL)
		put("OpenMP", "the program has a tool of its own");
	else if (!(header->flags & PROFILE_OMPT_STARTED))
		put("OpenMP", "no runtime started ompprof");
	else if (header->runtime[0])
		put_clean("OpenMP", header->runtime);
	else
		put("OpenMP", "a runtime without a name");
	put_clean("", report_runtime_path(profile));
	if (report_has_provider(profile))
		put("", "told by " RUN_PROVIDER_FILE);
	if (report_is_exchanged(profile))
		put("", "in the place of GCC's libgomp, for which the program is built");
	if (libgomp) {
		put("", "GCC's libgomp, without regions and waits:");
		put_clean("", libgomp);
	}
}

static void print_python(const struct profile_header *header)
{
	uint32_t version = header->usage.python;
	int is_unread = (header->flags & PROFILE_PYTHON_UNREAD) != 0;

	if (version)
		put("Python", "%u.%u.%u%s", version >> 24, version >> 16 & 0xff,
			version >> 8 & 0xff, is_unread ? ", of which no frames are read" : "");
	else if (is_unread)
		put("Python", "before 3.11, of which no frames are read");
	if (header->usage.n_python_lost)
		put("", "%u paths with the interpreter's functions, not Python's",
			header->usage.n_python_lost);
}

/* The frequency that comes out depends on the kernel's tick and on how clocks share the work. */
static void print_frequency(const struct info *info)
{
	const struct info_cost *cost = &info->cost;

	put("", "%u Hz asked for", info->profile->header.frequency_hz);
	if (info->profile->header.clock_kind == PROFILE_CLOCK_CPU && cost->own.cpu_ns >= 100000000)
		put("", "%.0f samples a second of CPU time taken",
			1e9 * (double)cost->n_samples / (double)cost->own.cpu_ns);
}

static void print_clock(const struct info *info)
{
	const struct profile_header *header = &info->profile->header;
	static const char *const kinds[] = { "time", "CPU time of the thread", "wall-clock time",
		"events" };
	const char *kind = kinds[header->clock_kind < 4 ? header->clock_kind : 0];
	const char *signal = signal_name((int)header->signal);
	char clean[64];

	text_clean(clean, sizeof(clean), header->clock_name);
	if (header->clock_kind == PROFILE_CLOCK_CPU && header->frequency_hz)
		put("Clock", "%s: samples by %s", clean, kind);
	else if (header->clock_kind != PROFILE_CLOCK_EVENT)
		put("Clock", "%s: a sample every %" PRIu64 " us of %s", clean,
			header->period / 1000, kind);
	else if (!header->period)
		put("Clock", "%s: the kernel chooses how many events of the thread are a sample",
			clean);
	else if (header->period == 1)
		put("Clock", "%s: a sample at every event of the thread", clean);
	else
		put("Clock", "%s: a sample every %" PRIu64 " events of the thread", clean,
			header->period);
	if (report_json_is_by_frequency(header))
		print_frequency(info);
	text_clean(clean, sizeof(clean), header->walker);
	put("Signal", "%s%s (%u)", signal ? "SIG" : "number", signal ? signal : "", header->signal);
	put("Walker", "%s", clean);
}

/*
 * Prints which events were to be counted, and which of them the runtime never reports, or not
 * always.
 */
static void print_counted(const struct profile_header *header)
{
	char words[64][64], *pointers[64];
	size_t n = 0;

	for (uint32_t k = 0; k < 64; k++) {
		const char *what = "", *name = event_name(k);

		if (!(header->counted.asked >> k & 1) || !name)
			continue;
		if (header->counted.never >> k & 1)
			what = " (never reported)";
		else if (header->counted.sometimes >> k & 1)
			what = " (not always reported)";
		snprintf(words[n], sizeof(words[n]), "%s%s,", name, what);
		pointers[n] = words[n];
		n++;
	}
	if (!n)
		return;
	pointers[n - 1][strlen(pointers[n - 1]) - 1] = '\0';
	put_words("Counted", pointers, n);
}

void info_print_run(const struct info *info)
{
	const struct profile_header *header = &info->profile->header;
	char host[128];

	print_file(info);
	put_words("Command", info->profile->args, info->profile->n_args);
	if (profile_label(info->profile)[0])
		put_clean("Label", profile_label(info->profile));
	put_clean("Executable", info->profile->program.exe);
	put_clean("Folder", info->profile->program.cwd);
	text_clean(host, sizeof(host), header->host);
	put("Host", "%s, %u CPUs for the process, pid %u", host, header->n_cpus, header->pid);
	print_rank(header);
	print_time(info->profile);
	print_control(info->profile);
	print_runtime(info->profile);
	print_python(&info->profile->header);
	print_clock(info);
	print_counted(header);
	put_clean("Note", header->note);
}

void info_print_warnings(const struct info *info)
{
	char text[4096];
	size_t i;

	puts("\nWarnings");
	for (i = 0; report_warning(&info->report, i, text, sizeof(text)); i++)
		put_sentence(text);
	if (i == 0)
		puts("  none");
}

uint64_t info_sum(const uint64_t *numbers, size_t n)
{
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += numbers[i];
	return total;
}

const char *info_thread_type(const struct profile_thread *thread)
{
	static const char *const types[] = { "-", "initial", "worker", "other" };

	if (profile_is_helper(thread))
		return "helper";
	return profile_is_native(thread) ? "native" : types[thread->type < 4 ? thread->type : 0];
}

static void print_thread(const struct profile_thread *thread)
{
	char alive[TEXT_NUMBER_BYTES], cpu[TEXT_NUMBER_BYTES], samples[TEXT_NUMBER_BYTES];
	char lost[TEXT_NUMBER_BYTES], cut[TEXT_NUMBER_BYTES], name[64];

	text_clean(name, sizeof(name), thread->name);
	text_seconds(alive, profile_life_ns(thread, thread->last_ns));
	text_seconds(cpu, thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : 0);
	text_count(samples, thread->n_samples);
	text_count(lost, info_sum(thread->lost, PROFILE_N_LOSSES));
	text_count(cut, info_sum(thread->ends + 1, PROFILE_WALK_N_ENDS - 1));
	printf("%6u %8u %-8s %7s %7s %8s %7s %7s %-6s %s\n", thread->index, thread->tid,
		info_thread_type(thread), alive, cpu, samples, lost, cut,
		thread->flags & 1 ? "yes" : "no", name);
}

void info_print_threads(const struct info *info)
{
	const struct profile *profile = info->profile;

	printf("\nThreads\n%6s %8s %-8s %7s %7s %8s %7s %7s %-6s %s\n", "no.", "tid", "type",
		"alive s", "cpu s", "samples", "lost", "cut", "ended", "name");
	for (size_t i = 0; i < profile->n_threads; i++)
		print_thread(&profile->threads[i]);
	if (!profile->n_threads)
		puts("  none");
}

static void print_module(const struct profile_module *module)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} flags[] = {
		{ PROFILE_MODULE_MAIN, " (executable)" },
		{ PROFILE_MODULE_RUNTIME, " (OpenMP runtime)" },
		{ PROFILE_MODULE_TOOL, " (ompprof)" },
		{ PROFILE_MODULE_VDSO, " (no file)" },
		{ PROFILE_MODULE_CUT, " (path is cut)" },
		{ PROFILE_MODULE_FOR_LIBGOMP, " (for libgomp)" },
		{ PROFILE_MODULE_PYTHON, " (Python function)" },
	};
	char path[1024];

	text_clean(path, sizeof(path), module->path);
	printf("  %s", path[0] ? path : "(no name)");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (module->flags & flags[i].flag)
			fputs(flags[i].text, stdout);
	}
	printf("\n    %012" PRIx64 "-%012" PRIx64 "  ", module->start, module->end);
	for (uint32_t i = 0; i < module->build_id_bytes; i++)
		printf("%02x", module->build_id[i]);
	puts(module->build_id_bytes ? "" : "no build-id");
}

void info_print_modules(const struct info *info)
{
	puts("\nModules (addresses, build-id)");
	for (size_t i = 0; i < info->profile->n_modules; i++)
		print_module(&info->profile->modules[i]);
	if (!info->profile->n_modules)
		puts("  none");
}

void info_print_environment(const struct info *info)
{
	puts("\nEnvironment");
	for (size_t i = 0; i < info->profile->n_env; i++) {
		char clean[4096];

		text_clean(clean, sizeof(clean), info->profile->env[i]);
		printf("  %s\n", clean);
	}
	if (!info->profile->n_env)
		puts("  no variable that concerns OpenMP or ompprof");
}
