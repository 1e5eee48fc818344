/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callgrind format, version 1: for each node its own cost at its line, and the inclusive cost
 * of each child. A sampler counts no calls, so the number of samples, at least 1, is written as the
 * number of calls. "event:" lines must come before "events:".
 *
 * A function is known by its object, its name and the file that declares it. "fi=" says that its
 * lines are in another file. Inlined code can have such lines if inlined calls are not functions of
 * their own (--no-inline). The next "fl=" ends it. A name is written in full at its first use, "(3)
 * solve", and as "(3)" afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_frames.h"

/* Each kind of names has its own numbers. */
enum { OBJECT, FILE_NAME, FUNCTION, N_KINDS };

struct names {
	const char **text; /* sorted by strcmp(), without duplicates; text[i] has number i + 1 */
	uint8_t *is_said;
	size_t n;
};

struct names_seen {
	const struct export *export;
	FILE *out;
	uint64_t (*totals)[EXPORT_N_METRICS]; /* by node: including the nodes below */
	struct names names[N_KINDS];
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Numbers the names of a kind. Returns 0, or -1 when out of memory. */
static int number(struct names *names, const struct export *export, int kind)
{
	size_t n = 0;

	names->text = malloc((2 * export->n_nodes + 1) * sizeof(*names->text));
	names->is_said = calloc(2 * export->n_nodes + 1, sizeof(*names->is_said));
	if (!names->text || !names->is_said)
		return -1;
	for (size_t i = 0; i < export->n_nodes; i++) {
		const struct export_node *node = &export->nodes[i];

		names->text[n++] = kind == OBJECT     ? node->module
				   : kind == FUNCTION ? node->name
						      : node->file;
		if (kind == FILE_NAME)
			names->text[n++] = export_frame_file(node);
	}
	qsort(names->text, n, sizeof(*names->text), compare);
	for (size_t i = 0; i < n; i++)
		if (names->n == 0 || strcmp(names->text[names->n - 1], names->text[i]) != 0)
			names->text[names->n++] = names->text[i];
	return 0;
}

static void put_costs(const struct names_seen *seen, unsigned line, const uint64_t *costs)
{
	const struct export *export = seen->export;

	fprintf(seen->out, "%u %llu", line, (unsigned long long)costs[export->metric]);
	for (int i = 0; i < EXPORT_N_METRICS; i++)
		if (export_has(export, i) && i != (int)export->metric)
			fprintf(seen->out, " %llu", (unsigned long long)costs[i]);
	fputc('\n', seen->out);
}

static void put_name(struct names_seen *seen, const char *key, int kind, const char *name)
{
	struct names *names = &seen->names[kind];
	const char **at = bsearch(&name, names->text, names->n, sizeof(name), compare);
	size_t i = (size_t)(at - names->text);

	fprintf(seen->out, "%s=(%zu)", key, i + 1);
	if (!names->is_said[i])
		fprintf(seen->out, " %s", *name ? name : "???");
	names->is_said[i] = 1;
	fputc('\n', seen->out);
}

/* Whether a node is inlined code that is shown as lines of the function around it. */
static int is_folded(const struct export *export, uint32_t node)
{
	return export->are_inlined_folded && export->nodes[node].kind == NAME_INLINED &&
	       export->nodes[node].parent != EXPORT_NONE;
}

static const struct export_node *function_of(const struct export *export, uint32_t node)
{
	while (is_folded(export, node))
		node = export->nodes[node].parent;
	return &export->nodes[node];
}

static void put_call(struct names_seen *seen, uint32_t child)
{
	const struct export_node *node = &seen->export->nodes[child];
	uint64_t n = seen->totals[child][EXPORT_SAMPLES];

	put_name(seen, "cob", OBJECT, node->module);
	put_name(seen, "cfi", FILE_NAME, export_frame_file(node));
	put_name(seen, "cfn", FUNCTION, node->name);
	fprintf(seen->out, "calls=%llu %u\n", (unsigned long long)(n ? n : 1), node->line);
	put_costs(seen, seen->export->nodes[node->parent].line, seen->totals[child]);
}

/* Writes the node's own cost. Calls that are written after it are made in the same file. */
static void put_own(struct names_seen *seen, uint32_t i)
{
	const struct export_node *node = &seen->export->nodes[i];
	const struct export_node *function = function_of(seen->export, i);
	const char *file = export_frame_file(function);

	fputc('\n', seen->out);
	put_name(seen, "ob", OBJECT, function->module);
	put_name(seen, "fl", FILE_NAME, file);
	put_name(seen, "fn", FUNCTION, function->name);
	if (*node->file && strcmp(node->file, file) != 0)
		put_name(seen, "fi", FILE_NAME, node->file);
	put_costs(seen, node->line, node->self);
}

static void put_header(const struct names_seen *seen)
{
	static const char *const words[] = { "samples", "thread time (ns)", "work (ns)",
		"waits and idle time (ns)", "runtime overhead (ns)",
		"waiting of others because of it (ns)", "events" };
	const struct export *export = seen->export;
	int first = (int)export->metric;

	fputs("# callgrind format\nversion: 1\ncreator: ompprof\npositions: line\n", seen->out);
	for (int i = 0; i < EXPORT_N_METRICS; i++)
		if (export_has(export, i))
			fprintf(seen->out, "event: %s : %s\n", export_metric_words[i], words[i]);
	fprintf(seen->out, "events: %s", export_metric_words[first]);
	for (int i = 0; i < EXPORT_N_METRICS; i++)
		if (export_has(export, i) && i != first)
			fprintf(seen->out, " %s", export_metric_words[i]);
	fputs("\nsummary:", seen->out);
	fprintf(seen->out, " %llu", (unsigned long long)export->totals[first]);
	for (int i = 0; i < EXPORT_N_METRICS; i++)
		if (export_has(export, i) && i != first)
			fprintf(seen->out, " %llu", (unsigned long long)export->totals[i]);
	fputc('\n', seen->out);
}

/* Children come after their parents, so a pass from the last node to the first sums them up. */
static int put_nodes(struct names_seen *seen)
{
	const struct export *export = seen->export;
	size_t n = export->n_nodes;
	uint32_t *links = malloc(2 * n * sizeof(*links)), *first = links, *next = links + n;

	if (!links)
		return -1;
	for (size_t i = 0; i < n; i++)
		first[i] = next[i] = EXPORT_NONE;
	for (uint32_t i = (uint32_t)n; i-- > 1;) {
		next[i] = first[export->nodes[i].parent];
		first[export->nodes[i].parent] = i;
		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			seen->totals[export->nodes[i].parent][k] += seen->totals[i][k];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!export_has_figures(seen->totals[i]))
			continue;
		put_own(seen, i);
		for (uint32_t k = first[i]; k != EXPORT_NONE; k = next[k])
			if (export_has_figures(seen->totals[k]) && !is_folded(export, k))
				put_call(seen, k);
	}
	free(links);
	return 0;
}

static int write_callgrind(const struct export *export, FILE *out, struct diag *diag)
{
	struct names_seen seen = { .export = export,
		.out = out,
		.totals = malloc(export->n_nodes * sizeof(*seen.totals)) };
	int status = seen.totals ? 0 : -1;

	for (int kind = 0; kind < N_KINDS && status == 0; kind++)
		status = number(&seen.names[kind], export, kind);
	for (size_t i = 0; i < export->n_nodes && status == 0; i++)
		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			seen.totals[i][k] = export->nodes[i].self[k];
	if (status == 0) {
		put_header(&seen);
		status = put_nodes(&seen);
	}
	for (int kind = 0; kind < N_KINDS; kind++) {
		free(seen.names[kind].text);
		free(seen.names[kind].is_said);
	}
	free(seen.totals);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.suffix = ".callgrind",
	.file = "callgrind.out.ompprof",
	.summary = "for kcachegrind and callgrind_annotate",
	.viewer = "callgrind_annotate",
	.takes = EXPORT_FIRST_METRIC,
	.folds_inlined = 1,
	.mark.begins = "# callgrind format\nversion: 1\ncreator: ompprof\n",
	.write = write_callgrind,
};
