/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the host began its latest operations on devices. A table without locks: whoever begins an
 * operation overwrites the entry of its id; a reader takes only a complete entry with its id.
 */
#include "sampler/devices/device_trace_collector.h"

#include <stddef.h>
#include <string.h>

enum { N_OPS = 4096 }; /* a power of two */

static struct {
	uint64_t id; /* 0: no operation, or the entry is being written */
	uint64_t ticks;
} ops[N_OPS];

static size_t place_of(ompt_id_t id)
{
	return (id * 0x9e3779b97f4a7c15ULL) >> 52;
}

void device_trace_ops_begin(ompt_id_t host_op_id, uint64_t ticks)
{
	size_t i = place_of(host_op_id);

	__atomic_store_n(&ops[i].id, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&ops[i].ticks, ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&ops[i].id, host_op_id, __ATOMIC_RELEASE);
}

uint64_t device_trace_ops_begun(ompt_id_t host_op_id)
{
	size_t i = place_of(host_op_id);
	uint64_t ticks;

	if (!host_op_id || __atomic_load_n(&ops[i].id, __ATOMIC_ACQUIRE) != host_op_id)
		return 0;
	ticks = __atomic_load_n(&ops[i].ticks, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&ops[i].id, __ATOMIC_RELAXED) == host_op_id ? ticks : 0;
}

void device_trace_ops_forget_all(void)
{
	memset(ops, 0, sizeof(ops));
}

_Static_assert(N_OPS == 1 << (64 - 52), "place_of has so many");
