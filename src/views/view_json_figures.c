/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as JSON, each with the nodes that it is made of; see view_json_figures.h. */
#include "src/views/view_json_figures.h"

#include "src/findings/efficiency.h"
#include "src/report/phases.h"
#include "src/views/view_classes.h"
#include "src/views/view_json_figures_internal.h"
#include "src/views/view_json_targets.h"
#include "src/views/view_json_timeline.h"

void view_json_node(struct json *json, uint32_t node)
{
	if (node == NAMES_NONE)
		json_null(json, "node");
	else
		json_number(json, "node", node);
}

void view_json_place(struct json *json, const char *name, const struct name_label *label,
	struct name_place place)
{
	json_string(json, "name", name);
	json_string(json, "file", place.file);
	json_number(json, "line", place.line);
	if (label && (names_is_construct(label->kind)))
		json_string(json, "function", label->function);
	else if (label && (label->kind == NAME_FUNCTION || label->kind == NAME_INLINED))
		json_string(json, "function", label->name);
	else
		json_string(json, "function", "");
}

struct name_place view_json_place_of(const struct name_label *label)
{
	return (struct name_place){ label->file, label->line };
}

/* A share, or null. */
static void put_known(
	struct json *json, int is_known, const char *key, uint64_t part, uint64_t whole)
{
	if (is_known)
		json_share(json, key, part, whole);
	else
		json_null(json, key);
}

static void put_known_seconds(struct json *json, int is_known, const char *key, uint64_t ns)
{
	if (is_known)
		json_seconds(json, key, ns);
	else
		json_null(json, key);
}

/* A cause has a key; those of MPI and of devices are there only where these were used. */
static void put_cause(struct json *json, const struct metrics *metrics, size_t cause,
	uint64_t thread_ns, int is_known)
{
	char key[32];

	snprintf(key, sizeof(key), "%s_s", report_cause_word(cause));
	if ((cause != METRICS_MPI && cause != METRICS_DEVICE) || metrics->cause_ns[cause])
		put_known(json, is_known, key, thread_ns, metrics_slots(metrics));
}

uint64_t view_json_thread(const struct report *report, uint32_t thread)
{
	return thread < report->profile.n_threads ? report->profile.threads[thread].index : 0;
}

void view_json_owner(struct json *json, const struct report *report, size_t thread)
{
	const struct profile_process *process = profile_process_of(&report->profile, thread);

	if (!process)
		return;
	json_number(json, "pid", process->pid);
	if (process->rank)
		json_number(json, "rank", process->rank - 1);
}

/* What the summary as text has without causes: thread time by what the samples found, a key for each row. */
static void put_classes(struct json *json, const struct report *report)
{
	struct cause_rows classes;

	view_list_classes(&classes, report, 1);
	json_object(json, "classes");
	for (size_t i = 0; i < classes.n; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_s", classes.rows[i].word);
		json_seconds(json, key, classes.rows[i].amount);
	}
	json_seconds(json, "total_s", classes.whole);
	json_number(json, "asleep_threads", report->totals.n_asleep_threads);
	json_end_object(json);
}

/* Where native threads work without OpenMP, causes are known of the first thread alone, and null. */
static int are_causes_known(const struct report *report)
{
	return report_has_causes(report) || report->totals.n_native_threads == 0;
}

static void put_causes(struct json *json, const struct report *report)
{
	const struct metrics *metrics = &report->metrics;
	const struct report_totals *totals = &report->totals;
	uint64_t left_ns[EFFICIENCY_N + 1];
	int is_known = are_causes_known(report);

	efficiency_make(left_ns, metrics);
	json_number(json, "threads",
		is_known ? (metrics->n_slots ? metrics->n_slots : 1)
			 : totals->n_lives - totals->n_helper_threads - totals->n_asleep_threads);
	json_bool(json, "measured", report_has_causes(report));
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		put_cause(json, metrics, i, metrics->cause_ns[i], is_known);
	put_known(json, is_known, "efficiency", left_ns[EFFICIENCY_N], left_ns[0]);
	put_known(json, is_known, "ideal_s", metrics->cause_ns[METRICS_USEFUL],
		metrics_slots(metrics));
}

static void put_factors(struct json *json, const struct report *report)
{
	uint64_t left_ns[EFFICIENCY_N + 1];

	efficiency_make(left_ns, &report->metrics);
	json_object(json, "factors");
	for (size_t i = 0; i < EFFICIENCY_N; i++)
		put_known(json, are_causes_known(report), efficiency_word(i), left_ns[i + 1],
			left_ns[i]);
	json_end_object(json);
}

static void put_summary(struct json *json, const struct report *report)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t unblamed_ns, wait_ns = report_waiting(report, &unblamed_ns);
	int is_known = are_causes_known(report);

	json_object(json, "summary");
	json_seconds(json, "wall_s", metrics->wall_ns);
	put_causes(json, report);
	put_known_seconds(
		json, is_known, "serial_wall_s", metrics_wall(metrics, metrics->serial_ns));
	put_known_seconds(json, is_known, "wait_s", wait_ns);
	put_known_seconds(json, is_known, "unblamed_s", unblamed_ns);
	put_factors(json, report);
	if (!report_has_causes(report) && !report->is_event)
		put_classes(json, report);
	json_end_object(json);
}

