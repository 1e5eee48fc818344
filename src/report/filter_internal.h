/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_SRC_REPORT_FILTER_INTERNAL_H
#define OMPPROF_SRC_REPORT_FILTER_INTERNAL_H

#include <regex.h>

#include "src/report/filter.h"

struct filter_term {
	enum filter_kind kind;
	const char *text;
	int has_regex;
	regex_t regex;
	int is_none; /* the text is "none", for --region or --phase */
	/* of FILE:LINE: the length of FILE, with which the text begins; else 0 */
	size_t file_bytes;
	uint32_t line;
};

#endif
