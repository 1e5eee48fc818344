/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of program that a command executes, as far as profiling depends on it; see run.h. */
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/run/elf_dynamic.h"
#include "src/run/run.h"
#include "src/run/run_runtime.h"
#include "src/symbols/machine.h"

/* Whether the file is for another machine or 32 bits: writes to `why`. Returns 0 if not. */
static int judge_machine(const char *path, char *why, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), n = 0;
	GElf_Ehdr header;
	Elf *elf;

	if (fd < 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	/* A file of another kind is a script or cannot be executed. */
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header)) {
		const struct machine *machine = machine_find(header.e_machine);

		if (gelf_getclass(elf) != ELFCLASS64)
			n = snprintf(why, bytes, "it is a 32-bit program");
		else if (header.e_machine != machine_host->elf)
			n = snprintf(why, bytes, "it is for %s, not for %s",
				machine ? machine->name : "another machine", machine_host->name);
	}
	elf_end(elf);
	close(fd);
	return n;
}

/* Whether the file is glibc's loader, in whatever folder. A link to it may have any name. */
static int is_glibc_loader(const struct elf_dynamic *file)
{
	const char *name = file->soname ? file->soname : basename(file->path);

	return strcmp(name, machine_host->loader) == 0;
}

/* Judges by the loader. Usual if it cannot be read: the start shows what is wrong. */
static enum run_kind judge_loader(const struct elf_dynamic *program, char *why, size_t bytes)
{
	struct elf_dynamic loader;
	int is_usual;

	if (!program->interpreter) {
		snprintf(why, bytes, "it is linked statically: no loader brings the profiler in");
		return is_glibc_loader(program) ? RUN_KIND_USUAL : RUN_KIND_STATIC;
	}
	if (elf_dynamic_open(&loader, program->interpreter) != 0)
		return RUN_KIND_USUAL;
	is_usual = is_glibc_loader(&loader);
	elf_dynamic_close(&loader);
	snprintf(why, bytes, "its loader, '%s', is not the one of the GNU C library",
		program->interpreter);
	return is_usual ? RUN_KIND_USUAL : RUN_KIND_FOREIGN;
}

enum run_kind run_find_kind(const char *name, char *why, size_t bytes)
{
	char path[PATH_MAX];
	struct elf_dynamic program;
	enum run_kind kind;
	int is_script;

	if (run_program_follow(name, path, sizeof(path), &is_script) != 0)
		return RUN_KIND_USUAL;
	if (judge_machine(path, why, bytes) != 0)
		return RUN_KIND_FOREIGN;
	if (elf_dynamic_open(&program, path) != 0)
		return RUN_KIND_USUAL;
	kind = judge_loader(&program, why, bytes);
	elf_dynamic_close(&program);
	/* A static shell starts programs that can be profiled. */
	return kind == RUN_KIND_STATIC && is_script ? RUN_KIND_USUAL : kind;
}
