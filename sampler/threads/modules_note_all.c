/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process and the objects that are loaded now; see modules.h. Takes a lock: not for the signal
 * handler.
 */
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sampler/core/modules.h"
#include "unwinder/core/loaded.h"
#include "unwinder/prepare/objects_permanent.h"

static void note(uint64_t addr)
{
	struct loaded found;

	modules_note(addr);
	if (loaded_find(addr, &found) == 0 && objects_is_permanent(found.link_map))
		modules_mark_permanent(addr);
}

enum { MOST_FIRST = 256 };

/* An address in each of the first objects that were loaded when the process began to profile. */
static uint64_t first[MOST_FIRST];
static uint32_t n_first;

static int note_object(struct dl_phdr_info *info, size_t size, void *data)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		note(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		if (n_first < MOST_FIRST)
			first[n_first++] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		break;
	}
	return 0;
}

/*
 * A child made by fork does not ask the loader: a thread that it lacks may hold the loader's lock.
 * Objects that were loaded later are recorded when a path meets them.
 */
void modules_note_all(void)
{
	if (!n_first) {
		objects_find_permanent();
		dl_iterate_phdr(note_object, NULL);
		return;
	}
	for (uint32_t i = 0; i < n_first; i++)
		note(first[i]);
}

void modules_name_runtime(uint64_t addr)
{
	static const char name[] = "/libgomp.so.1";
	struct loaded found;
	char target[1024];
	const char *path;
	ssize_t n;

	if (loaded_find(addr, &found) != 0)
		return;
	path = found.link_map->l_name;
	if (strlen(path) < sizeof(name) || strcmp(path + strlen(path) - strlen(name), name) != 0)
		return;
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0 || target[0] != '/')
		return;
	target[n] = '\0';
	modules_mark_for_libgomp(addr, target);
}

void modules_clear(const char *exe_path)
{
	struct modules_process now = { .vdso = getauxval(AT_SYSINFO_EHDR) };

	snprintf(now.exe, sizeof(now.exe), "%s", exe_path);
	if (!getcwd(now.cwd, sizeof(now.cwd)))
		now.cwd[0] = '\0';
	modules_forget(&now);
}
