/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an address to its frame description: the sorted table of .eh_frame_hdr, and then the FDE and
 * its CIE in .eh_frame. Also all frame descriptions of a section, which may be .debug_frame.
 * Formats: LSB 5.0 core, 10.6; DWARF 4, 6.4.1.
 */
#include "unwinder/core/cfi.h"

#include "unwinder/core/cfi_pointer.h"

/* The most augmentation letters of a CIE. */
#define MAX_AUGMENTATION 8

/* A cursor from `address` to the image's end; bad if `address` is not inside. */
static struct cfi_cursor cursor_at(const struct cfi_image *image, uint64_t address)
{
	struct cfi_cursor in = { .end = image->data + image->size_bytes,
		.shift = image->address - (uint64_t)(uintptr_t)image->data };
	uint64_t offset = address - image->address;

	in.bad = offset >= image->size_bytes;
	in.at = in.bad ? in.end : image->data + offset;
	return in;
}

static void image_clear(
	struct cfi_image *image, const uint8_t *data, uint64_t size_bytes, uint64_t address)
{
	image->data = data;
	image->size_bytes = size_bytes;
	image->address = address;
	image->section = 0;
	image->bias = 0;
	image->is_debug_frame = 0;
	image->hdr_address = 0;
	image->n_entries = 0;
	image->cie.is_loaded = 0;
}

void cfi_image_init_section(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, int is_debug_frame)
{
	image_clear(image, data, size_bytes, address);
	image->section = address;
	image->is_debug_frame = is_debug_frame != 0;
}

int cfi_image_init(struct cfi_image *image, const uint8_t *data, uint64_t size_bytes,
	uint64_t address, uint64_t hdr_address)
{
	struct cfi_cursor in;
	unsigned int frame_encoding, count_encoding, table_encoding;
	uint64_t section, n_entries;

	image_clear(image, data, size_bytes, address);
	image->hdr_address = hdr_address;
	in = cursor_at(image, hdr_address);
	if (cfi_u8(&in) != 1)
		return WALK_NO_CFI;
	frame_encoding = cfi_u8(&in);
	count_encoding = cfi_u8(&in);
	table_encoding = cfi_u8(&in);
	if (frame_encoding == CFI_PE_OMIT)
		return WALK_NO_CFI;
	section = cfi_address(&in, frame_encoding, hdr_address);
	if (in.bad)
		return WALK_NO_CFI;
	image->section = section;
	if (count_encoding == CFI_PE_OMIT)
		return WALK_NO_CFI;
	n_entries = cfi_address(&in, count_encoding, hdr_address);
	image->table = in.at;
	if (table_encoding == (CFI_PE_DATAREL | CFI_PE_SDATA4))
		image->entry_bytes = 8;
	else if (table_encoding == (CFI_PE_DATAREL | CFI_PE_SDATA8))
		image->entry_bytes = 16;
	else
		return WALK_NO_CFI;
	if (in.bad || n_entries > (uint64_t)(in.end - in.at) / image->entry_bytes)
		return WALK_NO_CFI;
	image->n_entries = n_entries;
	return 0;
}

/*
 * The index of the last entry whose function begins at or before `wanted`. The table is not empty,
 * and its first entry begins there or before. At most 64 rounds. There is no branch on the data: it
 * would be mispredicted half the time.
 */
static inline __attribute__((always_inline)) uint64_t halve(
	const struct cfi_image *image, unsigned int entry_bytes, int64_t wanted)
{
	uint64_t first = 0, left = image->n_entries, half;

	while (left > 1) {
		half = left / 2;
		first += cfi_entry_number(image, entry_bytes, first + half, 0) <= wanted ? half : 0;
		left -= half;
	}
	return first;
}

/* The index of the last entry whose function begins at or before pc, or -1. */
static int64_t search_table(const struct cfi_image *image, uint64_t pc)
{
	int64_t wanted = (int64_t)(pc - image->bias - image->hdr_address);

	if (image->n_entries == 0 || cfi_entry_number(image, image->entry_bytes, 0, 0) > wanted)
		return -1;
	if (image->entry_bytes == 8)
		return (int64_t)halve(image, 8, wanted);
	return (int64_t)halve(image, 16, wanted);
}

/*
 * Reads the length of the entry at the cursor, and ends the cursor where the entry ends. Returns
 * the size of the entry's id, 4 or 8, or 0 if the cursor is bad or the length is 0.
 */
