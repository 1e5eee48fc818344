/* SPDX-License-Identifier: Apache-2.0 */
/* --format json: all figures; see ompprof-json(5). */
#include <stdio.h>
#include <string.h>

#include "src/findings/efficiency.h"
#include "src/findings/findings.h"
#include "src/text/json.h"
#include "src/report/report_json.h"
#include "src/views/view_causes.h"
#include "src/views/view_counters.h"
#include "src/views/view.h"
#include "src/views/view_filter.h"
#include "src/views/view_json.h"

enum { JSON_VERSION = 1, NS_PER_S = 1000000000 };

const char *const view_json_time_words[PROFILE_N_TIMES] = { "work", "overhead", "in_wait",
	"barrier", "tasks", "mutex", "idle", "target" };

const char *view_json_function(const struct name_label *label)
{
	if (label && names_is_construct(label->kind))
		return label->function;
	return label && names_is_code(label->kind) ? label->name : "";
}

void view_json_place(struct json *json, const char *name, const struct name_label *label,
	struct name_place place)
{
	json_strings(json, "name file", name, place.file);
	json_number(json, "line", place.line);
	json_string(json, "function", view_json_function(label));
}

void view_json_node(struct json *json, uint32_t node)
{
	json_known(json, node != NAMES_NONE, "node", node);
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

static void put_run(struct json *json, const struct report *report)
{
	const struct profile *profile = &report->profile;
	const struct profile_header *header = &profile->header;
	const struct report_totals *totals = &report->totals;
	uint64_t own_ns = own_cost_ns(&totals->own);

	json_object(json, "run");
	json_list(json, "command", profile->args, profile->n_args);
	if (profile_label(profile)[0])
		json_string(json, "label", profile_label(profile));
	json_string(json, "host", header->host);
	json_numbers(json, "pid wall_s threads native_threads native_cpu_s", header->pid,
		totals->wall_ns, profile->n_threads, totals->n_native_threads,
		totals->native_cpu_ns);
	view_json_runs(json, report);
	json_strings(json, "clock clock_name", report_json_clock(header->clock_kind),
		header->clock_name);
	json_numbers(json, "frequency_hz samples", report_json_frequency_hz(header),
		totals->all.samples);
	report_json_lost(json, totals);
	json_numbers(json, "complete? truncated?", header->flags & PROFILE_COMPLETE,
		profile->is_truncated);
	json_strings(json, "runtime note", header->runtime, header->note);
	if (header->n_pauses)
		json_numbers(json, "pauses paused_s is_paused?", header->n_pauses,
			header->paused_ns, header->flags & PROFILE_PAUSED);
	json_numbers(json,
		"cpus cpu_s off_cpu_s own_s own_is_least? longer_s most_s handler_s guessed",
		header->n_cpus, totals->cpu_ns, totals->off_cpu_ns, own_ns,
		own_cost_is_least(&totals->own), totals->own.longer_ns, totals->own.most_ns, own_ns,
		totals->n_guessed);
	report_json_captures(json, totals);
	report_json_tables(json, header);
	json_end_object(json);
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

void view_json_cause(struct json *json, const struct metrics *metrics, size_t cause,
	uint64_t thread_ns, int is_known)
{
	enum { ALWAYS = 0, USED = 1 };
	static const uint8_t is_rare[] = {
#define CAUSE(NAME, word, label, advice, heading, columns, json, ...) [METRICS_##NAME] = (json),
#include "attribution/metrics/causes.def"
	};
	char key[32];

	snprintf(key, sizeof(key), "%s_s", report_cause_word(cause));
	if (!is_rare[cause] || metrics->cause_ns[cause])
		put_known(json, is_known, key, thread_ns, metrics_slots(metrics));
}

/* Writes what the summary shows if causes are not known: thread time by class. */
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

/*
 * With native threads, but without regions or measured waits, causes are known for the first thread
 * only: JSON has null.
 */
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
		view_json_cause(json, metrics, i, metrics->cause_ns[i], is_known);
	put_known(json, is_known, "efficiency", left_ns[EFFICIENCY_N], left_ns[0]);
	put_known(json, is_known, "ideal_s", metrics_ideal(metrics), 1000000000);
}

static void put_factors(struct json *json, const struct report *report)
{
	uint64_t left_ns[EFFICIENCY_N + 1];

	efficiency_make(left_ns, &report->metrics);
	json_object(json, "factors");
	for (size_t i = left_ns[0] == left_ns[1]; i < EFFICIENCY_N; i++)
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
	put_known(json, is_known, "serial_wall_s", metrics_wall(metrics, metrics->serial_ns),
		NS_PER_S);
	put_known(json, is_known, "wait_s", wait_ns, NS_PER_S);
	put_known(json, is_known, "unblamed_s", unblamed_ns, NS_PER_S);
	put_factors(json, report);
	if (!report_has_causes(report) && !report->is_event)
		put_classes(json, report);
	json_end_object(json);
}

/* Writes the cause as on screens, with "_" for blanks. */
static void put_advice_cause(struct json *json, enum metrics_cause cause)
{
	char word[32];

	snprintf(word, sizeof(word), "%s", advice_word(cause));
	for (char *blank = strchr(word, ' '); blank; blank = strchr(blank, ' '))
		*blank = '_';
	json_string(json, "cause", word);
}

void view_json_advice(struct json *json, const struct report *report, const struct advice *advice)
{
	char text[2 * ADVICE_NAME_BYTES];

	json_seconds(json, "gain_s", advice->gain_ns);
	if (advice->is_repeated)
		json_seconds(json, "error_s", advice->error_ns);
	put_advice_cause(json, advice->cause);
	json_strings(json, "name file", advice->name, advice->file);
	json_number(json, "line", advice->line);
	json_strings(json, "text by directive remedy", advice->text, advice->by,
		advice_directive(advice), advice_remedy_text(advice));
	json_array(json, "evidence");
	for (size_t i = 0; advice_evidence(&report->figures, advice, i, text, sizeof(text)); i++)
		json_string(json, NULL, text);
	json_end_array(json);
}

static void put_advice(struct json *json, const struct report *report)
{
	int has_nodes = report->figures.names == &report->names;

	json_array(json, "advice");
	for (size_t i = 0; i < report->advice.n; i++) {
		const struct advice *advice = &report->advice.entries[i];

		json_row(json);
		view_json_advice(json, report, advice);
		view_json_node(json, has_nodes ? advice->node : NAMES_NONE);
		json_end_object(json);
	}
	json_end_array(json);
}

/*
 * Returns the blame of all kinds of waits with the word of this kind; 0 if an earlier kind has the
 * word.
 */
static uint64_t blame_by_word(const struct tree_metrics *self, enum profile_wait kind)
{
	const char *word = findings_wait_word(kind);
	uint64_t sum_ns = 0;

	for (unsigned i = PROFILE_NO_WAIT + 1; i < PROFILE_N_WAITS; i++) {
		if (strcmp(word, findings_wait_word(i)) != 0)
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
			json_seconds(json, findings_wait_word(i), ns);
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

static void put_node(struct json *json, const struct report *report, uint32_t id)
{
	const struct name_node *node = &report->names.nodes[id];
	struct tree_metrics self = name_self(&report->names, id);

	json_row(json);
	json_number(json, "id", id);
	json_known(json, node->parent != NAMES_NONE, "parent", node->parent);
	json_strings(json, "kind name module file", names_kind_word(node->label->kind),
		node->label->name, node->label->module, node->label->file);
	json_number(json, "line", node->label->line);
	if (node->label->addr) {
		json_address(json, "address", node->label->addr);
		json_address(json, "offset", node->label->offset);
	}
	if (node->is_guessed)
		json_bool(json, "guessed", 1);
	json_number(json, "samples", self.samples);
	put_times(json, &self, !report->profile.part.is_cut);
	view_put_counters(json, report, self.counters);
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
	view_by_process.put_json(&json, report);
	put_summary(&json, report);
	put_advice(&json, report);
	for (size_t i = 0; view_list[i]; i++)
		if (view_list[i]->put_json && view_list[i] != &view_by_process)
			view_list[i]->put_json(&json, report);
	view_json_nodes(&json, report);
	json_end_object(&json);
	fputc('\n', terminal->out);
	return 0;
}

const struct view view_json = { .name = "json", .filters = FILTER_ALL, .print = print };
