/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `ompprof report`: the table of its options, and which of them go together. */
#ifndef OMPPROF_SRC_REQUEST_REPORT_REQUEST_H
#define OMPPROF_SRC_REQUEST_REPORT_REQUEST_H

#include "src/text/atomic_write.h"
#include "src/request/shared_options.h"
#include "src/views/view.h"

struct report_request {
	struct shared_request shared;
	const struct view *view; /* NULL: none was chosen */
	struct save_place html;  /* of a page; its path is NULL without --html */
	struct view_options options;
};

extern const struct option_table report_request_options;

/* Prints the keys of the columns of all views' tables, each once, sorted, with blanks between. */
void report_columns_put(FILE *file);

/*
 * Reads the command line into *request. Returns OPTIONS_GO_ON, or the exit status to end with,
 * after --help or a message.
 */
int report_request_read(struct report_request *request, int argc, char **argv);

/* Refuses options that the view would not heed. Returns 0, or -1 with *diag set. */
int report_request_check(const struct report_request *request, struct diag *diag);

#endif
