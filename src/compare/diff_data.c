/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JSON; see diff_data.h. */
#include "src/compare/diff_data.h"

#include <math.h>
#include <string.h>

enum { JSON_VERSION = 1 };

const char *diff_kind_word(enum diff_kind kind)
{
	static const char *const words[DIFF_N_KINDS] = { "outside", "region", "body", "function",
		"mutex", "state" };

	return words[kind];
}

/* printf would use the locale's decimal point. */
void diff_put_real(struct json *json, const char *key, double number)
{
	double size = fabs(number);
	uint64_t whole, billionths;

	if (!(size < 1e18)) {
		json_number(json, key, 0);
		return;
	}
	whole = (uint64_t)size;
	billionths = (uint64_t)((size - (double)whole) * 1e9 + 0.5);
	if (billionths >= 1000000000) {
		whole++;
		billionths -= 1000000000;
	}
	json_raw(json, key);
	fprintf(json->out, "%s%llu.%09llu", number < 0 && (whole || billionths) ? "-" : "",
		(unsigned long long)whole, (unsigned long long)billionths);
}

static void put_ns(struct json *json, const char *key, double ns)
{
	diff_put_real(json, key, ns / 1e9);
}

static void put_factors(struct json *json, const struct diff_run *run)
{
	json_object(json, "factors");
	for (size_t i = 0; i < EFFICIENCY_N; i++)
		json_share(json, efficiency_word(i), run->left_ns[i + 1], run->left_ns[i]);
	json_end_object(json);
}

void diff_put_run(struct json *json, const struct diff_run *run)
{
	json_strings(json, "path command program", run->path, run->command, run->program);
	if (run->label && run->label[0])
		json_string(json, "label", run->label);
	json_numbers(json, "threads team processes cpus", run->n_slots, run->n_team,
		run->n_processes, run->n_cpus);
	json_string(json, "clock_name", run->clock);
	json_numbers(json, "samples complete? waits_measured? wall_s", run->n_samples,
		run->is_complete && !run->is_truncated, run->has_waits, run->wall_ns);
	if (run->n_runs > 1)
		json_numbers(json, "runs least_s most_s", run->n_runs, run->least_ns, run->most_ns);
	put_ns(json, "noise_s", run->noise_ns);
	json_seconds(json, "noise_known_s", run->noise_of_ns);
	diff_put_real(json, "efficiency", diff_parallel_efficiency(run));
	put_factors(json, run);
}

static void put_value(struct json *json, const struct diff *diff, const struct diff_value *value)
{
	json_seconds(json, "before_s", value->before_ns);
	if (diff->mode != DIFF_CHANGE)
		put_ns(json, "ideal_s", (double)value->before_ns * diff->scale);
	json_seconds(json, "after_s", value->after_ns);
	put_ns(json, "change_s", value->change_ns);
	put_ns(json, "error_s", value->error_ns);
}

