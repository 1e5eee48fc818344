/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an object and its debug information; see symbols_file.h. */
#include "src/symbols/symbols_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/symbols/symbols_elf.h"

/* Several steps of the clock that sets file times. */
#define TOO_NEW_NS 50000000

int elf_file_open(struct elf_file *file, const char *path)
{
	struct stat status;

	file->elf = NULL;
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		return -1;
	errno = 0;
	if (fstat(file->fd, &status) == 0 && S_ISREG(status.st_mode))
		file->elf = elf_begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF)
		return 0;
	elf_file_close(file);
	errno = 0;
	return -1;
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	file->elf = NULL;
	file->fd = -1;
}

int elf_has_dwarf(Elf *elf)
{
	GElf_Shdr header;

	return elf_find_section(elf, ".debug_info", &header) ||
	       elf_find_section(elf, ".zdebug_info", &header);
}

/* Whether the file changed so recently that it may change again without a new time. */
static int is_too_new(const struct cache_state *state)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return state->ctime_ns + TOO_NEW_NS >
	       (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int symbols_file_look(struct symbols_file *file, struct elf_file *elf_file, const char *path)
{
	int result = elf_file_open(elf_file, path), error = errno;
	struct stat st;

	if (file->n_looked < LOOKED_MOST) {
		struct cache_witness *looked = &file->looked[file->n_looked++];
		int is_there = result == 0 ? fstat(elf_file->fd, &st) : stat(path, &st);

		looked->state = cache_state_of(is_there == 0 ? &st : NULL);
		looked->path = is_too_new(&looked->state) ? NULL : strdup(path);
	}
	errno = error;
	return result;
}

int symbols_file_lacks_part(const struct symbols_file *file)
{
	const char *name;
	const void *id;

	return file->dwarf && dwelf_dwarf_gnu_debugaltlink(file->dwarf, &name, &id) > 0 &&
	       !dwarf_getalt(file->dwarf);
}

static int has_build_id(Elf *elf, const struct symbols_object *object)
{
	const void *id;
	ssize_t n;

	if (!object->build_id || object->build_id_bytes == 0)
		return 1;
	n = dwelf_elf_gnu_build_id(elf, &id);
	return n > 0 && (size_t)n == object->build_id_bytes && memcmp(id, object->build_id, n) == 0;
}

/* Whether the path is that of a mapping of the kernel without a file. */
static int is_no_file(const char *path)
{
	return !*path || *path == '[' || strncmp(path, "linux-vdso", 10) == 0;
}

/* Returns -1. An earlier problem stays. */
static int fail(struct symbols_file *file, const char *path, const char *cause)
{
	if (!file->problem[0])
		snprintf(file->problem, sizeof(file->problem),
			"cannot name functions of '%.300s': %s", path, cause);
	return -1;
}

/*
 * Opens the object below `root`. Returns 0, or -1 with file->problem set: it cannot be used, or is
 * missing. file->problem is not set if the object is missing and is looked for elsewhere then.
 */
static int open_below(struct symbols_file *file, const char *root,
	const struct symbols_object *object, int is_last)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s%s", root, object->path) >= sizeof(path))
		return fail(file, object->path, strerror(ENAMETOOLONG));
	if (symbols_file_look(file, &file->main, path) < 0) {
		if (!is_last && errno == ENOENT)
			return -1;
		return fail(file, path, errno ? strerror(errno) : "not an ELF file");
	}
	if (!has_build_id(file->main.elf, object)) {
		elf_file_close(&file->main);
		return fail(file, path, "the file changed since the run (its build-id differs)");
	}
	file->problem[0] = '\0';
	file->path = strdup(path);
	return 0;
}

/*
 * With a sysroot, a file in the recorded place may be this machine's own. Only a build-id tells
 * that it is not.
 */
static void open_main(
	struct symbols_file *file, const char *sysroot, const struct symbols_object *object)
{
	int has_id = object->build_id && object->build_id_bytes;

	if (is_no_file(object->path))
		return;
	if (!sysroot || (open_below(file, sysroot, object, !has_id) != 0 && has_id))
		open_below(file, "", object, 1);
}

static void open_dwarf(struct symbols_file *file, const struct symbols_object *object)
{
	Elf *elf = file->debug.elf ? file->debug.elf : file->main.elf;

	if (!elf || !elf_has_dwarf(elf))
		return;
	file->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		snprintf(file->problem, sizeof(file->problem),
			"cannot read the debug information of '%.300s': %s; no lines and no "
			"inlined calls",
			object->path, dwarf_errmsg(-1));
}

/* libdwfl asks the servers of DEBUGINFOD_URLS if it finds nothing on this machine. */
static void ask_debuginfod(struct symbols_file *file, const struct symbols_object *object)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	Dwfl_Module *module;
	Dwarf_Addr bias;

	file->dwfl = dwfl_begin(&callbacks);
	if (!file->dwfl)
		return;
	dwfl_report_begin(file->dwfl);
	module = dwfl_report_elf(
		file->dwfl, object->path, file->path ? file->path : object->path, -1, 0, true);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (module)
		file->dwarf = dwfl_module_getdwarf(module, &bias);
}

void symbols_file_open(struct symbols_file *file, const struct symbols_options *options,
	const struct symbols_object *object)
{
	*file = (struct symbols_file){ .main.fd = -1, .debug.fd = -1 };
	open_main(file, options->sysroot, object);
	if (!file->main.elf || !elf_has_dwarf(file->main.elf)) {
		if (options->sysroot)
			symbols_file_find_debug(file, options->sysroot, options->debug_dir, object);
		if (!file->debug.elf)
			symbols_file_find_debug(file, "", options->debug_dir, object);
	}
	if (!file->main.elf && file->debug.elf)
		file->problem[0] = '\0';
	open_dwarf(file, object);
	if (options->debuginfod && file->main.elf && !file->dwarf)
		ask_debuginfod(file, object);
}

void symbols_file_close(struct symbols_file *file)
{
	if (file->dwfl)
		dwfl_end(file->dwfl);
	else if (file->dwarf)
		dwarf_end(file->dwarf);
	elf_file_close(&file->debug);
	elf_file_close(&file->main);
	free(file->path);
	file->path = NULL;
	for (size_t i = 0; i < file->n_looked; i++)
		free((char *)file->looked[i].path);
	file->n_looked = 0;
	file->dwarf = NULL;
	file->dwfl = NULL;
}
