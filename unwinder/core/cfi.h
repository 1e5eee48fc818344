/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information of .eh_frame or .debug_frame, read where it lies, in three separate steps:
 * from an address to its frame description (cfi_find.c), from that to the row of rules that holds
 * there (cfi_row.c), and from a row to the caller's registers (cfi_step.c). walk_cfi.c puts them
 * together. Works on any bytes: an object of this process or a copy; it never asks which objects
 * are loaded. The data need not be right: all reads are inside the image and the stack's bounds.
 *
 * Functions return 0, or the enum walk_end that the path ends with.
 */
#ifndef OMPPROF_UNWINDER_CORE_CFI_H
#define OMPPROF_UNWINDER_CORE_CFI_H

#include "unwinder/core/cfi_read.h"
#include "unwinder/core/walk.h"

#include <stddef.h>
#include <stdint.h>

/* DW_CFA_remember_state within DW_CFA_remember_state. */
#define CFI_MAX_REMEMBERED 8

/* Bound of the CIE's alignment factors, so that products of offsets stay small. */
#define CFI_MAX_ALIGN 4096

/* Instructions of one frame description that are executed. */
#define CFI_MAX_INSTRUCTIONS 65536

/* Entries on the stack of an expression, and operations of one. */
#define CFI_MAX_EXPRESSION_STACK 16
#define CFI_MAX_EXPRESSION_OPS   64

enum cfi_kind {
	CFI_SAME = 0,       /* not changed by this frame */
	CFI_UNDEFINED,      /* lost; for the return address: this is the outermost frame */
	CFI_OFFSET,         /* saved at CFA + value */
	CFI_VAL_OFFSET,     /* is CFA + value */
	CFI_REGISTER,       /* is in register `reg`; for the CFA: register `reg` + value */
	CFI_EXPRESSION,     /* saved where the expression says; value is its place in the image */
	CFI_VAL_EXPRESSION, /* is what the expression says */
};

struct cfi_rule {
	uint16_t kind; /* enum cfi_kind */
	uint16_t reg;
	int32_t value;
};

/* The rules that hold at one instruction. */
struct cfi_row {
	struct cfi_rule cfa;
	struct cfi_rule rule[WALK_N_REGISTERS];
	uint64_t set;      /* bit r is clear where rule[r] is CFI_SAME */
	uint32_t is_mixed; /* some rule may need another register of the same frame */
};

/* What frame descriptions of one kind have in common. Filled by cfi_find. */
struct cfi_cie {
	uint64_t address;
	const uint8_t *instructions;
	const uint8_t *end;
	uint64_t code_align;
	int64_t data_align;
	uint16_t return_register; /* below WALK_N_REGISTERS */
	uint8_t pointer_encoding;
	uint8_t is_loaded;      /* the rest says something */
	uint8_t is_signal;      /* the frame of a signal: its caller was interrupted, not calling */
	uint8_t is_augmented;   /* frame descriptions have augmentation data */
	struct cfi_row initial; /* the rules at the first instruction */
};

/* One function, or a part of one: [begin, end). */
struct cfi_fde {
	uint64_t address; /* its own */
	uint64_t begin;
	uint64_t end;
	const uint8_t *instructions;
	const uint8_t *instructions_end;
};

/*
 * The bytes of an object and its table of frame descriptions, or those of one section. `cie` is the
 * last one that was met: an object has few.
 */
struct cfi_image {
	const uint8_t *data;
	uint64_t size_bytes;
	uint64_t address; /* of data[0], as the unwind data means it */
	uint64_t section; /* the address of .eh_frame or .debug_frame, likewise; 0: not known */
	uint64_t bias;    /* to be added to the addresses of code that the data names */
	uint32_t is_debug_frame;
	uint64_t hdr_address; /* of .eh_frame_hdr */
	const uint8_t *table; /* n_entries pairs of numbers, relative to hdr_address */
	uint64_t n_entries;
	unsigned int entry_bytes; /* of a pair: 8 or 16 */
	struct cfi_cie cie;
};

/* Executes the instructions of a frame description; in cfi_row.c. */
struct cfi_machine {
	struct cfi_cursor in;
	const struct cfi_image *image;
	const struct cfi_cie *cie;
	struct cfi_row *row;
	uint64_t loc; /* up to where the row holds */
	uint32_t n_remembered;
	struct cfi_row remembered[CFI_MAX_REMEMBERED];
};

/*
 * Takes an object's bytes and the address of its .eh_frame_hdr. The image refers to `data`, which
 * the caller keeps. Returns 0, or WALK_NO_CFI if there is no sorted table that can be searched:
 * then the image is good for cfi_next_fde at most, if `section` is not 0.
 * Signal-safe.
 */
