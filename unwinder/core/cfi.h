/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information of .eh_frame or .debug_frame, read in place. There are three steps: from
 * an address to its frame description (cfi_find.c), from there to the row of rules at the address
 * (cfi_row.c), and from a row to the caller's registers (cfi_step.c). walk_cfi.c joins them. Works
 * on any bytes: an object of this process, or a copy. It never asks which objects are loaded. The
 * data may be wrong: every read is inside the image and the stack's bounds.
 *
 * Functions return 0, or the enum walk_end with which the path ends, if they do not say otherwise.
 */
#ifndef OMPPROF_UNWINDER_CORE_CFI_H
#define OMPPROF_UNWINDER_CORE_CFI_H

#include "unwinder/core/cfi_read.h"
#include "unwinder/core/walk.h"

#include <stddef.h>
#include <stdint.h>

/* How deep DW_CFA_remember_state may be nested. */
#define CFI_MAX_REMEMBERED 8

/* Bound of the CIE's alignment factors, so that products of offsets stay small. */
#define CFI_MAX_ALIGN 4096

/* The most instructions of one frame description that are executed. */
#define CFI_MAX_INSTRUCTIONS 65536

/* The most entries on the stack of an expression, and the most operations of an expression. */
#define CFI_MAX_EXPRESSION_STACK 16
#define CFI_MAX_EXPRESSION_OPS   64

enum cfi_kind {
	CFI_SAME = 0,   /* not changed by this frame */
	CFI_UNDEFINED,  /* lost. For the return address: the frame is the outermost */
	CFI_OFFSET,     /* saved at CFA + value */
	CFI_VAL_OFFSET, /* equals CFA + value */
	CFI_REGISTER,   /* is in register `reg`; for the CFA: register `reg` + value */
	/* saved at the result of the expression at offset `value` of the image; CFA: the result */
	CFI_EXPRESSION,
	CFI_VAL_EXPRESSION, /* equals the expression's result */
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
	uint32_t is_mixed; /* a rule may need another register of the same frame */
};

/*
 * By how many bytes the CFA of a row is too low: usually 0. A return address at or above the CFA
 * would be in the caller's frame, where no call puts it. glibc's resolver has such rows on some
 * architectures: they leave out what the entry of the PLT has pushed. The frame then ends above the
 * return address. Signal-safe.
 */
static inline int32_t cfi_missing(const struct cfi_row *row, unsigned int return_register)
{
	const struct cfi_rule *ra = &row->rule[return_register];

	return WALK_HAS_LINK && row->cfa.kind == CFI_REGISTER && row->cfa.reg == WALK_SP &&
			       row->rule[WALK_SP].kind == CFI_SAME && ra->kind == CFI_OFFSET &&
			       ra->value >= 0
		       ? ra->value + 8
		       : 0;
}

/* The common part of frame descriptions of one kind. Filled by cfi_find. */
struct cfi_cie {
	uint64_t address;
	const uint8_t *instructions;
	const uint8_t *end;
	uint64_t code_align;
	int64_t data_align;
	uint16_t return_register; /* below WALK_N_REGISTERS */
	uint8_t pointer_encoding;
	uint8_t is_loaded;      /* the other members are filled */
	uint8_t is_signal;      /* the caller was interrupted by a signal and made no call */
	uint8_t is_augmented;   /* frame descriptions have augmentation data */
	struct cfi_row initial; /* the rules at the first instruction */
};

/* One function, or a part of one: [begin, end). */
struct cfi_fde {
	uint64_t address; /* of the frame description itself */
	uint64_t begin;
	uint64_t end;
	const uint8_t *instructions;
	const uint8_t *instructions_end;
};

/*
 * The bytes of an object and its table of frame descriptions, or the bytes of one section. `cie` is
 * the latest CIE that was read: an object has few.
 */
struct cfi_image {
	const uint8_t *data;
	uint64_t size_bytes;
	uint64_t address; /* of data[0], as the unwind data counts addresses */
	uint64_t section; /* address of .eh_frame or .debug_frame, likewise; 0: not known */
	uint64_t bias;    /* added to the addresses of code that the data names */
	uint32_t is_debug_frame;
	uint64_t hdr_address; /* of .eh_frame_hdr */
	const uint8_t *table; /* n_entries pairs of numbers, relative to hdr_address */
	uint64_t n_entries;
	unsigned int entry_bytes; /* of a pair of numbers: 8 or 16 */
	struct cfi_cie cie;
};

/* Executes instructions of a frame description. For cfi_row.c alone. */
struct cfi_machine {
	struct cfi_cursor in;
	const struct cfi_image *image;
	const struct cfi_cie *cie;
	struct cfi_row *row;
	uint64_t loc; /* the instructions that follow change the row from this address on */
	uint32_t n_remembered;
	struct cfi_row remembered[CFI_MAX_REMEMBERED];
};

