/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the separate debug file of an object that is stripped or cannot be used, in the places that
 * GDB's manual names ("Debugging Information in Separate Files"). See symbols_file.h. libdw itself
 * finds .dwz and .dwo files.
 */
#include "src/symbols/symbols_file.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define DEBUG_DIR "/usr/lib/debug"

/* Opens `path` as the debug file if its build-id or, without an `id`, its checksum fits. */
static int try_path(struct symbols_file *file, const char *path, const void *id, size_t n_id,
	const GElf_Word *crc)
{
	const void *found;
	size_t n_bytes;
	int is_right;

	if (symbols_file_look(file, &file->debug, path) < 0)
		return 0;
	if (n_id) {
		ssize_t n = dwelf_elf_gnu_build_id(file->debug.elf, &found);

		is_right = n > 0 && (size_t)n == n_id && memcmp(found, id, n_id) == 0;
	} else {
		const char *bytes = elf_rawfile(file->debug.elf, &n_bytes);

		is_right = bytes && crc && crc32_z(0, (const Bytef *)bytes, n_bytes) == *crc;
	}
	if (!is_right)
		elf_file_close(&file->debug);
	return is_right;
}

static int find_by_build_id(struct symbols_file *file, const char *root, const char *debug_dir,
	const unsigned char *id, size_t n_id)
{
	char hex[2 * 64 + 1], path[PATH_MAX];

	if (n_id < 2 || n_id > 64)
		return 0;
	for (size_t i = 0; i < n_id; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	if ((size_t)snprintf(path, sizeof(path), "%s%s/.build-id/%.2s/%s.debug", root, debug_dir,
		    hex, hex + 2) >= sizeof(path))
		return 0;
	return try_path(file, path, id, n_id, NULL);
}

/* The bytes of the resolved path `real` that name the folder `root`; 0 if it is elsewhere. */
static size_t bytes_of_root(const char *real, const char *root)
{
	char *real_root = realpath(root, NULL);
	size_t n = real_root ? strlen(real_root) : 0;

	if (n && (strncmp(real, real_root, n) != 0 || real[n] != '/'))
		n = 0;
	free(real_root);
	return n;
}

static void find_by_link(struct symbols_file *file, const char *root, const char *debug_dir,
	const void *id, size_t n_id)
{
	GElf_Word crc;
	const char *name = dwelf_elf_gnu_debuglink(file->main.elf, &crc);
	char *real = name && *name && !strchr(name, '/') ? realpath(file->path, NULL) : NULL;
	char *slash = real ? strrchr(real, '/') : NULL;
	char path[PATH_MAX];
	size_t n, n_root;

	if (slash) {
		*slash = '\0';
		n_root = bytes_of_root(real, root);
		for (int place = 0; place < 3; place++) {
			n = snprintf(path, sizeof(path), "%s%s%s%s/%s", place == 2 ? root : "",
				place == 2 ? debug_dir : "", real + (place == 2 ? n_root : 0),
				place == 1 ? "/.debug" : "", name);
			if (n < sizeof(path) && strcmp(path, file->path) != 0 &&
				try_path(file, path, id, n_id, &crc))
				break;
		}
	}
	free(real);
}

void symbols_file_find_debug(struct symbols_file *file, const char *root, const char *debug_dir,
	const struct symbols_object *object)
{
	const void *id = object->build_id;
	ssize_t n_id = id ? (ssize_t)object->build_id_bytes : 0;

	if (!debug_dir)
		debug_dir = DEBUG_DIR;
	if (file->main.elf)
		n_id = dwelf_elf_gnu_build_id(file->main.elf, &id);
	if (n_id < 0)
		n_id = 0;
	if (!find_by_build_id(file, root, debug_dir, id, n_id) && file->path)
		find_by_link(file, root, debug_dir, id, n_id);
}
