/* SPDX-License-Identifier: Apache-2.0 */
/* A program's history as JSON, as ompprof-history(1) describes it; see history.h. */
#include <math.h>

#include "src/compare/diff_data.h"
#include "src/compare/history.h"

enum { JSON_VERSION = 1 };

static void put_points(struct json *json, const struct history *history)
{
	char day[16];

	json_array(json, "labels");
	for (size_t i = 0; i < history->n_points; i++) {
		json_row(json);
		diff_put_run(json, &history->points[i]);
		json_string(json, "day", history_day(day, &history->points[i]));
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_figures(struct json *json, const struct history_row *row, size_t n)
{
	json_array(json, "values_s");
	for (size_t i = 0; i < n; i++)
		if (row->ns[i] == UINT64_MAX)
			json_null(json, NULL);
		else
			json_seconds(json, NULL, row->ns[i]);
	json_end_array(json);
	json_array(json, "errors_s");
	for (size_t i = 0; i < n; i++)
		diff_put_real(json, NULL, sqrt(row->variance[i]) / 1e9);
	json_end_array(json);
}

static void put_row(struct json *json, const struct history_row *row, size_t n)
{
	const struct diff_place *place = row->place;

	json_row(json);
	json_string(json, "kind",
		place                            ? diff_kind_word(place->kind)
		: row->cause == METRICS_N_CAUSES ? "wall"
						 : "cause");
	if (place)
		json_strings(json, "function construct module file", place->function,
			place->construct, place->module, place->file);
	else if (row->cause < METRICS_N_CAUSES)
		json_string(json, "cause", report_cause_word(row->cause));
	if (place)
		json_known(json, place->line != 0, "line", place->line);
	put_figures(json, row, n);
	diff_put_real(json, "change_s", row->change_ns / 1e9);
	diff_put_real(json, "error_s", row->error_ns / 1e9);
	if (row->sure == HISTORY_UNKNOWN)
		json_null(json, "sure");
	else
		json_bool(json, "sure", row->sure == HISTORY_SURE);
	json_end_object(json);
}

void history_put_json(const struct history *history, FILE *out)
{
	struct json json = { .out = out };

	json_object(&json, NULL);
	json_string(&json, "format", "ompprof-history");
	json_number(&json, "version", JSON_VERSION);
	put_points(&json, history);
	json_array(&json, "rows");
	for (size_t i = 0; i < history->n_rows; i++)
		put_row(&json, &history->rows[i], history->n_points);
	json_end_array(&json);
	json_end_object(&json);
	fputc('\n', out);
}
