/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the files of a program: debug information, and the data for walks; see doctor.h. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "src/doctor/doctor.h"
#include "src/symbols/symbols_elf.h"
#include "src/symbols/symbols_file.h"

/* The most functions of a file that are checked. */
enum { FUNCTIONS_MOST = 10000 };

/* Whether the file is the system's: such files usually have no lines. */
static int is_of_the_system(const char *path)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/" };
	char *real = realpath(path, NULL);
	int is_system = 0;

	for (size_t i = 0; real && i < sizeof(folders) / sizeof(folders[0]); i++)
		is_system |= strncmp(real, folders[i], strlen(folders[i])) == 0;
	free(real);
	return is_system;
}

/* Counts the units with debug information in .dwo or .dwp files, and how many lack the file. */
static void count_split(Dwarf *dwarf, size_t *n_split, size_t *n_lost)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	*n_split = *n_lost = 0;
	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split) == 0) {
		if (type != DW_UT_skeleton)
			continue;
		++*n_split;
		*n_lost += dwarf_tag(&split) == DW_TAG_invalid;
	}
}

static void judge_dwarf(struct doctor *doctor, const char *path, const struct symbols_file *file)
{
	GElf_Shdr header;
	size_t n_split, n_lost;
	Elf *elf = file->debug.elf ? file->debug.elf : file->main.elf;

	count_split(file->dwarf, &n_split, &n_lost);
	if (n_lost)
		doctor_add(doctor, DOCTOR_LIMITED, "lines",
			"keep the .dwo files where the program was built, or its .dwp beside it",
			"%zu of %zu split units of '%s' are not found", n_lost, n_split, path);
	else if (elf_find_section(elf, ".gnu_debugaltlink", &header) && !dwarf_getalt(file->dwarf))
		doctor_add(doctor, DOCTOR_LIMITED, "lines",
			"install the .dwz file of its package's debug symbols",
			"'%s' shares debug information with a file that is not found", path);
	else
		doctor_add(doctor, DOCTOR_OK, "lines", NULL, "'%s' has debug information%s", path,
			file->debug.elf ? " in a file of its own"
			: n_split       ? ", split"
					: "");
}

static void check_lines(struct doctor *doctor, const char *path, const struct symbols_file *file)
{
	GElf_Shdr header;

	if (file->dwarf) {
		judge_dwarf(doctor, path, file);
		return;
	}
	if (elf_find_section(file->main.elf, ".symtab", &header))
		doctor_add(doctor, DOCTOR_LIMITED, "lines", "compile it with -g",
			"'%s' has no debug information: functions have names, but no lines", path);
	else
		doctor_add(doctor, DOCTOR_LIMITED, "lines",
			"compile it with -g and do not strip it, or install its debug symbols",
			"'%s' has neither debug information nor a symbol table: functions are "
			"shown as addresses",
			path);
}

/* Whether the file has a segment of this type. */
static int has_program_header(Elf *elf, GElf_Word type)
{
	size_t n;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &n) != 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == type)
			return 1;
	}
	return 0;
}

/* Counts the functions in the symbol table, and those without call frame information. */
static void count_bare(Elf *elf, size_t *n_functions, size_t *n_bare)
{
	Dwarf_CFI *rules = dwarf_getcfi_elf(elf);
	GElf_Shdr header;
	Elf *from = elf;
	Elf_Scn *section = elf_find_table(&from, elf, NULL, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t n = data && header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
	GElf_Sym symbol;

	*n_functions = *n_bare = 0;
	for (size_t i = 0; i < n && *n_functions < FUNCTIONS_MOST; i++) {
		Dwarf_Frame *frame = NULL;

		if (!gelf_getsym(data, (int)i, &symbol) ||
			GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !symbol.st_size ||
			symbol.st_shndx == SHN_UNDEF)
			continue;
		++*n_functions;
		*n_bare += !rules || dwarf_cfi_addrframe(rules, symbol.st_value, &frame) != 0;
		free(frame);
	}
	if (rules)
		dwarf_cfi_end(rules);
}

static const char walks_remedy[] =
	"compile it with -fasynchronous-unwind-tables and link it with --eh-frame-hdr, or compile "
	"it with -fno-omit-frame-pointer and use '--unwind fp'";

static void check_walks(struct doctor *doctor, const char *path, Elf *elf)
{
	size_t n_functions, n_bare;

	count_bare(elf, &n_functions, &n_bare);
	if (n_functions && !has_program_header(elf, PT_GNU_EH_FRAME))
		doctor_add(doctor, DOCTOR_LIMITED, "walks", walks_remedy,
			"'%s' has no call frame information that can be searched: call paths "
			"through it may be cut",
			path);
	else if (n_bare > n_functions / 10)
		doctor_add(doctor, DOCTOR_LIMITED, "walks", walks_remedy,
			"%zu of %zu functions of '%s' have no call frame information: call paths "
			"through them may be cut",
			n_bare, n_functions, path);
}

void doctor_check_objects(struct doctor *doctor, const struct loader *loader)
{
	static const struct symbols_options options = { .debug_dir = NULL };
	size_t n_limited = 0, before;

	for (size_t i = 0; i < loader->n; i++) {
		const char *path = loader->objects[i].file.path;
		struct symbols_object object = { .path = path };
		struct symbols_file file;

		symbols_file_open(&file, &options, &object);
		if (file.main.elf && (i == 0 || !is_of_the_system(path)))
			check_lines(doctor, path, &file);
		before = doctor->n;
		if (file.main.elf)
			check_walks(doctor, path, file.main.elf);
		n_limited += doctor->n - before;
		symbols_file_close(&file);
	}
	if (!n_limited)
		doctor_add(doctor, DOCTOR_OK, "walks", NULL,
			"all %zu files have call frame information", loader->n);
}
