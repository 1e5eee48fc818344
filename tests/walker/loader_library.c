/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that loader.c opens. VERSION tells libraries of the same layout apart. With SLOW the
 * loader is busy with the library for half a second, after it has listed it and before it is ready.
 */
#include <sys/syscall.h>
#include <time.h>

const int version = VERSION;

#ifdef SLOW
/* Called while the library is relocated: nothing of another one can be used. */
static __attribute__((unused)) void *choose(void)
{
	static int (*const chosen)(void);
	struct timespec half = { .tv_nsec = 500000000 };
	long result = SYS_nanosleep;

	__asm__ volatile("syscall" : "+a"(result) : "D"(&half), "S"(NULL) : "rcx", "r11", "memory");
	return (void *)&chosen;
}

int chosen(void) __attribute__((ifunc("choose")));
void *volatile user = (void *)chosen;
#endif

__attribute__((noinline)) void run(void (*function)(void))
{
	function();
	__asm__ volatile("nop");
}
