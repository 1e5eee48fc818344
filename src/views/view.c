/* SPDX-License-Identifier: Apache-2.0 */
/* Shared functions of the views; see view.h. */
#include "src/findings/contention.h"
#include "src/views/view.h"

#include "src/views/view_json.h"

const struct view *const view_list[] = {
#define VIEW(name)               &view_##name,
#define VIEW_BY(word, name)      VIEW(name)
#define VIEW_BY_LAST(word, name) /* the view of processes has two words, and is listed once */
#include "src/views/views.def"
	NULL
};

void view_set_construct(struct table_row *row, int name, const struct name_label *label)
{
	row->cells[name].json = label->name;
	table_set_text(row, name + 1, label->function);
	row->cells[name + 1].json = view_json_function(label);
	table_set_text(row, name + 2, label->file);
	if (label->line)
		table_set(row, name + 3, label->line);
}

uint64_t view_unused(const struct report *report, int mpi, int device)
{
	return (report->metrics.cause_ns[METRICS_MPI] ? 0 : (uint64_t)1 << mpi) |
	       (report->metrics.cause_ns[METRICS_DEVICE] ? 0 : (uint64_t)1 << device);
}

enum thread_column { THREAD_COLUMNS(TABLE_ENUM) };

void view_set_thread(struct table_row *row, int first, const struct report *report, size_t thread)
{
	const struct profile *profile = &report->profile;
	const struct profile_process *process = profile_process_of(profile, thread);
	const struct profile_thread *of = &profile->threads[thread];
	const char *type = report_thread_word(report, thread);
	char name[48], number[NAMES_NUMBER_BYTES];
	uint32_t team_number;

	names_process(name, sizeof(name), profile, thread);
	names_team_number(number, profile, thread);
	table_set_text(row, first + NAME,
		table_print_text(
			row, "%s%s%u %s%s", name, name[0] ? ": " : "", of->index, type, number));
	if (profile_team_number(of, &team_number))
		table_set(row, first + TEAM_NUMBER, team_number);
	table_set(row, first + NUMBER, of->index);
	table_set(row, first + TID, of->tid);
	table_set(row, first + PID, process ? process->pid : profile->header.pid);
	if (process && process->rank)
		table_set(row, first + RANK, process->rank - 1);
	table_set_text(row, first + TYPE, type);
	row->identity = thread + 1;
}

void view_put_rows(struct json *json, const struct view *view, const void *data, size_t n_rows,
	uint64_t hidden)
{
	const struct table table = { .columns = view->columns,
		.hidden = hidden,
		.n_rows = n_rows,
		.fill = view->fill,
		.data = data,
		.members = view->members,
		.put_more = view->put_more };

	table_put_json(&table, json, view->json);
}

static void put_warning(struct terminal *terminal, const char *text)
{
	fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), text);
}

void view_put_incomplete(struct terminal *terminal, const struct report *report)
{
	struct contention contention;
	size_t first = (size_t)report_find_contention(report, &contention);
	char text[256];

	if (report->profile.header.flags & PROFILE_COMPLETE && !report->profile.is_truncated &&
		!report->totals.lost[PROFILE_LOST_HANDLER])
		return;
	/*
	 * Usually the warning of just that. It follows the warning of too few CPUs. Only the
	 * warnings of pauses, of an end that the program chose, of phases and of sleep that -e wall
	 * ended early can come before it.
	 */
	put_warning(terminal, report_warning(report, first, text, sizeof(text)));
}

void view_put_notes(struct terminal *terminal, const struct report *report)
{
	int has_runtime = (report->profile.header.flags & PROFILE_OMPT_STARTED) != 0;

	if (!report->metrics.has_waits)
		put_warning(terminal, has_runtime ? "no waits were measured: see 'ompprof info'"
						  : "no OpenMP runtime started ompprof: no waits "
						    "were measured");
	view_put_incomplete(terminal, report);
}

int view_put_table_with(view_notes *notes, const struct table *table,
	const struct view_options *options, const struct report *report, struct terminal *terminal)
{
	int status = table_print(table, &options->table, terminal);

	if (status == 0 && !options->table.is_csv)
		notes(terminal, report);
	return status;
}

int view_put_table(const struct table *table, const struct view_options *options,
	const struct report *report, struct terminal *terminal)
{
	return view_put_table_with(view_put_notes, table, options, report, terminal);
}
