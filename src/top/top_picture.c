/* SPDX-License-Identifier: Apache-2.0 */
/* Makes rows of names and sums from a report; see top.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/findings/names_lookup.h"
#include "src/top/top_rows.h"
#include "src/views/view_flat.h"

static uint64_t sum_waits(const struct tree_metrics *self)
{
	uint64_t ns = 0;

	for (int i = PROFILE_WAIT_BARRIER; i < PROFILE_N_CLASSES; i++)
		ns += i == PROFILE_IDLE ? 0 : self->time_ns[i];
	return ns;
}

/* The function of a node: for waits and overhead the code around them. */
static struct name_label function_of(const struct name_tree *names, uint32_t i)
{
	const struct name_node *node = &names->nodes[i];

	while (node->parent != NAMES_NONE &&
		(node->label->kind == NAME_WAIT || node->label->kind == NAME_RUNTIME ||
			node->label->kind == NAME_TRUNCATED))
		node = &names->nodes[node->parent];
	return flat_label(node->label);
}

static int is_code(const struct name_label *label)
{
	return label->kind == NAME_FUNCTION || names_is_construct(label->kind);
}

static int add_functions(struct top_picture *picture, const struct report *report)
{
	const struct name_tree *names = &report->names;
	struct top_rows *rows = &picture->views[TOP_FUNCTIONS];

	for (uint32_t i = 1; i < names->n_nodes; i++) {
		struct tree_metrics self = name_self(names, i);
		uint64_t work = report->is_event ? self.events : self.time_ns[PROFILE_WORK];
		uint64_t waits = sum_waits(&self), overhead = self.time_ns[PROFILE_OVERHEAD];
		struct name_label label;
		struct top_row *row;

		if (!work && !waits && !overhead)
			continue;
		label = function_of(names, i);
		if (!is_code(&label))
			continue;
		row = top_rows_add(rows, label.name, names_base(label.decl_file));
		if (!row)
			return -1;
		row->sums[TOP_FIRST] = work;
		row->sums[TOP_SECOND] = waits;
		row->sums[TOP_THIRD] = overhead;
	}
	return 0;
}

static void print_place(char *text, size_t bytes, const char *file, uint32_t line)
{
	text[0] = '\0';
	if (file && file[0])
		snprintf(text, bytes, "%s:%u", names_base(file), (unsigned)line);
}

static int add_waits(struct top_picture *picture, const struct report *report)
{
	for (size_t i = 0; i < report->figures.n_waits; i++) {
		const struct findings_wait *wait = &report->figures.waits[i];
		char place[256];
		struct top_row *row;

		print_place(place, sizeof(place), wait->place.file, wait->place.line);
		if (!place[0] && wait->label)
			snprintf(place, sizeof(place), "%s", wait->label->name);
		row = top_rows_add(&picture->views[TOP_WAITS], wait->name, place);
		if (!row)
			return -1;
		row->sums[TOP_FIRST] = wait->sum.wait_ns;
		row->sums[TOP_THIRD] = wait->sum.n;
	}
	return 0;
}

static int add_regions(struct top_picture *picture, const struct report *report)
{
	for (size_t i = 0; i < report->figures.n_regions; i++) {
		const struct findings_region *region = &report->figures.regions[i];
		char place[256];
		struct top_row *row;

		print_place(place, sizeof(place), region->label->file, region->label->line);
		row = top_rows_add(&picture->views[TOP_REGIONS], region->label->name, place);
		if (!row)
			return -1;
		row->sums[TOP_FIRST] = region->lost_ns;
		row->sums[TOP_SECOND] = region->sum.wall_ns;
		row->sums[TOP_THIRD] = region->sum.n;
	}
	return 0;
}

static const char *state_of(const struct profile_thread *thread)
{
	const struct profile_now *now = &thread->now;

	if (thread->end_ns)
		return "ended";
	if (findings_is_mutex(now->mutex_kind) && now->mutex_since && !now->mutex_until)
		return findings_wait_name(now->mutex_kind);
	if (now->wait > PROFILE_NO_WAIT && now->wait < PROFILE_N_WAITS)
		return findings_wait_name(now->wait);
	if (now->is_idle)
		return "idle";
	return now->team ? "in a region" : "outside regions";
}

static void add_causes(struct top_picture *picture, const struct metrics_thread *thread)
{
	picture->causes[TOP_USEFUL] += thread->useful_ns;
	picture->causes[TOP_BARRIER] += thread->barrier_ns;
	picture->causes[TOP_TASK] += thread->task_ns;
	picture->causes[TOP_LOCK] += thread->lock_ns;
	picture->causes[TOP_OVERHEAD] += thread->overhead_ns;
	picture->causes[TOP_IDLE] += thread->idle_ns;
	picture->causes[TOP_OFF_CPU] += thread->not_running_ns + thread->blocked_ns;
	picture->causes[TOP_MPI] += thread->mpi_ns;
	picture->causes[TOP_DEVICE] += thread->device_ns;
}

/* A process's number in all readings: of its file and, for a merged file, its begin. */
static uint64_t identify(const struct report_process *process)
{
	return hash_text(HASH_START ^ process->begin_ns ^ process->pid, process->path);
}

