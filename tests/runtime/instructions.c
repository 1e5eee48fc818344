/* SPDX-License-Identifier: Apache-2.0 */
/* An event instruction by instruction; see instructions.h. */
#include "tests/runtime/instructions.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runtime/machine.h"
#include "tests/runtime/stage.h"

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
	struct actor *actor = stage_self;

	if (machine_pc(ucontext) == first)
		first = 0;
	if (first || --actor->instructions > 0)
		return;
	machine_step_end(ucontext);
	send_signal(actor);
}

void instructions_begin(ompt_callback_t callback)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (!MACHINE_CAN_STEP || !stage_self->instructions)
		return;
	sigfillset(&action.sa_mask);
	if (sigaction(SIGTRAP, &action, NULL) != 0)
		abort();
	first = (uint64_t)callback;
	machine_step_on();
}

void instructions_end(void)
{
	machine_step_off();
	if (stage_self->instructions)
		send_signal(stage_self);
}
