/* SPDX-License-Identifier: Apache-2.0 */
/* What a report comes to, as rows of names and sums; see top.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/names_sites.h"
#include "src/top.h"
#include "src/view_flat.h"

static struct top_row *add_row(struct top_rows *rows, const char *name, const char *place)
{
	struct top_row *row;

	if (rows->n == rows->capacity) {
		size_t capacity = rows->capacity ? 2 * rows->capacity : 64;
		struct top_row *more = realloc(rows->rows, capacity * sizeof(*more));

		if (!more)
			return NULL;
		rows->rows = more;
		rows->capacity = capacity;
	}
	row = &rows->rows[rows->n];
	*row = (struct top_row){ .name = strdup(name), .place = strdup(place), .state = "" };
	rows->n++;
	return row->name && row->place ? row : NULL;
}

static void drop_row(struct top_row *row)
{
	free(row->name);
	free(row->place);
}

static int by_name(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;
	int order;

	if (a->identity != b->identity)
		return a->identity < b->identity ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->place, b->place);
}

/* Rows in order of their names, each once. */
static void fold(struct top_rows *rows)
{
	size_t n = 0;

	if (rows->n)
		qsort(rows->rows, rows->n, sizeof(*rows->rows), by_name);
	for (size_t i = 0; i < rows->n; i++) {
		if (n == 0 || by_name(&rows->rows[n - 1], &rows->rows[i]) != 0) {
			rows->rows[n++] = rows->rows[i];
			continue;
		}
		for (int k = 0; k < TOP_N_SUMS; k++)
			rows->rows[n - 1].sums[k] += rows->rows[i].sums[k];
		drop_row(&rows->rows[i]);
	}
	rows->n = n;
}

static uint64_t sum_waits(const struct tree_metrics *self)
{
	uint64_t ns = 0;

	for (int i = PROFILE_WAIT_BARRIER; i < PROFILE_IDLE; i++)
		ns += self->time_ns[i];
	return ns;
}

/* What waits and overhead are of is the code around them. */
static struct name_label function_of(const struct name_tree *names, uint32_t i)
{
	const struct name_node *node = &names->nodes[i];

	while (node->parent != NAMES_NONE &&
		(node->label.kind == NAME_WAIT || node->label.kind == NAME_RUNTIME ||
			node->label.kind == NAME_TRUNCATED))
		node = &names->nodes[node->parent];
	return flat_label(&node->label);
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
		row = add_row(rows, label.name, names_base(label.decl_file));
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
		const struct figures_wait *wait = &report->figures.waits[i];
		char place[256];
		struct top_row *row;

		print_place(place, sizeof(place), wait->place.file, wait->place.line);
		if (!place[0] && wait->label)
			snprintf(place, sizeof(place), "%s", wait->label->name);
		row = add_row(&picture->views[TOP_WAITS], wait->name, place);
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
		const struct figures_region *region = &report->figures.regions[i];
		char place[256];
		struct top_row *row;

		print_place(place, sizeof(place), region->label->file, region->label->line);
		row = add_row(&picture->views[TOP_REGIONS], region->label->name, place);
		if (!row)
			return -1;
		row->sums[TOP_FIRST] = region->lost_ns;
		row->sums[TOP_SECOND] = region->sum.wall_ns;
		row->sums[TOP_THIRD] = region->sum.n;
	}
	return 0;
}

