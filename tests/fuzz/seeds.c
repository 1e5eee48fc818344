/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seeds FOLDER [PROFILE...]: writes the fuzzer's first inputs, made of made-up runs of
 * tests/unit/scenes/scenes.c and of profile files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/compact.h"
#include "tests/unit/scenes/scenes.h"

/* Larger ones teach the fuzzer nothing and take it long. */
enum { MOST_BYTES = 96 << 10 };

static int write_seed(
	const char *folder, const char *name, int how, const uint8_t *file, size_t size)
{
	char path[4096];
	size_t n;
	uint8_t *data = compact_make(file, size, &n);
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s-%d", folder, name, how);
	if (!data || n > MOST_BYTES) {
		free(data);
		return data ? 0 : -1;
	}
	out = fopen(path, "wb");
	if (out) {
		fputc(how, out);
		fwrite(data, 1, n, out);
	}
	free(data);
	return out ? fclose(out) : -1;
}

static int write_all(const char *folder, const char *name, const uint8_t *file, size_t size)
{
	static const int hows[] = { 0, 1, 2, 3, 8, 16, 17, 48, 64, 128, 144, 192 };
	int status = 0;

	for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
		status |= write_seed(folder, name, hows[i], file, size);
	return status;
}

static int write_profile(const char *folder, const char *path)
{
	const char *slash = strrchr(path, '/');
	FILE *in = fopen(path, "rb");
	static uint8_t file[4 << 20];
	size_t n = in ? fread(file, 1, sizeof(file), in) : 0;

	if (!in || fclose(in) != 0)
		return -1;
	return write_all(folder, slash ? slash + 1 : path, file, n);
}

/* Makes the run a rank of a job, with collective calls of MPI. */
static void add_calls(struct build *build)
{
	uint32_t segment = build_segment(build, PROFILE_SEGMENT_COLLECTIVES, 0);
	struct profile_header *header = build_header(build);
	uint64_t begin = header->start_ticks;

	header->around.rank = 1;
	header->around.n_ranks = 2;
	for (uint32_t i = 1; i <= 3; i++, begin += 1000)
		build_collective(build, segment, i, begin, begin + 500, 0x401120);
}

int main(int argc, char **argv)
{
	static const char *const scenes[] = { "cg", "faults", "waits", "crowded", "killed",
		"events", "eventless", "lossy", "unblamed", "guessed", "hostile", "long", "empty",
		"timed" };
	int status = argc < 2;

	for (size_t i = 0; !status && i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		struct build build;

		if (scene_build(&build, scenes[i]) != 0)
			return 1;
		if (strcmp(scenes[i], "waits") == 0)
			add_calls(&build);
		status = write_all(argv[1], scenes[i], build.bytes, build.size);
		build_release(&build);
	}
	for (int i = 2; !status && i < argc; i++)
		status = write_profile(argv[1], argv[i]);
	if (status)
		fprintf(stderr, "seeds: cannot write to '%s'\n", argc < 2 ? "" : argv[1]);
	return status != 0;
}
