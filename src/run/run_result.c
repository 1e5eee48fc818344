/* SPDX-License-Identifier: Apache-2.0 */
/* The messages after the program has ended; see run.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/reader/reader.h"
#include "profile/shared/folder.h"
#include "src/text/message.h"
#include "src/run/run.h"
#include "src/findings/report_runtime.h"
#include "src/text/signal_name.h"
#include "src/text/text.h"

/* The CPU time of which a run may have less without a line that says so. */
#define UNPROFILED_LEAST_S 0.1

/* How often to look for the other ranks of a job, and the pause between: half a second in all. */
enum { AWAIT_TIMES = 50, AWAIT_US = 10000 };

/* Says why a program has no regions, unless that was said at the start. */
static void explain_no_openmp(
	const struct profile *profile, const struct run_runtime *runtime, const char *word)
{
	const char *libgomp = report_libgomp(profile);

	if (runtime->reason[0] && runtime->program[0])
		return;
	if (profile->header.flags & PROFILE_OTHER_TOOL)
		message("'%s' has an OpenMP tool of its own: its threads were sampled, there are "
			"no regions",
			word);
	else if (!libgomp)
		message("'%s' started no OpenMP runtime: its threads were sampled, there are no "
			"regions",
			word);
	else if (runtime->how == RUN_RUNTIME_PLAIN)
		message("'%s' ran on GCC's libgomp: its threads were sampled, there are no regions "
			"and waits",
			word);
	else
		message("'%s' executed no OpenMP construct on GCC's libgomp, '%s', or none that "
			"ompprof can see: its threads were sampled, there are no regions and waits",
			word, libgomp);
}

/* Sums over all processes of the run, for the last line. */
struct result {
	uint64_t n_samples;
	uint64_t n_threads;
	uint64_t file_bytes;
	/* since the epoch: from the first process's begin to the last one's end */
	uint64_t begin_ns, end_ns;
	size_t n_ranks;   /* of which there are files; one rank may have several */
	size_t n_running; /* processes */
};

static uint64_t end_of(const struct profile_header *header)
{
	return header->end_ns ? header->end_ns : header->last_ns;
}

static struct result sum_up(const struct profile_list *list, const struct run_output *output)
{
	struct result result = { .begin_ns = UINT64_MAX,
		.n_running = run_count_processes(output->run_id) };

	for (size_t i = 0; i < list->n; i++) {
		const struct profile_entry *entry = &list->entries[i];
		uint64_t begin_ns = entry->header.start_realtime_ns;

		result.n_samples += entry->n_samples;
		result.n_threads += entry->n_threads;
		result.file_bytes += entry->file_bytes;
		result.n_ranks +=
			entry->header.around.rank != 0 &&
			(i == 0 || entry[-1].header.around.rank != entry->header.around.rank);
		if (begin_ns < result.begin_ns)
			result.begin_ns = begin_ns;
		if (begin_ns + end_of(&entry->header) > result.end_ns)
			result.end_ns = begin_ns + end_of(&entry->header);
	}
	return result;
}

/* ", incomplete (...)" if the tool did not reach its end. */
static void describe_end(char *text, size_t text_bytes, int is_complete, const struct run_end *end)
{
	const char *name = WIFSIGNALED(end->status) ? signal_name(WTERMSIG(end->status)) : NULL;

	if (is_complete)
		text[0] = '\0';
	else if (name)
		snprintf(text, text_bytes, ", incomplete (killed by SIG%s)", name);
	else if (WIFSIGNALED(end->status))
		snprintf(text, text_bytes, ", incomplete (killed by signal %d)",
			WTERMSIG(end->status));
	else
		snprintf(text, text_bytes,
			", incomplete (its exit was not seen: _exit, a signal or exec)");
}

static const char *plural(uint64_t n, const char *one, const char *more)
{
	return n == 1 ? one : more;
}

/* "8 ranks", "3 processes", or both; "" for one process. */
static void describe_processes(
	char *text, size_t text_bytes, const struct profile_list *list, const struct result *result)
{
	size_t used = 0;

	text[0] = '\0';
	if (result->n_ranks > 1)
		used = (size_t)snprintf(text, text_bytes, "%zu ranks, ", result->n_ranks);
	if (list->n > 1 && result->n_ranks != list->n)
		snprintf(text + used, text_bytes - used, "%zu processes, ", list->n);
}

static void say_running(const struct result *result)
{
	if (result->n_running)
		message("%zu process%s of it still run%s: the profile continues until the end",
			result->n_running, plural(result->n_running, "", "es"),
			plural(result->n_running, "s", ""));
}

/*
 * Whether the process reached its end. If it executed other programs, the profile of the last
 * program tells.
 */