/* What the thread's record says that it is at. */
static const char *state_of(const struct profile_thread *thread)
{
	const struct profile_now *now = &thread->now;

	if (thread->end_ns)
		return "ended";
	if (figures_is_mutex(now->mutex_kind) && now->mutex_since && !now->mutex_until)
		return figures_wait_name(now->mutex_kind);
	if (now->wait > PROFILE_NO_WAIT && now->wait < PROFILE_N_WAITS)
		return now->wait >= PROFILE_IDLE_BEFORE && now->wait <= PROFILE_IDLE_AFTER
			       ? "idle"
			       : figures_wait_name(now->wait);
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

/* A process is the sum of its threads. */
static void add_to_process(struct top_picture *picture, const struct profile *profile, size_t i,
	const struct top_row *row)
{
	const struct profile_process *process = profile_process_of(profile, i);
	uint32_t pid = process ? process->pid : profile->header.pid;
	struct top_rows *rows = &picture->views[TOP_PROCESSES];

	for (size_t k = 0; k < rows->n; k++) {
		if (rows->rows[k].identity != pid)
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

		names_process(process, sizeof(process), profile, i);
		snprintf(name, sizeof(name), "%u %s%s%s", (unsigned)record->tid,
			report_thread_word(report, i), process[0] ? ", " : "", process);
		row = add_row(&picture->views[TOP_THREADS], name,
			report->starts && report->starts[i] ? report->starts[i] : "");
		if (!row)
			return -1;
		row->identity = i + 1;
		row->state = is_native && !record->end_ns ? "native" : state_of(record);
		row->sums[TOP_FIRST] = thread->useful_ns;
		row->sums[TOP_SECOND] = thread->barrier_ns + thread->task_ns + thread->lock_ns +
					thread->idle_ns + thread->device_ns + thread->mpi_ns;
		row->sums[TOP_THIRD] =
			thread->overhead_ns + thread->not_running_ns + thread->blocked_ns;
		row->sums[TOP_LIFE] = thread->total_ns;
		picture->n_threads += !record->end_ns;
		if (is_native)
			continue;
		add_causes(picture, thread);
		add_to_process(picture, profile, i, row);
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
	row = add_row(&picture->views[TOP_PROCESSES], name, process->host);
	if (!row)
		return -1;
	row->state = state;
	row->identity = process->pid;
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
		if (process->wall_ns > picture->wall_ns)
			picture->wall_ns = process->wall_ns;
		picture->capacity_ns +=
			process->wall_ns * (process->n_slots ? process->n_slots : 1);
		if (process->program && add_process(picture, process) != 0)
			return -1;
	}
	return 0;
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
	if (add_functions(picture, report) != 0 || add_waits(picture, report) != 0 ||
		add_regions(picture, report) != 0 || add_processes(picture, report) != 0 ||
		add_threads(picture, report) != 0)
		return -1;
	for (int i = 0; i < TOP_N_VIEWS; i++)
		fold(&picture->views[i]);
	return 0;
}

void top_picture_release(struct top_picture *picture)
{
	for (int i = 0; i < TOP_N_VIEWS; i++) {
		for (size_t k = 0; k < picture->views[i].n; k++)
			drop_row(&picture->views[i].rows[k]);
		free(picture->views[i].rows);
	}
	*picture = (struct top_picture){ 0 };
}

static const struct top_row *find(const struct top_rows *rows, const struct top_row *row)
{
	return rows->n ? bsearch(row, rows->rows, rows->n, sizeof(*row), by_name) : NULL;
}

static void raise_to(uint64_t *value, uint64_t least)
{
	if (*value < least)
		*value = least;
}

static int raise_rows(struct top_rows *rows, const struct top_rows *before)
{
	size_t n = rows->n;

	for (size_t i = 0; i < before->n; i++) {
		struct top_rows old = { rows->rows, n, n };
		struct top_row *row = (struct top_row *)find(&old, &before->rows[i]);

		if (!row) {
			row = add_row(rows, before->rows[i].name, before->rows[i].place);
			if (!row)
				return -1;
			row->identity = before->rows[i].identity;
			row->state = before->rows[i].state;
			row->n_slots = before->rows[i].n_slots;
		}
		for (int k = 0; k < TOP_N_SUMS; k++)
			raise_to(&row->sums[k], before->rows[i].sums[k]);
	}
	fold(rows);
	return 0;
}

int top_picture_raise(struct top_picture *picture, const struct top_picture *before)
{
	raise_to(&picture->wall_ns, before->wall_ns);
	for (int i = 0; i < TOP_N_CAUSES; i++)
		raise_to(&picture->causes[i], before->causes[i]);
	for (int i = 0; i < TOP_N_VIEWS; i++) {
		if (raise_rows(&picture->views[i], &before->views[i]) != 0)
			return -1;
	}
	return 0;
}

static int by_first(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;

	for (int i = 0; i < TOP_THIRD; i++) {
		if (a->sums[i] != b->sums[i])
			return a->sums[i] > b->sums[i] ? -1 : 1;
	}
	return by_name(left, right);
}

static int subtract(struct top_rows *to, const struct top_rows *before, const struct top_rows *now,
	int is_sorted)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct top_row *row = &now->rows[i], *old = find(before, row);
		struct top_row *added = add_row(to, row->name, row->place);
		uint64_t any = 0;

		if (!added)
			return -1;
		added->state = row->state;
		added->n_slots = row->n_slots;
		added->identity = row->identity;
		for (int k = 0; k < TOP_N_SUMS; k++) {
			added->sums[k] = row->sums[k] - (old ? old->sums[k] : 0);
			any |= added->sums[k];
		}
		if (!any && is_sorted)
			drop_row(&to->rows[--to->n]);
	}
	if (is_sorted && to->n)
		qsort(to->rows, to->n, sizeof(*to->rows), by_first);
	return 0;
}

/* A process' capacity is of the slots that it has by now, in this interval. */
static void set_capacity(struct top_picture *change)
{
	struct top_rows *rows = &change->views[TOP_PROCESSES];

	for (size_t i = 0; i < rows->n; i++) {
		rows->rows[i].sums[TOP_LIFE] *= rows->rows[i].n_slots;
		change->capacity_ns += rows->rows[i].sums[TOP_LIFE];
	}
}

int top_change(
	struct top_picture *change, const struct top_picture *before, const struct top_picture *now)
{
	*change = (struct top_picture){ .wall_ns = now->wall_ns - before->wall_ns,
		.n_processes = now->n_processes,
		.n_running = now->n_running,
		.n_threads = now->n_threads };
	memcpy(change->command, now->command, sizeof(change->command));
	for (int i = 0; i < TOP_N_CAUSES; i++)
		change->causes[i] = now->causes[i] - before->causes[i];
	for (int i = 0; i < TOP_N_VIEWS; i++) {
		if (subtract(&change->views[i], &before->views[i], &now->views[i],
			    i != TOP_THREADS && i != TOP_PROCESSES) != 0)
			return -1;
	}
	set_capacity(change);
	return 0;
}
