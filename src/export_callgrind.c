/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of callgrind, version 1: for each node its own cost at its line, and what each of its children cost with
 * what these call. A sampler counts no calls: the samples stand for them, one at least. "event:" lines have to come before "events:".
 */
#include <stdlib.h>

#include "src/export.h"

struct names_seen {
	const struct export *export;
	FILE *out;
	uint64_t (*totals)[EXPORT_N_METRICS]; /* by node: with what is below */
};

static void put_costs(const struct names_seen *seen, unsigned line, const uint64_t *costs)
{
	const struct export *export = seen->export;

	fprintf(seen->out, "%u %llu", line, (unsigned long long)costs[export->metric]);
	for (int i = 0; i < EXPORT_N_METRICS; i++)
		if (export_has(export, i) && i != (int)export->metric)
			fprintf(seen->out, " %llu", (unsigned long long)costs[i]);
	fputc('\n', seen->out);
}

/* A name as it is: empty ones, and such that look like a number in parentheses, would be read as something else. */
static void put_name(FILE *out, const char *key, const char *name)
{
	fprintf(out, "%s=%s%s\n", key, *name == '(' ? "_" : "", *name ? name : "???");
}

static int is_any(const uint64_t *costs)
{
	for (size_t i = 0; i < EXPORT_N_METRICS; i++)
		if (costs[i])
			return 1;
	return 0;
}

static void put_call(const struct names_seen *seen, uint32_t child)
{
	const struct export_node *node = &seen->export->nodes[child];
	uint64_t n = seen->totals[child][EXPORT_SAMPLES];

	put_name(seen->out, "cob", node->module);
	put_name(seen->out, "cfi", node->file);
	put_name(seen->out, "cfn", node->name);
	fprintf(seen->out, "calls=%llu %u\n", (unsigned long long)(n ? n : 1), node->line);
	put_costs(seen, seen->export->nodes[node->parent].line, seen->totals[child]);
}

static void put_own(const struct names_seen *seen, uint32_t i)
{
	const struct export_node *node = &seen->export->nodes[i];

	fputc('\n', seen->out);
	put_name(seen->out, "ob", node->module);
	put_name(seen->out, "fl", node->file);
	put_name(seen->out, "fn", node->name);
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

/* The children of a node follow it: they are found by going from the last to the first. */
static int put_nodes(const struct names_seen *seen)
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
		if (!is_any(seen->totals[i]))
			continue;
		put_own(seen, i);
		for (uint32_t k = first[i]; k != EXPORT_NONE; k = next[k])
			if (is_any(seen->totals[k]))
				put_call(seen, k);
	}
	free(links);
	return 0;
}

static int write_callgrind(const struct export *export, FILE *out, struct diag *diag)
{
	struct names_seen seen = { export, out, malloc(export->n_nodes * sizeof(*seen.totals)) };
	int status = seen.totals ? 0 : -1;

	for (size_t i = 0; i < export->n_nodes && status == 0; i++)
		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			seen.totals[i][k] = export->nodes[i].self[k];
	if (status == 0) {
		put_header(&seen);
		status = put_nodes(&seen);
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
	.write = write_callgrind,
};
