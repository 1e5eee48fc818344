/* SPDX-License-Identifier: Apache-2.0 */
/* The true call path of a thread that steps; see shadow.h. */
#include "tests/walker/shadow.h"

#include <signal.h>

/* Prefixes of a call, and the longest one with them: __tls_get_addr's is padded by prefixes. */
#define MAX_CALL_PREFIXES 4
#define MAX_CALL_BYTES    11

const enum walk_register shadow_saved[SHADOW_N_SAVED] = {
	WALK_RBX,
	WALK_RBP,
	WALK_R12,
	WALK_R13,
	WALK_R14,
	WALK_R15,
};

/* Whether a near call stands at `code`: E8, or FF with 2 in the middle field, behind prefixes. */
static int is_call(const uint8_t *code)
{
	for (int i = 0; i < MAX_CALL_PREFIXES; i++, code++)
		if ((*code & 0xf0) != 0x40 && *code != 0xf2 && *code != 0x3e && *code != 0x66 &&
			*code != 0x67)
			break;
	return *code == 0xe8 || (*code == 0xff && (code[1] >> 3 & 7) == 2);
}

static int is_return(const uint8_t *code)
{
	if (*code == 0xf2 || *code == 0xf3)
		code++;
	return *code == 0xc3 || *code == 0xc2;
}

static int is_on_alternate(const struct shadow *shadow, uint64_t sp)
{
	return sp >= shadow->alternate.lo && sp < shadow->alternate.hi;
}

static struct shadow_call *push(struct shadow *shadow, uint64_t slot, uint64_t return_address)
{
	static struct shadow_call none;

	if (shadow->depth == SHADOW_MAX_CALLS) {
		shadow->n_strange++;
		return &none;
	}
	shadow->call[shadow->depth] = (struct shadow_call){
		.slot = slot,
		.return_address = return_address,
		.cfa = slot + 8,
	};
	return &shadow->call[shadow->depth++];
}

void shadow_seed(struct shadow *shadow, uint64_t slot, uint64_t return_address)
{
	if (*(const uint64_t *)(uintptr_t)slot != return_address)
		shadow->n_strange++;
	push(shadow, slot, return_address)->is_seed = 1;
}

/* Takes away the calls whose return address the stack pointer has passed. */
static void pop_to(struct shadow *shadow, uint64_t sp)
{
	int is_alternate = is_on_alternate(shadow, sp);

	for (; shadow->depth > 0; shadow->depth--) {
		uint64_t slot = shadow->call[shadow->depth - 1].slot;

		if (slot >= sp && is_on_alternate(shadow, slot) == is_alternate)
			break;
	}
}

/* A return must lead to where the call that it takes away came from. */
static void check_return(struct shadow *shadow, uint32_t depth, uint64_t ip)
{
	const struct shadow_call *call = &shadow->call[shadow->depth];

	if (depth != shadow->depth + 1 || call->is_signal || call->return_address != ip ||
		call->slot != shadow->previous_sp)
		shadow->n_strange++;
}

void shadow_follow(struct shadow *shadow, const greg_t *gregs)
{
	uint64_t ip = (uint64_t)gregs[REG_RIP], sp = (uint64_t)gregs[REG_RSP];
	uint64_t from = shadow->previous_ip, top = *(const uint64_t *)(uintptr_t)sp;
	const uint8_t *code = (const uint8_t *)(uintptr_t)from;
	uint32_t depth = shadow->depth;

	pop_to(shadow, sp);
	if (from && is_return(code) && ip != from) {
		check_return(shadow, depth, ip);
	} else if (shadow->depth != depth) {
		shadow->moved_at = from;
		shadow->moved_depth = shadow->depth;
	}
	if (from && sp == shadow->previous_sp - 8 && is_call(code) &&
		top - from <= MAX_CALL_BYTES) {
		struct shadow_call *call = push(shadow, sp, top);

		call->saved[0] = (uint64_t)gregs[REG_RBX];
		call->saved[1] = (uint64_t)gregs[REG_RBP];
		call->saved[2] = (uint64_t)gregs[REG_R12];
		call->saved[3] = (uint64_t)gregs[REG_R13];
		call->saved[4] = (uint64_t)gregs[REG_R14];
		call->saved[5] = (uint64_t)gregs[REG_R15];
	}
	shadow->previous_ip = ip;
	shadow->previous_sp = sp;
}

void shadow_enter_signal(struct shadow *shadow, const greg_t *gregs)
{
	const ucontext_t *context = (const ucontext_t *)(uintptr_t)gregs[REG_RDX];
	uint64_t sp = (uint64_t)gregs[REG_RSP];
	uintptr_t lo = (uintptr_t)context->uc_stack.ss_sp;
	struct shadow_call *call;

	/* What was interrupted may be what a system call came back to. */
	pop_to(shadow, (uint64_t)context->uc_mcontext.gregs[REG_RSP]);
	if (sp >= lo && sp < lo + context->uc_stack.ss_size)
		shadow->alternate =
			(struct walk_bounds){ .lo = lo, .hi = lo + context->uc_stack.ss_size };
	call = push(shadow, sp + 8, (uint64_t)context->uc_mcontext.gregs[REG_RIP]);
	call->cfa = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	call->is_signal = 1;
	push(shadow, sp, *(const uint64_t *)(uintptr_t)sp)->is_seed = 1;
	shadow->previous_ip = (uint64_t)gregs[REG_RIP];
	shadow->previous_sp = sp;
}

void shadow_leave_signal(struct shadow *shadow, const ucontext_t *context)
{
	int is_signal = 0;

	while (shadow->depth > 0 && !is_signal)
		is_signal = shadow->call[--shadow->depth].is_signal;
	if (!is_signal)
		shadow->n_strange++;
	shadow->previous_ip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	shadow->previous_sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
}

void shadow_list(const struct shadow *shadow, uint64_t ip, struct shadow_path *path)
{
	enum walk_how how = WALK_EXACT;

	path->n = 0;
	path->moved_at = shadow->depth == shadow->moved_depth ? shadow->moved_at : 0;
	path->is_on_alternate = 0;
	for (uint32_t i = shadow->depth; i > 0; i--) {
		const struct shadow_call *call = &shadow->call[i - 1];

		path->frame[path->n++] = (struct shadow_frame){
			.ip = ip, .cfa = call->cfa, .how = how, .call = call
		};
		path->is_on_alternate |= is_on_alternate(shadow, call->slot);
		ip = call->return_address;
		how = call->is_signal ? WALK_EXACT : WALK_CALL;
	}
	path->frame[path->n++] = (struct shadow_frame){ .ip = ip, .how = how };
}
