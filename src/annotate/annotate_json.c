/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated source and code as JSON, described in ompprof-annotate(1); see annotate_print.h. */
#include <stdio.h>

#include "src/annotate/annotate_print.h"
#include "src/text/json.h"

enum { JSON_VERSION = 1 };

static void put_figures(struct json *json, const struct report *report, const char *key,
	const struct annotate_figures *figures)
{
	json_object(json, key);
	json_numbers(json,
		report->is_event ? "events work_s wait_s overhead_s blame_s samples"
				 : "time_s work_s wait_s overhead_s blame_s samples",
		figures->amount, figures->work_ns, figures->wait_ns, figures->overhead_ns,
		figures->blame_ns, figures->samples);
	json_end_object(json);
}

static void put_place(struct json *json, const struct annotate_plan *plan)
{
	const struct name_label *label = plan->annotate->places.nodes[plan->node].label;

	if (label->name[0])
		json_strings(json, "function module", label->name, label->module);
	json_string(json, "file", label->file);
	if (label->name[0] && label->decl_line)
		json_number(json, "line", label->decl_line);
	if (plan->target->line)
		json_number(json, "asked_line", plan->target->line);
}

static void put_others(struct json *json, const struct annotate_listing *listing)
{
	const struct annotate_target *target = &listing->target;

	json_array(json, "others");
	for (size_t i = 0; i < target->n_others && i < ANNOTATE_MOST_OTHERS; i++)
		json_string(json, NULL,
			target->other_files[i]
				? target->other_files[i]
				: listing->functions.places.nodes[target->others[i]].label->name);
	json_end_array(json);
}

static void put_warnings(struct json *json, const struct annotate_listing *listing)
{
	json_array(json, "warnings");
	if (listing->remark[0])
		json_string(json, NULL, listing->remark);
	for (size_t i = 0; i < listing->plan.n_sections; i++)
		if (listing->plan.sections[i].problem[0])
			json_string(json, NULL, listing->plan.sections[i].problem);
	json_end_array(json);
}

static void put_constructs(struct json *json, const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line)
{
	const struct annotate_construct *construct = annotate_construct_at(plan, section, line, 0);

	if (!construct)
		return;
	json_array(json, "constructs");
	for (size_t k = 0; (construct = annotate_construct_at(plan, section, line, k)); k++) {
		json_object(json, NULL);
		json_string(json, "name", construct->label->name);
		json_number(json, "executions", construct->n);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_line(struct json *json, const struct annotate_listing *listing,
	const struct annotate_section *section, uint32_t n)
{
	const struct annotate_row *row = annotate_row_at(section, n);
	char text[SOURCE_LINE_BYTES];

	json_row(json);
	json_number(json, "line", n);
	if (row) {
		put_figures(json, listing->report, "self", &row->self);
		put_figures(json, listing->report, "total", &row->total);
	}
	put_constructs(json, &listing->plan, section, n);
	if (section->has_source) {
		source_text(text, sizeof(text), &section->source, n, 0);
		json_string(json, "source", text);
	}
	json_end_object(json);
}

static void put_section(struct json *json, const struct annotate_listing *listing,
	const struct annotate_section *section)
{
	json_object(json, NULL);
	json_strings(json, "file path", section->file,
		section->has_source ? section->source.path : NULL);
	json_array(json, "lines");
	for (size_t i = 0; i < section->n_ranges; i++)
		for (uint32_t n = section->ranges[i].first; n <= section->ranges[i].last; n++)
			put_line(json, listing, section, n);
	json_end_array(json);
	json_end_object(json);
}

static void put_part(
	struct json *json, const struct report *report, const struct annotate_part *part)
{
	json_object(json, NULL);
	json_strings(json, "symbol object", part->extent.name, part->object);
	json_address(json, "low", part->extent.low);
	json_address(json, "high", part->extent.high);
	put_figures(json, report, "self", &part->self);
	put_figures(json, report, "strayed", &part->strayed);
	json_array(json, "instructions");
	for (size_t i = 0; i < part->n; i++) {
		const struct annotate_instruction *at = &part->instructions[i];

		json_row(json);
		json_address(json, "address", at->addr);
		if (!annotate_is_zero(&at->self))
			put_figures(json, report, "self", &at->self);
		json_string(json, "file", at->file);
		json_number(json, "line", at->line);
		json_string(json, "instruction", at->text);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

void annotate_put_json(struct json *json, const struct annotate_listing *listing)
{
	const struct annotate_plan *plan = &listing->plan;

	put_place(json, plan);
	put_others(json, listing);
	put_warnings(json, listing);
	put_figures(json, listing->report, "self", &plan->self);
	put_figures(json, listing->report, "total", &plan->total);
	put_figures(json, listing->report, "self_without_line", &plan->nowhere.self);
	json_array(json, "files");
	for (size_t i = 0; i < plan->n_sections; i++)
		put_section(json, listing, &plan->sections[i]);
	json_end_array(json);
	if (!listing->has_code)
		return;
	json_array(json, "code");
	for (size_t i = 0; i < listing->code.n_parts; i++)
		put_part(json, listing->report, &listing->code.parts[i]);
	json_end_array(json);
}

void annotate_print_json(const struct annotate_listing *listing, struct terminal *terminal)
{
	struct json json = { .out = terminal->out };

	json_object(&json, NULL);
	json_string(&json, "format", "ompprof-annotate");
	json_number(&json, "version", JSON_VERSION);
	annotate_put_json(&json, listing);
	json_end_object(&json);
	fputc('\n', terminal->out);
}
