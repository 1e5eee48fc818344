/* SPDX-License-Identifier: Apache-2.0 */
/* The mark that a switch of threads clears; see switched.h. Not for the signal handler. */
#include "sampler/threads/switched.h"

#include <dlfcn.h>

#include "profile/core/plain_calls.h"

/*
 * The section's description, as <linux/rseq.h> has it: a section of one byte. The kernel wants the
 * signature of the architecture before the address that a thread would continue at.
 */
__asm__(".pushsection .text\n"
	"switched_begin:\n"
	"	.byte 0\n"
	"	.balign 4\n" ARCH_RSEQ_SIGNATURE "switched_abort:\n"
	"	.byte 0\n"
	"	.popsection\n"
	".pushsection .data.rel.ro, \"aw\"\n"
	"	.balign 32\n"
	"	.globl switched_section\n"
	"	.hidden switched_section\n"
	"	.type switched_section, @object\n"
	"switched_section:\n"
	"	.long 0, 0\n"
	"	.quad switched_begin, 1, switched_abort\n"
	"	.size switched_section, . - switched_section\n"
	"	.popsection\n");

/* A pause that is too short ends before the kernel has taken the CPU away: the last is longest. */
enum { PAUSE_NS = 20000, N_PAUSES = 4 };

ptrdiff_t switched_offset;

void switched_prepare(void)
{
	const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned int *bytes = dlsym(RTLD_DEFAULT, "__rseq_size");

	/* The size is 0 where the C library could not register the area. */
	if (!offset || !bytes || *bytes < sizeof(struct switched_area))
		return;
	switched_offset = *offset;
	if (!switched_offset || switched_here()->section) {
		switched_offset = 0;
		return;
	}
	switched_arm();
	for (int i = 0; i < N_PAUSES && switched_is_armed(); i++)
		plain_pause(PAUSE_NS << 2 * i);
	if (switched_is_armed()) {
		switched_here()->section = 0;
		switched_offset = 0;
	}
}
