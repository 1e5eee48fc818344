/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of an ELF file that the dynamic loader reads; see elf_dynamic.h. */
#include "src/run/elf_dynamic.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/symbols/machine.h"
#include "src/symbols/symbols_elf.h"

static int add_needed(struct elf_dynamic *file, const char *name)
{
	const char **needed;

	if (!name)
		return 0;
	needed = reallocarray(file->needed, file->n_needed + 1, sizeof(*needed));
	if (!needed)
		return -1;
	file->needed = needed;
	needed[file->n_needed++] = name;
	return 0;
}

static int read_dynamic(struct elf_dynamic *file)
{
	GElf_Shdr header;
	Elf_Scn *scn = elf_find_type(file->elf, SHT_DYNAMIC, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *text = elf_strptr(file->elf, header.sh_link, entry.d_un.d_val);

		if (entry.d_tag == DT_NEEDED && add_needed(file, text) != 0)
			return -1;
		if (entry.d_tag == DT_SONAME)
			file->soname = text;
		else if (entry.d_tag == DT_RPATH)
			file->rpath = text;
		else if (entry.d_tag == DT_RUNPATH)
			file->runpath = text;
	}
	return 0;
}

/* The path in the interpreter's segment; "" if it has no end. */
static const char *read_interpreter(Elf *elf, const GElf_Phdr *segment)
{
	Elf_Data *data = segment->p_filesz <= PATH_MAX
				 ? elf_getdata_rawchunk(elf, (int64_t)segment->p_offset,
					   segment->p_filesz, ELF_T_BYTE)
				 : NULL;

	return data && memchr(data->d_buf, '\0', data->d_size) ? data->d_buf : "";
}

/* Reads the headers. Returns 0, or -1 if this machine cannot execute or load the file. */
static int read_header(struct elf_dynamic *file)
{
	GElf_Ehdr header;
	GElf_Phdr segment;
	size_t n = 0;

	if (elf_kind(file->elf) != ELF_K_ELF || gelf_getclass(file->elf) != ELFCLASS64 ||
		!gelf_getehdr(file->elf, &header) || header.e_machine != machine_host->elf ||
		(header.e_type != ET_DYN && header.e_type != ET_EXEC) ||
		elf_getphdrnum(file->elf, &n) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_INTERP)
			file->interpreter = read_interpreter(file->elf, &segment);
	}
	file->is_library = header.e_type == ET_DYN;
	return 0;
}

int elf_dynamic_open(struct elf_dynamic *file, const char *path)
{
	struct stat st;

	*file = (struct elf_dynamic){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (file->fd < 0)
		return -1;
	if (fstat(file->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(file->fd);
		return -1;
	}
	file->device = st.st_dev;
	file->inode = st.st_ino;
	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	file->path = strdup(path);
	if (file->elf && file->path && read_header(file) == 0 && read_dynamic(file) == 0)
		return 0;
	elf_dynamic_close(file);
	return -1;
}

void elf_dynamic_close(struct elf_dynamic *file)
{
	elf_end(file->elf);
	close(file->fd);
	free(file->path);
	free(file->needed);
	*file = (struct elf_dynamic){ .fd = -1 };
}

int elf_dynamic_has_need(const struct elf_dynamic *file, const char *library)
{
	for (size_t i = 0; i < file->n_needed; i++) {
		if (strcmp(file->needed[i], library) == 0)
			return 1;
	}
	return 0;
}
