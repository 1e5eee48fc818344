/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread a row is about; see thread_columns.h. */
#include "src/views/thread_columns.h"

void thread_columns_set(
	struct table_row *row, int first, const struct report *report, size_t thread)
{
	const struct profile *profile = &report->profile;
	const struct profile_process *process = profile_process_of(profile, thread);
	const struct profile_thread *of = &profile->threads[thread];
	const char *type = report_thread_word(report, thread);
	char name[48];

	names_process(name, sizeof(name), profile, thread);
	table_set_text(row, first + THREAD_COLUMN_NAME,
		table_print_text(row, "%s%s%u %s", name, name[0] ? ": " : "", of->index, type));
	table_set(row, first + THREAD_COLUMN_NUMBER, of->index);
	table_set(row, first + THREAD_COLUMN_TID, of->tid);
	table_set(row, first + THREAD_COLUMN_PID, process ? process->pid : profile->header.pid);
	if (process && process->rank)
		table_set(row, first + THREAD_COLUMN_RANK, process->rank - 1);
	table_set_text(row, first + THREAD_COLUMN_TYPE, type);
	row->identity = thread + 1;
}
