/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of what can go; see remote.h. Part of the signal-safe core. */
#include "unwinder/remote.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "unwinder/cfi_read.h"

/* Entries of a search table that are read at once. */
#define BLOCK_ENTRIES 64

pid_t remote_process;

int remote_copy_by(pid_t process, uint64_t address, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)(uintptr_t)address, n };
	int saved = errno;
	long copied = syscall(SYS_process_vm_readv, process, &here, 1L, &there, 1L, 0L);

	errno = saved;
	return copied == (long)n ? 0 : -1;
}

int remote_read(uint64_t address, void *to, size_t n)
{
	if (remote_process)
		return remote_copy_by(remote_process, address, to, n);
	memcpy(to, (const void *)(uintptr_t)address, n);
	return 0;
}

/* One entry of a search table: relative to the table's header. */
struct entry {
	int32_t function;
	int32_t description;
};

/* The address of the frame description that a search for pc leads to. Returns 0 or an enum walk_end. */
static int search(uint64_t hdr, uint64_t pc, uint64_t *description)
{
	struct {
		uint8_t version, frame, count, table;
		int32_t eh_frame;
		uint32_t n;
	} header;
	struct entry block[BLOCK_ENTRIES];
	uint64_t first = hdr + sizeof(header);
	int64_t wanted = (int64_t)(pc - hdr);
	uint32_t left, half, i = 0;

	if (remote_read(hdr, &header, sizeof(header)) != 0)
		return WALK_UNKNOWN_CODE;
	if (header.version != 1 || header.frame != (CFI_PE_PCREL | CFI_PE_SDATA4) ||
		header.count != CFI_PE_UDATA4 || header.table != (CFI_PE_DATAREL | CFI_PE_SDATA4))
		return WALK_NO_CFI;
	for (left = header.n; left > BLOCK_ENTRIES; left -= half) { /* 32 rounds at most */
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
	*description = hdr + (uint64_t)(int64_t)block[i].description;
	return 0;
}

/* Copies the entry of .eh_frame at `address`, of `room` bytes at most. Returns its size, or 0. */
static uint32_t copy_entry(uint64_t address, uint8_t *to, uint32_t room)
{
	uint32_t length;

	if (remote_read(address, &length, sizeof(length)) != 0 || length < 4 || length > room - 4 ||
		remote_read(address, to, length + 4) != 0 || memcmp(to, &length, 4) != 0)
		return 0;
	return length + 4;
}

int remote_find(struct remote_copy *copy, struct cfi_image *image,
	const struct dl_find_object *found, uint64_t pc, struct cfi_fde *fde)
{
	uint8_t *description = copy->data + REMOTE_CIE_BYTES;
	uint64_t address = 0;
	uint32_t n, n_cie, distance;
	int end = search((uintptr_t)found->dlfo_eh_frame, pc, &address);

	if (end)
		return end;
	n = copy_entry(address, description, REMOTE_FDE_BYTES);
	if (n < 8)
		return WALK_BAD_CFI;
	/* The id of a frame description is its distance from its CIE. */
	memcpy(&distance, description + 4, sizeof(distance));
	n_cie = copy_entry(
		address + 4 - (uint64_t)(int64_t)(int32_t)distance, copy->data, REMOTE_CIE_BYTES);
	if (n_cie == 0)
		return WALK_BAD_CFI;
	/* The copy's CIE ends where the frame description begins, which keeps its address. */
	memmove(description - n_cie, copy->data, n_cie);
	distance = n_cie + 4;
	memcpy(description + 4, &distance, sizeof(distance));
	cfi_image_init_section(image, description - n_cie, n_cie + n, address - n_cie, 0);
	image->hdr_address = (uintptr_t)found->dlfo_eh_frame;
	end = cfi_fde_at(image, address, fde);
	if (end)
		return end;
	return pc < fde->begin || pc >= fde->end ? WALK_NO_CFI : 0;
}
