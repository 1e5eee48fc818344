/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a walk with the true path; see judge.h. */
#include "tests/walker/judge.h"
#include "tests/walker/row.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* libgcc's own lookup of a frame description; exported, but in no public header. */
struct dwarf_eh_bases {
	void *text_base;
	void *data_base;
	void *function;
};
const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);

/* The functions that end by installing a context: they return into another frame. */
static const char *const installer_names[] = {
	"_Unwind_Resume",
	"_Unwind_RaiseException",
	"_Unwind_Resume_or_Rethrow",
	"_Unwind_ForcedUnwind",
};
#define N_INSTALLERS (sizeof(installer_names) / sizeof(installer_names[0]))
static void *installers[N_INSTALLERS];

const char *const judge_verdict_names[JUDGE_N_VERDICTS] = {
	"exact",
	"guessed-right",
	"guessed-wrong",
	"ended",
	"wrong",
};

const char *const judge_cause_names[JUDGE_N_CAUSES] = {
	"unexplained",
	"no-cfi",
	"no-object",
	"install",
	"jump",
	"epilogue",
	"alternate",
};

void judge_init(void)
{
	for (size_t i = 0; i < N_INSTALLERS; i++)
		installers[i] = dlsym(RTLD_DEFAULT, installer_names[i]);
}

static uint64_t lookup_pc(uint64_t ip, unsigned int how)
{
	return ip - (how != WALK_EXACT);
}

/* The beginning of the function or part of a function at pc, or NULL if it has no CFI. */
static void *find_function(uint64_t pc)
{
	struct dwarf_eh_bases bases = { 0 };

	return _Unwind_Find_FDE((void *)(uintptr_t)pc, &bases) ? bases.function : NULL;
}

/* CAUSE_NONE if the frame's code has call frame information. */
static enum judge_cause find_gap(const struct shadow_frame *frame)
{
	uint64_t pc = lookup_pc(frame->ip, frame->how);
	struct dl_find_object object;

	if (_dl_find_object((void *)(uintptr_t)pc, &object) != 0)
		return CAUSE_NO_OBJECT;
	return find_function(pc) ? CAUSE_NONE : CAUSE_NO_CFI;
}

/* Whether frame i of the path is the true one; the CFA may be missing in a path's last frame. */
static int is_true_frame(
	const struct walk_path *path, uint32_t i, const struct shadow_frame *truth, int is_ended)
{
	const struct walk_frame *frame = &path->frame[i];

	if (frame->ip != truth->ip || (frame->how != truth->how && frame->how != WALK_GUESS))
		return 0;
	if (!truth->cfa || (is_ended && i + 1 == path->n && !frame->cfa))
		return 1;
	return frame->cfa == truth->cfa;
}

/*
 * Whether a frame does not hold any more what its function was called with: by its own rules and
 * its true CFA, a register that it has to preserve or the return address is another one.
 */
static int is_overwritten(const struct shadow_frame *frame, const struct walk_registers *registers)
{
	const struct shadow_call *call = frame->call;
	struct cfi_row row;

	if (!call || call->is_seed || call->is_signal ||
		row_find(lookup_pc(frame->ip, frame->how), &row) != 0)
		return 0;
	for (int i = 0; i < SHADOW_N_SAVED; i++) {
		const struct cfi_rule *rule = &row.rule[shadow_saved[i]];
		uint64_t value = call->saved[i];

		if (rule->kind == CFI_OFFSET)
			value = *(
				uint64_t *)(uintptr_t)(call->cfa + (uint64_t)(int64_t)rule->value);
		else if (rule->kind == CFI_SAME && registers)
			value = registers->reg[shadow_saved[i]];
		if (value != call->saved[i])
			return 1;
	}
	return *(uint64_t *)(uintptr_t)call->slot != call->return_address;
}

static int is_installer(void *function)
{
	for (size_t i = 0; function && i < N_INSTALLERS; i++)
		if (function == installers[i])
			return 1;
	return 0;
}

/*
 * Whether libgcc installs a context: one of its frames is overwritten, or it has moved the stack
 * pointer to another frame already, and only has to jump.
 */
static int is_installing(const struct judge_wanted *wanted, uint32_t at)
{
	const struct shadow_path *truth = wanted->truth;
	void *first = find_function(truth->frame[0].ip);

	if (is_installer(first) && truth->moved_at && find_function(truth->moved_at) == first)
		return 1;
	for (uint32_t i = 0; i <= at && i < truth->n; i++) {
		const struct shadow_frame *frame = &truth->frame[i];

		if (is_installer(find_function(lookup_pc(frame->ip, frame->how))) &&
			is_overwritten(frame, i == 0 ? wanted->registers : NULL))
			return 1;
	}
	return 0;
}

/*
 * Whether the path is that of a jump as if it had been made: the first frame ends at the stack
 * pointer that is being loaded, the second stands at the target, and then come the true frames.
 */
