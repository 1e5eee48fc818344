/* SPDX-License-Identifier: Apache-2.0 */
/* A program, or with LIBRARY a libgomp as GCC 4.8 had it, for modules.sh. */
#include <stdio.h>

void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_barrier(void);

#ifdef LIBRARY
static int n;

void GOMP_critical_start(void)
{
	n++;
}

void GOMP_critical_end(void)
{
	printf("%d\n", n);
}

void GOMP_barrier(void)
{
	n += 10;
}
#else
int main(void)
{
	GOMP_barrier();
	GOMP_critical_start();
	GOMP_critical_end();
	return 0;
}
#endif
