/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the command must know of a processor architecture. Symbols come from files of any machine in the
 * list; programs that are run are for the machine that the command was built for. A machine is one file,
 * machine_NAME.c, and a section of unwinder/arch.mk.
 */
#ifndef OMPPROF_SRC_SYMBOLS_MACHINE_H
#define OMPPROF_SRC_SYMBOLS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct code_instruction;

struct machine {
	const char *name;   /* for messages */
	uint16_t elf;       /* e_machine of an ELF file */
	const char *loader; /* the file name of glibc's loader */
	/* Flags of the loader's cache for a 64-bit library of glibc. */
	int32_t cache_flags;
	/* The loader's default folders, Debian's first, up to NULL. */
	const char *const *library_folders;

	/* Functions that are missing say that nothing is known. */

	/* Relocations of the words that entries of a PLT jump through. */
	uint32_t jump_slot, global_data;
	/* The word that the PLT's entry of `n` bytes at `addr` jumps through, or 0. */
	uint64_t (*plt_slot)(const uint8_t *code, size_t n, uint64_t addr);
	/* Bytes of a direct call, and the function that the call before `addr` calls, or 0. */
	unsigned int call_bytes;
	uint64_t (*callee)(const uint8_t *call, uint64_t addr);
	/* As code_read in symbols_code.h. */
	int (*read)(struct code_instruction *code, const uint8_t *bytes, size_t n, uint64_t at);
	/* Registers that a call need not keep, and of the first and the third argument: see there. */
	uint32_t scratch;
	unsigned int first_argument, third_argument;
};

/* The machine of an ELF file's e_machine, or NULL. */
const struct machine *machine_find(uint16_t elf);

/* The machine that the command was built for. */
extern const struct machine *const machine_host;

#endif