static unsigned int open_entry(struct cfi_cursor *in)
{
	uint64_t length = cfi_fixed(in, 4);
	unsigned int id_bytes = 4;

	if (length == 0xffffffff) {
		length = cfi_fixed(in, 8);
		id_bytes = 8;
	}
	if (in->bad || length == 0 || length > (uint64_t)(in->end - in->at))
		return 0;
	in->end = in->at + length;
	return id_bytes;
}

static uint64_t read_id(struct cfi_cursor *in, unsigned int id_bytes)
{
	return id_bytes == 4 ? cfi_fixed(in, 4) : cfi_fixed(in, 8);
}

static int is_cie(const struct cfi_image *image, uint64_t id, unsigned int id_bytes)
{
	if (!image->is_debug_frame)
		return id == 0;
	return id == (id_bytes == 4 ? UINT32_MAX : UINT64_MAX);
}

/* The address of the CIE that the id of a frame description names. */
static uint64_t cie_address(
	const struct cfi_image *image, uint64_t id, unsigned int id_bytes, uint64_t id_address)
{
	if (image->is_debug_frame)
		return image->section + id;
	if (id_bytes == 4)
		id = (uint64_t)(int64_t)(int32_t)id;
	return id_address - id;
}

/* Reads the augmentation data that the letters after 'z' announce. Stops at an unknown letter. */
static void read_augmentation(struct cfi_cie *cie, struct cfi_cursor *in, const uint8_t *letters)
{
	uint64_t length = cfi_uleb(in);
	const uint8_t *data = in->at;
	unsigned int encoding;
	int known = 1;

	cfi_skip(in, length);
	if (in->bad)
		return;
	struct cfi_cursor part = { .at = data, .end = in->at, .shift = in->shift };

	for (int i = 0; i < MAX_AUGMENTATION && letters[i] && known; i++) {
		switch (letters[i]) {
		case 'R':
			cie->pointer_encoding = cfi_u8(&part);
			break;
		case 'P':
			encoding = cfi_u8(&part);
			cfi_formatted(&part, encoding & CFI_PE_FORMAT);
			break;
		case 'L':
			cfi_u8(&part);
			break;
		case 'S':
			cie->is_signal = 1;
			break;
		case 'B': /* return addresses are signed with key B */
			break;
		default:
			known = 0;
		}
	}
	in->bad |= part.bad;
}

/* Returns the letters of the augmentation string, or NULL if it does not end. */
static const uint8_t *read_letters(struct cfi_cursor *in)
{
	const uint8_t *letters = in->at;

	for (int i = 0; i < MAX_AUGMENTATION; i++)
		if (cfi_u8(in) == 0)
			return in->bad ? NULL : letters;
	return NULL;
}

/* Reads letters without 'z', which have no data: assemblers write them in .debug_frame. */
static int read_bare_letters(struct cfi_cie *cie, const uint8_t *letters)
{
	for (int i = 0; i < MAX_AUGMENTATION && letters[i]; i++) {
		if (letters[i] == 'S')
			cie->is_signal = 1;
		else if (letters[i] != 'B')
			return WALK_BAD_CFI;
	}
	return 0;
}

/* Parses the part of a CIE between the augmentation string and the instructions. */
static int parse_cie_body(
	struct cfi_cie *cie, struct cfi_cursor *in, unsigned int version, const uint8_t *letters)
{
	uint64_t return_register;

	if (version == 4 && (cfi_u8(in) != 8 || cfi_u8(in) != 0))
		return WALK_BAD_CFI;
	cie->code_align = cfi_uleb(in);
	cie->data_align = cfi_sleb(in);
	return_register = version == 1 ? cfi_u8(in) : cfi_uleb(in);
	if (return_register >= WALK_N_REGISTERS || cie->code_align > CFI_MAX_ALIGN ||
		cie->data_align > CFI_MAX_ALIGN || cie->data_align < -CFI_MAX_ALIGN)
		return WALK_BAD_CFI;
	cie->return_register = (uint16_t)return_register;
	cie->is_augmented = letters[0] == 'z';
	if (cie->is_augmented)
		read_augmentation(cie, in, letters + 1);
	else if (read_bare_letters(cie, letters) != 0)
		return WALK_BAD_CFI;
	return in->bad ? WALK_BAD_CFI : 0;
}

