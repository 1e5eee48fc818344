/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of a processor architecture that the command must know. Symbols come from files of
 * any machine in the list. The profiled programs are for the machine that the command was built
 * for. A machine consists of one file, machine_NAME.c, and a section of unwinder/arch.mk.
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
	/* The flags that the loader's cache has for a 64-bit library of glibc. */
	int32_t cache_flags;
	/* The loader's default folders, Debian's first. NULL ends the list. */
	const char *const *library_folders;

	/* A function below may be NULL: then nothing is known. */

	/* Relocations of the words through which the entries of a PLT jump. */
	uint32_t jump_slot, global_data;
	/*
	 * The address of the word through which the PLT's entry of `n` bytes at `addr` jumps, or 0.
	 */
	uint64_t (*plt_slot)(const uint8_t *code, size_t n, uint64_t addr);
	/*
	 * The bytes of a direct call, and the address of the function that the call before `addr`
	 * calls, or 0.
	 */
	unsigned int call_bytes;
	uint64_t (*callee)(const uint8_t *call, uint64_t addr);
	/* Reads one instruction; see symbols_code.h. */
	int (*read)(struct code_instruction *code, const uint8_t *bytes, size_t n, uint64_t at);
	/*
	 * The registers that a call need not preserve, and the registers of the first and the third
	 * argument; see symbols_code.h.
	 */
	uint32_t scratch;
	unsigned int first_argument, third_argument;
};

/* The machine of an ELF file's e_machine, or NULL. */
const struct machine *machine_find(uint16_t elf);

/* The machine that the command was built for. */
extern const struct machine *const machine_host;

#endif
