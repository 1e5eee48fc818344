/* SPDX-License-Identifier: Apache-2.0 */
/* Factors of the parallel efficiency; see efficiency.h. */
#include "src/findings/efficiency.h"

#include <string.h>

static const enum efficiency_factor factor_of[] = {
#define CAUSE(NAME, word, label, advice, heading, columns, json, factor, ...)                      \
	[METRICS_##NAME] = EFFICIENCY_##factor,
#include "attribution/metrics/causes.def"
};

const char *efficiency_word(enum efficiency_factor factor)
{
	static const char *const words[EFFICIENCY_N] = { "process", "serial", "load_balance",
		"synchronization", "scheduling", "other" };

	return words[factor];
}

void efficiency_make(uint64_t left_ns[EFFICIENCY_N + 1], const struct metrics *metrics)
{
	memset(left_ns, 0, (EFFICIENCY_N + 1) * sizeof(*left_ns));
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		left_ns[factor_of[i]] += metrics->cause_ns[i];
	for (size_t i = EFFICIENCY_N; i-- > 0;)
		left_ns[i] += left_ns[i + 1];
}
