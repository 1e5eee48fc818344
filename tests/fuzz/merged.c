/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: merged files (profile/reader/merged.h). An input is a profile as those of profile.c, of which a part
 * is made that must stand for it; then bytes of the part are changed before it is compressed, at places that the
 * input's last bytes choose, and what it stands for is read. Or, if its first byte is 255, it is a merged file, whose
 * check is made right.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/reader/merged.h"
#include "profile/archive/archive_member.h"
#include "tests/fuzz/compact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IS_FILE = 255, N_CHANGES = 4 };

static void parse(const uint8_t *file, size_t size)
{
	struct profile profile;
	struct diag diag;

	if (profile_parse(&profile, file, size, "fuzz", &diag) == 0)
		profile_release(&profile);
}

static void expand(const uint8_t *part, size_t n)
{
	struct part_file file;

	if (part_expand(&file, part, n, PROFILE_MAX_BYTES) == 0)
		parse(file.bytes, file.size);
	free(file.bytes);
}

/* Compresses `plain` as part_make does. */
static void try_plain(const uint8_t *plain, uint64_t n_plain)
{
	uLongf n = compressBound(n_plain);
	uint8_t *part = malloc(sizeof(n_plain) + n);

	if (!part)
		abort();
	memcpy(part, &n_plain, sizeof(n_plain));
	if (compress2(part + sizeof(n_plain), &n, plain, n_plain, 1) != Z_OK)
		abort();
	expand(part, sizeof(n_plain) + n);
	free(part);
}

static void change(const uint8_t *part, size_t n, const uint8_t *how, size_t n_how)
{
	uint64_t n_plain;
	uLongf n_got;
	uint8_t *plain;

	memcpy(&n_plain, part, sizeof(n_plain));
	n_got = n_plain;
	plain = malloc(n_plain + 1);
	if (!plain ||
		uncompress(plain, &n_got, part + sizeof(n_plain), n - sizeof(n_plain)) != Z_OK)
		abort();
	for (size_t i = 0; i + 4 <= n_how && n_plain; i += 4) {
		uint32_t at = (uint32_t)how[i] << 16 | (uint32_t)how[i + 1] << 8 | how[i + 2];

		plain[at % n_plain] ^= how[i + 3];
	}
	try_plain(plain, n_plain);
	try_plain(plain, n_plain / 2);
	free(plain);
}

/* What a part stands for gives the same part, and there is nothing else in it. */
static void check_part(const uint8_t *file, size_t size, const uint8_t *how, size_t n_how)
{
	size_t n, n_again;
	struct part_file same;
	uint8_t *part = part_make(file, size, &n), *again;

	if (!part || part_expand(&same, part, n, PROFILE_MAX_BYTES) != 0 || !same.is_tight)
		abort();
	again = part_make(same.bytes, same.size, &n_again);
	if (!again || same.size != size || n_again != n || memcmp(part, again, n) != 0)
		abort();
	change(part, n, how, n_how);
	free(part);
	free(same.bytes);
	free(again);
}

static void mend(uint8_t *bytes, size_t size)
{
	struct merged_header header;
	uint64_t n_indices;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	n_indices = header.n_parts * (uint64_t)sizeof(struct merged_index);
	if (header.index > size || n_indices > size - header.index || header.heads > size ||
		header.heads_bytes > size - header.heads)
		return;
	header.check = (uint32_t)crc32_z(crc32_z(0, bytes + header.index, n_indices),
		bytes + header.heads, header.heads_bytes);
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

static void read_file(const uint8_t *data, size_t size)
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n, n_how = size < 4 * N_CHANGES ? 0 : 4 * N_CHANGES;
	uint8_t *file;

	if (size == 0)
		return 0;
	if (data[0] == IS_FILE) {
		read_file(data + 1, size - 1);
		return 0;
	}
	file = compact_expand(data + 1, size - 1, &n);
	if (file)
		check_part(file, n, data + size - n_how, n_how);
	free(file);
	return 0;
}