/* The process of thread i, and its first thread. Only processes that count have threads. */
static const struct report_process *process_of(
	const struct report *report, size_t i, size_t *first_thread)
{
	const struct profile_process *process = profile_process_of(&report->profile, i);
	size_t left = process ? (size_t)(process - report->profile.processes) : 0;

	*first_thread = process ? process->first_thread : 0;
	for (size_t k = 0; k < report->job.n; k++) {
		if ((report->job.processes[k].is_counted || report->job.n == 1) && left-- == 0)
			return &report->job.processes[k];
	}
	return NULL;
}

/* Adds a thread's sums to its process. */
static void add_to_process(
	struct top_picture *picture, uint64_t identity, const struct top_row *row)
{
	struct top_rows *rows = &picture->views[TOP_PROCESSES];

	for (size_t k = 0; k < rows->n; k++) {
		if (rows->rows[k].identity != identity)
			continue;
		for (int sum = 0; sum < TOP_LIFE; sum++)
			rows->rows[k].sums[sum] += row->sums[sum];
		return;
	}
}

static int add_threads(struct top_picture *picture, const struct report *report)
{
	const struct profile *profile = &report->profile;

	for (size_t i = 0; i < profile->n_threads && i < report->metrics.n_threads; i++) {
		const struct metrics_thread *thread = &report->metrics.threads[i];
		const struct profile_thread *record = &profile->threads[i];
		int is_native = profile_is_native(record);
		char name[128], process[64];
		struct top_row *row;
		size_t first;
		const struct report_process *of = process_of(report, i, &first);
		uint64_t identity = of ? identify(of) : 0;

		names_process(process, sizeof(process), profile, i);
		snprintf(name, sizeof(name), "%u %s%s%s", (unsigned)record->tid,
			report_thread_word(report, i), process[0] ? ", " : "", process);
		row = top_rows_add(&picture->views[TOP_THREADS], name,
			report->starts && report->starts[i] ? report->starts[i] : "");
		if (!row)
			return -1;
		/* Threads of other processes may be inserted until the next reading. */
		row->identity = identity + (i - first);
		row->state = is_native && !record->end_ns ? "native" : state_of(record);
		row->sums[TOP_FIRST] = thread->useful_ns;
		row->sums[TOP_SECOND] = thread->barrier_ns + thread->task_ns + thread->lock_ns +
					thread->idle_ns + thread->device_ns + thread->mpi_ns;
		row->sums[TOP_THIRD] =
			thread->overhead_ns + thread->not_running_ns + thread->blocked_ns;
		row->sums[TOP_LIFE] = thread->total_ns;
		picture->n_threads += !record->end_ns;
		if (profile_is_beside(record))
			continue;
		add_causes(picture, thread);
		add_to_process(picture, identity, row);
	}
	return 0;
}

static int add_process(struct top_picture *picture, const struct report_process *process)
{
	const char *state = process->is_running    ? "running"
			    : process->is_complete ? "ended"
						   : "killed";
	char name[160];
	struct top_row *row;

	if (process->rank)
		snprintf(name, sizeof(name), "rank %u, %u %s", (unsigned)process->rank - 1,
			(unsigned)process->pid, process->program);
	else
		snprintf(name, sizeof(name), "%u %s", (unsigned)process->pid, process->program);
	row = top_rows_add(&picture->views[TOP_PROCESSES], name, process->host);
	if (!row)
		return -1;
	row->state = state;
	row->identity = identify(process);
	row->n_slots = process->n_slots ? process->n_slots : 1;
	row->sums[TOP_LIFE] = process->wall_ns;
	return 0;
}

static int add_processes(struct top_picture *picture, const struct report *report)
{
	for (size_t i = 0; i < report->job.n; i++) {
		const struct report_process *process = &report->job.processes[i];

		picture->n_running += process->is_running != 0;
		if (!process->is_counted && report->job.n > 1)
			continue;
		picture->n_processes++;
		picture->n_counted_running += process->is_running != 0;
		if (process->wall_ns > picture->wall_ns)
			picture->wall_ns = process->wall_ns;
		picture->capacity_ns +=
			process->wall_ns * (process->n_slots ? process->n_slots : 1);
		if (process->program && add_process(picture, process) != 0)
			return -1;
	}
	return 0;
}

static void add_events(struct top_picture *picture, const struct report *report)
{
	if (!report->is_event)
		return;
	snprintf(picture->event, sizeof(picture->event), "%s", report->profile.header.clock_name);
	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		picture->n_events += report->totals.events[i];
}

static void print_command(struct top_picture *picture, const struct report *report)
{
	size_t at = 0;

	for (size_t i = 0; i < report->profile.n_args && at + 1 < sizeof(picture->command); i++)
		at += (size_t)snprintf(picture->command + at, sizeof(picture->command) - at, "%s%s",
			i ? " " : "",
			i ? report->profile.args[i] : names_base(report->profile.args[i]));
}

int top_picture_make(struct top_picture *picture, const struct report *report)
{
	*picture = (struct top_picture){ 0 };
	print_command(picture, report);
	add_events(picture, report);
	if (add_functions(picture, report) != 0 || add_waits(picture, report) != 0 ||
		add_regions(picture, report) != 0 || add_processes(picture, report) != 0 ||
		add_threads(picture, report) != 0)
		return -1;
	for (int i = 0; i < TOP_N_VIEWS; i++)
		top_rows_fold(&picture->views[i]);
	return 0;
}

void top_picture_release(struct top_picture *picture)
{
	for (int i = 0; i < TOP_N_VIEWS; i++)
		top_rows_release(&picture->views[i]);
	*picture = (struct top_picture){ 0 };
}
