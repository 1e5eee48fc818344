/* SPDX-License-Identifier: Apache-2.0 */
/* How a lock's function is defined in both versions. */
#ifndef OMPPROF_GOMP_LOCK_H
#define OMPPROF_GOMP_LOCK_H

#include "gomp/gomp.h"

#define ID ((ompt_wait_id_t)(uintptr_t)lock)

/* The function `name` of the version: exported as name@@OMP_3.0, or name@OMP_1.0. */
#define OMP_1_0_SYMBOL(name) __asm__(".symver " #name "_OMP_1_0, " #name "@OMP_1.0");
#define OMP_3_0_SYMBOL(name) __asm__(".symver " #name "_OMP_3_0, " #name "@@OMP_3.0");
#define DEFINE(returns, name, version)                                                             \
	GOMP_EXPORT returns name##_##version(void *lock);                                          \
	version##_SYMBOL(name) GOMP_EXPORT returns name##_##version(void *lock)

#endif
