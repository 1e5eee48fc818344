/* SPDX-License-Identifier: Apache-2.0 */
/* A library that traps in a function whose frame only call frame information tells. */

__attribute__((noinline)) static int use(volatile int *room)
{
	return room[1];
}

void run(void)
{
	volatile int room[30] = { 0 };

	__asm__ volatile("int3");
	room[1] = use(room);
}
