/* SPDX-License-Identifier: Apache-2.0 */
/* The budget of events, as users write it. Used by the tool and by the command. */
#ifndef OMPPROF_PROFILE_SHARED_BUDGET_H
#define OMPPROF_PROFILE_SHARED_BUDGET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET_MAX_PERCENT = 100, BUDGET_TASKS_PERCENT = 3 /* of tasks, unless asked */ };

/*
 * "off", or a whole number of percent of a thread's time. Returns 0 and the number, 0 for off; -1
 * if the text is neither. Any thread.
 */
static inline int budget_parse(const char *text, uint32_t *percent)
{
	unsigned long value;
	char *end;

	if (strcmp(text, "off") == 0) {
		*percent = 0;
		return 0;
	}
	value = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || value < 1 || value > BUDGET_MAX_PERCENT)
		return -1;
	*percent = (uint32_t)value;
	return 0;
}

#endif