static void put_advice(struct json *json, const struct report *report)
{
	int has_nodes = report->figures.names == &report->names;

	json_array(json, "advice");
	for (size_t i = 0; i < report->advice.n; i++) {
		const struct advice *advice = &report->advice.entries[i];

		json_newline(json);
		json_object(json, NULL);
		json_seconds(json, "gain_s", advice->gain_ns);
		json_string(json, "cause",
			advice->cause == METRICS_TASK ? "tasks" : report_cause_word(advice->cause));
		json_string(json, "name", advice->name);
		json_string(json, "file", advice->file);
		json_number(json, "line", advice->line);
		json_string(json, "text", advice->text);
		view_json_node(json, has_nodes ? advice->node : NAMES_NONE);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_runs(
	struct json *json, const struct report *report, const struct metrics_region *sum)
{
	const struct metrics *metrics = &report->metrics;

	json_number(json, "executions", sum->n);
	json_seconds(json, "wall_s", metrics_wall(metrics, sum->wall_ns));
	json_seconds(json, "mean_s", sum->n ? sum->wall_ns / sum->n : 0);
	json_seconds(json, "p50_s", sum->n ? metrics_quantile(metrics, sum, 500) : 0);
	json_seconds(json, "p95_s", sum->n ? metrics_quantile(metrics, sum, 950) : 0);
	json_seconds(json, "max_s", sum->max_ns);
	json_seconds(json, "min_s", sum->min_ns);
	json_number(json, "threads_min", sum->min_team);
	json_number(json, "threads_max", sum->max_team);
	json_seconds(json, "thread_s", sum->thread_ns);
}

static void put_region(
	struct json *json, const struct report *report, const struct figures_region *region)
{
	const struct metrics_region *sum = &region->sum;
	uint64_t imbalance_ns = sum->cause_ns[METRICS_IMBALANCE];
	uint64_t random_ns =
		imbalance_ns > sum->persistent_ns ? imbalance_ns - sum->persistent_ns : 0;
	uint64_t slots_s = metrics_slots(&report->metrics);
	int has_nodes = report->figures.names == &report->names;

	json_newline(json);
	json_object(json, NULL);
	view_json_node(json, report_node(report, sum->node));
	json_array(json, "nodes");
	for (size_t i = 0; has_nodes && i < region->n_nodes; i++)
		json_number(json, NULL, region->nodes[i]);
	json_end_array(json);
	view_json_place(
		json, region->label->name, region->label, view_json_place_of(region->label));
	put_runs(json, report, sum);
	json_share(json, "efficiency", sum->cause_ns[METRICS_USEFUL], figures_capacity(sum));
	json_share(json, "gain_s", region->lost_ns, slots_s);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		if (i != METRICS_SERIAL)
			put_cause(json, &report->metrics, i, sum->cause_ns[i], 1);
	json_share(json, "persistent_s", sum->persistent_ns, slots_s);
	json_share(json, "random_s", random_ns, slots_s);
	json_number(json, "barriers", sum->n_barriers);
	if (sum->n_barriers)
		json_number(json, "slowest_thread", sum->slowest);
	else
		json_null(json, "slowest_thread");
	json_share(json, "slowest_share", sum->n_slowest, sum->n_barriers);
	json_number(json, "tasks", sum->n_tasks);
	json_share(json, "dependence_s", sum->dependence_ns, slots_s);
	json_end_object(json);
}

static void put_wait(struct json *json, const struct report *report, size_t i)
{
	const struct metrics_wait *wait = &report->metrics.waits[i];
	const struct figures *figures = &report->figures;
	uint32_t node = figures_wait_node(wait);

	json_newline(json);
	json_object(json, NULL);
	json_string(json, "kind", figures_wait_word(wait->kind));
	view_json_place(json, figures->wait_names[i], figures_label(figures, node),
		figures_place(figures, node));
	view_json_node(json, report_node(report, node));
	json_number(json, "waits", wait->n);
	json_seconds(json, "wait_s", wait->wait_ns);
	json_array(json, "causes");
	for (size_t k = 0; k < wait->n_causes; k++) {
		const struct metrics_blame *blame = &wait->causes[k];
		const struct name_label *label = figures_label(figures, blame->node);

		json_newline(json);
		json_object(json, NULL);
		view_json_place(
			json, label ? label->name : "", label, figures_place(figures, blame->node));
		json_seconds(json, "blame_s", blame->ns);
		json_number(json, "thread", view_json_thread(report, blame->thread));
		view_json_owner(json, report, blame->thread);
		view_json_node(json, report_node(report, blame->node));
		json_end_object(json);
	}
	json_end_array(json);
	json_seconds(json, "unblamed_s", wait->unblamed_ns);
	json_end_object(json);
}

static void put_thread(struct json *json, const struct report *report, size_t i)
{
	const struct metrics_thread *thread = &report->metrics.threads[i];
	const struct profile_thread *record = &report->profile.threads[i];

	json_newline(json);
	json_object(json, NULL);
	json_number(json, "thread", record->index);
	json_number(json, "tid", record->tid);
	view_json_owner(json, report, i);
	json_string(json, "type", report_thread_word(report, i));
	if (profile_is_native(record)) {
		json_string(json, "start", report->starts[i]);
		json_number(json, "lives", record->n_lives);
		json_seconds(json, "unsampled_s", record->unsampled_ns);
	}
	json_seconds(json, "useful_s", thread->useful_ns);
	json_seconds(json, "overhead_s", thread->overhead_ns);
	json_seconds(json, "barrier_s", thread->barrier_ns);
	json_seconds(json, "task_s", thread->task_ns);
	json_seconds(json, "lock_s", thread->lock_ns);
	json_seconds(json, "idle_s", thread->idle_ns);
	json_seconds(json, "not_running_s", thread->not_running_ns);
	json_seconds(json, "blocked_s", thread->blocked_ns);
	if (report->metrics.cause_ns[METRICS_MPI])
		json_seconds(json, "mpi_s", thread->mpi_ns);
	if (report->metrics.cause_ns[METRICS_DEVICE])
		json_seconds(json, "device_s", thread->device_ns);
	json_seconds(json, "total_s", thread->total_ns);
	json_seconds(json, "blame_s", thread->blame_ns);
	view_json_timeline(json, report, i);
	json_end_object(json);
}

/* Whose threads' figures have one key with a thread's. */
static void put_phase(struct json *json, const struct report *report, size_t i)
{
	const struct metrics_phase *phase = &report->metrics.phases[i];
	const struct profile_phase_record *record = i ? &report->profile.phases[i - 1] : NULL;
	char path[4096] = "";

	json_newline(json);
	json_object(json, NULL);
	if (record)
		phases_name(path, sizeof(path), &report->profile, i - 1);
	json_string(json, "path", path);
	json_string(json, "name", record ? record->name : "");
	json_bool(json, "other", record && record->flags & PROFILE_PHASE_OTHER);
	json_number(json, "times", phase->n);
	json_seconds(json, "wall_s", phase->wall_ns);
	json_seconds(json, "useful_s", phase->sum.useful_ns);
	json_seconds(json, "overhead_s", phase->sum.overhead_ns);
	json_seconds(json, "barrier_s", phase->sum.barrier_ns);
	json_seconds(json, "task_s", phase->sum.task_ns);
	json_seconds(json, "lock_s", phase->sum.lock_ns);
	json_seconds(json, "idle_s", phase->sum.idle_ns);
	json_seconds(json, "off_cpu_s", phase->sum.blocked_ns + phase->sum.not_running_ns);
	if (report->metrics.cause_ns[METRICS_MPI])
		json_seconds(json, "mpi_s", phase->sum.mpi_ns);
	if (report->metrics.cause_ns[METRICS_DEVICE])
		json_seconds(json, "device_s", phase->sum.device_ns);
	json_seconds(json, "total_s", phase->sum.total_ns);
	json_seconds(json, "blame_s", phase->sum.blame_ns);
	json_share(json, "efficiency", phase->sum.useful_ns, phase->capacity_ns);
	json_end_object(json);
}

void view_json_figures(struct json *json, const struct report *report)
{
	const struct figures *figures = &report->figures;

	put_summary(json, report);
	put_advice(json, report);
	json_array(json, "regions");
	for (size_t i = 0; i < figures->n_regions; i++)
		if (report_shows(report->rows.regions, i))
			put_region(json, report, &figures->regions[i]);
	json_end_array(json);
	json_array(json, "waits");
	for (size_t i = 0; i < report->metrics.n_waits; i++)
		if (report_shows(report->rows.metrics_waits, i))
			put_wait(json, report, i);
	json_end_array(json);
	json_array(json, "threads");
	for (size_t i = 0; i < report->metrics.n_threads && i < report->profile.n_threads; i++)
		if (report_shows(report->rows.threads, i))
			put_thread(json, report, i);
	json_end_array(json);
	if (report->metrics.n_phases) {
		json_array(json, "phases");
		for (size_t i = 0; i < report->metrics.n_phases; i++)
			put_phase(json, report, i);
		json_end_array(json);
	}
	json_array(json, "locks");
	for (size_t i = 0; i < figures->n_locks; i++)
		if (report_shows(report->rows.locks, i))
			view_json_lock(json, report, &figures->locks[i]);
	json_end_array(json);
	json_array(json, "tasks");
	for (size_t i = 0; i < figures->n_tasks; i++)
		if (report_shows(report->rows.tasks, i))
			view_json_task(json, report, &figures->tasks[i]);
	json_end_array(json);
	view_json_targets(json, report);
	if (!report->profile.header.counted.asked)
		return;
	json_array(json, "events");
	for (size_t i = 0; i < figures->n_events; i++)
		if (report_shows(report->rows.events, i))
			view_json_event(json, report, &figures->events[i]);
	json_end_array(json);
}