/* Makes image->cie the CIE at `address`. */
static int load_cie(struct cfi_image *image, uint64_t address)
{
	struct cfi_cursor in = cursor_at(image, address);
	unsigned int id_bytes = open_entry(&in);
	struct cfi_cie *cie = &image->cie;
	const uint8_t *letters;
	unsigned int version;

	cie->is_loaded = 0;
	cie->is_signal = 0;
	cie->pointer_encoding = CFI_PE_ABSPTR;
	if (!id_bytes || !is_cie(image, read_id(&in, id_bytes), id_bytes))
		return WALK_BAD_CFI;
	version = cfi_u8(&in);
	letters = read_letters(&in);
	if (!letters || (version != 1 && version != 3 && version != 4))
		return WALK_BAD_CFI;
	if (parse_cie_body(cie, &in, version, letters) != 0)
		return WALK_BAD_CFI;
	cie->instructions = in.at;
	cie->end = in.end;
	if (cfi_row_initial(image, cie) != 0)
		return WALK_BAD_CFI;
	cie->address = address;
	cie->is_loaded = 1;
	return 0;
}

int cfi_fde_at(struct cfi_image *image, uint64_t address, struct cfi_fde *fde)
{
	struct cfi_cursor in = cursor_at(image, address);
	unsigned int id_bytes = open_entry(&in);
	uint64_t id_address = (uint64_t)(uintptr_t)in.at + in.shift;
	uint64_t id;
	const struct cfi_cie *cie = &image->cie;

	fde->address = address;
	if (!id_bytes)
		return WALK_BAD_CFI;
	id = read_id(&in, id_bytes);
	if (in.bad || is_cie(image, id, id_bytes))
		return WALK_BAD_CFI;
	id = cie_address(image, id, id_bytes, id_address);
	if ((!cie->is_loaded || cie->address != id) && load_cie(image, id) != 0)
		return WALK_BAD_CFI;
	fde->begin = cfi_address(&in, cie->pointer_encoding, image->hdr_address) + image->bias;
	fde->end = fde->begin + cfi_formatted(&in, cie->pointer_encoding & CFI_PE_FORMAT);
	if (cie->is_augmented)
		cfi_skip(&in, cfi_uleb(&in));
	fde->instructions = in.at;
	fde->instructions_end = in.end;
	return in.bad || fde->end < fde->begin ? WALK_BAD_CFI : 0;
}

int cfi_fde_entry(struct cfi_image *image, uint64_t i, struct cfi_fde *fde)
{
	int64_t offset = cfi_entry_number(image, image->entry_bytes, i, 1);

	return cfi_fde_at(image, image->hdr_address + (uint64_t)offset, fde);
}

/*
 * Moves *address past the entry there, or to the image's end if the entry's length is wrong or ends
 * the section. Returns 1 for a frame description, 0 for another entry, -1 for a wrong length.
 */
static int pass_entry(const struct cfi_image *image, uint64_t *address)
{
	struct cfi_cursor in = cursor_at(image, *address), entry = in;
	unsigned int id_bytes = open_entry(&entry);

	if (!id_bytes && cfi_fixed(&in, 4) == 0 && !in.bad) {
		*address += image->is_debug_frame ? 4 : image->size_bytes;
		return 0;
	}
	if (!id_bytes) {
		*address += image->size_bytes;
		return -1;
	}
	*address = (uint64_t)(uintptr_t)entry.end + entry.shift;
	return !is_cie(image, read_id(&entry, id_bytes), id_bytes);
}

int cfi_next_fde(struct cfi_image *image, uint64_t *address, struct cfi_fde *fde)
{
	uint64_t at = *address;
	int found = 0;

	/* Each round moves by at least 4 bytes. */
	while (!found && *address - image->address < image->size_bytes) {
		at = *address;
		found = pass_entry(image, address);
	}
	return found == 1 && cfi_fde_at(image, at, fde) != 0 ? -1 : found;
}

int cfi_find(struct cfi_image *image, uint64_t pc, struct cfi_fde *fde)
{
	int64_t entry = search_table(image, pc);
	int failure;

	if (entry < 0)
		return WALK_NO_CFI;
	failure = cfi_fde_entry(image, (uint64_t)entry, fde);
	if (failure)
		return failure;
	return pc < fde->begin || pc >= fde->end ? WALK_NO_CFI : 0;
}
