/* SPDX-License-Identifier: Apache-2.0 */
/* --format json: everything a script may want, described in ompprof-json(5). */
#include <string.h>

#include "src/findings/figures.h"
#include "src/text/json.h"
#include "src/report/report_json.h"
#include "src/views/view.h"
#include "src/views/view_filter.h"
#include "src/views/view_json.h"
#include "src/views/view_json_figures.h"

enum { JSON_VERSION = 1 };

static void put_run(struct json *json, const struct report *report)
{
	const struct profile *profile = &report->profile;
	const struct profile_header *header = &profile->header;

	json_object(json, "run");
	json_array(json, "command");
	for (size_t i = 0; i < profile->n_args; i++)
		json_string(json, NULL, profile->args[i]);
	json_end_array(json);
	json_string(json, "host", header->host);
	json_number(json, "pid", header->pid);
	json_seconds(json, "wall_s", report->totals.wall_ns);
	json_number(json, "threads", profile->n_threads);
	json_number(json, "native_threads", report->totals.n_native_threads);
	json_seconds(json, "native_cpu_s", report->totals.native_cpu_ns);
	json_string(json, "clock", report_json_clock(header->clock_kind));
	json_string(json, "clock_name", header->clock_name);
	json_number(json, "frequency_hz", report_json_frequency_hz(header));
	json_number(json, "samples", report->totals.all.samples);
	report_json_lost(json, &report->totals);
	json_bool(json, "complete", (header->flags & PROFILE_COMPLETE) != 0);
	json_bool(json, "truncated", profile->is_truncated);
	json_string(json, "runtime", header->runtime);
	json_string(json, "note", header->note);
	if (header->n_pauses) {
		json_number(json, "pauses", header->n_pauses);
		json_seconds(json, "paused_s", header->paused_ns);
		json_bool(json, "is_paused", (header->flags & PROFILE_PAUSED) != 0);
	}
	json_number(json, "cpus", header->n_cpus);
	json_seconds(json, "cpu_s", report->totals.cpu_ns);
	json_seconds(json, "off_cpu_s", report->totals.off_cpu_ns);
	json_seconds(json, "own_s", own_cost_ns(&report->totals.own));
	json_bool(json, "own_is_least", own_cost_is_least(&report->totals.own));
	json_seconds(json, "handler_s", own_cost_ns(&report->totals.own));
	json_number(json, "guessed", report->totals.n_guessed);
	report_json_captures(json, &report->totals);
	report_json_tables(json, header);
	json_end_object(json);
}

static void put_process(struct json *json, const struct report_process *process)
{
	uint64_t capacity_ns =
		process->useful_ns + process->mpi_ns + process->wait_ns + process->other_ns;

	json_newline(json);
	json_object(json, NULL);
	if (process->rank)
		json_number(json, "rank", process->rank - 1);
	else
		json_null(json, "rank");
	json_number(json, "pid", process->pid);
	json_string(json, "host", process->host);
	json_string(json, "program", process->program ? process->program : "");
	json_array(json, "command");
	for (size_t i = 0; i < process->n_args; i++)
		json_string(json, NULL, process->args[i]);
	json_end_array(json);
	json_bool(json, "counted", process->is_counted);
	json_bool(json, "openmp", process->has_openmp);
	json_bool(json, "complete", process->is_complete);
	json_bool(json, "replaced", process->is_replaced);
	json_number(json, "threads", process->n_threads);
	json_number(json, "samples", process->n_samples);
	json_seconds(json, "wall_s", process->wall_ns);
	json_seconds(json, "capacity_s", capacity_ns);
	json_seconds(json, "useful_s", process->useful_ns);
	json_seconds(json, "mpi_s", process->mpi_ns);
	json_seconds(json, "wait_s", process->wait_ns);
	json_seconds(json, "other_s", process->other_ns);
	json_share(json, "efficiency", process->useful_ns, capacity_ns);
	json_end_object(json);
}

static void put_processes(struct json *json, const struct report *report)
{
	struct report_job_sums sums = report_job_sum(&report->job);

	if (report->job.n == 0)
		return;
	json_array(json, "processes");
	for (size_t i = 0; i < report->job.n; i++)
		put_process(json, &report->job.processes[i]);
	json_end_array(json);
	json_share(json, "process_imbalance", sums.most_useful_ns * report->job.n_counted,
		sums.useful_ns);
}

