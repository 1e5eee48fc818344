/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a walk with the true path and, where they differ, says why if that can be shown from the
 * code, the memory and the registers at that instruction. Everything else is unexplained. libgcc
 * tells which code has call frame information.
 */
#ifndef OMPPROF_TESTS_WALKER_JUDGE_H
#define OMPPROF_TESTS_WALKER_JUDGE_H

#include "tests/walker/shadow.h"

/* 1: a path through an alternate stack must be whole. 0: it may end there with WALK_OFF_STACK. */
#define JUDGE_STRICT_STACKS 1

enum judge_verdict {
	JUDGE_EXACT,       /* the list is the true one, by call frame information alone */
	JUDGE_GUESS_RIGHT, /* the true one, with a frame that is marked as guessed */
	JUDGE_GUESS_WRONG, /* not the true one; a guess is marked where it leaves the truth */
	JUDGE_ENDED,       /* the true one as far as it goes; its end says that it was cut short */
	JUDGE_WRONG,       /* another one */
	JUDGE_N_VERDICTS,
};

enum judge_cause {
	CAUSE_NONE,      /* unexplained, unless the list is right */
	CAUSE_NO_CFI,    /* the code has no call frame information */
	CAUSE_NO_OBJECT, /* the code is in no object that the loader knows: it is being loaded */
	CAUSE_INSTALL,   /* libgcc installs a context: it has overwritten its own frame */
	CAUSE_JUMP,      /* longjmp loads registers: its rules already lead to the target */
	CAUSE_EPILOGUE,  /* gcc's rules for a realigned frame look for rbp where it no longer is */
	CAUSE_ALTERNATE, /* frames on an alternate stack, if JUDGE_STRICT_STACKS is 0 */
	JUDGE_N_CAUSES,
};

struct judgement {
	enum judge_verdict verdict;
	enum judge_cause cause;
	uint32_t at; /* the first frame that is wrong or missing */
};

/* The right result of a walk: the first n frames of the true path. */
struct judge_wanted {
	const struct shadow_path *truth;
	const struct walk_registers *registers; /* of the first frame */
	const struct walk_bounds *bounds;
	uint32_t n;
	uint32_t end; /* enum walk_end */
};

extern const char *const judge_verdict_names[JUDGE_N_VERDICTS];
extern const char *const judge_cause_names[JUDGE_N_CAUSES];

/* To be called once, outside any handler. */
void judge_init(void);

struct judgement judge(const struct walk_path *path, const struct judge_wanted *wanted);

#endif
