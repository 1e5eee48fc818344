/* SPDX-License-Identifier: Apache-2.0 */
/* How often to sample; see frequency.h. */
#include "profile/shared/frequency.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int frequency_parse(const char *text, uint64_t *period_ns)
{
	static const struct {
		const char *unit;
		double ns; /* 0: a frequency */
	} units[] = { { "", 0 }, { "hz", 0 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 } };
	char *end;
	double number, period;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	number = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(end, units[i].unit) != 0)
			continue;
		if (!(number > 0))
			return -1;
		period = units[i].ns > 0 ? number * units[i].ns : 1e9 / number;
		if (period < 1e9 / FREQUENCY_MAX_HZ || period > 100e9)
			return -1;
		*period_ns = (uint64_t)period;
		return 0;
	}
	return -1;
}
