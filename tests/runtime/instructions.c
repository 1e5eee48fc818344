/* SPDX-License-Identifier: Apache-2.0 */
/* An event instruction by instruction; see instructions.h. */
#include "tests/runtime/instructions.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tests/runtime/stage.h"

/* In the processor's flags. */
#define TRAP_FLAG 0x100

/* Where the calling thread's event begins; 0: that has been passed, or there is no event. */
static __thread volatile uint64_t first;

static void send_signal(struct actor *actor)
{
	actor->instructions = 0;
	__atomic_fetch_add(&actor->n_sent, 1, __ATOMIC_RELAXED);
	stage_raise(actor);
}

/*
 * Runs between two instructions, with all signals blocked. The thread's signal comes as this
 * returns, before the second instruction.
 */
static void on_trap(int signal, siginfo_t *info, void *ucontext)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	struct actor *actor = stage_self;

	if ((uint64_t)registers[REG_RIP] == first)
		first = 0;
	if (first || --actor->instructions > 0)
		return;
	registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	send_signal(actor);
}

/* Below the stack pointer the compiler may keep something. */
#define CHANGE_FLAGS(how)                                                                          \
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\t" how                                \
			 ", (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::"i"(TRAP_FLAG)            \
			 : "memory", "cc")

void instructions_begin(ompt_callback_t callback)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (!stage_self->instructions)
		return;
	sigfillset(&action.sa_mask);
	if (sigaction(SIGTRAP, &action, NULL) != 0)
		abort();
	first = (uint64_t)callback;
	CHANGE_FLAGS("orq %0");
}

void instructions_end(void)
{
	CHANGE_FLAGS("andq $~%c0");
	if (stage_self->instructions)
		send_signal(stage_self);
}
