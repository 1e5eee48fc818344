/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk by call frame information while it goes on: shared by walk_cfi.c (the loop and the memory),
 * walk_step.c (all that is not ordinary) and walk_gap.c (code without call frame information).
 */
#ifndef OMPPROF_UNWINDER_CORE_WALK_STATE_H
#define OMPPROF_UNWINDER_CORE_WALK_STATE_H

#include <stdint.h>

#include "unwinder/core/cfi.h"
#include "unwinder/core/objects.h"
#include "unwinder/core/remote.h"
#include "unwinder/core/rule.h"
#include "unwinder/core/walk.h"

/* A step goes on. Apart from enum walk_end. */
#define STEP_ON (-1)

/* Pages that one walk may ask the kernel about, on stacks that are not the thread's. */
#define WALK_MAX_PROBES 1024

struct walk_state {
	/* The current frame: what its rule may need. */
	uint64_t ip, sp, fp;
	uint32_t how;
	uint32_t is_fp_lost;

	/* The stack that it is on: words may be read in [lo, hi). */
	uint64_t lo, hi;
	uint64_t previous_cfa; /* each CFA on this stack is greater than the one before */
	uint32_t is_foreign;   /* it is not the thread's own */
	uint64_t own_cfa;      /* previous_cfa when it was left; 0: it was not */
	uint32_t n_probes;
	const struct walk_bounds *own;

	/* The code at ip: an object in [code_lo, code_lo + code_bytes). */
	uint64_t code_lo, code_bytes;
	struct walk_seen *seen;
	const struct table *table; /* NULL: none that can be used */
	int code_end;              /* without a table: 0, or the enum walk_end of code there */
	uint32_t object;           /* for struct walk_frame */
	uint32_t is_remembered;    /* frames there can be */
	uint32_t is_direct;        /* unwind data is read as it is, of any object: for comparison */
	const struct objects
		*objects; /* NULL: none are listed, everything is interpreted in place */

	/* All registers as they were known last, for odd rules; the frame is that of the instruction and
	   stack pointers among them. In `full`, or still where the walk was started from. */
	const struct walk_registers *known;
	struct walk_registers full;

	/* The frames that are remembered, and the first that is not further in than the current one. */
	struct walk_frame *old_begin, *old, *old_end;

	uint32_t n_guessed;
	uint64_t image_lo; /* of the object that `image` is of, 0: none */
	int image_end;
	struct cfi_image image;
	struct remote_copy copy; /* what `image` is of, if image_lo is 0 */
};

/*
 * Makes the code of the state that at pc: its table if there is one that can be used now.
 * Signal-safe.
 */
void walk_select_code(struct walk_state *s, uint64_t pc);

/*
 * The rule at pc where there is no table, interpreted in place; *row is what it was made from. Returns
 * 0 or an enum walk_end.
 * Signal-safe.
 */
int walk_interpret(struct walk_state *s, uint64_t pc, struct rule *rule, struct cfi_row *row);

/*
 * The frame description of pc, found in place: s->image is that of its object then. Returns 0 or an enum
 * walk_end.
 * Signal-safe.
 */
int walk_find_fde(struct walk_state *s, uint64_t pc, struct cfi_fde *fde);

/*
 * Whether a page can be read: by a system call, of which a walk has WALK_MAX_PROBES.
 * Signal-safe.
 */
int walk_is_readable(struct walk_state *s, uint64_t page);

/*
 * Steps by the rule of pc that is RULE_ODD: with all registers, which are found by going the way from
 * the last frame where they were known once more. Returns STEP_ON with the state that of the caller, or
 * how the path ends; sets frame->cfa.
 * Signal-safe.
 */
int walk_odd_step(struct walk_state *s, uint64_t pc, struct walk_frame *frame);

/*
 * Steps from the kernel's return of a signal handler, if that is what lies at s->ip, to what the signal
 * interrupted: returns 1, and *end is STEP_ON or how the path ends. Else 0.
 * Signal-safe.
 */
int walk_signal_step(struct walk_state *s, struct walk_frame *frame, int *end);

/*
 * Leaves code without call frame information, if a return address is proven. Returns STEP_ON with the
 * state that of the caller, or `end`.
 * Signal-safe.
 */
int walk_gap_step(struct walk_state *s, struct walk_frame *frame, int end);

/*
 * Puts the state onto the stack that sp is on: the thread's own, or one that nothing is known of, as far
 * as the kernel says that its pages can be read. Returns 0, WALK_OFF_STACK, or WALK_NO_PROGRESS if the walk
 * has been there.
 * Signal-safe.
 */
int walk_enter_stack(struct walk_state *s, uint64_t sp);

/*
 * Tries to make [.., end) of a foreign stack readable. Returns whether it is.
 * Signal-safe.
 */
int walk_extend_stack(struct walk_state *s, uint64_t end);

/*
 * Reads the word at `at` if it is aligned and on the stack. Returns 0 or WALK_OFF_STACK.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) int walk_read(
	struct walk_state *s, uint64_t at, uint64_t *value)
{
	if (at % 8 != 0 || at - s->lo >= s->hi - s->lo || s->hi - at < 8) {
		if (!s->is_foreign || at % 8 != 0 || at < s->lo || !walk_extend_stack(s, at + 8))
			return WALK_OFF_STACK;
	}
	*value = *(const uint64_t *)(uintptr_t)at;
	return 0;
}

#endif
