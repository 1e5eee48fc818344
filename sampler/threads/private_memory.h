/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the tool takes for itself, beside the file; the profile has its size. */
#ifndef OMPPROF_SAMPLER_THREADS_PRIVATE_MEMORY_H
#define OMPPROF_SAMPLER_THREADS_PRIVATE_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>

#include "profile/core/writer.h"

/* Returns memory that is all zero, for munmap; NULL without memory. Any thread. */
static inline void *private_memory(size_t bytes)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	__atomic_fetch_add(&writer_header()->bytes_private, bytes, __ATOMIC_RELAXED);
	return memory;
}

#endif
