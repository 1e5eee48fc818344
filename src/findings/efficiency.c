/* SPDX-License-Identifier: Apache-2.0 */
/* Factors of the parallel efficiency; see efficiency.h. */
#include "src/findings/efficiency.h"

static const enum efficiency_factor factor_of[METRICS_N_CAUSES] = {
	[METRICS_SERIAL] = EFFICIENCY_SERIAL,
	[METRICS_IMBALANCE] = EFFICIENCY_LOAD_BALANCE,
	[METRICS_LOCK] = EFFICIENCY_SYNCHRONIZATION,
	[METRICS_TASK] = EFFICIENCY_SYNCHRONIZATION,
	[METRICS_OVERHEAD] = EFFICIENCY_SCHEDULING,
	[METRICS_SHORT_TEAM] = EFFICIENCY_OTHER,
	[METRICS_NOT_RUNNING] = EFFICIENCY_OTHER,
	[METRICS_BLOCKED] = EFFICIENCY_OTHER,
	[METRICS_MPI] = EFFICIENCY_OTHER,
	[METRICS_DEVICE] = EFFICIENCY_OTHER,
};

const char *efficiency_word(enum efficiency_factor factor)
{
	static const char *const words[EFFICIENCY_N] = { "serial", "load_balance",
		"synchronization", "scheduling", "other" };

	return words[factor];
}

void efficiency_make(uint64_t left_ns[EFFICIENCY_N + 1], const struct metrics *metrics)
{
	uint64_t lost_ns[EFFICIENCY_N] = { 0 };

	for (size_t i = METRICS_USEFUL + 1; i < METRICS_N_CAUSES; i++)
		lost_ns[factor_of[i]] += metrics->cause_ns[i];
	left_ns[EFFICIENCY_N] = metrics->cause_ns[METRICS_USEFUL];
	for (size_t i = EFFICIENCY_N; i-- > 0;)
		left_ns[i] = left_ns[i + 1] + lost_ns[i];
}
