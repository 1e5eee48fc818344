/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the KERNEL of damaged_kernels.S by a pointer, as a library for vectors would. */

void KERNEL(void);
static void (*volatile kernel)(void) = KERNEL;

__attribute__((visibility("hidden"))) void stop(void)
{
	__asm__ volatile("int3");
	__builtin_trap();
}

void run(void)
{
	kernel();
	__asm__ volatile("nop");
}
