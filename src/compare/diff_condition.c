/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on a comparison; see diff_condition.h. */
#include "src/compare/diff_condition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/compare/diff_text.h"

enum { DECIMALS_MOST = 9, DIGITS_MOST = 12 };

/* Figures that differ by a smaller part count as equal: sums in floating point are rounded. */
static const long double tolerance = 1e-12L;

static const char *metric_word(int metric)
{
	static const char *const words[] = { "wall", "efficiency", "waiting" };

	return metric < METRICS_N_CAUSES ? report_cause_word(metric) : words[metric - DIFF_WALL];
}

static int refuse(struct diag *diag, const char *text, const char *reason)
{
	return diag_set(diag, "condition '%s' %s", text, reason);
}

/* Lists all metrics, and begins with the metrics that are no causes. */
static int refuse_metric(struct diag *diag, const char *text)
{
	char reason[256] = "begins with no metric: ";
	size_t used = strlen(reason);

	for (int i = 0; i < DIFF_N_METRICS; i++) {
		int metric = (DIFF_WALL + i) % DIFF_N_METRICS;

		used += (size_t)snprintf(reason + used, sizeof(reason) - used, "%s%s",
			i == 0                    ? ""
			: i == DIFF_N_METRICS - 1 ? " or "
						  : ", ",
			metric_word(metric));
	}
	return refuse(diag, text, reason);
}

/* Takes blanks off both ends of [*from, *to). */
static void trim(const char **from, const char **to)
{
	while (*from < *to && (**from == ' ' || **from == '\t'))
		++*from;
	while (*to > *from && ((*to)[-1] == ' ' || (*to)[-1] == '\t'))
		--*to;
}

static int is_word(const char *from, const char *to, const char *word)
{
	return strlen(word) == (size_t)(to - from) && strncmp(from, word, (size_t)(to - from)) == 0;
}

/* Reads METRIC or METRIC@PLACE: "lock@assemble.c:97". */
static int parse_subject(
	struct diff_condition *condition, const char *from, const char *to, struct diag *diag)
{
	const char *at = memchr(from, '@', (size_t)(to - from)), *end = at ? at : to;
	const char *place = at ? at + 1 : to;

	trim(&from, &end);
	trim(&place, &to);
	condition->metric = 0;
	while (condition->metric < DIFF_N_METRICS &&
		!is_word(from, end, metric_word(condition->metric)))
		condition->metric++;
	if (condition->metric == DIFF_N_METRICS)
		return refuse_metric(diag, condition->text);
	if (!at)
		return 0;
	if (condition->metric == DIFF_WALL || condition->metric == DIFF_EFFICIENCY)
		return refuse(
			diag, condition->text, "asks for a figure of the whole run at a place");
	if (place == to || (size_t)(to - place) >= sizeof(condition->place))
		return refuse(diag, condition->text, "names no place after '@'");
	memcpy(condition->place, place, (size_t)(to - place));
	condition->place[to - place] = '\0';
	return 0;
}

/*
 * Reads a number without exponent; strtold() would depend on the locale. Returns the text after it;
 * NULL if there is no digit first or after a point.
 */
static const char *parse_number(const char *from, const char *to, long double *number)
{
	unsigned long long value = 0, scale = 1;
	unsigned n_digits = 0, n_decimals = 0;

	for (; from < to && *from >= '0' && *from <= '9' && n_digits < DIGITS_MOST; n_digits++)
		value = value * 10 + (unsigned)(*from++ - '0');
	if (n_digits == 0)
		return NULL;
	if (from < to && *from == '.') {
		for (from++; from < to && *from >= '0' && *from <= '9' &&
			     n_decimals < DECIMALS_MOST && value < 1000000000000000ull;
			n_decimals++) {
			value = value * 10 + (unsigned)(*from++ - '0');
			scale *= 10;
		}
		if (n_decimals == 0)
			return NULL;
	}
	*number = (long double)value / (long double)scale;
	return from;
}

/* Takes a last word "sure" off [from, *to). Returns whether it is there. */
static int cut_sure(const char *from, const char **to)
{
	if (*to - from <= 5 || !is_word(*to - 4, *to, "sure") ||
		((*to)[-5] != ' ' && (*to)[-5] != '\t'))
		return 0;
	*to -= 4;
	trim(&from, to);
	return 1;
}

