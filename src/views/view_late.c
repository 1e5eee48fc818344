/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks that came last to collective calls of MPI, in JSON; see view_late.h. */
#include "src/views/view_late.h"

#include "src/views/view_json.h"

static void put_call(
	struct json *json, const struct report *report, const struct findings_late *late)
{
	const struct name_label *caller = late->waits.caller;
	int has_nodes = report->figures.names == &report->names;

	if (late->waits.call)
		view_json_place(json, late->waits.call->name, caller,
			(struct name_place){ caller->file, caller->line });
	view_json_node(json, has_nodes && late->waits.call ? late->waits.node : NAMES_NONE);
}

void view_put_late_json(struct json *json, const struct report *report)
{
	const struct findings *figures = &report->figures;
	const struct metrics_ranks *ranks = &figures->metrics->ranks;

	if (!ranks->n_compared)
		return;
	json_object(json, "rank_waits");
	json_numbers(json, "mpi_s compared_s unblamed_s calls compared", ranks->mpi_ns,
		ranks->compared_ns, ranks->mpi_ns - ranks->blamed_ns, ranks->n_begun,
		ranks->n_compared);
	json_array(json, "late");
	for (size_t i = 0; i < figures->n_late; i++) {
		const struct findings_late *late = &figures->late[i];

		json_row(json);
		view_json_owner(
			json, report, figures->profile->processes[late->process].first_thread);
		json_numbers(json, "wait_s calls", late->waits.ns, late->waits.n);
		put_call(json, report, late);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}
