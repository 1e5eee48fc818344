/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SQLite database, made in memory and written as one block of bytes, so that it can be written
 * wherever other formats can. Stacks of several threads that read the same are one node; figures
 * are by node, thread and state. ompprof-export(1) documents the tables: a change there changes the
 * user_version here.
 */
#include <config.h>

#include "src/export/export.h"

#ifdef HAVE_SQLITE3
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/report_json.h"
#include "src/text/text.h"

/* The application_id is "ompp". */
static const char schema[] =
	"PRAGMA application_id = 1869443184; PRAGMA user_version = 1; BEGIN;"
	"CREATE TABLE run (key TEXT PRIMARY KEY, value);"
	"CREATE TABLE metric (name TEXT PRIMARY KEY, unit TEXT, total INTEGER);"
	"CREATE TABLE thread (id INTEGER PRIMARY KEY, number INTEGER, process TEXT, kind TEXT);"
	"CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES node, region INTEGER"
	" REFERENCES node, kind TEXT, name TEXT, function TEXT, file TEXT, line INTEGER, decl_file"
	" TEXT, decl_line INTEGER, module TEXT, address INTEGER, place INTEGER REFERENCES region);"
	"CREATE TABLE value (node INTEGER REFERENCES node, thread INTEGER REFERENCES thread, state"
	" TEXT, metric TEXT REFERENCES metric, amount INTEGER,"
	" PRIMARY KEY (node, thread, state, metric)) WITHOUT ROWID;"
	"CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT, function TEXT, file TEXT, line "
	"INTEGER, executions "
	"INTEGER,"
	" wall_ns INTEGER, thread_ns INTEGER, lost_ns INTEGER, min_team INTEGER, max_team INTEGER);"
	"CREATE TABLE wait (name TEXT, kind TEXT, function TEXT, file TEXT, line INTEGER,"
	" waits INTEGER, wait_ns INTEGER, unblamed_ns INTEGER);";

/* A statement adds rows. After the first failure nothing more is done. */
struct maker {
	const struct export *export;
	sqlite3 *db;
	sqlite3_stmt *statement;
	int n_bound;
	int status; /* SQLITE_OK, or the first failure */
	struct name_tree nodes;
	uint32_t *place; /* by export node: its node in `nodes` */
	uint32_t *rows;  /* by export node: index of its row in `region`, or EXPORT_NONE */
	char text[20000];
};

static void heed(struct maker *maker, int status)
{
	if (maker->status == SQLITE_OK && status != SQLITE_OK && status != SQLITE_DONE)
		maker->status = status;
}

static void begin(struct maker *maker, const char *insert)
{
	sqlite3_finalize(maker->statement);
	maker->statement = NULL;
	maker->n_bound = 0;
	if (maker->status == SQLITE_OK)
		heed(maker, sqlite3_prepare_v2(maker->db, insert, -1, &maker->statement, NULL));
}

static void number(struct maker *maker, uint64_t value)
{
	if (maker->status == SQLITE_OK)
		heed(maker, sqlite3_bind_int64(
				    maker->statement, ++maker->n_bound, (sqlite3_int64)value));
}

static void null(struct maker *maker)
{
	if (maker->status == SQLITE_OK)
		heed(maker, sqlite3_bind_null(maker->statement, ++maker->n_bound));
}

static void number_or_null(struct maker *maker, uint64_t value)
{
	if (value)
		number(maker, value);
	else
		null(maker);
}

static void text(struct maker *maker, const char *value)
{
	text_clean(maker->text, sizeof(maker->text), value);
	if (maker->status == SQLITE_OK)
		heed(maker, sqlite3_bind_text(maker->statement, ++maker->n_bound, maker->text, -1,
				    SQLITE_TRANSIENT));
}

static void end(struct maker *maker)
{
	if (maker->status == SQLITE_OK) {
		heed(maker, sqlite3_step(maker->statement));
		heed(maker, sqlite3_reset(maker->statement));
	}
	maker->n_bound = 0;
}

static void put_key(struct maker *maker, const char *key, const char *value)
{
	text(maker, key);
	text(maker, value);
	end(maker);
}

static void put_count(struct maker *maker, const char *key, uint64_t value)
{
	text(maker, key);
	number(maker, value);
	end(maker);
}

