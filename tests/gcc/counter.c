/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is preloaded, as tools do, and defines one function of libgomp, for modules.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>

int n_barriers;

void GOMP_barrier(void)
{
	void (*next)(void) = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_barrier");

	n_barriers++;
	if (next)
		next();
}
