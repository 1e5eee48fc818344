/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how many bytes of the stack a nested task takes that is executed at once, for events.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 100 };

static uintptr_t first, last;

static void nest(int level, int is_deferred)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (level == 0)
		first = here;
	last = here;
	if (level == LEVELS)
		return;
#pragma omp task if (is_deferred) firstprivate(level)
	nest(level + 1, is_deferred);
}

int main(int argc, char **argv)
{
	nest(0, atoi(argv[1]));
	printf("%lu\n", (unsigned long)((first - last) / LEVELS));
	return 0;
}