static void put_run(struct maker *maker)
{
	const struct report *report = maker->export->report;
	const struct profile_header *header = &report->profile.header;
	char command[4096] = "";
	size_t n = 0;

	for (size_t i = 0; i < report->profile.n_args && n < sizeof(command); i++)
		n += (size_t)snprintf(command + n, sizeof(command) - n, "%s%s", i ? " " : "",
			report->profile.args[i]);
	begin(maker, "INSERT INTO run VALUES (?, ?)");
	put_key(maker, "profile", report->path);
	put_key(maker, "view", report_view_words[report->view]);
	put_key(maker, "command", command);
	put_key(maker, "executable",
		report->profile.program.exe ? report->profile.program.exe : "");
	put_key(maker, "host", header->host);
	put_key(maker, "runtime", header->runtime);
	put_key(maker, "clock", report_json_clock(header->clock_kind));
	put_count(maker, "pid", header->pid);
	put_count(maker, "cpus", header->n_cpus);
	put_count(maker, "threads", report->profile.n_threads);
	put_count(maker, "wall_ns", report->totals.wall_ns);
	put_count(maker, "cpu_ns", report->totals.cpu_ns);
	put_count(maker, "lost_samples", report->totals.n_lost);
	put_count(maker, "complete", (header->flags & PROFILE_COMPLETE) != 0);
	put_count(maker, "filtered",
		report->filter || report->phases || report->profile.part.is_cut ||
			report->job.n_unselected);
}

static void put_metrics(struct maker *maker)
{
	begin(maker, "INSERT INTO metric VALUES (?, ?, ?)");
	for (int i = 0; i < EXPORT_N_METRICS; i++) {
		if (!export_has(maker->export, i))
			continue;
		text(maker, export_metric_words[i]);
		text(maker, export_unit(i));
		number(maker, maker->export->totals[i]);
		end(maker);
	}
}

static void put_threads(struct maker *maker)
{
	const struct profile *profile = &maker->export->report->profile;
	char process[64];

	begin(maker, "INSERT INTO thread VALUES (?, ?, ?, ?)");
	for (size_t i = 0; i < profile->n_threads; i++) {
		names_process(process, sizeof(process), profile, i);
		number(maker, i + 1);
		number(maker, profile->threads[i].index);
		text(maker, process);
		text(maker, names_thread_word(profile, i));
		end(maker);
	}
}

/* Joins nodes of the same path, without threads: their stacks begin at the node above. */
static int merge(struct maker *maker)
{
	const struct export *export = maker->export;

	maker->place = malloc((export->n_nodes + 1) * sizeof(*maker->place));
	if (name_tree_init(&maker->nodes, 0) != 0 || !maker->place)
		return -1;
	maker->place[0] = 0;
	for (size_t i = 1; i < export->n_nodes; i++) {
		const struct export_node *node = &export->nodes[i];
		struct name_label label = { .kind = node->kind,
			.name = node->name,
			.module = node->module,
			.file = node->file,
			.line = node->line,
			.decl_file = node->decl_file,
			.decl_line = node->decl_line,
			.function = node->function,
			.addr = node->address };
		uint32_t parent = maker->place[node->parent];

		maker->place[i] = node->kind == NAME_THREAD
					  ? parent
					  : name_tree_child(&maker->nodes, parent, &label);
		if (maker->place[i] == NAMES_NONE)
			return -1;
	}
	return 0;
}

/* Several nodes of the export can be one row, which has the region of the first. */
static void put_nodes(struct maker *maker)
{
	const struct export *export = maker->export;
	uint32_t n = 0;

	begin(maker, "INSERT INTO node VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < export->n_nodes; i++) {
		const struct export_node *node = &export->nodes[i];

		if (maker->place[i] != n)
			continue;
		number(maker, n++);
		if (i)
			number(maker, maker->place[node->parent]);
		else
			null(maker);
		number_or_null(maker, node->region == EXPORT_NONE ? 0 : maker->place[node->region]);
		text(maker, names_kind_word(node->kind));
		text(maker, node->name);
		text(maker, node->function);
		text(maker, node->file);
		number(maker, node->line);
		text(maker, node->decl_file);
		number(maker, node->decl_line);
		text(maker, node->module);
		number(maker, node->address);
		number_or_null(maker, maker->rows[i] == EXPORT_NONE ? 0 : maker->rows[i] + 1u);
		end(maker);
	}
}

