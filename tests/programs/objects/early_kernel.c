/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shared object that uses OpenMP in its constructor, as some libraries do: preloaded, that is before
 * the tool's own constructor has run.
 * Flags: -shared -fPIC
 */
#include <omp.h>

int early_threads;

__attribute__((constructor)) static void begin_early(void)
{
	early_threads = omp_get_max_threads();
#pragma omp parallel
	{
#pragma omp atomic
		early_threads++;
	}
}
