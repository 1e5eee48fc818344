/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: an object file with some bytes changed, or its end cut off, is asked for
 * the names of addresses all over its code. OMPPROF_FUZZ_OBJECT names the object. An input says
 * its changes: four bytes of length to be cut off, then for each change four bytes of offset and two
 * new bytes, the second of which is used after 0xff only. Three of four mutations choose an offset
 * by section, so that small sections have their share.
 */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/symbols/symbols.h"

enum { CUT_BYTES = 4, CHANGE_BYTES = 6, MOST_CHANGES = 64, MOST_PARTS = 64, N_ADDRESSES = 64 };

struct part {
	uint64_t begin, bytes;
};

static struct {
	uint8_t *bytes, *copy;
	size_t size;
	struct part parts[MOST_PARTS]; /* sections, the ELF header and that of sections */
	size_t n_parts;
	uint64_t addresses[N_ADDRESSES];
} object;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void add_part(uint64_t begin, uint64_t bytes)
{
	if (bytes && begin + bytes <= object.size && object.n_parts < MOST_PARTS)
		object.parts[object.n_parts++] = (struct part){ begin, bytes };
}

static void find_parts(void)
{
	Elf *elf = elf_memory((char *)object.bytes, object.size);
	GElf_Ehdr header;
	GElf_Shdr section;

	if (!elf || !gelf_getehdr(elf, &header))
		exit(99);
	add_part(0, header.e_ehsize);
	add_part(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize);
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		if (!gelf_getshdr(scn, &section) || section.sh_type == SHT_NOBITS)
			continue;
		if (!(section.sh_flags & SHF_ALLOC) || section.sh_type != SHT_PROGBITS)
			add_part(section.sh_offset, section.sh_size);
		for (size_t i = 0;
			section.sh_flags & SHF_EXECINSTR && section.sh_size > 64 && i < N_ADDRESSES;
			i++)
			object.addresses[i] = section.sh_addr + section.sh_size * i / N_ADDRESSES;
	}
	elf_end(elf);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *path = getenv("OMPPROF_FUZZ_OBJECT");
	int fd = path ? open(path, O_RDONLY) : -1;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		fprintf(stderr, "OMPPROF_FUZZ_OBJECT names no object\n");
		exit(99);
	}
	object.size = (size_t)st.st_size;
	object.bytes = malloc(object.size);
	object.copy = malloc(object.size);
	if (!object.bytes || !object.copy ||
		read(fd, object.bytes, object.size) != (ssize_t)object.size)
		exit(99);
	close(fd);
	elf_version(EV_CURRENT);
	find_parts();
	return 0;
}

static uint32_t word_at(const uint8_t *data)
{
	uint32_t word;

	memcpy(&word, data, sizeof(word));
	return word;
}

/* Looks up names in a path's object; each must be a text that ends. */
static void look_at(const char *path)
{
	static struct symbols_at at;
	struct symbols_options options = {
		.demangle = 1, .inlines = 1, .debug_dir = "/nonexistent"
	};
	struct symbols_object wanted = { .path = path };
	struct symbols *symbols = symbols_open(&options);
	struct symbols_extent extent;
	uint8_t md5[16];
	size_t n = 0;

	if (!symbols)
		abort();
	for (size_t i = 0; i < N_ADDRESSES; i++) {
		symbols_lookup(symbols, &wanted, object.addresses[i], &at);
		for (size_t k = 0; k < at.n; k++)
			n += strlen(at.symbol[k].name) + strlen(at.symbol[k].linkage) +
			     strlen(at.symbol[k].file) + strlen(at.symbol[k].decl_file);
		if (symbols_extent(symbols, &wanted, object.addresses[i], &extent) == 0)
			n += strlen(extent.name) + strlen(extent.file);
		symbols_source_md5(symbols, &wanted, object.addresses[i], at.symbol[0].file, md5);
		if (i % 8 == 0) {
			symbols_variable(symbols, &wanted, object.addresses[i]);
			symbols_critical(symbols, &wanted, object.addresses[i]);
		}
	}
	for (size_t i = 0; symbols_problem(symbols, i); i++)
		n += strlen(symbols_problem(symbols, i));
	if (n == 0)
		abort();
	symbols_close(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = object.size;
	char path[64];
	int fd;

	if (size < CUT_BYTES)
		return 0;
	memcpy(object.copy, object.bytes, n);
	for (size_t at = CUT_BYTES; at + CHANGE_BYTES <= size && at < CHANGE_BYTES * MOST_CHANGES;
		at += CHANGE_BYTES) {
		size_t offset = word_at(data + at) % n;

		object.copy[offset] = data[at + 4];
		if (offset + 1 < n && data[at + 4] == 0xff)
			object.copy[offset + 1] = data[at + 5];
	}
	n -= word_at(data) % n;
	fd = memfd_create("object", MFD_CLOEXEC);
	if (fd < 0 || write(fd, object.copy, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	look_at(path);
	close(fd);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	uint64_t random = seed * 0x9e3779b97f4a7c15ull;
	const struct part *part = &object.parts[(random >> 20) % object.n_parts];
	uint32_t offset = (uint32_t)(part->begin + (random >> 30) % part->bytes);
	size_t at = size;

	if (seed % 4 == 0 || max_size < CUT_BYTES + CHANGE_BYTES)
		return LLVMFuzzerMutate(data, size, max_size);
	if (size < CUT_BYTES) {
		memset(data, 0, CUT_BYTES);
		at = CUT_BYTES;
	} else if (seed % 4 == 1 && size >= CUT_BYTES + CHANGE_BYTES) {
		at = CUT_BYTES + (seed >> 2) % ((size - CUT_BYTES) / CHANGE_BYTES) * CHANGE_BYTES;
	}
	if (at + CHANGE_BYTES > max_size)
		at = CUT_BYTES;
	memcpy(data + at, &offset, sizeof(offset));
	data[at + 4] = random >> 12 & 1 ? values[(random >> 8) % 5] : (uint8_t)random;
	data[at + 5] = (uint8_t)(random >> 4);
	return at + CHANGE_BYTES > size ? at + CHANGE_BYTES : size;
}
