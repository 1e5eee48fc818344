/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damages a library in place: damage HOW FILE. Each way is a function below that returns how much it
 * changed; with nothing to change the program fails.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Far from where any library is mapped. */
#define NOWHERE 0x100000000

struct file {
	uint8_t *data;
	Elf64_Ehdr *header;
	Elf64_Phdr *segment;
};

static unsigned int move_segments(struct file *file, uint32_t type)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < file->header->e_phnum; i++) {
		if (file->segment[i].p_type != type)
			continue;
		file->segment[i].p_vaddr = NOWHERE;
		n++;
	}
	return n;
}

static unsigned int move_notes(struct file *file)
{
	return move_segments(file, PT_NOTE);
}

static unsigned int move_unwind_data(struct file *file)
{
	return move_segments(file, PT_GNU_EH_FRAME);
}

/* The middle of the first hole between loaded segments that is larger than 64 KB; 0: none. */
static uint64_t find_hole(const struct file *file)
{
	uint64_t end = 0;

	for (unsigned int i = 0; i < file->header->e_phnum; i++) {
		const Elf64_Phdr *segment = &file->segment[i];

		if (segment->p_type != PT_LOAD)
			continue;
		if (end && segment->p_vaddr > end + 0x10000)
			return ((end + segment->p_vaddr) / 2) & ~UINT64_C(7);
		end = segment->p_vaddr + segment->p_memsz;
	}
	return 0;
}

/* The search table names frame descriptions in a hole. */
static unsigned int point_into_hole(struct file *file)
{
	uint64_t hole = find_hole(file);
	uint32_t n = 0;
	int32_t offset;

	for (unsigned int i = 0; hole && i < file->header->e_phnum; i++) {
		uint8_t *hdr = file->data + file->segment[i].p_offset;

		if (file->segment[i].p_type != PT_GNU_EH_FRAME)
			continue;
		memcpy(&n, hdr + 8, sizeof(n));
		offset = (int32_t)(hole - file->segment[i].p_vaddr);
		for (uint32_t entry = 0; entry < n; entry++)
			memcpy(hdr + 12 + 8 * entry + 4, &offset, sizeof(offset));
	}
	return n;
}

/* The section headers say that the frame descriptions are elsewhere. */
static unsigned int move_section(struct file *file)
{
	Elf64_Shdr *section = (Elf64_Shdr *)(file->data + file->header->e_shoff);
	const char *names = (char *)file->data + section[file->header->e_shstrndx].sh_offset;
	unsigned int n = 0;

	for (unsigned int i = 0; i < file->header->e_shnum; i++) {
		if (strcmp(names + section[i].sh_name, ".eh_frame") != 0)
			continue;
		section[i].sh_addr = NOWHERE;
		n++;
	}
	return n;
}

static const struct way {
	const char *name;
	unsigned int (*damage)(struct file *file);
} ways[] = {
	{ "note", move_notes },
	{ "unwind-data", move_unwind_data },
	{ "table", point_into_hole },
	{ "section", move_section },
};

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[2], O_RDWR) : -1;
	struct file file;
	struct stat is;

	if (fd < 0 || fstat(fd, &is) != 0)
		return 2;
	file.data = mmap(NULL, (size_t)is.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file.data == MAP_FAILED)
		return 2;
	file.header = (Elf64_Ehdr *)file.data;
	file.segment = (Elf64_Phdr *)(file.data + file.header->e_phoff);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(argv[1], ways[i].name) == 0 && ways[i].damage(&file))
			return 0;
	fprintf(stderr, "nothing of '%s' to damage %s\n", argv[2], argv[1]);
	return 1;
}
