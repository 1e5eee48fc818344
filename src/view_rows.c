/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the text views' tables; see view_rows.h. */
#include "src/view_rows.h"

#include <string.h>

#include "src/names_sites.h"
#include "src/report_text.h"

enum { NAME_BYTES = ROWS_NAME_BYTES, PLACE_COLUMNS = 26, NAME_COLUMNS_LEAST = 24 };

static size_t columns_width(const struct column *columns)
{
	size_t width = 0;

	for (; columns->heading; columns++)
		width += columns->width + 1;
	return width;
}

void rows_heading(struct terminal *terminal, const struct column *columns, const char *path)
{
	char text[128];

	snprintf(text, sizeof(text), "%s", path);
	text_cut(text, terminal->width - columns_width(columns) - 1);
	fputs(terminal_style(terminal, STYLE_HEADING), terminal->out);
	for (; columns->heading; columns++)
		fprintf(terminal->out, "%*s ", columns->width, columns->heading);
	fprintf(terminal->out, " %s%s\n", text, terminal_style(terminal, STYLE_NONE));
}

static void put_columns(struct terminal *terminal, const struct report *report,
	const struct column *columns, const struct row *row)
{
	for (; columns->heading; columns++) {
		const struct tree_metrics *metrics = columns->is_self ? row->self : row->total;
		uint64_t value = metrics ? report_metric(report, metrics, columns->metric) : 0;
		char number[TEXT_NUMBER_BYTES] = "";

		if (!metrics)
			;
		else if (columns->is_percent)
			text_percent(number, value,
				report_metric(report, report_whole(report), columns->metric));
		else if (columns->metric == METRIC_SAMPLES ||
			 (columns->metric == METRIC_TOTAL && report->is_event))
			text_count(number, value);
		else
			text_seconds(number, value);
		fprintf(terminal->out, "%*s ", columns->width, number);
	}
}

void rows_name(char *text, size_t text_bytes, const struct name_node *node)
{
	const struct name_label *label = &node->label;
	char name[NAME_BYTES], count[TEXT_NUMBER_BYTES];

	text_clean(name, sizeof(name), label->name);
	if (label->addr)
		snprintf(text, text_bytes, "0x%llx%s%s", (unsigned long long)label->addr,
			strncmp(name, "0x", 2) == 0 ? "" : " ",
			strncmp(name, "0x", 2) == 0 ? "" : name);
	else if (strncmp(name, "0x", 2) == 0 && label->module[0]) {
		char module[256];
		text_clean(module, sizeof(module), names_base(label->module));
		snprintf(text, text_bytes, "%s+%s", module, name);
	} else if (label->kind == NAME_INLINED) {
		snprintf(text, text_bytes, "%s (inlined%s)", name,
			node->is_guessed ? ", guessed" : "");
	} else if (node->repeats > 1) {
		snprintf(text, text_bytes, "%s (x%u)", name, node->repeats);
	} else if (node->self.n_executions > 0) {
		snprintf(text, text_bytes, "%s x%s", name,
			text_count(count, node->self.n_executions));
	} else {
		snprintf(text, text_bytes, "%s", name);
	}
	if (node->is_guessed && label->kind != NAME_INLINED) {
		size_t used = strlen(text);

		snprintf(text + used, text_bytes - used, " (guessed)");
	}
}

void rows_place(char *text, size_t text_bytes, const struct name_label *label)
{
	char file[256];

	text[0] = '\0';
	if (label->addr && label->module[0]) {
		text_clean(file, sizeof(file), names_base(label->module));
		snprintf(text, text_bytes, "%s+0x%llx", file, (unsigned long long)label->offset);
	} else if (label->addr) {
		snprintf(text, text_bytes, "[unknown]");
	} else if (label->kind == NAME_REGION || label->kind == NAME_TASK) {
		text_clean(text, text_bytes, label->function);
	} else if (label->kind == NAME_FUNCTION || label->kind == NAME_INLINED) {
		const char *path = label->decl_line ? label->decl_file : label->file;
		uint32_t line = label->decl_line ? label->decl_line : label->line;

		text_clean(file, sizeof(file), names_base(path));
		if (line)
			snprintf(text, text_bytes, "%s:%u", file, line);
		else if (strncmp(label->name, "0x", 2) != 0)
			text_clean(text, text_bytes, names_base(label->module));
	}
}

