/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are not ordinary, and the search for code and stacks; see walk_state.h. */
#include "unwinder/core/walk_state.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

/* Bytes above the stack pointer that the frame of a signal handler's return may need. */
#define SIGNAL_FRAME_BYTES 1024

/* The kernel's return from a signal is at most this long. */
#define SIGNAL_CODE_BYTES 8

/* No call instruction is longer. */
#define LONGEST_CALL 8

/* Bytes of code before and after an instruction that are read for walk_rule_at_edge. */
#define EDGE_BYTES 96

/* The most bytes by which a foreign stack is extended for one frame. */
#define MAX_EXTENSION (UINT64_C(1) << 20)

/*
 * Whether a page is readable; 0 after WALK_MAX_PROBES questions. The kernel reads a signal mask
 * from the page before it refuses the invalid request.
 */
static int is_readable(struct walk_state *s, uint64_t page)
{
	int saved = errno, result;

	if (s->n_probes++ >= WALK_MAX_PROBES)
		return 0;
	errno = 0;
	result = syscall(SYS_rt_sigprocmask, ~0L, page, NULL, (size_t)8) != 0 && errno == EINVAL;
	errno = saved;
	return result;
}

/*
 * Makes s->image the image of the unwind data in [lo, hi), with the header `eh_frame`. Returns 0 or
 * an enum walk_end.
 */
static int select_image(struct walk_state *s, uint64_t lo, uint64_t hi, uint64_t eh_frame)
{
	if (hi == 0)
		return WALK_NO_CFI;
	if (s->image_lo == lo)
		return s->image_end;
	s->image_lo = lo;
	s->image_end = WALK_NO_CFI;
	if (eh_frame)
		s->image_end = cfi_image_init(
			&s->image, (const uint8_t *)(uintptr_t)lo, hi - lo, lo, eh_frame);
	return s->image_end;
}

void walk_select_code(struct walk_state *s, uint64_t pc)
{
	const struct object *object = s->objects ? objects_find(s->objects, pc) : NULL;
	struct loaded found;

	s->table = NULL;
	s->object = WALK_NO_OBJECT;
	s->is_remembered = 0;
	s->code_lo = pc;
	s->code_bytes = 1;
	s->code_end = 0;
	if (object && objects_is_here(object, pc)) {
		s->code_lo = object->identity.lo;
		s->code_bytes = object->identity.hi - object->identity.lo;
		if (object->table.memory)
			s->table = &object->table;
		s->object = object->is_permanent ? 0 : object->id;
		s->is_remembered = object->is_permanent || (s->table && object->id);
		return;
	}
	if (loaded_find(pc, &found) != 0) {
		s->code_end = WALK_UNKNOWN_CODE;
		return;
	}
	if (s->objects)
		objects_missed();
	s->code_lo = found.lo;
	s->code_bytes = found.hi - found.lo;
}

int walk_find_fde(struct walk_state *s, uint64_t pc, struct cfi_fde *fde)
{
	const struct object *object = s->objects ? objects_find(s->objects, pc) : NULL;
	struct loaded found;
	int end;

	if (object && object->is_permanent) {
		end = select_image(s, object->identity.data_lo, object->identity.data_hi,
			object->identity.eh_frame);
		return end ? end : cfi_find(&s->image, pc, fde);
	}
	if (loaded_find(pc, &found) != 0)
		return WALK_UNKNOWN_CODE;
	if (!found.eh_frame)
		return WALK_NO_CFI;
	if (!s->is_direct) {
		if (s->image_lo)
			s->copy.fde.end = 0;
		s->image_lo = 0;
		return remote_find(&s->copy, &s->image, &found, pc, fde);
	}
	if (s->image_lo != found.lo && !is_readable(s, found.eh_frame & ~(uint64_t)(PAGE - 1)))
		return WALK_NO_CFI;
	end = select_image(s, found.lo, found.hi, found.eh_frame);
	return end ? end : cfi_find(&s->image, pc, fde);
}

/* Finds the row at pc in place. Returns 0 or an enum walk_end. */
static int find_row(struct walk_state *s, uint64_t pc, struct cfi_row *row)
{
	struct cfi_fde fde;
	int end = walk_find_fde(s, pc, &fde);

	return end ? end : cfi_row_at(&s->image, &fde, pc, row);
}

