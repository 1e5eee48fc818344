/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info of a run of several processes: a row for each; see info.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/info/info.h"
#include "src/text/text.h"
#include "src/text/table.h"
#include "src/text/terminal.h"

/* The facts that are shown of a process. Nothing else of its file is kept. */
struct row {
	const struct profile_entry *entry;
	struct info_cost cost;
	uint64_t wall_ns;
	uint32_t n_threads;
	size_t n_dropped;
	int is_complete, is_truncated, is_readable;
	struct diag diag; /* why it is not readable */
};

enum job_column { RANK, PID, HOST, WALL, THREADS, SAMPLES, LOST, CUT, COST, BYTES, PROGRAM, STATE };

static const struct table_column columns[] = {
	[RANK] = { "rank", "rank", TABLE_NUMBER, TABLE_IN_BOTH, 0 },
	[PID] = { "pid", "pid", TABLE_NUMBER, TABLE_IN_BOTH, 0 },
	[HOST] = { "host", "host", TABLE_WORD, TABLE_IN_BOTH, 1 },
	[WALL] = { "wall", "wall s", TABLE_SECONDS, TABLE_IN_BOTH, 0 },
	[THREADS] = { "threads", "threads", TABLE_COUNT, TABLE_IN_BOTH, 0 },
	[SAMPLES] = { "samples", "samples", TABLE_COUNT, TABLE_IN_BOTH, 0 },
	[LOST] = { "lost", "lost", TABLE_COUNT, TABLE_IN_BOTH, 0 },
	[CUT] = { "truncated", "cut%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
	[COST] = { "cost", "cost%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
	[BYTES] = { "kbytes", "kB", TABLE_COUNT, TABLE_IN_BOTH, 0 },
	[PROGRAM] = { "program", "program", TABLE_NAME, TABLE_IN_BOTH, 0 },
	[STATE] = { "state", "state", TABLE_PLACE, TABLE_IN_BOTH, 0 },
	{ .key = NULL },
};

struct job {
	struct row *rows;
	size_t n;
	int has_hosts; /* there is more than one host */
};

static void read_row(struct row *row, const struct profile_entry *entry)
{
	struct profile profile = { 0 };

	row->entry = entry;
	if (profile_open(&profile, entry->path, &row->diag) != 0)
		return;
	row->is_readable = 1;
	row->is_complete = (profile.header.flags & PROFILE_COMPLETE) != 0;
	row->is_truncated = profile.is_truncated;
	row->n_dropped = profile.n_dropped;
	row->wall_ns = row->is_complete && profile.header.end_ns ? profile.header.end_ns
								 : profile.header.last_ns;
	row->n_threads = (uint32_t)profile.n_threads;
	info_cost_make(&row->cost, &profile);
	profile_release(&profile);
}

/* Lost samples only; the process' own sections have other losses. */
static uint64_t lost_samples(const struct info_cost *cost)
{
	return cost->lost[PROFILE_LOST_NO_SPACE] + cost->lost[PROFILE_LOST_UNREGISTERED] +
	       cost->lost[PROFILE_LOST_STACK];
}

static const char *state_of(const struct row *row)
{
	return !row->is_readable     ? "cannot be read"
	       : row->n_dropped      ? "damaged"
	       : row->is_truncated   ? "truncated"
	       : !row->is_complete   ? "incomplete"
	       : row->cost.n_samples ? ""
				     : "no samples";
}

static void fill(const void *data, size_t index, struct table_row *to)
{
	const struct job *job = data;
	const struct row *row = &job->rows[index];
	const struct info_cost *cost = &row->cost;

	if (row->entry->header.around.rank)
		table_set(to, RANK, row->entry->header.around.rank - 1);
	table_set(to, PID, row->entry->header.pid);
	if (job->has_hosts)
		table_set_text(to, HOST, row->entry->header.host);
	table_set(to, BYTES, (row->entry->file_bytes + 999) / 1000);
	table_set_text(to, PROGRAM, basename(row->entry->exe ? row->entry->exe : ""));
	table_set_text(to, STATE, state_of(row));
	if (!row->is_readable)
		return;
	table_set(to, WALL, row->wall_ns);
	table_set(to, THREADS, row->n_threads);
	table_set(to, SAMPLES, cost->n_samples);
	table_set(to, LOST, lost_samples(cost));
	table_set_part(to, CUT, cost->n_walks - cost->ends[PROFILE_WALK_COMPLETE], cost->n_walks);
	table_set_part(to, COST, cost->own.longer_ns, own_cost_without_ns(&cost->own));
}

static int print_rows(const struct job *job, const char *path)
{
	static const struct table_options options = TABLE_OPTIONS_DEFAULT;
	const struct table table = {
		.columns = columns,
		.title = "program",
		.what = "process",
		.hidden = (job->has_hosts ? 0 : (uint64_t)1 << HOST) |
			  (job->rows[0].entry->header.around.rank ? 0 : (uint64_t)1 << RANK),
		.n_rows = job->n,
		.fill = fill,
		.data = job,
		.is_bare = 1,
	};
	struct terminal terminal;
	char clean[4096];

	text_clean(clean, sizeof(clean), path);
	printf("Profiles    %s\n", clean);
	printf("            %zu processes of one run\n\n", job->n);
	terminal_plain(&terminal, stdout);
	if (table_print(&table, &options, &terminal) != 0)
		return -1;
	puts("\n'--rank N' or '--process PID' shows one of them.");
	for (size_t i = 0; i < job->n; i++) {
		text_clean(clean, sizeof(clean), job->rows[i].diag.text);
		if (!job->rows[i].is_readable)
			printf("warning: %s\n", clean);
	}
	return 0;
}

int info_print_job(const struct profile_list *list, const char *path)
{
	struct job job = { .rows = calloc(list->n, sizeof(*job.rows)), .n = list->n };
	int status;

	if (!job.rows)
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		read_row(&job.rows[i], &list->entries[i]);
		job.has_hosts |=
			strcmp(list->entries[i].header.host, list->entries[0].header.host) != 0;
	}
	status = print_rows(&job, path);
	free(job.rows);
	return status;
}
