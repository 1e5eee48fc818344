/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph as one SVG file without scripts: callers are at the bottom, widths are in
 * proportion to the metric, waits are hatched. Each frame's title has its figures; viewers show it
 * at the pointer. Frames narrower than a tenth of a unit are left out with their callees; the note
 * at the top says how much was left out.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export.h"
#include "src/text/text.h"

enum { WIDTH = 1200, ROW = 17, TOP = 44, LETTER = 7, TENTHS = 10, TITLE_BYTES = 20000 };

struct picture {
	const struct export *export;
	struct name_tree merged;
	uint64_t *own, *total; /* by merged node */
	double *left;          /* position from the left, in units of the picture */
	uint16_t *depth;
	unsigned n_rows;
	FILE *out;
};

static void put_text(FILE *out, const char *text, size_t width)
{
	char clean[TITLE_BYTES];

	text_clean(clean, sizeof(clean), text);
	if (width)
		text_shorten(clean, width);
	for (const char *at = clean; *at; at++) {
		if (*at == '&')
			fputs("&amp;", out);
		else if (*at == '<')
			fputs("&lt;", out);
		else if (*at == '>')
			fputs("&gt;", out);
		else
			fputc(*at, out);
	}
}

static const char *fill_of(uint8_t kind)
{
	static const char *const fills[NAME_N_KINDS] = {
		[NAME_WAIT] = "url(#wait)",
		[NAME_RUNTIME] = "#d9c36b",
		[NAME_REGION] = "#8fb8de",
		[NAME_TASK] = "#8fb8de",
		[NAME_TARGET] = "#8fb8de",
		[NAME_THREAD] = "#c8c8c8",
		[NAME_PROGRAM] = "#c8c8c8",
	};

	return fills[kind] ? fills[kind] : "#f0a070";
}

static double width_of(const struct picture *picture, uint32_t i)
{
	return picture->total[0] ? (double)picture->total[i] * WIDTH / (double)picture->total[0]
				 : 0;
}

static int is_shown(const struct picture *picture, uint32_t i)
{
	return i == 0 || width_of(picture, i) * TENTHS >= 1;
}

/* Children come after their parents, so sums are made upwards and positions downwards. */
static void lay_out(struct picture *picture)
{
	const struct name_node *nodes = picture->merged.nodes;
	size_t n = picture->merged.n_nodes;
	double *next =
		picture->left; /* of a node that has its position: where its next child begins */

	memcpy(picture->total, picture->own, n * sizeof(*picture->total));
	for (size_t i = n; i-- > 1;)
		picture->total[nodes[i].parent] += picture->total[i];
	for (uint32_t i = 1; i < n; i++) {
		uint32_t parent = nodes[i].parent;

		picture->depth[i] = (uint16_t)(picture->depth[parent] + 1);
		next[i] = next[parent];
		next[parent] += width_of(picture, i);
		if (is_shown(picture, i) && picture->n_rows <= picture->depth[i])
			picture->n_rows = picture->depth[i] + 1u;
	}
	/* Subtract the children's widths, by which each `next` has moved on. */
	for (size_t i = n; i-- > 0;) {
		uint64_t below = picture->total[i] - picture->own[i];

		if (picture->total[0])
			next[i] -= (double)below * WIDTH / (double)picture->total[0];
	}
}

static void put_amount(const struct picture *picture, uint64_t amount)
{
	char number[TEXT_NUMBER_BYTES], share[TEXT_NUMBER_BYTES];

	if (export_unit(picture->export->metric)[0] == 'n')
		fprintf(picture->out, "%s s", text_exact_seconds(number, amount));
	else
		fprintf(picture->out, "%llu", (unsigned long long)amount);
	fprintf(picture->out, ", %s %%", text_percent(share, amount, picture->total[0]));
}

static void put_frame(const struct picture *picture, uint32_t i)
{
	const struct name_label *label = picture->merged.nodes[i].label;
	const char *name = i ? label->name : picture->export->nodes[0].name;
	double width = i ? width_of(picture, i) : WIDTH, left = i ? picture->left[i] : 0;
	unsigned y = TOP + (picture->n_rows - 1u - picture->depth[i]) * ROW;
	FILE *out = picture->out;

	fputs("<g><title>", out);
	put_text(out, name, 0);
	fputs(" (", out);
	put_amount(picture, picture->total[i]);
	fprintf(out,
		")</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>",
		left, y, width, ROW - 1, fill_of(label->kind));
	if (width > 3 * LETTER) {
		fprintf(out, "<text x=\"%.2f\" y=\"%u\">", left + 3, y + 12);
		put_text(out, name, (size_t)(width - 6) / LETTER);
		fputs("</text>", out);
	}
	fputs("</g>\n", out);
}

/* The sum of what is left out: nodes that are not shown below nodes that are. */
static uint64_t hidden(const struct picture *picture)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < picture->merged.n_nodes; i++)
		if (!is_shown(picture, i) && is_shown(picture, picture->merged.nodes[i].parent))
			sum += picture->total[i];
	return sum;
}

static void put_picture(const struct picture *picture)
{
	FILE *out = picture->out;
	unsigned height = TOP + picture->n_rows * ROW + 6;
	const char *metric = export_metric_words[picture->export->metric];

	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\" font-family=\"monospace\" font-size=\"11\">\n"
		"<title>ompprof: %s</title>\n"
		"<defs><pattern id=\"wait\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\" "
		"patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#e8e8f4\"/>"
		"<rect width=\"2\" height=\"6\" fill=\"#9a9ac8\"/></pattern></defs>\n"
		"<rect width=\"%d\" height=\"%u\" fill=\"#ffffff\"/>\n<text x=\"3\" "
		"y=\"16\">ompprof: %s, ",
		WIDTH, height, WIDTH, height, metric, WIDTH, height, metric);
	put_amount(picture, picture->total[0]);
	fputs("; waits are hatched</text>\n<text x=\"3\" y=\"32\">", out);
	if (hidden(picture)) {
		fputs("too narrow to be shown: ", out);
		put_amount(picture, hidden(picture));
	}
	fputs("</text>\n", out);
	for (uint32_t i = 0; i < picture->merged.n_nodes; i++)
		if (is_shown(picture, i))
			put_frame(picture, i);
	fputs("</svg>\n", out);
}

static int write_svg(const struct export *export, FILE *out, struct diag *diag)
{
	struct picture picture = { .export = export, .out = out, .n_rows = 1 };
	int status = export_merge(export, &picture.merged, &picture.own, diag);

	if (status == 0) {
		picture.total = calloc(picture.merged.n_nodes, sizeof(*picture.total));
		picture.left = calloc(picture.merged.n_nodes, sizeof(*picture.left));
		picture.depth = calloc(picture.merged.n_nodes, sizeof(*picture.depth));
		if (picture.total && picture.left && picture.depth) {
			lay_out(&picture);
			put_picture(&picture);
		} else {
			status = diag_set(diag, "cannot draw the profile: out of memory");
		}
	}
	free(picture.depth);
	free(picture.left);
	free(picture.total);
	free(picture.own);
	name_tree_release(&picture.merged);
	return status;
}

const struct export_format export_svg = {
	.name = "svg",
	.suffix = ".svg",
	.file = "ompprof.svg",
	.summary = "a flame graph, for browsers",
	.takes = EXPORT_SINGLE_METRIC,
	.mark.begins = "<?xml",
	.mark.holds = "<title>ompprof: ",
	.write = write_svg,
};
