/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64; see machine.h. Its instructions are not read. */
#include "src/symbols/machine.h"

#include <elf.h>

static const char *const folders[] = { "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
	"/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL };

const struct machine machine_aarch64 = {
	.name = "AArch64",
	.elf = EM_AARCH64,
	.loader = "ld-linux-aarch64.so.1",
	.cache_flags = 0x0a03,
	.library_folders = folders,
	.jump_slot = R_AARCH64_JUMP_SLOT,
	.global_data = R_AARCH64_GLOB_DAT,
};