static int parse_limit(
	struct diff_condition *condition, const char *from, const char *to, struct diag *diag)
{
	static const char how[] =
		"does not end in [+|-]NUMBER and %, s or ms, as in 'wall>+5%' or 'serial>2s'";
	int sign = 1;
	const char *unit;

	trim(&from, &to);
	if (from < to && (*from == '+' || *from == '-')) {
		condition->is_change = 1;
		sign = *from++ == '-' ? -1 : 1;
	}
	condition->is_sure = cut_sure(from, &to);
	unit = parse_number(from, to, &condition->number);
	if (!unit)
		return refuse(diag, condition->text, how);
	trim(&unit, &to);
	condition->unit = is_word(unit, to, "%") ? DIFF_PERCENT : DIFF_SECONDS;
	if (is_word(unit, to, "s"))
		condition->number *= 1e9L;
	else if (is_word(unit, to, "ms"))
		condition->number *= 1e6L;
	else if (condition->unit != DIFF_PERCENT)
		return refuse(diag, condition->text, how);
	condition->number *= sign;
	return 0;
}

int diff_condition_parse(struct diff_condition *condition, const char *text, struct diag *diag)
{
	const char *end = text + strlen(text), *op = NULL;

	memset(condition, 0, sizeof(*condition));
	condition->text = text;
	for (const char *at = text; *at; at++)
		if (*at == '<' || *at == '>')
			op = at;
	if (!op)
		return refuse(diag, text, "has no '>' or '<', as in 'wall>+5%'");
	condition->is_greater = *op == '>';
	if (parse_subject(condition, text, op, diag) != 0 ||
		parse_limit(condition, op + 1, end, diag) != 0)
		return -1;
	if (condition->metric == DIFF_EFFICIENCY && condition->unit != DIFF_PERCENT)
		return refuse(diag, text, "wants an efficiency in seconds: it is in percent");
	if (condition->metric == DIFF_WALL && condition->unit == DIFF_PERCENT &&
		!condition->is_change)
		return refuse(diag, text,
			"wants the wall time in percent of itself: for a change put a sign "
			"before the number");
	return 0;
}

static int is_counted(int metric, size_t cause)
{
	if (metric == DIFF_WAITING)
		return cause == METRICS_IMBALANCE || cause == METRICS_LOCK || cause == METRICS_TASK;
	return (size_t)metric == cause;
}

static void add_value(struct diff_value *sum, const struct diff_value *value)
{
	sum->before_ns += value->before_ns;
	sum->after_ns += value->after_ns;
	sum->error_ns = sqrt(sum->error_ns * sum->error_ns + value->error_ns * value->error_ns);
}

static int is_place(const struct diff_place *place, const char *name)
{
	return place && (strcmp(place->function, name) == 0 || strcmp(place->where, name) == 0 ||
				strcmp(place->construct, name) == 0);
}

/*
 * Sums up the metric at a place; 0 if the place has none. Returns 0, or -1 if no run has the place.
 */
static int sum_places(
	struct diff_value *sum, const struct diff_condition *condition, const struct diff *diff)
{
	int status = -1;

	for (size_t i = 0; i < diff->n_pairs; i++)
		if (is_place(diff->pairs[i].before, condition->place) ||
			is_place(diff->pairs[i].after, condition->place))
			status = 0;
	for (size_t i = 0; i < diff->n_rows; i++) {
		const struct diff_row *row = &diff->rows[i];

		if (is_counted(condition->metric, row->cause) &&
			(is_place(row->pair->before, condition->place) ||
				is_place(row->pair->after, condition->place)))
			add_value(sum, &row->value);
	}
	return status;
}

/*
 * The efficiency in parts of 10^9, the scale of the other metrics (ns). Its error is that of useful
 * work.
 */
static struct diff_value efficiency(const struct diff *diff)
{
	const struct diff_value *useful = &diff->cause[METRICS_USEFUL];
	double whole_ns = (double)diff->after->wall_ns;

	return (struct diff_value){
		.before_ns = diff_round(diff_parallel_efficiency(diff->before) * 1e9),
		.after_ns = diff_round(diff_parallel_efficiency(diff->after) * 1e9),
		.error_ns = whole_ns > 0 ? useful->error_ns / whole_ns * 1e9 : 0,
	};
}

