/* SPDX-License-Identifier: Apache-2.0 */
/* Reads sections of an object's file; see objects_sections.h. Not for the signal handler. */
#include "unwinder/prepare/objects_sections.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Maps the file for reading. Returns 0, or -1. */
static int map_file(struct objects_sections *sections, const char *path)
{
	/* The C library's open and close are cancellation points, and the thread may be the
	   program's. */
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	void *file;

	if (fd < 0)
		return -1;
	if (syscall(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode) ||
		status.st_size < (off_t)sizeof(ElfW(Ehdr))) {
		syscall(SYS_close, fd);
		return -1;
	}
	file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	syscall(SYS_close, fd);
	if (file == MAP_FAILED)
		return -1;
	sections->file = file;
	sections->n_bytes = (size_t)status.st_size;
	return 0;
}

/* Whether n items of `bytes` at `offset` are inside the file. */
static int is_inside(
	const struct objects_sections *sections, uint64_t offset, uint64_t n, uint64_t bytes)
{
	return offset <= sections->n_bytes && n <= (sections->n_bytes - offset) / bytes;
}

/* Whether the file's headers are the same as in the first page at lo. */
static int is_loaded(const struct objects_sections *sections, uint64_t lo)
{
	const ElfW(Ehdr) *header = sections->file;
	uint64_t bytes = header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr));

	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_phoff < PAGE && bytes <= PAGE &&
	       bytes <= sections->n_bytes &&
	       memcmp(header, (const void *)(uintptr_t)lo, bytes) == 0;
}

/* Whether a section lies in the loaded part of a readable segment. */
static int is_in_segment(const struct objects_sections *sections, const ElfW(Shdr) *section)
{
	const ElfW(Ehdr) *header = sections->file;
	const ElfW(Phdr) *segment =
		(const ElfW(Phdr) *)((const char *)sections->file + header->e_phoff);

	for (unsigned int i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_R &&
			section->sh_addr >= segment[i].p_vaddr &&
			section->sh_addr - segment[i].p_vaddr <= segment[i].p_filesz &&
			section->sh_size <=
				segment[i].p_filesz - (section->sh_addr - segment[i].p_vaddr))
			return 1;
	return 0;
}

/* Takes a section if it is one of the wanted sections. */
static void take(struct objects_sections *sections, const ElfW(Shdr) *section, const char *name,
	uint64_t bias)
{
	const uint8_t *data = (const uint8_t *)sections->file + section->sh_offset;

	if (strcmp(name, ".eh_frame") == 0 && section->sh_flags & SHF_ALLOC &&
		is_in_segment(sections, section)) {
		uint64_t address = bias + section->sh_addr;

		cfi_image_init_section(&sections->eh_frame, (const uint8_t *)(uintptr_t)address,
			section->sh_size, address, 0);
		sections->has_eh_frame = 1;
	}
	if (strcmp(name, ".debug_frame") == 0 && !(section->sh_flags & SHF_COMPRESSED) &&
		section->sh_type == SHT_PROGBITS &&
		is_inside(sections, section->sh_offset, section->sh_size, 1)) {
		cfi_image_init_section(&sections->debug_frame, data, section->sh_size, 1, 1);
		sections->debug_frame.bias = bias;
		sections->has_debug_frame = 1;
	}
	if (section->sh_type == SHT_SYMTAB && section->sh_entsize == sizeof(ElfW(Sym)) &&
		section->sh_offset % 8 == 0 &&
		is_inside(sections, section->sh_offset, section->sh_size, 1))
		sections->symbols = (struct objects_symbols){
			.first = (const ElfW(Sym) *)(const void *)data,
			.n = section->sh_size / sizeof(ElfW(Sym)),
			.bias = bias,
		};
}

/* Reads the section headers. Wrong headers are skipped. */
static void find_sections(struct objects_sections *sections, uint64_t bias)
{
	const char *file = sections->file;
	const ElfW(Ehdr) *header = sections->file;
	const ElfW(Shdr) *first = (const ElfW(Shdr) *)(file + header->e_shoff);
	const ElfW(Shdr) *strings;

	if (header->e_shentsize != sizeof(*first) || header->e_shoff % 8 != 0 ||
		!is_inside(sections, header->e_shoff, header->e_shnum, sizeof(*first)) ||
		header->e_shstrndx >= header->e_shnum)
		return;
	strings = &first[header->e_shstrndx];
	if (!is_inside(sections, strings->sh_offset, strings->sh_size, 1) || !strings->sh_size ||
		file[strings->sh_offset + strings->sh_size - 1] != '\0')
		return;
	for (unsigned int i = 0; i < header->e_shnum; i++)
		if (first[i].sh_name < strings->sh_size)
			take(sections, &first[i], file + strings->sh_offset + first[i].sh_name,
				bias);
}

int objects_sections_open(
	struct objects_sections *sections, uint64_t lo, const struct link_map *object)
{
	const char *path = object->l_name && object->l_name[0] ? object->l_name : "/proc/self/exe";

	sections->has_eh_frame = sections->has_debug_frame = 0;
	sections->symbols.n = 0;
	if (map_file(sections, path) != 0)
		return -1;
	if (!is_loaded(sections, lo)) {
		objects_sections_close(sections);
		return -1;
	}
	find_sections(sections, object->l_addr);
	return 0;
}

void objects_sections_close(struct objects_sections *sections)
{
	munmap(sections->file, sections->n_bytes);
}
