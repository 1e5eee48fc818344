/* SPDX-License-Identifier: Apache-2.0 */
/* Makes what is shown of a place from a report; see annotate_listing.h. */
#include "src/annotate/annotate_listing.h"

#include <stdio.h>
#include <string.h>

#include "src/text/text.h"
#include "src/symbols/source_match.h"

static uint32_t file_node(const struct annotate *files, const char *file)
{
	uint32_t at = files->places.nodes[0].first_child;

	while (at != NAMES_NONE && files->places.nodes[at].label->file != file)
		at = files->places.nodes[at].next_sibling;
	return at;
}

/* A site with code of the file, or NULL. */
static const struct names_lookup_entry *site_in(const struct names_lookup *sites, const char *file)
{
	for (size_t i = 0; i < sites->n_sites; i++) {
		const struct names_lookup_entry *site = &sites->sites[i];

		if (site->module >= sites->n_modules)
			continue;
		for (size_t k = 0; k < site->n; k++)
			if (sites->labels[site->first + k].file == file)
				return site;
	}
	return NULL;
}

static void doubt_section(const struct annotate_listing *listing, struct annotate_section *section)
{
	const struct report *report = listing->report;
	const struct names_lookup_entry *site = site_in(&listing->functions.sites, section->file);
	const struct profile_module *module = site ? &report->profile.modules[site->module] : NULL;
	uint8_t md5[16];
	int has_md5 = 0;

	if (!site || !section->has_source)
		return;
	if (report->symbols) {
		struct symbols_object object = annotate_object(&report->profile, site->module);

		has_md5 = symbols_source_md5(report->symbols, &object, site->addr - module->bias,
				  section->file, md5) == 0;
	}
	source_match(section->problem, sizeof(section->problem), &section->source, module->path,
		has_md5 ? md5 : NULL, section->rows[section->n_rows - 1].line);
}

static int has_any_source(const struct annotate_plan *plan)
{
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].has_source)
			return 1;
	return 0;
}

/* Makes the remark that says why instructions are shown, in place of the problems of sources. */
static void remark_on_source(struct annotate_listing *listing)
{
	struct annotate_plan *plan = &listing->plan;
	const char *problem = plan->n_sections ? plan->sections[0].problem : "";
	char name[256];

	text_clean(name, sizeof(name), listing->functions.places.nodes[plan->node].label->name);
	if (problem[0])
		snprintf(listing->remark, sizeof(listing->remark), "%s", problem);
	else
		snprintf(listing->remark, sizeof(listing->remark),
			"no line of '%s' is known: compile with -g", name);
	for (size_t i = 0; i < plan->n_sections; i++)
		plan->sections[i].problem[0] = '\0';
}

static int make_code(
	struct annotate_listing *listing, const struct names_options *names, struct diag *diag)
{
	if (annotate_code_read(
		    &listing->code, &listing->functions, names, listing->options, diag) != 0)
		return -1;
	listing->has_code = 1;
	return 0;
}

/* Adds instructions because there is no source. A failure becomes the remark. */
static void add_code(struct annotate_listing *listing, const struct names_options *names)
{
	struct diag diag = { "", "" };

	remark_on_source(listing);
	if (listing->code.n_parts == 0)
		return;
	if (make_code(listing, names, &diag) != 0)
		snprintf(listing->remark, sizeof(listing->remark), "%s", diag.text);
}

/* Finds the function's code: it says where the function's lines end, and --asm needs it. */
static int find_code(struct annotate_listing *listing, struct diag *diag)
{
	struct diag ignored;
	int is_needed = listing->options->show_code;

	if (listing->target.function == NAMES_NONE)
		return is_needed ? diag_set(diag, "option '--asm' needs a function, not a file")
				 : 0;
	if (annotate_code_find(&listing->code, &listing->functions, listing->target.function,
		    is_needed ? diag : &ignored) == 0)
		return 0;
	return is_needed ? -1 : 0;
}

/* Makes the remark that says why more is shown than the line that was asked for. */
static void remark_on_line(struct annotate_listing *listing)
{
	const struct annotate_target *target = &listing->target;
	char file[256];

	text_clean(file, sizeof(file), names_base(target->file));
	snprintf(listing->remark, sizeof(listing->remark),
		"no function with figures has line %u of %s: the whole file is shown", target->line,
		file);
}

static int make_plan(
	struct annotate_listing *listing, const struct names_options *names, struct diag *diag)
{
	const struct annotate *annotate = &listing->functions;
	uint32_t node = listing->target.function;

	if (node == NAMES_NONE) {
		annotate = &listing->files;
		if (annotate_make(&listing->files, listing->report, names, ANNOTATE_FILES) != 0)
			return diag_set(diag, "cannot annotate: out of memory");
		node = file_node(annotate, listing->target.file);
		if (listing->target.line)
			remark_on_line(listing);
	}
	if (node == NAMES_NONE ||
		annotate_plan_make(&listing->plan, annotate, node, &listing->target,
			listing->options, listing->code.last_line) != 0)
		return diag_set(diag, "cannot annotate: out of memory");
	for (size_t i = 0; i < listing->plan.n_sections; i++)
		doubt_section(listing, &listing->plan.sections[i]);
	return 0;
}

int annotate_listing_make(struct annotate_listing *listing, struct report *report,
	const struct names_options *names, const char *place,
	const struct annotate_options *options, struct diag *diag)
{
	memset(listing, 0, sizeof(*listing));
	listing->report = report;
	listing->options = options;
	if (annotate_make(&listing->functions, report, names, ANNOTATE_FUNCTIONS) != 0)
		return diag_set(diag, "cannot annotate: out of memory");
	if (annotate_choose(&listing->target, &listing->functions, place, diag) != 0 ||
		find_code(listing, diag) != 0 || make_plan(listing, names, diag) != 0)
		return -1;
	if (options->show_code)
		return make_code(listing, names, diag);
	if (options->code_for_source && !has_any_source(&listing->plan))
		add_code(listing, names);
	return 0;
}

void annotate_listing_release(struct annotate_listing *listing)
{
	annotate_plan_release(&listing->plan);
	annotate_code_release(&listing->code);
	annotate_release(&listing->files);
	annotate_release(&listing->functions);
	memset(listing, 0, sizeof(*listing));
}