static void put_values(struct maker *maker)
{
	const struct export *export = maker->export;

	begin(maker, "INSERT INTO value VALUES (?, ?, ?, ?, ?)"
		     " ON CONFLICT DO UPDATE SET amount = amount + excluded.amount");
	for (size_t i = 0; i < export->n_nodes; i++) {
		const struct export_node *node = &export->nodes[i];

		for (int metric = 0; metric < EXPORT_N_METRICS; metric++) {
			if (!node->self[metric] || !export_has(export, metric))
				continue;
			number(maker, maker->place[i]);
			number(maker, node->thread == EXPORT_NONE ? 0 : node->thread + 1u);
			text(maker, export_state(node));
			text(maker, export_metric_words[metric]);
			number(maker, node->self[metric]);
			end(maker);
		}
	}
}

static void put_regions(struct maker *maker)
{
	const struct report *report = maker->export->report;

	begin(maker, "INSERT INTO region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < report->figures.n_regions; i++) {
		const struct findings_region *region = &report->figures.regions[i];

		if (!report_shows(report->rows.regions, i))
			continue;
		number(maker, i + 1);
		text(maker, region->label->name);
		text(maker, region->label->function);
		text(maker, region->label->file);
		number(maker, region->label->line);
		number(maker, region->sum.n);
		number(maker, region->sum.wall_ns);
		number(maker, region->sum.thread_ns);
		number(maker, region->lost_ns);
		number(maker, region->sum.min_team);
		number(maker, region->sum.max_team);
		end(maker);
	}
}

static void put_waits(struct maker *maker)
{
	const struct report *report = maker->export->report;

	begin(maker, "INSERT INTO wait VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < report->figures.n_waits; i++) {
		const struct findings_wait *wait = &report->figures.waits[i];

		if (!report_shows(report->rows.waits, i))
			continue;
		text(maker, wait->name);
		text(maker, findings_wait_word(wait->sum.kind));
		text(maker, findings_wait_function(wait));
		text(maker, wait->place.file);
		number(maker, wait->place.line);
		number(maker, wait->sum.n);
		number(maker, wait->sum.wait_ns);
		if (report->profile.part.is_cut)
			null(maker);
		else
			number(maker, wait->sum.unblamed_ns);
		end(maker);
	}
}

static void make(struct maker *maker)
{
	heed(maker, sqlite3_exec(maker->db, schema, NULL, NULL, NULL));
	put_run(maker);
	put_metrics(maker);
	put_threads(maker);
	put_nodes(maker);
	put_values(maker);
	put_regions(maker);
	put_waits(maker);
	sqlite3_finalize(maker->statement);
	if (maker->status == SQLITE_OK)
		heed(maker, sqlite3_exec(maker->db, "COMMIT", NULL, NULL, NULL));
}

static int save(struct maker *maker, FILE *out)
{
	sqlite3_int64 n = 0;
	unsigned char *bytes = sqlite3_serialize(maker->db, "main", &n, 0);

	if (!bytes)
		return -1;
	fwrite(bytes, 1, (size_t)n, out);
	sqlite3_free(bytes);
	return 0;
}

static int write_sqlite(const struct export *export, FILE *out, struct diag *diag)
{
	struct maker *maker = calloc(1, sizeof(*maker));
	int status = -1;

	if (!maker)
		return diag_set(diag, "cannot export the profile: out of memory");
	maker->export = export;
	maker->status = sqlite3_open(":memory:", &maker->db);
	maker->rows = export_regions(export);
	if (merge(maker) != 0 || !maker->rows)
		maker->status = SQLITE_NOMEM;
	if (maker->status == SQLITE_OK)
		make(maker);
	if (maker->status == SQLITE_OK && save(maker, out) != 0)
		maker->status = SQLITE_NOMEM;
	status = maker->status == SQLITE_OK ? 0
					    : diag_set(diag, "cannot export the profile: %s",
						      sqlite3_errstr(maker->status));
	sqlite3_close(maker->db);
	name_tree_release(&maker->nodes);
	free(maker->place);
	free(maker->rows);
	free(maker);
	return status;
}

#else

static int write_sqlite(const struct export *export, FILE *out, struct diag *diag)
{
	(void)export;
	(void)out;
	return diag_set(diag, "cannot export as 'sqlite': ompprof was built without libsqlite3");
}

#endif

const struct export_format export_sqlite = {
	.name = "sqlite",
	.suffix = ".sqlite",
	.file = "ompprof.sqlite",
	.summary = "a database for SQL, by node, thread and state",
	.viewer = "sqlite3",
	.takes = EXPORT_ALL_METRICS,
	.is_binary = 1,
	.is_by_thread = 1,
	.mark.begins = "SQLite format 3",
	.mark.holds = "ompp",
	.mark.holds_at = 68,
	.write = write_sqlite,
};
