/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of filter.h share. */
#ifndef OMPPROF_SRC_REPORT_FILTER_INTERNAL_H
#define OMPPROF_SRC_REPORT_FILTER_INTERNAL_H

#include <regex.h>

#include "src/report/filter.h"

struct filter_term {
	enum filter_kind kind;
	const char *text;
	int has_regex;
	regex_t regex;
	int is_none; /* --region none */
	/* for FILE:LINE the length of FILE, at the beginning of the text; else 0 */
	size_t file_bytes;
	uint32_t line;
};

#endif