static void put_causes(struct json *json, const struct diff *diff)
{
	json_array(json, "causes");
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		json_row(json);
		json_string(json, "cause", report_cause_word(i));
		put_value(json, diff, &diff->cause[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static uint32_t line_of(const struct diff_place *place)
{
	return place ? place->line : 0;
}

/* Writes which place the pair is. */
static void put_pair(struct json *json, const struct diff_pair *pair)
{
	const struct diff_place *place = diff_place(pair);
	uint32_t before = line_of(pair->before), after = line_of(pair->after);

	json_strings(json, "kind function construct module file", diff_kind_word(place->kind),
		place->function, place->construct, place->module, place->file);
	json_known(json, before != 0, "line_before", before);
	json_known(json, after != 0, "line", after);
}

static void put_row(struct json *json, const struct diff *diff, const struct diff_row *row)
{
	json_row(json);
	json_strings(json, "is cause", diff_row_word(row), report_cause_word(row->cause));
	put_pair(json, row->pair);
	put_value(json, diff, &row->value);
	json_bool(json, "hidden", row->is_hidden);
	json_end_object(json);
}

void diff_put_places(struct json *json, const struct diff *diff)
{
	json_array(json, "places");
	for (size_t i = 0; i < diff->n_rows; i++)
		put_row(json, diff, &diff->rows[i]);
	json_end_array(json);
}

/* A region's change of each cause that it has in either run. */
static void put_region_causes(
	struct json *json, const struct diff *diff, const struct diff_pair *pair)
{
	json_object(json, "change_of_s");
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		struct diff_value value = diff_pair_value(diff, pair, i);

		if (value.before_ns || value.after_ns)
			put_ns(json, report_cause_word(i), value.change_ns);
	}
	json_end_object(json);
}

static void put_region(struct json *json, const struct diff *diff, const struct diff_pair *pair)
{
	struct diff_value sum = diff_pair_sum(diff, pair);

	json_row(json);
	json_string(json, "is", diff_pair_word(pair, &sum));
	put_pair(json, pair);
	json_numbers(json, "executions_before executions", pair->before ? pair->before->n : 0,
		pair->after ? pair->after->n : 0);
	put_value(json, diff, &sum);
	put_region_causes(json, diff, pair);
	json_bool(json, "hidden", !diff_is_beyond_error(&sum));
	json_end_object(json);
}

static void put_regions(struct json *json, const struct diff *diff)
{
	json_array(json, "regions");
	for (size_t i = 0; i < diff->n_regions; i++)
		put_region(json, diff, diff->regions[i]);
	json_end_array(json);
}

/* Thread time; if the clock counts events, events. */
static void put_amount(struct json *json, const struct diff *diff, const struct diff_value *value)
{
	double ideal = (double)value->before_ns * diff_thread_scale(diff);

	if (!diff->after->is_event) {
		json_seconds(json, "before_s", value->before_ns);
		if (diff->mode != DIFF_CHANGE)
			put_ns(json, "ideal_s", ideal);
		json_seconds(json, "after_s", value->after_ns);
		put_ns(json, "change_s", value->change_ns);
		put_ns(json, "error_s", value->error_ns);
		return;
	}
	json_number(json, "before", value->before_ns);
	if (diff->mode != DIFF_CHANGE)
		diff_put_real(json, "ideal", ideal);
	json_number(json, "after", value->after_ns);
	diff_put_real(json, "change", value->change_ns);
	diff_put_real(json, "error", value->error_ns);
}

static void put_function(struct json *json, const struct diff *diff, const struct diff_pair *pair)
{
	struct diff_value self = diff_pair_self(diff, pair), total = diff_pair_total(diff, pair);

	json_row(json);
	json_string(json, "is", diff_pair_word(pair, diff_is_beyond_error(&self) ? &self : &total));
	put_pair(json, pair);
	put_amount(json, diff, &self);
	json_object(json, "total");
	put_amount(json, diff, &total);
	json_end_object(json);
	json_bool(json, "hidden", !diff_is_beyond_error(&self) && !diff_is_beyond_error(&total));
	json_end_object(json);
}

static void put_functions(struct json *json, const struct diff *diff)
{
	json_array(json, "functions");
	for (size_t i = 0; i < diff->n_functions; i++)
		put_function(json, diff, diff->functions[i]);
	json_end_array(json);
}

static void put_nodes(struct json *json, const struct diff *diff)
{
	json_array(json, "nodes");
	for (size_t i = 0; i < diff->n_nodes; i++) {
		const struct diff_node *node = &diff->nodes[i];

		json_row(json);
		json_known(json, i > 0, "parent", node->parent);
		json_known(json, i > 0, "function", node->function);
		put_amount(json, diff, &node->value);
		json_end_object(json);
	}
	json_end_array(json);
}

void diff_put_scaling(
	struct json *json, const struct diff_run *before, const struct diff_run *after, int is_weak)
{
	double compute = diff_computation_scaling(before, after, is_weak);

	diff_put_real(json, "speed_up", diff_speed_up(before, after, is_weak));
	diff_put_real(json, "of_ideal", diff_scaling(before, after, is_weak));
	diff_put_real(json, "computation_scaling", compute);
	diff_put_real(json, "global_efficiency", diff_parallel_efficiency(after) * compute);
}

static void put_warnings(struct json *json, const struct diff *diff)
{
	char text[1024];

	json_array(json, "warnings");
	for (size_t i = 0; diff_warning(diff, i, text, sizeof(text)); i++)
		json_string(json, NULL, text);
	json_end_array(json);
}

static void put_conditions(struct json *json, const struct diff_judgement *judgements, size_t n)
{
	json_array(json, "conditions");
	for (size_t i = 0; i < n; i++) {
		json_object(json, NULL);
		json_string(json, "condition", judgements[i].condition.text);
		json_bool(json, "holds", judgements[i].holds);
		if (judgements[i].condition.is_sure)
			json_bool(json, "unsure", judgements[i].is_unsure);
		json_string(json, "why", judgements[i].why);
		json_end_object(json);
	}
	json_end_array(json);
}

void diff_put_json(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out)
{
	static const char *const modes[] = { "change", "strong", "weak" };
	struct json json = { .out = out };

	json_object(&json, NULL);
	json_string(&json, "format", "ompprof-diff");
	json_number(&json, "version", JSON_VERSION);
	json_string(&json, "mode", modes[diff->mode]);
	json_bool(&json, "comparable", diff_is_comparable(diff));
	json_bool(&json, "counts_events", diff->after->is_event);
	if (diff_knows_noise(diff))
		put_ns(&json, "noise_s", diff_noise_ns(diff));
	else
		json_null(&json, "noise_s");
	json_object(&json, "before");
	diff_put_run(&json, diff->before);
	json_end_object(&json);
	json_object(&json, "after");
	diff_put_run(&json, diff->after);
	json_end_object(&json);
	json_object(&json, "wall");
	put_value(&json, diff, &diff->wall);
	json_end_object(&json);
	if (diff->mode != DIFF_CHANGE) {
		json_object(&json, "scaling");
		diff_put_scaling(&json, diff->before, diff->after, diff->mode == DIFF_WEAK);
		json_end_object(&json);
	}
	put_causes(&json, diff);
	diff_put_places(&json, diff);
	put_regions(&json, diff);
	put_functions(&json, diff);
	put_nodes(&json, diff);
	put_warnings(&json, diff);
	put_conditions(&json, judgements, n_judgements);
	json_end_object(&json);
	fputc('\n', out);
}
