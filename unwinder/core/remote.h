/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads memory of objects that another thread may unload at the same time. An address that a walk
 * finds need not be an address to which this thread returns: a rule may be wrong, or a word may
 * only be tried. So the kernel copies the memory (process_vm_readv), which fails instead of
 * faulting. Where the kernel must not do that, as under some seccomp filters, the memory is read
 * directly.
 */
#ifndef OMPPROF_UNWINDER_CORE_REMOTE_H
#define OMPPROF_UNWINDER_CORE_REMOTE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "unwinder/core/cfi.h"
#include "unwinder/core/loaded.h"

/* Longer CIEs and frame descriptions are not read. */
#define REMOTE_CIE_BYTES 256
#define REMOTE_FDE_BYTES 1024

/*
 * A copy of a frame description, with its CIE before it, and facts of its object. All zero: empty.
 * For one walk.
 */
struct remote_copy {
	uint64_t hdr; /* address of the object's .eh_frame_hdr */
	uint32_t n_entries;
	/* bytes of the CIE, which ends where the frame description begins, at REMOTE_CIE_BYTES */
	uint32_t n_cie;
	uint64_t cie_address;
	struct cfi_fde fde; /* [0, 0): there is none */
	uint8_t data[REMOTE_CIE_BYTES + REMOTE_FDE_BYTES];
};

/*
 * The process whose memory the kernel copies; 0: it does not copy; -1: not known yet. Set before
 * walks, and in a child made by fork.
 */
extern pid_t remote_process;

/*
 * Lets the kernel copy n bytes of this process, whose id is `process`. Returns 0, or -1 if it does
 * not. Keeps errno. Signal-safe.
 */
int remote_copy_by(pid_t process, uint64_t address, void *to, size_t n);

/*
 * Copies n bytes. Returns 0, or -1 if they are not readable; without the kernel's help that is a
 * fault instead. Keeps errno. Signal-safe.
 */
int remote_read(uint64_t address, void *to, size_t n);

/*
 * Copies n pieces of memory, each into a place of its own length. Returns 0, or -1 if one is not
 * readable, or if the kernel must not copy. Keeps errno. Signal-safe.
 */
int remote_gather(const struct iovec *to, const struct iovec *from, unsigned long n);

/*
 * Does what cfi_find does, for pc in the object that loaded_find has found. The image refers to
 * *copy. Supports the search tables that linkers make. Returns 0 or an enum walk_end. Signal-safe.
 */
int remote_find(struct remote_copy *copy, struct cfi_image *image, const struct loaded *found,
	uint64_t pc, struct cfi_fde *fde);

#endif
