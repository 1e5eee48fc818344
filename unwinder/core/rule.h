/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of call frame information in 16 bytes, for what nearly all rows say: how the CFA follows
 * from the stack pointer or frame pointer, and where the return address and the caller's frame
 * pointer lie. A frame that needs other registers has RULE_INTERPRETED: cfi_step interprets its
 * row.
 */
#ifndef OMPPROF_UNWINDER_CORE_RULE_H
#define OMPPROF_UNWINDER_CORE_RULE_H

#include <stdint.h>

#include "unwinder/core/cfi.h"

enum rule_kind {
	RULE_NONE = 0, /* no call frame information */
	RULE_SP,       /* CFA = sp + cfa */
	RULE_FP,       /* CFA = fp + cfa */
	RULE_LOADED,   /* CFA = word at fp + cfa: the function realigned its stack */
	RULE_STUB, /* CFA = sp + cfa, plus 8 from byte `stub` of each 16 on: an entry of a PLT */
	RULE_INTERPRETED, /* any other row */
};

enum rule_flags {
	RULE_OUTERMOST = 1, /* the frame has no caller */
	RULE_FP_AT_FP = 2,  /* `fp` counts from the frame pointer, not from the CFA */
	RULE_SIGNAL = 4,    /* together with RULE_INTERPRETED: the frame of a signal */
	/* RULE_SP or RULE_FP without another flag, aligned. The return address is in the word
	   below the CFA; the frame pointer is below that word or unchanged. */
	RULE_SIMPLE = 8,
};

struct rule {
	int32_t cfa;
	/* where the caller's frame pointer lies; 0 without RULE_FP_AT_FP: it has not changed */
	int32_t fp;
	int32_t ra; /* the return address lies at CFA + ra; 0: it is in the link register */
	uint8_t kind;
	uint8_t flags;
	uint8_t stub;
	uint8_t spare;
};

/* Compiles a row to a rule. image->cie must be the row's CIE. Signal-safe. */
void rule_compile(const struct cfi_image *image, const struct cfi_row *row, struct rule *rule);

#endif