int walk_interpret(struct walk_state *s, uint64_t pc, struct rule *rule)
{
	struct cfi_row row;
	int end = s->code_end ? s->code_end : find_row(s, pc, &row);

	if (!end)
		rule_compile(&s->image, &row, rule);
	return end;
}

void walk_rule_at_edge(struct walk_state *s, struct rule *rule)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)s->ip;
	uint64_t before = s->ip - s->code_lo, after = s->code_bytes - before;
	uint8_t copy[2 * EDGE_BYTES];

	if (s->table && s->ip - s->table->text_lo < s->table->text_bytes) {
		before = s->ip - s->table->text_lo;
		after = s->table->text_bytes - before;
	} else {
		before = before < EDGE_BYTES ? before : EDGE_BYTES;
		after = after < EDGE_BYTES ? after : EDGE_BYTES;
		if (remote_read(s->ip - before, copy, before + after) != 0)
			return;
		at = copy + before;
	}
	arch_rule_at_edge(at - before, at, at + after, rule);
}

/* Makes one step with all registers. Returns 0 or an enum walk_end. */
static int full_step(struct walk_state *s, uint64_t pc, struct walk_registers *registers,
	uint64_t *cfa, int *is_last)
{
	struct cfi_row row;
	int end = find_row(s, pc, &row);

	if (!end)
		end = cfi_step(&s->image, &row, &s->stack, registers, cfa, is_last);
	return end;
}

/*
 * Sets s->known to all registers of the current frame. If the walk does not meet the frame again,
 * only the ip, sp and fp of the state are known, fp unless it is lost.
 */
static void find_registers(struct walk_state *s)
{
	struct walk_registers registers = *s->known;
	uint64_t cfa;
	int is_last = 0;

	for (int i = 0; i < WALK_MAX_FRAMES && !is_last; i++) {
		if (registers.reg[WALK_IP] == s->ip && registers.reg[WALK_SP] == s->sp) {
			s->full = registers;
			s->known = &s->full;
			return;
		}
		if (full_step(s, registers.reg[WALK_IP] - (i > 0 || registers.is_return),
			    &registers, &cfa, &is_last) != 0)
			break;
		registers.is_return = 1;
	}
	s->known = &s->full;
	s->full.reg[WALK_IP] = s->ip;
	s->full.reg[WALK_SP] = s->sp;
	s->full.reg[WALK_FP] = s->fp;
	s->full.known = UINT64_C(1) << WALK_IP | UINT64_C(1) << WALK_SP |
			(uint64_t)!s->is_fp_lost << WALK_FP;
	s->full.is_return = s->how != WALK_EXACT;
}

/*
 * Moves the state to the caller, whose registers are in s->full. `cfa` is the current frame's CFA.
 * Returns STEP_CONTINUES or how the path ends.
 */
static int arrive(struct walk_state *s, struct walk_frame *frame, uint64_t cfa, int is_signal)
{
	int end;

	s->full.is_return = !is_signal;
	s->ip = arch_code_address(s->full.reg[WALK_IP]);
	s->full.reg[WALK_IP] = s->ip;
	s->sp = cfa;
	s->fp = s->full.reg[WALK_FP];
	s->is_fp_lost = !(s->full.known >> WALK_FP & 1);
	s->how = is_signal ? WALK_EXACT : WALK_CALL;
	if (cfa % 8 != 0)
		return WALK_OFF_STACK;
	if (cfa < s->stack.lo || cfa > s->stack.hi) {
		/* A signal can arrive on another stack, and a function can be called on another
		   stack. */
		end = is_signal || s->is_foreign ? walk_enter_stack(s, cfa) : WALK_OFF_STACK;
		if (end)
			return end;
	} else if (cfa < s->previous_cfa + WALK_CALL_BYTES) {
		return WALK_NO_PROGRESS;
	}
	s->previous_cfa = cfa;
	frame->cfa = cfa;
	if (s->is_foreign)
		frame->flags |= WALK_FRAME_FOREIGN;
	return STEP_CONTINUES;
}

