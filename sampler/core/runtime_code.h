/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the OpenMP runtime's code is. A runtime is one object, or several: libompprof-gomp.so and
 * each libgomp below it.
 */
#ifndef OMPPROF_SAMPLER_CORE_RUNTIME_CODE_H
#define OMPPROF_SAMPLER_CORE_RUNTIME_CODE_H

#include <stddef.h>

#include "include/ompprof-gomp.h"

/* Whether it is known where the runtime's code is. `code` may be NULL. Signal-safe. */
static inline int runtime_code_is_known(const struct ompprof_runtime_code *code)
{
	return code && __atomic_load_n(&code->n, __ATOMIC_ACQUIRE) > 0;
}

/* Whether the address is in the runtime's code. `code` may be NULL. Signal-safe. */
static inline int runtime_code_has(const struct ompprof_runtime_code *code, uint64_t address)
{
	uint32_t n = code ? __atomic_load_n(&code->n, __ATOMIC_ACQUIRE) : 0;

	for (uint32_t i = 0; i < n; i++) {
		if (address >= code->at[i].lo && address < code->at[i].hi)
			return 1;
	}
	return 0;
}

#endif
