/* SPDX-License-Identifier: Apache-2.0 */
/* Prints an item as JSON, as ompprof-why(1) describes it; see why.h. */
#include "src/annotate/annotate_print.h"
#include "src/text/json.h"
#include "src/views/view_json.h"
#include "src/why/why.h"

enum { JSON_VERSION = 1 };

static void put_threads(struct json *json, const struct why *why)
{
	json_array(json, "threads");
	for (size_t i = 0; i < why->n_threads; i++) {
		const struct why_thread *thread = &why->threads[i];

		json_row(json);
		json_string(json, "name", thread->name);
		json_numbers(json, "work_s wait_s overhead_s", thread->work_ns, thread->wait_ns,
			thread->overhead_ns);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_commands(struct json *json, const struct why *why, const struct report *report)
{
	char text[2 * WHY_PLACE_BYTES];

	json_array(json, "commands");
	for (size_t i = 0; why_command(why, report, i, text, sizeof(text)); i++)
		json_string(json, NULL, text);
	json_end_array(json);
}

void why_print_json(const struct why *why, const struct report *report, FILE *out)
{
	struct json json = { .out = out };

	json_object(&json, NULL);
	json_string(&json, "format", "ompprof-why");
	json_numbers(&json, "version item items wall_s at_best_s", JSON_VERSION, why->item + 1,
		report->advice.n, report->metrics.wall_ns, why_at_best(why, report));
	view_json_advice(&json, report, &why->advice);
	json_strings(&json, "region directive_now", why->region, why->directive);
	put_threads(&json, why);
	put_commands(&json, why, report);
	json_array(&json, "sources");
	for (size_t i = 0; i < why->n_listings; i++) {
		json_object(&json, NULL);
		annotate_put_json(&json, &why->listings[i]);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	fputc('\n', out);
}
