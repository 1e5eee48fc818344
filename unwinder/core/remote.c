/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of memory that may be unmapped; see remote.h. Part of the signal-safe core. */
#include "unwinder/core/remote.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "unwinder/core/cfi_pointer.h"

/* Entries of a search table that are read together. */
#define BLOCK_ENTRIES 64
#define HEADER_BYTES  12

/* Bytes of an entry of .eh_frame that are read first. */
#define SHORT_ENTRY 128

pid_t remote_process = -1;

int remote_copy_by(pid_t process, uint64_t address, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)(uintptr_t)address, n };
	int saved = errno;
	long copied = syscall(SYS_process_vm_readv, process, &here, 1L, &there, 1L, 0L);

	errno = saved;
	return copied == (long)n ? 0 : -1;
}

int remote_gather(const struct iovec *to, const struct iovec *from, unsigned long n)
{
	pid_t process = remote_process < 0 ? (pid_t)syscall(SYS_getpid) : remote_process;
	int saved = errno;
	long wanted = 0, copied;

	for (unsigned long i = 0; i < n; i++)
		wanted += (long)from[i].iov_len;
	if (n == 0 || process == 0)
		return n ? -1 : 0;
	copied = syscall(SYS_process_vm_readv, process, to, n, from, n, 0L);
	errno = saved;
	return copied == wanted ? 0 : -1;
}

int remote_read(uint64_t address, void *to, size_t n)
{
	if (remote_process < 0)
		return remote_copy_by((pid_t)syscall(SYS_getpid), address, to, n);
	if (remote_process)
		return remote_copy_by(remote_process, address, to, n);
	memcpy(to, (const void *)(uintptr_t)address, n);
	return 0;
}

/* An entry of a search table: addresses relative to the table's header. */
struct entry {
	int32_t function;
	int32_t description;
};

/* Reads the header of the object's search table. Returns 0 or an enum walk_end. */
static int open_table(struct remote_copy *copy, uint64_t hdr)
{
	struct {
		uint8_t version, frame, count, table;
		int32_t eh_frame;
		uint32_t n;
	} header;

	if (copy->hdr == hdr)
		return 0;
	if (remote_read(hdr, &header, sizeof(header)) != 0)
		return WALK_UNKNOWN_CODE;
	if (header.version != 1 || header.frame != (CFI_PE_PCREL | CFI_PE_SDATA4) ||
		header.count != CFI_PE_UDATA4 || header.table != (CFI_PE_DATAREL | CFI_PE_SDATA4))
		return WALK_NO_CFI;
	copy->hdr = hdr;
	copy->n_entries = header.n;
	copy->cie_address = 0;
	return 0;
}

/*
 * Finds the address of pc's frame description in the search table. Returns 0 or an enum walk_end.
 */
static int search(const struct remote_copy *copy, uint64_t pc, uint64_t *description)
{
	struct entry block[BLOCK_ENTRIES];
	uint64_t first = copy->hdr + HEADER_BYTES;
	int64_t wanted = (int64_t)(pc - copy->hdr);
	uint32_t left, half, i = 0;

	for (left = copy->n_entries; left > BLOCK_ENTRIES; left -= half) { /* at most 32 rounds */
		half = left / 2;
		if (remote_read(first + half * sizeof(block[0]), block, sizeof(block[0])) != 0)
			return WALK_UNKNOWN_CODE;
		if (block[0].function <= wanted)
			first += half * sizeof(block[0]);
	}
	if (left == 0 || remote_read(first, block, left * sizeof(block[0])) != 0)
		return left ? WALK_UNKNOWN_CODE : WALK_NO_CFI;
	if (block[0].function > wanted)
		return WALK_NO_CFI;
	while (i + 1 < left && block[i + 1].function <= wanted)
		i++;
	*description = copy->hdr + (uint64_t)(int64_t)block[i].description;
	return 0;
}

/* Copies the entry of .eh_frame at `address`, at most `room` bytes. Returns its size, or 0. */
static uint32_t copy_entry(uint64_t address, uint8_t *to, uint32_t room)
{
	uint32_t length, n = SHORT_ENTRY;

	/* Most entries are short, and are not the last of their page. */
	if (remote_read(address, to, n) != 0)
		n = 4;
	if (n == 4 && remote_read(address, to, n) != 0)
		return 0;
	memcpy(&length, to, sizeof(length));
	if (length < 4 || length > room - 4)
		return 0;
	if (length + 4 > n && remote_read(address + n, to + n, length + 4 - n) != 0)
		return 0;
	return length + 4;
}

/* Makes the copy's CIE the CIE at `address`. Returns 0 if it cannot be read. */
static int copy_cie(struct remote_copy *copy, uint64_t address)
{
	uint8_t cie[REMOTE_CIE_BYTES];

	if (copy->cie_address == address)
		return 1;
	copy->n_cie = copy_entry(address, cie, sizeof(cie));
	copy->cie_address = copy->n_cie ? address : 0;
	memcpy(copy->data + REMOTE_CIE_BYTES - copy->n_cie, cie, copy->n_cie);
	return copy->n_cie != 0;
}

int remote_find(struct remote_copy *copy, struct cfi_image *image, const struct loaded *found,
	uint64_t pc, struct cfi_fde *fde)
{
	uint64_t hdr = found->eh_frame, address = 0;
	uint8_t *description = copy->data + REMOTE_CIE_BYTES;
	uint32_t n, distance;
	int end;

	if (copy->hdr == hdr && pc >= copy->fde.begin && pc < copy->fde.end) {
		*fde = copy->fde;
		return 0;
	}
	copy->fde.end = 0;
	end = open_table(copy, hdr);
	if (!end)
		end = search(copy, pc, &address);
	if (end)
		return end;
	n = copy_entry(address, description, REMOTE_FDE_BYTES);
	if (n < 8)
		return WALK_BAD_CFI;
	/* The id of a frame description is its distance from its CIE, which lies directly before it
	   here. */
	memcpy(&distance, description + 4, sizeof(distance));
	if (!copy_cie(copy, address + 4 - (uint64_t)(int64_t)(int32_t)distance))
		return WALK_BAD_CFI;
	distance = copy->n_cie + 4;
	memcpy(description + 4, &distance, sizeof(distance));
	cfi_image_init_section(
		image, description - copy->n_cie, copy->n_cie + n, address - copy->n_cie, 0);
	image->hdr_address = hdr;
	end = cfi_fde_at(image, address, fde);
	if (end)
		return end;
	if (pc < fde->begin || pc >= fde->end)
		return WALK_NO_CFI;
	copy->fde = *fde;
	return 0;
}
