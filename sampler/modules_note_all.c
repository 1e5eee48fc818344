/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that are loaded now; see modules.h. Not for the signal handler: takes a lock. */
#include <link.h>
#include <stddef.h>

#include "sampler/modules.h"

static int note_object(struct dl_phdr_info *info, size_t size, void *data)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		modules_note(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		break;
	}
	return 0;
}

void modules_note_all(void)
{
	dl_iterate_phdr(note_object, NULL);
}
