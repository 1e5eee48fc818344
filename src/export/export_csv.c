/* SPDX-License-Identifier: Apache-2.0 */
/* Comma-separated values: a row for each stack. */
#include "src/text/csv.h"
#include "src/export/export.h"

#define LAST_COLUMNS ",state,process,thread,region,kind,name,file,line,module,stack\n"

static void put_text(FILE *out, const char *text)
{
	fputc(',', out);
	csv_put_quoted(out, text);
}

static void put_stack(const struct export *export, FILE *out, uint32_t node)
{
	static uint32_t path[EXPORT_MOST_DEPTH + 1];
	size_t n = export_path(path, export, node);

	fputc(',', out);
	csv_begin_quoted(out, n ? export->nodes[path[0]].name : "");
	for (size_t i = 0; i < n; i++) {
		for (const char *at = export->nodes[path[i]].name; *at; at++)
			csv_put_byte(out, *at == ';' ? ':' : *at);
		if (i + 1 < n)
			fputc(';', out);
	}
	fputs("\"\n", out);
}

static void put_row(const struct export *export, FILE *out, uint32_t i)
{
	const struct export_node *node = &export->nodes[i];
	char text[4096];

	for (int metric = 0; metric < EXPORT_N_METRICS; metric++)
		if (export_has(export, metric))
			fprintf(out, "%s%llu", metric ? "," : "",
				(unsigned long long)node->self[metric]);
	put_text(out, export_state(node));
	export_process(text, sizeof(text), export, i);
	put_text(out, text);
	export_thread(text, sizeof(text), export, i);
	put_text(out, text);
	export_region(text, sizeof(text), export, i);
	put_text(out, text);
	put_text(out, names_kind_word(node->kind));
	put_text(out, node->name);
	put_text(out, node->file);
	fprintf(out, ",%u", node->line);
	put_text(out, node->module);
	put_stack(export, out, i);
}

static int write_csv(const struct export *export, FILE *out, struct diag *diag)
{
	(void)diag;
	for (int metric = 0; metric < EXPORT_N_METRICS; metric++)
		if (export_has(export, metric))
			fprintf(out, "%s%s%s", metric ? "," : "", export_metric_words[metric],
				export_unit(metric)[0] == 'n' ? "_ns" : "");
	fputs(LAST_COLUMNS, out);
	for (uint32_t i = 0; i < export->n_nodes; i++)
		if (export_has_figures(export->nodes[i].self))
			put_row(export, out, i);
	return 0;
}

const struct export_format export_csv = {
	.name = "csv",
	.suffix = ".csv",
	.file = "ompprof.csv",
	.summary = "comma-separated values, a row for each stack",
	.takes = EXPORT_ALL_METRICS,
	.mark.begins = "samples,",
	.mark.holds = LAST_COLUMNS,
	.write = write_csv,
};