int walk_interpreted_step(struct walk_state *s, uint64_t pc, struct walk_frame *frame)
{
	uint64_t cfa = 0;
	int is_last = 0, end;

	if (s->is_foreign)
		walk_extend_stack(s, s->sp + SIGNAL_FRAME_BYTES);
	find_registers(s);
	end = full_step(s, pc, &s->full, &cfa, &is_last);
	if (is_last) {
		frame->cfa = cfa % 8 == 0 && cfa >= s->previous_cfa + WALK_CALL_BYTES &&
					     cfa <= s->stack.hi
				     ? cfa
				     : 0;
		return WALK_COMPLETE;
	}
	if (end)
		return end;
	return arrive(s, frame, cfa, s->image.cie.is_signal);
}

/*
 * Whether the state's instruction is the kernel's return from a signal. If so, *registers become
 * the interrupted registers. The kernel's code may be in no object that the loader lists: then it
 * is copied.
 */
static int leaves_signal(struct walk_state *s, struct walk_registers *registers)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)s->ip;
	uint64_t n = s->code_lo + s->code_bytes - s->ip, in_page = s->ip & (PAGE - 1);
	uint8_t copy[SIGNAL_CODE_BYTES];

	if (s->code_end == WALK_UNKNOWN_CODE) {
		if (in_page > PAGE - sizeof(copy) || !is_readable(s, s->ip - in_page) ||
			remote_read(s->ip, copy, sizeof(copy)) != 0)
			return 0;
		code = copy;
		n = sizeof(copy);
	} else if (s->ip - s->code_lo >= s->code_bytes) {
		return 0;
	}
	return arch_leave_signal(code, code + n, &s->stack, registers);
}

int walk_signal_step(struct walk_state *s, struct walk_frame *frame, int *end)
{
	struct walk_registers registers = *s->known;

	if (s->is_foreign)
		walk_extend_stack(s, s->sp + SIGNAL_FRAME_BYTES);
	if (registers.reg[WALK_IP] != s->ip || registers.reg[WALK_SP] != s->sp)
		registers.known = 0;
	registers.reg[WALK_SP] = s->sp;
	if (!leaves_signal(s, &registers))
		return 0;
	s->full = registers;
	s->known = &s->full;
	*end = arrive(s, frame, registers.reg[WALK_SP], 1);
	return 1;
}

int walk_call_before(uint64_t begin, uint64_t ra, uint64_t *target)
{
	uint64_t n = ra - begin > LONGEST_CALL ? LONGEST_CALL : ra - begin;
	uint8_t code[LONGEST_CALL];

	return remote_read(ra - n, code, n) == 0 ? arch_call_before(code, code + n, ra, target) : 0;
}

int walk_extend_stack(struct walk_state *s, uint64_t end)
{
	if (end > s->stack.hi && end - s->stack.hi > MAX_EXTENSION)
		return 0;
	while (s->stack.hi < end && s->stack.hi % PAGE == 0 && is_readable(s, s->stack.hi))
		s->stack.hi += PAGE;
	return s->stack.hi >= end;
}

int walk_enter_stack(struct walk_state *s, uint64_t sp)
{
	uint64_t lowest = (sp - WALK_RED_ZONE_BYTES) & ~UINT64_C(7);
	uint64_t page = sp & ~(uint64_t)(PAGE - 1);

	if (!s->is_foreign)
		s->own_cfa = s->previous_cfa;
	s->previous_cfa = 0;
	s->is_foreign = sp < s->own->lo || sp >= s->own->hi;
	if (!s->is_foreign) {
		if (sp <= s->own_cfa)
			return WALK_NO_PROGRESS;
		/* Further down no frame has data, and the pages may never have been touched. */
		s->stack.lo = lowest > s->own->lo ? lowest : s->own->lo;
		s->stack.hi = s->own->hi;
		return 0;
	}
	s->stack.lo = s->stack.hi = page > lowest ? page : lowest;
	if (sp % 8 != 0 || !is_readable(s, page))
		return WALK_OFF_STACK;
	s->stack.hi = page + PAGE;
	return 0;
}
