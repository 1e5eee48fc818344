/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MD5 of a source file, which a line table of DWARF 5 may have. libdw reads these tables but
 * does not return the MD5, so the table's header is read here: DWARF 5, 6.2.4. See symbols_dwarf.h.
 */
#include <dwarf.h>
#include <string.h>

#include "src/symbols/symbols_dwarf.h"
#include "src/symbols/symbols_elf.h"

/* The rest of the section. A read past its end gives 0 and moves to the end. */
struct bytes {
	const uint8_t *at, *end;
	unsigned offset_bytes; /* 4 or 8 */
};

static void skip(struct bytes *b, uint64_t n)
{
	b->at = n > (uint64_t)(b->end - b->at) ? b->end : b->at + n;
}

static uint64_t read_number(struct bytes *b, unsigned n)
{
	uint64_t value = 0;

	if ((size_t)(b->end - b->at) < n) {
		b->at = b->end;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		value |= (uint64_t)b->at[i] << 8 * i;
	b->at += n;
	return value;
}

static uint64_t read_uleb(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned shift = 0; b->at < b->end; shift += 7) {
		uint8_t byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	return 0;
}

static void skip_text(struct bytes *b)
{
	const uint8_t *end = memchr(b->at, 0, b->end - b->at);

	b->at = end ? end + 1 : b->end;
}

/* Skips a field of an entry. Returns 0, or -1 for a form that such tables do not have. */
static int skip_form(struct bytes *b, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		skip_text(b);
		return 0;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_sec_offset:
		skip(b, b->offset_bytes);
		return 0;
	case DW_FORM_udata:
	case DW_FORM_strx:
		read_uleb(b);
		return 0;
	case DW_FORM_block:
		skip(b, read_uleb(b));
		return 0;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		skip(b, 1);
		return 0;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		skip(b, 2);
		return 0;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		skip(b, 4);
		return 0;
	case DW_FORM_data8:
		skip(b, 8);
		return 0;
	case DW_FORM_data16:
		skip(b, 16);
		return 0;
	default:
		return -1;
	}
}

/* The fields of each entry of a list. */
struct format {
	uint64_t content[255], form[255];
	unsigned n;
};

static void read_format(struct bytes *b, struct format *format)
{
	format->n = read_number(b, 1);
	for (unsigned i = 0; i < format->n; i++) {
		format->content[i] = read_uleb(b);
		format->form[i] = read_uleb(b);
	}
}

/* Reads an entry. Sets *md5 if it has an MD5. Returns 0, or -1 if it cannot be read. */
static int read_entry(struct bytes *b, const struct format *format, const uint8_t **md5)
{
	for (unsigned i = 0; i < format->n; i++) {
		if (format->content[i] == DW_LNCT_MD5 && format->form[i] == DW_FORM_data16 &&
			b->end - b->at >= 16)
			*md5 = b->at;
		if (skip_form(b, format->form[i]) != 0)
			return -1;
	}
	return 0;
}

/* Reads a list; *md5 becomes the MD5 of entry `index`, if any. Returns 0, or -1 if damaged. */
static int read_list(struct bytes *b, uint64_t index, const uint8_t **md5)
{
	struct format format;
	const uint8_t *other;
	uint64_t n;

	read_format(b, &format);
	n = read_uleb(b);
	if (format.n == 0)
		return n == 0 ? 0 : -1;
	for (uint64_t i = 0; i < n && b->at < b->end; i++)
		if (read_entry(b, &format, i == index ? md5 : &other) != 0)
			return -1;
	return b->at < b->end ? 0 : -1;
}

/* Skips the header up to its lists. Returns 0, or -1 if it is not a header of DWARF 5. */
static int enter_header(struct bytes *b)
{
	uint64_t length = read_number(b, 4);

	b->offset_bytes = length == 0xffffffff ? 8 : 4;
	if (b->offset_bytes == 8)
		length = read_number(b, 8);
	if (length < (uint64_t)(b->end - b->at))
		b->end = b->at + length;
	if (read_number(b, 2) != 5)
		return -1;
	skip(b, 2 + b->offset_bytes + 5); /* sizes, header length, five parameters */
	skip(b, read_number(b, 1) - 1);   /* lengths of the opcodes below opcode_base */
	return b->at < b->end ? 0 : -1;
}

static int open_table(struct bytes *b, Elf *elf, Dwarf_Die *cu)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_find_section(elf, ".debug_line", &header);
	Elf_Data *data =
		section && !(header.sh_flags & SHF_COMPRESSED) ? elf_rawdata(section, NULL) : NULL;
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	if (!data || !data->d_buf ||
		dwarf_formudata(dwarf_attr(cu, DW_AT_stmt_list, &attr), &offset) != 0 ||
		offset >= data->d_size)
		return -1;
	*b = (struct bytes){ .at = (const uint8_t *)data->d_buf + offset,
		.end = (const uint8_t *)data->d_buf + data->d_size };
	return enter_header(b);
}

int unit_source_md5(
	struct unit *unit, Elf *elf, struct strings *strings, const char *file, uint8_t md5[16])
{
	const uint8_t *found = NULL, *none = NULL;
	struct bytes bytes;
	Dwarf_Files *files;
	size_t n_files;
	int is_named = 0;

	if (dwarf_getsrcfiles(&unit->cu, &files, &n_files) != 0)
		return -1;
	for (size_t i = 0; i < n_files && !found; i++) {
		const char *name = dwarf_filesrc(files, i, NULL, NULL);

		if (!name || strcmp(source_path(strings, &unit->cu, name), file) != 0)
			continue;
		is_named = 1;
		if (open_table(&bytes, elf, &unit->cu) != 0 ||
			read_list(&bytes, UINT64_MAX, &none) != 0)
			return 1;
		read_list(&bytes, i, &found);
	}
	if (!found)
		return is_named ? 1 : -1;
	memcpy(md5, found, 16);
	return 0;
}