static int is_jump(const struct walk_path *path, const struct judge_wanted *wanted)
{
	const struct shadow_path *truth = wanted->truth;
	const uint64_t *reg = wanted->registers->reg;
	struct cfi_row row;
	uint32_t i = 2, k = 0;

	if (path->n == 0 || row_find(path->frame[0].ip, &row) != 0 || !row_is_jump(&row) ||
		path->frame[0].cfa != reg[row.rule[WALK_SP].reg])
		return 0;
	if (path->n == 1)
		return 1;
	while (k < truth->n && truth->frame[k].cfa != path->frame[1].cfa)
		k++;
	if (k == truth->n || row.rule[WALK_IP].kind != CFI_REGISTER ||
		path->frame[1].ip != reg[row.rule[WALK_IP].reg])
		return 0;
	for (k++; i < path->n && k < truth->n; i++, k++)
		if (!is_true_frame(path, i, &truth->frame[k], 0))
			return 0;
	return i == path->n;
}

/*
 * Whether the thread stands behind the `pop %rbp` of a realigned frame, at `lea -8(%r10),%rsp` or
 * the return after it: rbp is the caller's again, but gcc's rules still find its value at (rbp).
 */
static int is_realigned_epilogue(const struct judge_wanted *wanted)
{
	static const uint8_t tail[] = { 0x49, 0x8d, 0x62, 0xf8, 0xc3 };
	const struct shadow_frame *frame = &wanted->truth->frame[0];
	const uint8_t *code = (const uint8_t *)(uintptr_t)frame->ip;
	struct cfi_row row;

	if (*code == 0xc3)
		code -= sizeof(tail) - 1;
	return memcmp(code, tail, sizeof(tail)) == 0 && row_find(frame->ip, &row) == 0 &&
	       row.rule[WALK_RBP].kind == CFI_EXPRESSION && frame->call && !frame->call->is_seed &&
	       wanted->registers->reg[WALK_RBP] == frame->call->saved[SHADOW_RBP];
}

/* Whether the path ends where the true one is on another stack than the thread's. */
static int is_at_other_stack(
	const struct walk_path *path, const struct judge_wanted *wanted, uint32_t at)
{
	return !JUDGE_STRICT_STACKS && path->end == WALK_OFF_STACK && at > 0 &&
	       wanted->truth->is_on_alternate;
}

static enum judge_cause explain_end(
	const struct walk_path *path, const struct judge_wanted *wanted, uint32_t at)
{
	if (is_at_other_stack(path, wanted, at))
		return CAUSE_ALTERNATE;
	return at > 0 ? find_gap(&wanted->truth->frame[at - 1]) : CAUSE_NONE;
}

/*
 * The first guessed frame, or 0, if no later than the fault: the CFA before it is a guess, too. A
 * walk that stops at that CFA has no frame to mark, but counts the guess.
 */
static uint32_t first_guess(const struct walk_path *path, uint32_t at)
{
	if (path->n_guessed == 0)
		return 0;
	for (uint32_t i = 1; i < path->n && i <= at + 1; i++)
		if (path->frame[i].how == WALK_GUESS)
			return i;
	return path->n <= at + 1 ? path->n : 0;
}

static enum judge_cause explain_wrong(
	const struct walk_path *path, const struct judge_wanted *wanted, uint32_t at)
{
	if (is_installing(wanted, at))
		return CAUSE_INSTALL;
	if (is_jump(path, wanted))
		return CAUSE_JUMP;
	return is_realigned_epilogue(wanted) ? CAUSE_EPILOGUE : CAUSE_NONE;
}

/*
 * Why the guesses of a path that is right were due: CAUSE_NONE if one stands where there is call
 * frame information. The CFA of the last frame may be a guess without a frame to mark.
 */
static enum judge_cause explain_guesses(
	const struct walk_path *path, const struct shadow_path *truth)
{
	enum judge_cause cause = CAUSE_NONE;
	uint32_t n_marked = 0;

	for (uint32_t i = 1; i <= path->n && n_marked < path->n_guessed; i++) {
		if (i < path->n && path->frame[i].how != WALK_GUESS)
			continue;
		n_marked++;
		cause = find_gap(&truth->frame[i - 1]);
		if (cause == CAUSE_NONE)
			return CAUSE_NONE;
	}
	return cause;
}

struct judgement judge(const struct walk_path *path, const struct judge_wanted *wanted)
{
	struct judgement judgement = { .verdict = JUDGE_WRONG };
	int is_ended = path->end != wanted->end;
	uint32_t guess, at = 0;

	while (at < path->n && at < wanted->n &&
		is_true_frame(path, at, &wanted->truth->frame[at], is_ended))
		at++;
	judgement.at = at;
	guess = first_guess(path, at);
	if (at == path->n && at == wanted->n && !is_ended) {
		judgement.verdict = path->n_guessed ? JUDGE_GUESS_RIGHT : JUDGE_EXACT;
		judgement.cause = explain_guesses(path, wanted->truth);
	} else if (at == path->n && is_ended) {
		judgement.verdict = JUDGE_ENDED;
		judgement.cause = explain_end(path, wanted, at);
	} else if (guess) {
		judgement.cause = find_gap(&wanted->truth->frame[guess - 1]);
		if (judgement.cause != CAUSE_NONE)
			judgement.verdict = JUDGE_GUESS_WRONG;
	}
	if (judgement.verdict != JUDGE_EXACT && judgement.cause == CAUSE_NONE)
		judgement.cause = explain_wrong(path, wanted, at);
	return judgement;
}
