/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of filter.h share. */
#ifndef OMPPROF_SRC_REPORT_FILTER_INTERNAL_H
#define OMPPROF_SRC_REPORT_FILTER_INTERNAL_H

#include <regex.h>

#include "src/report/filter.h"

struct filter_term {
	enum filter_kind kind;
	const char *text;
	int has_regex;
	regex_t regex;
	int is_none;       /* --region none */
	size_t file_bytes; /* FILE:LINE: of the text's beginning, FILE; else 0 */
	uint32_t line;
};

#endif