int cfi_image_init(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, uint64_t hdr_address);

/*
 * Takes the bytes of a section instead: .eh_frame at `address`, or an uncompressed .debug_frame, of
 * which any address will do that is not 0. There is no table to search, only cfi_next_fde. A section
 * that was not relocated, as .debug_frame never is, means its object's addresses as they were
 * linked: the caller sets image->bias, which is 0, to the difference.
 * Any thread.
 */
void cfi_image_init_section(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, int is_debug_frame);

/*
 * Finds the frame description that covers pc, and its CIE, which is image->cie until the next call
 * for this image. Returns 0, WALK_NO_CFI if nothing covers pc, WALK_BAD_CFI if the data is wrong.
 * Signal-safe.
 */
int cfi_find(struct cfi_image *image, uint64_t pc, struct cfi_fde *fde);

/*
 * Parses the frame description at `address` instead of searching for it; else as cfi_find, but
 * without regard to a pc.
 * Signal-safe.
 */
int cfi_fde_at(struct cfi_image *image, uint64_t address, struct cfi_fde *fde);

/*
 * The frame description of entry i of the sorted table, i < image->n_entries; else as cfi_fde_at.
 * Signal-safe.
 */
int cfi_fde_entry(struct cfi_image *image, uint64_t i, struct cfi_fde *fde);

/*
 * The frame descriptions of the image's section one after the other, in its order: *address, at
 * first image->section, moves past the one that is returned. Returns 1, 0 after the last, or -1 if
 * the next one is wrong; if its length is not, those that follow it come with the next calls. A
 * frame description can be one of a function that the linker left out: its addresses are nothing
 * of the object's.
 * Any thread.
 */
int cfi_next_fde(struct cfi_image *image, uint64_t *address, struct cfi_fde *fde);

/*
 * Executes the instructions of cie->instructions from an empty row into cie->initial.
 * Signal-safe.
 */
int cfi_row_initial(const struct cfi_image *image, struct cfi_cie *cie);

/*
 * The row that holds at pc, which must be inside fde, into *row. fde must come from the last
 * cfi_find or cfi_fde_at for this image. Returns 0 or WALK_BAD_CFI.
 * Signal-safe.
 */
int cfi_row_at(
	const struct cfi_image *image, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row);

/*
 * All rows of a frame description, from its first address to its last: each call of cfi_rows_next
 * makes `row` the one that holds on [from, to), which follows the one before. It returns 1, 0 after
 * the last, or -1 if the instructions are wrong: no row is known from `from` on.
 */
struct cfi_rows {
	uint64_t from, to;
	struct cfi_row row;
	uint64_t end;
	struct cfi_machine machine;
};

/*
 * fde must come from the last cfi_find or cfi_fde_at for this image, which is not used for another
 * while the rows are.
 * Any thread.
 */
void cfi_rows_begin(
	struct cfi_rows *rows, const struct cfi_image *image, const struct cfi_fde *fde);
int cfi_rows_next(struct cfi_rows *rows);

/*
 * Applies a row to the registers of a frame: *registers become the caller's, *cfa this frame's CFA.
 * Reads the stack inside bounds only. Returns 0; WALK_COMPLETE cannot be told from that, so an
 * outermost frame is a 0 with *is_outermost set and *registers unchanged. On failure *registers
 * are unchanged too, and *cfa is 0 if it could not be computed.
 * Signal-safe.
 */
int cfi_step(const struct cfi_image *image, const struct cfi_row *row,
	const struct walk_bounds *bounds, struct walk_registers *registers, uint64_t *cfa,
	int *is_outermost);

/*
 * Evaluates the expression at offset `at` of the image, a length and its operations, on a stack
 * that holds `first` if has_first. Returns 0 and *value, WALK_BAD_CFI, or WALK_OFF_STACK if it
 * reads outside bounds.
 * Signal-safe.
 */
int cfi_evaluate(const struct cfi_image *image, uint32_t at, const struct walk_registers *registers,
	const struct walk_bounds *bounds, const uint64_t *first, uint64_t *value);

/*
 * Reads the 8 bytes at `at` if they are aligned and inside bounds. Returns 0 or WALK_OFF_STACK.
 * Signal-safe.
 */
static inline int cfi_read_stack(const struct walk_bounds *bounds, uint64_t at, uint64_t *value)
{
	if (at % 8 != 0 || at < bounds->lo || at >= bounds->hi || bounds->hi - at < 8)
		return WALK_OFF_STACK;
	*value = *(const uint64_t *)(uintptr_t)at;
	return 0;
}

#endif