/*
 * Takes an object's bytes and the address of its .eh_frame_hdr. The image refers to `data`, which
 * the caller keeps. Returns 0, or WALK_NO_CFI if there is no sorted table to search. Such an image
 * can only be used with cfi_fde_at and cfi_next_fde, if `section` is not 0. Signal-safe.
 */
int cfi_image_init(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, uint64_t hdr_address);

/*
 * Takes the bytes of a section instead: .eh_frame at `address`, or an uncompressed .debug_frame
 * with any address but 0. There is no table to search, so only cfi_fde_at and cfi_next_fde work. A
 * section that was not relocated, as .debug_frame never is, has addresses from the time of linking.
 * For such a section the caller sets image->bias, which is 0, to the difference. Signal-safe.
 */
void cfi_image_init_section(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, int is_debug_frame);

/*
 * Finds the frame description that covers pc, and its CIE, which is image->cie until the next call
 * for this image. Returns 0, WALK_NO_CFI if no frame description covers pc, or WALK_BAD_CFI if the
 * data is wrong. Signal-safe.
 */
int cfi_find(struct cfi_image *image, uint64_t pc, struct cfi_fde *fde);

/* Does what cfi_find does, for the frame description at `address` and without a pc. Signal-safe. */
int cfi_fde_at(struct cfi_image *image, uint64_t address, struct cfi_fde *fde);

/*
 * Number `part` of entry i of the search table, relative to image->hdr_address: 0 is the function's
 * begin, 1 the address of its frame description. entry_bytes is image->entry_bytes. Signal-safe.
 */
static inline __attribute__((always_inline)) int64_t cfi_entry_number(
	const struct cfi_image *image, unsigned int entry_bytes, uint64_t i, unsigned int part)
{
	const uint8_t *at = image->table + i * entry_bytes;
	int32_t small;
	int64_t large;

	if (entry_bytes == 8) {
		memcpy(&small, at + (size_t)4 * part, 4);
		return small;
	}
	memcpy(&large, at + (size_t)8 * part, 8);
	return large;
}

/* Does what cfi_fde_at does, for entry i of the sorted table, i < image->n_entries. Signal-safe. */
int cfi_fde_entry(struct cfi_image *image, uint64_t i, struct cfi_fde *fde);

/*
 * Returns the frame descriptions of the image's section one after the other, in its order. *address
 * is image->section at first, and moves past the returned frame description. Returns 1, 0 after the
 * last, or -1 if the next frame description is wrong; if only its length is right, the next calls
 * continue after it. A frame description may describe a function that the linker left out: then its
 * addresses are not in the object. Any thread.
 */
int cfi_next_fde(struct cfi_image *image, uint64_t *address, struct cfi_fde *fde);

/*
 * Executes the instructions of cie->instructions from an empty row into cie->initial. Signal-safe.
 */
int cfi_row_initial(const struct cfi_image *image, struct cfi_cie *cie);

/*
 * Stores the row that holds at pc, which must be inside fde, in *row. fde must come from the latest
 * cfi_find or cfi_fde_at for this image. Returns 0 or WALK_BAD_CFI. Signal-safe.
 */
int cfi_row_at(
	const struct cfi_image *image, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row);

/*
 * All rows of a frame description, from its first address to its last. Each call of cfi_rows_next
 * makes `row` the next row, which holds on [from, to). It returns 1, 0 after the last row, or -1 if
 * the instructions are wrong: then no row is known from `from` on.
 */
struct cfi_rows {
	uint64_t from, to;
	struct cfi_row row;
	uint64_t end;
	struct cfi_machine machine;
};

/*
 * Begins the rows of fde, which must come from the latest cfi_find or cfi_fde_at for this image.
 * The image must not be used for another fde while the rows are read. Any thread.
 */
void cfi_rows_begin(
	struct cfi_rows *rows, const struct cfi_image *image, const struct cfi_fde *fde);
int cfi_rows_next(struct cfi_rows *rows);

/*
 * Applies a row to the registers of a frame: *registers become the caller's. *cfa is this frame's
 * CFA, or the caller's stack pointer if the row has a rule for it. Reads the stack inside bounds
 * only. Returns 0 or an enum walk_end. *registers stay as they are on failure, and for an outermost
 * frame, where it returns 0 and sets *is_outermost. *cfa is 0 if it could not be computed.
 * Signal-safe.
 */
int cfi_step(const struct cfi_image *image, const struct cfi_row *row,
	const struct walk_bounds *bounds, struct walk_registers *registers, uint64_t *cfa,
	int *is_outermost);

/*
 * Evaluates the expression at offset `at` of the image: a length and operations. `first` is the
 * first entry on the expression's stack, if it is not NULL. Returns 0 and *value, WALK_BAD_CFI, or
 * WALK_OFF_STACK if it reads outside bounds. Signal-safe.
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
