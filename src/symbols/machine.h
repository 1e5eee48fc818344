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

enum code_kind {
	CODE_OTHER,
	CODE_CALL,
	CODE_JUMP,    /* always continues elsewhere */
	CODE_BRANCH,  /* may continue elsewhere */
	CODE_END,     /* ends the function, or the program */
	CODE_ADDRESS, /* puts `value` into `to` */
	CODE_LOAD,    /* puts the word in memory at `value` into `to` */
	CODE_COPY,    /* puts register `from` plus `value` into `to` */
};

/*
 * The effect of an instruction on the general registers, as far as an address must be followed
 * through it. A register that is not in `writes` is certainly preserved; a register in `writes` may
 * be preserved, too.
 */
struct code_instruction {
	enum code_kind kind;
	unsigned length;
	uint32_t writes;    /* bit k: register k, as instructions number them */
	unsigned to, from;  /* registers; see is_by_register */
	int is_by_register; /* a call of the address in `from`, or a load from it plus `value` */
	/*
	 * The address that is put, or the target of a call, jump or branch, or the address of the
	 * word in memory that has the target. 0: not known.
	 */
	uint64_t value;
};

struct machine {
	const char *name;   /* for messages */
	uint16_t elf;       /* e_machine of an ELF file */
	const char *loader; /* the file name of glibc's loader */
	/* The flags that the loader's cache has for a 64-bit library of glibc. */
	int32_t cache_flags;
	/* The loader's default folders, Debian's first. NULL ends the list. */
	const char *const *library_folders;

	/* Any function below may be NULL: this is then not known for the machine. */

	/* Relocations of the words through which the entries of a PLT jump. */
	uint32_t jump_slot, global_data;
	uint32_t relative; /* type of relocations that store an address in the same file */
	/*
	 * The bytes of each entry of a section .plt, and before its first entry. NULL: 8 or 16
	 * bytes, as the section's header says, and 0.
	 */
	size_t (*plt_entry)(const uint8_t *code, size_t n, size_t *header_bytes);
	/* The word through which the PLT's entry of n bytes at `addr` jumps, or 0. */
	uint64_t (*plt_slot)(const uint8_t *code, size_t n, uint64_t addr);
	/* The lengths of calls that can be known by their own bytes. 0 ends the list. */
	const uint8_t *call_bytes;
	/* Reads the instruction at the address `at`. Returns 0 if it is not known. */
	int (*read)(struct code_instruction *code, const uint8_t *bytes, size_t n, uint64_t at);
	/*
	 * The registers that a call need not preserve, and the registers of the first and the third
	 * argument, as bits and numbers of struct code_instruction.
	 */
	uint32_t scratch;
	unsigned int first_argument, third_argument;
};

/* The machine of an ELF file's e_machine, or NULL. */
const struct machine *machine_find(uint16_t elf);

/* The machine that the command was built for. */
extern const struct machine *const machine_host;

#endif
