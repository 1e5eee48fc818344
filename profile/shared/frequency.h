/* SPDX-License-Identifier: Apache-2.0 */
/* How often to sample, as users write it. Used by the tool and by the command. */
#ifndef OMPPROF_PROFILE_SHARED_FREQUENCY_H
#define OMPPROF_PROFILE_SHARED_FREQUENCY_H

#include <stdint.h>

enum {
	FREQUENCY_DEFAULT_HZ = 200,
	FREQUENCY_MAX_HZ = 10000,
};

/*
 * "200" and "200Hz" are samples a second; "5ms", "500us", "1s" are periods. Returns 0 and the
 * period, or -1 if the text makes no sense, is beyond FREQUENCY_MAX_HZ or below one sample in 100
 * s. Any thread.
 */
int frequency_parse(const char *text, uint64_t *period_ns);

#endif
