/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's profile.proto, compressed with gzip: a message Profile, whose fields are numbered below.
 * A location is a function with all that is inlined into it. The thread, process, state and region
 * of a sample are string labels, because readers drop numbers that are 0.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "src/export/export.h"

enum {
	FIELD_SAMPLE_TYPE = 1,
	FIELD_SAMPLE,
	FIELD_MAPPING,
	FIELD_LOCATION,
	FIELD_FUNCTION,
	FIELD_STRING,
	FIELD_DURATION = 10,
	FIELD_DEFAULT_TYPE = 14
};

struct bytes {
	unsigned char *at;
	size_t n, capacity;
	/* set once memory ran out, or the bytes were too many: from then on nothing is added */
	int is_out_of_memory;
};

/* The id of a function or mapping is the index of its node; index 0, the root, is no id. */
struct maker {
	const struct export *export;
	struct bytes all, message, part;
	struct name_tree strings, functions, mappings;
	uint8_t *is_used; /* by export node: it ends a location of a sample */
};

static void put_bytes(struct bytes *to, const void *from, size_t n)
{
	/* Readers accept no message of more than 2 GiB. */
	if (n > ((size_t)1 << 31) - to->n)
		to->is_out_of_memory = 1;
	if (to->n + n > to->capacity && !to->is_out_of_memory) {
		size_t capacity = (to->n + n) * 2 + 256;
		unsigned char *at = realloc(to->at, capacity);

		to->is_out_of_memory = !at;
		to->at = at ? at : to->at;
		to->capacity = at ? capacity : to->capacity;
	}
	if (to->is_out_of_memory || n == 0)
		return;
	memcpy(to->at + to->n, from, n);
	to->n += n;
}