static int find_value(struct diff_value *value, const struct diff_condition *condition,
	const struct diff *diff, struct diag *diag)
{
	*value = (struct diff_value){ 0 };
	if (condition->place[0] && sum_places(value, condition, diff) != 0)
		return diag_set(diag, "condition '%s' names a place that neither profile has",
			condition->text);
	if (condition->place[0])
		return 0;
	if (condition->metric == DIFF_EFFICIENCY) {
		*value = efficiency(diff);
	} else if (condition->metric == DIFF_WALL) {
		*value = diff->wall;
		value->error_ns = diff_noise_ns(diff);
	} else {
		for (size_t i = 0; i < METRICS_N_CAUSES; i++)
			if (is_counted(condition->metric, i))
				add_value(value, &diff->cause[i]);
	}
	return 0;
}

/* The limit in the figure's unit. */
static long double limit_of(const struct diff_condition *condition, const struct diff *diff,
	const struct diff_value *value)
{
	long double whole = condition->is_change ? (long double)value->before_ns
						 : (long double)diff->after->wall_ns;

	if (condition->unit == DIFF_SECONDS)
		return condition->number;
	if (condition->metric == DIFF_EFFICIENCY)
		whole = 1e9L;
	return whole * condition->number / 100;
}

/* The error, in the figure's unit, for a `sure` condition; less than 0: not known. */
static double sure_error(const struct diff_condition *condition, const struct diff *diff,
	const struct diff_value *value)
{
	double noise = diff_noise_ns(diff), whole_ns = (double)diff->after->wall_ns;

	if (!diff_knows_noise(diff))
		return -1;
	if (condition->metric == DIFF_WALL)
		return value->error_ns;
	if (condition->metric == DIFF_EFFICIENCY)
		noise = whole_ns > 0 ? noise / whole_ns * 1e9 : 0;
	if (condition->metric != DIFF_EFFICIENCY && diff_is_repeated(diff))
		return value->error_ns;
	return sqrt(value->error_ns * value->error_ns + noise * noise);
}

static void explain(struct diff_judgement *judgement, const struct diff *diff,
	const struct diff_value *value, double error, const char *doubt)
{
	double change = (double)value->after_ns - (double)value->before_ns;
	int is_run = judgement->condition.metric == DIFF_WALL;
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], by[TEXT_NUMBER_BYTES],
		part[TEXT_NUMBER_BYTES], of_error[TEXT_NUMBER_BYTES];

	if (judgement->condition.metric == DIFF_EFFICIENCY) {
		snprintf(judgement->why, sizeof(judgement->why), "%s -> %s %%, error %s %%%s",
			text_percent(a, value->before_ns, 1000000000),
			text_percent(b, value->after_ns, 1000000000),
			text_percent(of_error, diff_round(2 * error), 1000000000), doubt);
		return;
	}
	snprintf(judgement->why, sizeof(judgement->why), "%s -> %s s, %s s (%s %%), %s %s s%s",
		text_seconds(a, value->before_ns), text_seconds(b, value->after_ns),
		diff_signed_seconds(by, change),
		diff_signed_percent(part, change, (double)value->before_ns),
		!is_run                  ? "error"
		: diff_is_repeated(diff) ? "medians: error"
					 : "one run each: error at least",
		text_seconds(of_error, diff_round(2 * error)), doubt);
}

void diff_judge(struct diff_judgement *judgement, const struct diff *diff)
{
	const struct diff_condition *condition = &judgement->condition;
	struct diag diag = { "", "" };
	long double figure, excess, largest;
	struct diff_value value;
	double error;
	int is_close;

	judgement->is_known = find_value(&value, condition, diff, &diag) == 0;
	judgement->holds = judgement->is_unsure = 0;
	if (!judgement->is_known) {
		snprintf(judgement->why, sizeof(judgement->why), "%s", diag.text);
		return;
	}
	figure = (long double)value.after_ns -
		 (condition->is_change ? (long double)value.before_ns : 0);
	excess = figure - limit_of(condition, diff, &value);
	excess = condition->is_greater ? excess : -excess;
	largest = fmaxl((long double)value.after_ns, (long double)value.before_ns);
	error = condition->is_sure ? sure_error(condition, diff, &value) : value.error_ns;
	is_close = error < 0 || fabsl(excess) <= 2 * (long double)error;
	judgement->holds = excess > largest * tolerance;
	judgement->is_unsure = judgement->holds && condition->is_sure && is_close;
	judgement->holds &= !judgement->is_unsure;
	explain(judgement, diff, &value, error < 0 ? value.error_ns : error,
		error < 0  ? ", and how much such runs differ is not known"
		: is_close ? ", closer to the limit than the error"
			   : "");
}
