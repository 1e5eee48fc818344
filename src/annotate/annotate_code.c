/* SPDX-License-Identifier: Apache-2.0 */
/* A function's code with the samples at each instruction; see annotate_code.h. */
#include "src/annotate/annotate_code.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

/* The site has code of the function; and the function is not inlined there. */
enum { SITE_IN_FUNCTION = 1, SITE_OF_FUNCTION = 2 };

/*
 * The site of node i's own figures, or NULL. A construct may begin inside the runtime: its site
 * then is the user's call of the runtime.
 */
static const struct names_lookup_entry *site_of(const struct annotate *a, uint32_t i)
{
	const struct tree *tree = &a->report->tree;
	const struct names_lookup_entry *tail = names_tail_of(&a->sites, tree, i);
	uint32_t code = annotate_code_of(tree, i), caller;

	if (tail)
		return tail;
	if (code == NAMES_NONE || a->sites.site_of[code] == NAMES_NONE)
		return NULL;
	if (tree->nodes[code].kind != TREE_FRAME &&
		names_is_runtime(&a->report->profile, tree->nodes[code].module)) {
		caller = a->sites.caller_of[tree->nodes[code].parent];
		if (caller != UINT32_MAX && a->sites.site_of[caller] != NAMES_NONE)
			code = caller;
	}
	return names_lookup_of(&a->sites, code);
}

/* By site (an address): its figures, and whether it is code of the function. */
struct site_use {
	struct annotate_figures self;
	unsigned flags;
};

static struct site_use *use_sites(const struct annotate *a, uint32_t function)
{
	const struct tree *tree = &a->report->tree;
	struct site_use *uses = calloc(a->sites.n_sites + 1, sizeof(*uses));

	for (uint32_t i = 0; uses && i < tree->n_nodes; i++) {
		struct tree_metrics own = tree_self(tree, i);
		struct annotate_figures figures = annotate_figures_of(a->report, &own);
		const struct names_lookup_entry *site = site_of(a, i);
		struct site_use *use = site ? &uses[site - a->sites.sites] : NULL;

		if (!use)
			continue;
		annotate_add(&use->self, &figures);
		for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
			if (a->places.nodes[a->lines[k]].parent == function)
				use->flags |= SITE_IN_FUNCTION |
					      (k == a->first[i] ? SITE_OF_FUNCTION : 0);
	}
	return uses;
}

struct symbols_object annotate_object(const struct profile *profile, uint32_t module)
{
	const struct profile_module *of = &profile->modules[module];

	return (struct symbols_object){
		.path = of->path,
		.build_id = of->build_id_bytes ? of->build_id : NULL,
		.build_id_bytes = of->build_id_bytes,
	};
}

/*
 * Whether the site is in the part; sets its address in the object file. Processes may have loaded
 * an object at different addresses.
 */
static int is_in(const struct annotate *a, const struct annotate_part *part,
	const struct names_lookup_entry *site, uint64_t *addr)
{
	if (site->module >= a->sites.n_modules || a->sites.modules[site->module] != part->object)
		return 0;
	*addr = site->addr - a->report->profile.modules[site->module].bias;
	return *addr >= part->extent.low && *addr < part->extent.high;
}

static struct annotate_part *find_part(
	struct annotate_code *code, const struct annotate *a, const struct names_lookup_entry *site)
{
	uint64_t addr;

	for (size_t i = 0; i < code->n_parts; i++)
		if (is_in(a, &code->parts[i], site, &addr))
			return &code->parts[i];
	return NULL;
}

/*
 * Returns the part that contains the site, and makes the part if there is none. NULL: no symbol is
 * known, or there are too many parts.
 */
static struct annotate_part *add_part(
	struct annotate_code *code, const struct annotate *a, const struct names_lookup_entry *site)
{
	const struct profile *profile = &a->report->profile;
	struct annotate_part *part = find_part(code, a, site);
	struct symbols_object object;

	if (part)
		return part;
	if (site->module >= profile->n_modules || code->n_parts == ANNOTATE_MOST_PARTS)
		return NULL;
	part = &code->parts[code->n_parts];
	object = annotate_object(profile, site->module);
	if (symbols_extent(a->report->symbols, &object,
		    site->addr - profile->modules[site->module].bias, &part->extent) != 0)
		return NULL;
	part->module = site->module;
	part->object = a->sites.modules[site->module];
	code->n_parts++;
	return part;
}

