/* SPDX-License-Identifier: Apache-2.0 */
/* A program's scaling as JSON, as ompprof-scale(1) describes it; see scale.h. */
#include "src/compare/diff_data.h"
#include "src/compare/scale.h"

enum { JSON_VERSION = 1 };

static void put_walls(struct json *json, const struct scale_point *point)
{
	json_array(json, "walls_s");
	for (size_t i = 0; i < point->n_runs; i++)
		json_seconds(json, NULL, point->runs[i].wall_ns);
	json_end_array(json);
}

static void put_causes(struct json *json, const struct diff *diff)
{
	json_object(json, "lost_by_cause_s");
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		diff_put_real(json, report_cause_word(i), diff->cause[i].change_ns / 1e9);
	json_end_object(json);
}

static void put_point(struct json *json, const struct scale *scale, const struct scale_point *point)
{
	json_row(json);
	json_number(json, "asked", point->n_asked);
	put_walls(json, point);
	json_object(json, "run");
	diff_put_run(json, point->run);
	json_end_object(json);
	diff_put_scaling(json, scale->points[0].run, point->run, scale->is_weak);
	diff_put_real(json, "lost_s", point->diff.wall.change_ns / 1e9);
	put_causes(json, &point->diff);
	diff_put_places(json, &point->diff);
	json_end_object(json);
}

void scale_put_json(const struct scale *scale, FILE *out)
{
	struct json json = { .out = out };
	double noise = scale_noise(scale);
	char text[1024];

	json_object(&json, NULL);
	json_string(&json, "format", "ompprof-scale");
	json_number(&json, "version", JSON_VERSION);
	json_string(&json, "mode", scale->is_weak ? "weak" : "strong");
	if (noise < 0)
		json_null(&json, "noise");
	else
		diff_put_real(&json, "noise", noise);
	json_array(&json, "points");
	for (size_t i = 0; i < scale->n_points; i++)
		put_point(&json, scale, &scale->points[i]);
	json_end_array(&json);
	json_array(&json, "warnings");
	for (size_t i = 0; scale_warning(scale, i, text, sizeof(text)); i++)
		json_string(&json, NULL, text);
	json_end_array(&json);
	json_end_object(&json);
	fputc('\n', out);
}
