/* SPDX-License-Identifier: Apache-2.0 */
/* Locks are made and destroyed. Only in libompprof-gomp-events.so. */

#include "gomp/lock.h"

const uint32_t gomp_tells_all = 1;

#define INIT(name, version, kind)                                                                  \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		(void)task;                                                                        \
		next->name##version(lock);                                                         \
		GOMP_TELL(lock_init, kind, 0, 0, ID, GOMP_CALLER);                                 \
	}

#define DESTROY(name, version, kind)                                                               \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		GOMP_TELL(lock_destroy, kind, ID, GOMP_CALLER);                                    \
		return next->name##version(lock);                                                  \
	}

#define LOCKS(version)                                                                             \
	INIT(omp_init_lock, version, ompt_mutex_lock)                                              \
	INIT(omp_init_lock_, version, ompt_mutex_lock)                                             \
	INIT(omp_init_nest_lock, version, ompt_mutex_nest_lock)                                    \
	INIT(omp_init_nest_lock_, version, ompt_mutex_nest_lock)                                   \
	DESTROY(omp_destroy_lock, version, ompt_mutex_lock)                                        \
	DESTROY(omp_destroy_lock_, version, ompt_mutex_lock)                                       \
	DESTROY(omp_destroy_nest_lock, version, ompt_mutex_nest_lock)                              \
	DESTROY(omp_destroy_nest_lock_, version, ompt_mutex_nest_lock)
LOCKS(OMP_1_0)
LOCKS(OMP_3_0)
