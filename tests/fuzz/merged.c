/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: merged files (profile/reader/merged.h). An input is a merged file, whose check is made right;
 * liblzma sees streams that are spoilt, and their checks.
 */
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/reader/merged.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mend(uint8_t *bytes, size_t size)
{
	struct merged_header header;
	uint64_t n_indices;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	n_indices = header.n_members * (uint64_t)sizeof(struct merged_index);
	if (header.index > size || n_indices > size - header.index)
		return;
	header.check = lzma_crc32(bytes + header.index, n_indices, 0);
	memcpy(bytes, &header, sizeof(header));
}

static void read_all(const char *path)
{
	struct profile_list list = { 0 };
	struct diag diag;

	if (profile_list_read(&list, path, &diag) == 0) {
		for (size_t i = 0; i < list.n && i < 16; i++) {
			struct profile profile;

			if (profile_open(&profile, list.entries[i].path, &diag) == 0)
				profile_release(&profile);
		}
	}
	profile_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 1);
	int fd = memfd_create("merged", MFD_CLOEXEC);
	char path[64];

	if (!bytes || fd < 0)
		abort();
	memcpy(bytes, data, size);
	mend(bytes, size);
	if (write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_all(path);
	close(fd);
	free(bytes);
	return 0;
}
