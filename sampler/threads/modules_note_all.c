/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process and the objects that are loaded now; see modules.h. Takes a lock: not for the signal
 * handler.
 */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sampler/core/modules.h"
#include "unwinder/core/objects.h"
#include "unwinder/prepare/objects_permanent.h"

static void note(uint64_t addr)
{
	struct dl_find_object found;

	modules_note(addr);
	if (_dl_find_object((void *)addr, &found) == 0 && objects_is_permanent(found.dlfo_link_map))
		modules_mark_permanent(addr);
}

static int note_object(struct dl_phdr_info *info, size_t size, void *data)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		note(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		break;
	}
	return 0;
}

void modules_note_all(void)
{
	if (objects_each(note))
		return;
	objects_find_permanent();
	dl_iterate_phdr(note_object, NULL);
}

void modules_name_runtime(uint64_t addr)
{
	static const char name[] = "/libgomp.so.1";
	struct dl_find_object found;
	char target[1024];
	const char *path;
	ssize_t n;

	if (_dl_find_object((void *)addr, &found) != 0)
		return;
	path = found.dlfo_link_map->l_name;
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
