/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of objects that another thread may unload while it is read: an address that a walk finds need
 * not be one that this thread returns to, where a rule is wrong or a word is only tried. The kernel copies,
 * which fails instead of faulting (process_vm_readv). Where it must not, as under some seccomp filters,
 * the memory is read as it is.
 */
#ifndef OMPPROF_UNWINDER_CORE_REMOTE_H
#define OMPPROF_UNWINDER_CORE_REMOTE_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwinder/core/cfi.h"

/* Longer frame descriptions are not read. */
#define REMOTE_CIE_BYTES 256
#define REMOTE_FDE_BYTES 1024

/* A frame description behind its CIE, as an image of their own, and what is known of their object. All
   zero holds none. For one walk. */
struct remote_copy {
	uint64_t hdr; /* of the object */
	uint32_t n_entries;
	uint32_t n_cie; /* bytes of the CIE, which end where the frame description begins */
	uint64_t cie_address;
	struct cfi_fde fde; /* [0, 0): none */
	uint8_t data[REMOTE_CIE_BYTES + REMOTE_FDE_BYTES];
};

/* The process that the kernel copies for; 0: it does not; -1: whether it does is not known yet. Set before
   walks, and in a child made by fork. */
extern pid_t remote_process;

/*
 * Has the kernel copy n bytes of the process. Returns 0, or -1 if it does not. Keeps errno.
 * Signal-safe.
 */
int remote_copy_by(pid_t process, uint64_t address, void *to, size_t n);

/*
 * Copies n bytes. Returns 0, or -1 if they cannot be read. Keeps errno.
 * Signal-safe.
 */
int remote_read(uint64_t address, void *to, size_t n);

/*
 * As cfi_find, for pc in the object that _dl_find_object has found; the image refers to *copy. Knows the
 * search tables that linkers make. Returns 0 or an enum walk_end.
 * Signal-safe.
 */
int remote_find(struct remote_copy *copy, struct cfi_image *image,
	const struct dl_find_object *found, uint64_t pc, struct cfi_fde *fde);

#endif