void rows_finish(
	struct terminal *terminal, size_t used, const char *prefix, char *name, char *place)
{
	int is_state = name[0] == '[' || name[0] == '<';
	size_t space = terminal->width - used - 1, width;

	space -= prefix ? strlen(prefix) : 0;
	text_shorten(place, PLACE_COLUMNS);
	/* A whole name is worth more than a place; once it must be cut, the place helps. */
	if (space < text_width(name) + text_width(place) + 1 &&
		(space >= text_width(name) || space < NAME_COLUMNS_LEAST + text_width(place) + 1))
		place[0] = '\0';
	width = place[0] ? space - text_width(place) - 1 : space;
	text_shorten(name, width);
	fprintf(terminal->out, " %s%s%s%s", prefix ? prefix : "",
		is_state ? terminal_style(terminal, STYLE_STATE) : "", name,
		is_state ? terminal_style(terminal, STYLE_NONE) : "");
	if (place[0])
		fprintf(terminal->out, "%*s%s", (int)(width - text_width(name) + 1), "", place);
	fputc('\n', terminal->out);
}

void rows_put(struct terminal *terminal, const struct report *report, const struct column *columns,
	const struct row *row)
{
	char name[NAME_BYTES] = "", place[NAME_BYTES] = "";

	if (row->node) {
		rows_name(name, sizeof(name), row->node);
		rows_place(place, sizeof(place), &row->node->label);
	} else {
		text_clean(name, sizeof(name), row->text);
	}
	put_columns(terminal, report, columns, row);
	rows_finish(terminal, columns_width(columns), row->prefix, name, place);
}

static const char *plural_end(const char *word)
{
	size_t n = strlen(word);

	return n && word[n - 1] == 's' ? "es" : "s";
}

void rows_cut(struct terminal *terminal, const char *what, size_t n_cut, uint32_t limit_permyriad,
	int other_limits)
{
	uint32_t hundredths = limit_permyriad % 100;

	if (n_cut == 0)
		return;
	fprintf(terminal->out, "(%zu more %s%s", n_cut, what, n_cut == 1 ? "" : plural_end(what));
	if (limit_permyriad) {
		fprintf(terminal->out, " below %u", limit_permyriad / 100);
		if (hundredths)
			fprintf(terminal->out, hundredths % 10 ? ".%02u" : ".%u",
				hundredths % 10 ? hundredths : hundredths / 10);
		fprintf(terminal->out, " %%%s", other_limits ? " or past another limit" : "");
	}
	fprintf(terminal->out, ")\n");
}

void rows_incomplete(struct terminal *terminal, const struct report *report)
{
	char text[256];

	if (report->profile.header.flags & PROFILE_COMPLETE && !report->profile.is_truncated &&
		!report->totals.lost[PROFILE_LOST_HANDLER])
		return;
	/* It is the weightiest, so the first. */
	fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE),
		report_warning(report, 0, text, sizeof(text)));
}

int rows_has_figures(const struct tree_metrics *metrics)
{
	return metrics->samples > 0 || metrics->n_waits > 0;
}

void rows_unmeasured(struct terminal *terminal, const struct report *report)
{
	int has_runtime = (report->profile.header.flags & PROFILE_OMPT_STARTED) != 0;

	if (!report->metrics.has_waits)
		fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
			terminal_style(terminal, STYLE_NONE),
			has_runtime ? "no waits were measured: see 'ompprof info'"
				    : "no OpenMP runtime started ompprof: no waits were measured");
}

uint64_t rows_key(const struct report *report, enum view_sort sort, enum view_sort default_sort,
	const struct tree_metrics *total, const struct tree_metrics *self)
{
	static const enum report_metric metrics[SORT_N] = {
		[SORT_TOTAL] = METRIC_TOTAL,
		[SORT_SELF] = METRIC_TOTAL,
		[SORT_WORK] = METRIC_WORK,
		[SORT_WAIT] = METRIC_WAIT,
		[SORT_OVERHEAD] = METRIC_OVERHEAD,
		[SORT_SAMPLES] = METRIC_SAMPLES,
	};

	if (sort == SORT_DEFAULT)
		sort = default_sort;
	return report_metric(report, sort == SORT_SELF ? self : total, metrics[sort]);
}