static void put_varint(struct bytes *to, uint64_t number)
{
	unsigned char text[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		text[n++] = (unsigned char)(number | 0x80);
	text[n++] = (unsigned char)number;
	put_bytes(to, text, n);
}

static void put_number(struct bytes *to, unsigned field, uint64_t number)
{
	if (!number)
		return;
	put_varint(to, field << 3);
	put_varint(to, number);
}

static void put_text(struct bytes *to, unsigned field, const void *text, size_t n)
{
	put_varint(to, field << 3 | 2);
	put_varint(to, n);
	put_bytes(to, text, n);
}

/* Adds the message `from` to `to` as a field, and empties it. */
static void put_message(struct bytes *to, unsigned field, struct bytes *from)
{
	put_text(to, field, from->at, from->n);
	to->is_out_of_memory |= from->is_out_of_memory;
	from->n = 0;
}

static uint32_t entry(struct maker *maker, struct name_tree *table, const struct name_label *label)
{
	uint32_t id = name_tree_child(table, 0, label);

	if (id != NAMES_NONE)
		return id;
	maker->all.is_out_of_memory = 1;
	return 0;
}

static uint32_t string(struct maker *maker, const char *text)
{
	struct name_label label = *maker->strings.nodes[0].label;

	if (!*text)
		return 0;
	label.name = name_tree_intern(&maker->strings, text);
	if (label.name)
		return entry(maker, &maker->strings, &label);
	maker->all.is_out_of_memory = 1;
	return 0;
}

static uint32_t function(struct maker *maker, const struct export_node *node)
{
	struct name_label label = *maker->functions.nodes[0].label;
	int is_code = node->kind == NAME_FUNCTION || node->kind == NAME_INLINED;

	label.name = node->name;
	label.file = is_code && *node->decl_file ? node->decl_file : node->file;
	label.line = is_code ? node->decl_line : node->line;
	return entry(maker, &maker->functions, &label);
}

static uint32_t mapping(struct maker *maker, const struct export_node *node)
{
	struct name_label label = *maker->mappings.nodes[0].label;

	label.name = node->module;
	return *node->module ? entry(maker, &maker->mappings, &label) : 0;
}

static void put_label(struct maker *maker, const char *key, const char *text)
{
	if (!*text)
		return;
	put_number(&maker->part, 1, string(maker, key));
	put_number(&maker->part, 2, string(maker, text));
	put_message(&maker->message, 3, &maker->part);
}

/* The node that ends the next location outwards, or 0. */
static uint32_t caller(const struct export *export, uint32_t i)
{
	while (export->nodes[i].kind == NAME_INLINED &&
		(export->nodes[export->nodes[i].parent].kind == NAME_INLINED ||
			export->nodes[export->nodes[i].parent].kind == NAME_FUNCTION))
		i = export->nodes[i].parent;
	return i ? export->nodes[i].parent : 0;
}

static void put_sample(struct maker *maker, uint32_t i)
{
	const struct export *export = maker->export;
	const struct export_node *node = &export->nodes[i];
	char text[4096];
	uint32_t at = i;

	do {
		put_varint(&maker->part, at + 1u);
		maker->is_used[at] = 1;
		at = caller(export, at);
	} while (at);
	put_message(&maker->message, 1, &maker->part);
	for (int metric = 0; metric < EXPORT_N_METRICS; metric++)
		if (export_has(export, metric))
			put_varint(&maker->part, node->self[metric]);
	put_message(&maker->message, 2, &maker->part);
	export_thread(text, sizeof(text), export, i);
	put_label(maker, "thread", text);
	export_process(text, sizeof(text), export, i);
	put_label(maker, "process", text);
	put_label(maker, "state", export_state(node));
	export_region(text, sizeof(text), export, i);
	put_label(maker, "region", text);
	put_message(&maker->all, FIELD_SAMPLE, &maker->message);
}

static void put_location(struct maker *maker, uint32_t i)
{
	const struct export_node *nodes = maker->export->nodes;
	uint32_t end = caller(maker->export, i);

	put_number(&maker->message, 1, i + 1u);
	put_number(&maker->message, 2, mapping(maker, &nodes[i]));
	put_number(&maker->message, 3, nodes[i].address);
	for (uint32_t at = i; at == i || at != end; at = nodes[at].parent) {
		put_number(&maker->part, 1, function(maker, &nodes[at]));
		put_number(&maker->part, 2, nodes[at].line);
		put_message(&maker->message, 4, &maker->part);
		if (at == 0)
			break;
	}
	put_message(&maker->all, FIELD_LOCATION, &maker->message);
}

static void put_function(struct maker *maker, uint32_t id)
{
	const struct name_label *label = maker->functions.nodes[id].label;

	put_number(&maker->message, 1, id);
	put_number(&maker->message, 2, string(maker, label->name));
	put_number(&maker->message, 3, string(maker, label->name));
	put_number(&maker->message, 4, string(maker, label->file));
	put_number(&maker->message, 5, label->line);
	put_message(&maker->all, FIELD_FUNCTION, &maker->message);
}

static void put_mapping(struct maker *maker, uint32_t id)
{
	const struct profile *profile = &maker->export->report->profile;
	const char *path = maker->mappings.nodes[id].label->name;
	char build_id[2 * sizeof(profile->modules->build_id) + 1] = "";

	put_number(&maker->message, 1, id);
	for (size_t i = 0; i < profile->n_modules; i++) {
		const struct profile_module *module = &profile->modules[i];

		if (strcmp(module->path, path) != 0)
			continue;
		put_number(&maker->message, 2, module->start);
		put_number(&maker->message, 3, module->end);
		for (size_t k = 0; k < module->build_id_bytes && k < sizeof(module->build_id); k++)
			snprintf(build_id + 2 * k, 3, "%02x", module->build_id[k]);
		break;
	}
	put_number(&maker->message, 5, string(maker, path));
	put_number(&maker->message, 6, string(maker, build_id));
	for (unsigned has = 7; has <= 10; has++)
		put_number(&maker->message, has, 1);
	put_message(&maker->all, FIELD_MAPPING, &maker->message);
}

static void put_all(struct maker *maker)
{
	const struct export *export = maker->export;

	for (int metric = 0; metric < EXPORT_N_METRICS; metric++) {
		if (!export_has(export, metric))
			continue;
		put_number(&maker->message, 1, string(maker, export_metric_words[metric]));
		put_number(&maker->message, 2,
			string(maker, export_unit(metric)[0] == 'n' ? "nanoseconds" : "count"));
		put_message(&maker->all, FIELD_SAMPLE_TYPE, &maker->message);
	}
	for (uint32_t i = 0; i < export->n_nodes; i++)
		if (export_has_figures(export->nodes[i].self))
			put_sample(maker, i);
	for (uint32_t i = 0; i < export->n_nodes; i++)
		if (maker->is_used[i])
			put_location(maker, i);
	for (uint32_t i = 1; i < maker->functions.n_nodes; i++)
		put_function(maker, i);
	for (uint32_t i = 1; i < maker->mappings.n_nodes; i++)
		put_mapping(maker, i);
	put_number(&maker->all, FIELD_DURATION, export->report->totals.wall_ns);
	put_number(&maker->all, FIELD_DEFAULT_TYPE,
		string(maker, export_metric_words[export->metric]));
	for (uint32_t i = 0; i < maker->strings.n_nodes; i++) {
		const char *text = maker->strings.nodes[i].label->name;

		put_text(&maker->all, FIELD_STRING, text, strlen(text));
	}
}

/* No time is in the header, so equal profiles give equal files. Returns 0 or -1. */
static int compress_to(FILE *out, struct bytes *bytes)
{
	unsigned char block[1 << 15];
	z_stream z = { .next_in = bytes->at, .avail_in = (uInt)bytes->n };
	unsigned char comment[] = "ompprof";
	gz_header header = { .comment = comment, .os = 3 };

	if (bytes->n > UINT32_MAX || deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
					     MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	deflateSetHeader(&z, &header);
	do {
		z.next_out = block;
		z.avail_out = sizeof(block);
		deflate(&z, Z_FINISH);
		fwrite(block, 1, sizeof(block) - z.avail_out, out);
	} while (z.avail_out == 0);
	deflateEnd(&z);
	return 0;
}

static int write_pprof(const struct export *export, FILE *out, struct diag *diag)
{
	struct maker maker = { .export = export, .is_used = calloc(export->n_nodes, 1) };
	int status = maker.is_used ? 0 : -1;

	if (name_tree_init(&maker.strings, 1) != 0 || name_tree_init(&maker.functions, 0) != 0 ||
		name_tree_init(&maker.mappings, 0) != 0)
		status = -1;
	if (status == 0)
		put_all(&maker);
	if (status == 0 && (maker.all.is_out_of_memory || compress_to(out, &maker.all) != 0))
		status = -1;
	free(maker.all.at);
	free(maker.message.at);
	free(maker.part.at);
	free(maker.is_used);
	name_tree_release(&maker.strings);
	name_tree_release(&maker.functions);
	name_tree_release(&maker.mappings);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

const struct export_format export_pprof = {
	.name = "pprof",
	.suffix = ".pb.gz",
	.file = "ompprof.pb.gz",
	.summary = "profile.proto, for go tool pprof and many others",
	.viewer = "go tool pprof -top",
	.takes = EXPORT_FIRST_METRIC,
	.is_binary = 1,
	.is_by_thread = 1,
	.mark.begins = "\x1f\x8b\b\x10",
	.mark.holds = "ompprof",
	.mark.holds_at = 10,
	.write = write_pprof,
};
