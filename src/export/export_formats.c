/* SPDX-License-Identifier: Apache-2.0 */
/* The formats, and words for their figures; see export.h. */
#include "src/export/export.h"

#include <string.h>

const struct export_format *const export_formats[] = {
#define FORMAT(name) &export_##name,
#include "src/export/formats.def"
#undef FORMAT
	NULL,
};

const char *const export_format_words[] = {
#define FORMAT(name) #name,
#include "src/export/formats.def"
#undef FORMAT
	NULL,
};

const char *const export_metric_words[] = {
	[EXPORT_SAMPLES] = "samples",
	[EXPORT_TIME] = "time",
	[EXPORT_WORK] = "work",
	[EXPORT_WAIT] = "wait",
	[EXPORT_OVERHEAD] = "overhead",
	[EXPORT_BLAME] = "blame",
	[EXPORT_EVENTS] = "events",
	NULL,
};

const struct export_format *export_format_of_file(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; export_formats[i]; i++) {
		size_t n_suffix = strlen(export_formats[i]->suffix);

		if (n > n_suffix && strcmp(path + n - n_suffix, export_formats[i]->suffix) == 0)
			return export_formats[i];
	}
	return NULL;
}

int export_has(const struct export *export, enum export_metric metric)
{
	if (metric == EXPORT_BLAME && export->report->profile.part.is_cut)
		return 0;
	return metric != EXPORT_EVENTS || export->report->is_event;
}

const char *export_unit(enum export_metric metric)
{
	return metric == EXPORT_SAMPLES || metric == EXPORT_EVENTS ? "count" : "ns";
}

int export_has_figures(const uint64_t figures[EXPORT_N_METRICS])
{
	for (size_t i = 0; i < EXPORT_N_METRICS; i++)
		if (figures[i])
			return 1;
	return 0;
}

const char *export_state(const struct export_node *node)
{
	return report_class_word(node->class);
}

void export_region(char *text, size_t text_bytes, const struct export *export, uint32_t node)
{
	uint32_t region = export->nodes[node].region;
	const struct export_node *at = &export->nodes[region == EXPORT_NONE ? 0 : region];

	text[0] = '\0';
	if (region == EXPORT_NONE)
		return;
	if (at->line)
		snprintf(text, text_bytes, "%s:%u %s", basename(at->file), at->line, at->function);
	else
		snprintf(text, text_bytes, "%s", at->name);
}

void export_thread(char *text, size_t text_bytes, const struct export *export, uint32_t node)
{
	uint32_t thread = export->nodes[node].thread;

	text[0] = '\0';
	if (thread != EXPORT_NONE)
		snprintf(text, text_bytes, "%u", export->report->profile.threads[thread].index);
}

void export_process(char *text, size_t text_bytes, const struct export *export, uint32_t node)
{
	uint32_t thread = export->nodes[node].thread;

	text[0] = '\0';
	if (thread != EXPORT_NONE)
		names_process(text, text_bytes, &export->report->profile, thread);
}

size_t export_path(uint32_t *path, const struct export *export, uint32_t node)
{
	size_t n = export->nodes[node].depth;

	for (size_t i = n; i-- > 0; node = export->nodes[node].parent)
		path[i] = node;
	return n;
}

struct export_text {
	const struct export *export;
	const struct export_format *format;
};

static int write_text(const void *data, FILE *out, struct diag *diag)
{
	const struct export_text *text = data;

	return text->format->write(text->export, out, diag);
}

int export_save(const struct export *export, const struct export_format *format,
	const struct save_place *place, struct diag *diag)
{
	const struct export_text text = { export, format };

	return save_file(place, write_text, &text, diag);
}