static int has_end(const struct profile_list *list, const struct profile_entry *entry)
{
	const struct profile_header *last = &entry->header;

	for (size_t i = 0; i < list->n; i++) {
		const struct profile_header *other = &list->entries[i].header;

		if (other->pid == last->pid && strcmp(other->host, last->host) == 0 &&
			other->start_realtime_ns > last->start_realtime_ns)
			last = other;
	}
	return (last->flags & PROFILE_COMPLETE) != 0;
}

static void print_line(const struct run_options *options, const struct run_output *output,
	const struct profile_list *list, const struct run_end *end)
{
	struct result result = sum_up(list, output);
	const struct profile_entry *most = &list->entries[profile_list_most(list)];
	int is_default = strcmp(options->output, PROFILE_DEFAULT_FOLDER) == 0;
	int is_whole = result.n_running || has_end(list, most);
	char processes[64], how[64], runs[48] = "";

	if (list->n_runs > 1)
		snprintf(runs, sizeof(runs), "%zu runs, the median: ", list->n_runs);
	describe_processes(processes, sizeof(processes), list, &result);
	describe_end(how, sizeof(how), is_whole, end);
	message("%s%s%llu sample%s, %llu thread%s, %.3g s%s -> %s (%llu kB); view with: ompprof "
		"report%s%s",
		runs, processes, (unsigned long long)result.n_samples,
		plural(result.n_samples, "", "s"), (unsigned long long)result.n_threads,
		plural(result.n_threads, "", "s"), (double)(result.end_ns - result.begin_ns) / 1e9,
		how, options->output, (unsigned long long)(result.file_bytes + 1023) / 1024,
		is_default ? "" : " -i ", is_default ? "" : options->output);
	say_running(&result);
}

/* The CPU time of the process, or more than that if it was killed. */
static double cpu_s(const struct profile_entry *entry)
{
	const struct profile_header *header = &entry->header;

	if (header->flags & PROFILE_COMPLETE)
		return (double)header->contention.process_ns / 1e9;
	if (!header->period || header->clock_kind == PROFILE_CLOCK_EVENT)
		return 1e9;
	return 4e-9 * (double)(entry->n_samples + 1) * (double)header->period;
}

/* Says it if most of the CPU time is of programs that have no profile. */
static void say_unprofiled(const struct profile_list *list)
{
	char seconds[TEXT_NUMBER_BYTES];
	double all_s, known_s = 0;
	struct rusage usage;

	if (list->n_runs > 1 || getrusage(RUSAGE_CHILDREN, &usage) != 0)
		return;
	all_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	for (size_t i = 0; i < list->n; i++)
		known_s += cpu_s(&list->entries[i]);
	if (all_s > 2 * known_s + UNPROFILED_LEAST_S)
		message("of %s s of CPU time most were in programs that it started: without "
			"OpenMP they have no profile",
			text_seconds(seconds, (uint64_t)(1e9 * all_s)));
}

static int has_openmp(const struct profile_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->entries[i].header.flags & PROFILE_OMPT_STARTED)
			return 1;
	return 0;
}

static void print_result(const struct run_options *options, const struct run_output *output,
	const struct run_runtime *runtime, const struct profile_list *list, char **argv,
	const struct run_end *end)
{
	struct profile profile = { 0 };
	struct diag diag;

	if (profile_open(&profile, list->entries[profile_list_most(list)].path, &diag) != 0) {
		message_diag(&diag);
		return;
	}
	if (!has_openmp(list)) {
		explain_no_openmp(&profile, runtime, argv[0]);
		if (runtime->how != RUN_RUNTIME_PLAIN)
			say_unprofiled(list);
	}
	print_line(options, output, list, end);
	profile_release(&profile);
}

/* Whether there are as many files as ranks, and no process of the run is left on this host. */
static int is_over(const struct profile_list *list, const struct run_output *output)
{
	return list->n >= output->n_ranks && run_count_processes(output->run_id) == 0;
}

/*
 * Reads what the run has written. Ranks do not end at the same time, so it waits a little for the
 * others. Returns as profile_list_read.
 */
static int read_list(struct profile_list *list, const struct run_output *output, struct diag *diag)
{
	int status = profile_list_read(list, output->path, diag);

	for (int i = 0;
		i < AWAIT_TIMES && output->is_shared && (status != 0 || !is_over(list, output));
		i++) {
		usleep(AWAIT_US);
		profile_list_release(list);
		status = profile_list_read(list, output->path, diag);
	}
	return status;
}

int run_print_result(const struct run_options *options, const struct run_output *output,
	const struct run_runtime *runtime, char **argv, const struct run_end *end)
{
	struct profile_list list;
	struct diag diag;
	int has_profile;

	if (options->is_quiet)
		return 0;
	has_profile = read_list(&list, output, &diag) == 0;
	if (has_profile)
		print_result(options, output, runtime, &list, argv, end);
	else if (run_count_processes(output->run_id))
		message("'%s' wrote no profile yet; processes of it still run", argv[0]);
	else
		message("'%s' wrote no profile: it said why, or is linked statically", argv[0]);
	profile_list_release(&list);
	return has_profile;
}