/* What others waited for all kinds of waits that have the word of this one; 0 if an earlier kind has it. */
static uint64_t blame_by_word(const struct tree_metrics *self, enum profile_wait kind)
{
	const char *word = figures_wait_word(kind);
	uint64_t sum_ns = 0;

	for (unsigned i = PROFILE_NO_WAIT + 1; i < PROFILE_N_WAITS; i++) {
		if (strcmp(word, figures_wait_word(i)) != 0)
			continue;
		if (i < kind)
			return 0;
		sum_ns += self->blame_wait_ns[i];
	}
	return sum_ns;
}

static void put_blame(struct json *json, const struct tree_metrics *self)
{
	json_object(json, "blame");
	for (unsigned i = PROFILE_NO_WAIT + 1; i < PROFILE_N_WAITS; i++) {
		uint64_t ns = blame_by_word(self, i);

		if (ns)
			json_seconds(json, figures_wait_word(i), ns);
	}
	json_end_object(json);
	if (self->blame_ns)
		json_seconds(json, "blame_s", self->blame_ns);
}

static void put_times(struct json *json, const struct tree_metrics *self, int has_blame)
{
	json_seconds(json, "work_s", self->time_ns[PROFILE_WORK]);
	json_seconds(json, "overhead_s", self->time_ns[PROFILE_OVERHEAD]);
	json_object(json, "wait");
	for (unsigned i = 0; i < PROFILE_N_CLASSES; i++)
		if (report_wait_word(i) && self->time_ns[i])
			json_seconds(json, report_wait_word(i), self->time_ns[i]);
	if (self->wait_ns[PROFILE_REDUCTION])
		json_seconds(json, "reduction", self->wait_ns[PROFILE_REDUCTION]);
	json_end_object(json);
	if (has_blame)
		put_blame(json, self);
	if (self->n_waits)
		json_number(json, "waits", self->n_waits);
}

/* As a string: a number of JSON need not have 64 bits. */
static void put_address(struct json *json, const char *key, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	json_string(json, key, text);
}

static void put_node(struct json *json, const struct report *report, uint32_t id)
{
	const struct name_node *node = &report->names.nodes[id];
	struct tree_metrics self = name_self(&report->names, id);

	json_newline(json);
	json_object(json, NULL);
	json_number(json, "id", id);
	if (node->parent == NAMES_NONE)
		json_null(json, "parent");
	else
		json_number(json, "parent", node->parent);
	json_string(json, "kind", names_kind_word(node->label->kind));
	json_string(json, "name", node->label->name);
	json_string(json, "module", node->label->module);
	json_string(json, "file", node->label->file);
	json_number(json, "line", node->label->line);
	if (node->label->addr) {
		put_address(json, "address", node->label->addr);
		put_address(json, "offset", node->label->offset);
	}
	if (node->is_guessed)
		json_bool(json, "guessed", 1);
	json_number(json, "samples", self.samples);
	put_times(json, &self, !report->profile.part.is_cut);
	if (report->is_event)
		json_number(json, "events", self.events);
	if (names_is_construct(node->label->kind)) {
		json_string(json, "function", node->label->function);
		if (!report->profile.part.is_cut)
			json_number(json, "executions", self.n_executions);
	}
	json_end_object(json);
}

void view_json_begin(struct json *json, const struct report *report)
{
	json_object(json, NULL);
	json_string(json, "format", "ompprof-report");
	json_number(json, "version", JSON_VERSION);
	json_string(json, "view", report_view_words[report->view]);
}

void view_json_nodes(struct json *json, const struct report *report)
{
	json_array(json, "nodes");
	for (uint32_t i = 0; i < report->names.n_nodes; i++)
		put_node(json, report, i);
	json_end_array(json);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct json json = { .out = terminal->out };

	(void)options;
	view_json_begin(&json, report);
	view_json_phases(&json, report);
	view_json_filters(&json, report);
	put_run(&json, report);
	report_json_warnings(&json, report);
	put_processes(&json, report);
	view_json_figures(&json, report);
	view_json_nodes(&json, report);
	json_end_object(&json);
	fputc('\n', terminal->out);
	return 0;
}

const struct view view_json = { .name = "json", .filters = FILTER_ALL, .print = print };
