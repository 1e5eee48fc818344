/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call on another stack. The handler takes its samples on one that the thread's struct holds: what it
 * interrupts may be a coroutine, a small thread or an alternate signal stack that has room for the kernel's
 * frame and little more. Part of the signal-safe core.
 */
#ifndef OMPPROF_SAMPLER_CORE_SIGNAL_STACK_H
#define OMPPROF_SAMPLER_CORE_SIGNAL_STACK_H

/*
 * Calls function(argument) on the stack that ends at `top`, which is aligned to 16 bytes, and comes back to
 * this one. Unwinders, such as that of a thread's cancellation, find the way back.
 * Signal-safe.
 */
void own_stack_call(void (*function)(void *argument), void *argument, void *top);

#endif
