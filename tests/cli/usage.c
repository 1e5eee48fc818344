/* SPDX-License-Identifier: Apache-2.0 */
/* A library to preload: a process and its children have had the CPU for 123 seconds. */
#include <sys/resource.h>

int getrusage(int who, struct rusage *usage)
{
	(void)who;
	*usage = (struct rusage){ .ru_utime.tv_sec = 123 };
	return 0;
}
