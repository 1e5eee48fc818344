/* SPDX-License-Identifier: Apache-2.0 */
/* The summary after a run; see report.h. */
#include "src/text/message.h"
#include "src/views/view.h"
#include "src/text/status.h"

int report_summary(const char *path, FILE *out)
{
	static const struct report_options report_options = {
		.view = TREE_USER,
		.symbols = SYMBOLS_OPTIONS_DEFAULT,
	};
	static const struct view_options view_options = { .table = TABLE_OPTIONS_DEFAULT };
	struct terminal terminal;
	struct report report;
	struct diag diag = { "", "" };
	int status;

	terminal_plain(&terminal, out);
	status = report_load(&report, path, &report_options, &diag);
	if (status == 0 && view_summary.print(&report, &view_options, &terminal) != 0)
		status = diag_set(&diag, "cannot show the profile '%s': out of memory", path);
	if (status != 0)
		message_diag(&diag);
	report_release(&report);
	return status == 0 ? STATUS_OK : STATUS_FAILURE;
}