static int by_amount(const void *left, const void *right)
{
	const struct annotate_part *a = left, *b = right;

	if (a->self.amount != b->self.amount)
		return a->self.amount > b->self.amount ? -1 : 1;
	return a->extent.low < b->extent.low ? -1 : a->extent.low > b->extent.low;
}

static void find_parts(struct annotate_code *code, const struct annotate *a, uint32_t function)
{
	const struct site_use *uses = code->uses;
	const char *file = a->places.nodes[function].label->file;

	for (size_t i = 0; i < a->sites.n_sites; i++) {
		struct annotate_part *part =
			uses[i].flags ? add_part(code, a, &a->sites.sites[i]) : NULL;

		if (part && uses[i].flags & SITE_OF_FUNCTION &&
			strcmp(part->extent.file, file) == 0 &&
			part->extent.last_line > code->last_line)
			code->last_line = part->extent.last_line;
	}
	for (size_t i = 0; i < a->sites.n_sites; i++) {
		struct annotate_part *part =
			uses[i].flags ? find_part(code, a, &a->sites.sites[i]) : NULL;

		if (part) {
			annotate_add(&part->self, &uses[i].self);
			annotate_add(&code->self, &uses[i].self);
		}
	}
	qsort(code->parts, code->n_parts, sizeof(code->parts[0]), by_amount);
}

int annotate_code_find(struct annotate_code *code, const struct annotate *annotate,
	uint32_t function, struct diag *diag)
{
	char name[256];

	memset(code, 0, sizeof(*code));
	code->function = function;
	code->uses = annotate->report->symbols ? use_sites(annotate, function) : NULL;
	if (code->uses)
		find_parts(code, annotate, function);
	if (code->n_parts)
		return 0;
	text_clean(name, sizeof(name), annotate->places.nodes[function].label->name);
	return diag_set(diag, "cannot disassemble '%s': no symbol is known for its code", name);
}

/* The instruction at or before an address, or NULL. */
static struct annotate_instruction *find_instruction(struct annotate_part *part, uint64_t addr)
{
	size_t low = 0, high = part->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (part->instructions[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &part->instructions[low - 1] : NULL;
}

static void find_line(const struct annotate *a, const struct names_options *names,
	const struct annotate_part *part, struct annotate_instruction *instruction,
	struct symbols_at *at)
{
	struct symbols_object object = annotate_object(&a->report->profile, part->module);

	at->n = 0;
	names->lookup(names->data, &object, instruction->addr, at);
	instruction->file = at->n ? at->symbol[0].file : "";
	instruction->line = at->n ? at->symbol[0].line : 0;
}

static void fill_figures(struct annotate_code *code, const struct annotate *a)
{
	const struct site_use *uses = code->uses;

	for (size_t i = 0; i < a->sites.n_sites; i++) {
		const struct names_lookup_entry *site = &a->sites.sites[i];
		struct annotate_part *part = uses[i].flags ? find_part(code, a, site) : NULL;
		struct annotate_instruction *instruction;
		uint64_t addr;

		if (!part || !is_in(a, part, site, &addr))
			continue;
		instruction = find_instruction(part, addr);
		annotate_add(instruction ? &instruction->self : &part->strayed, &uses[i].self);
	}
}

int annotate_code_read(struct annotate_code *code, const struct annotate *annotate,
	const struct names_options *names, const struct annotate_options *options,
	struct diag *diag)
{
	struct symbols_at *at = malloc(sizeof(*at));
	int status = at ? 0 : diag_set(diag, "cannot disassemble: out of memory");

	for (size_t i = 0; status == 0 && i < code->n_parts; i++)
		status = annotate_disassemble(&code->parts[i], options, diag);
	for (size_t i = 0; status == 0 && i < code->n_parts; i++)
		for (size_t k = 0; k < code->parts[i].n; k++)
			find_line(annotate, names, &code->parts[i], &code->parts[i].instructions[k],
				at);
	if (status == 0)
		fill_figures(code, annotate);
	free(at);
	return status;
}

void annotate_code_release(struct annotate_code *code)
{
	for (size_t i = 0; i < code->n_parts; i++) {
		free(code->parts[i].instructions);
		free(code->parts[i].text);
	}
	free(code->uses);
	memset(code, 0, sizeof(*code));
}
