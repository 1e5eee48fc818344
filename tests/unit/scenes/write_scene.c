/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write_scene SCENE FILE [RUN [ENV]...]: writes the profile of a made-up run, for tests of the command. RUN is
 * "ID:SECONDS:MS": the run's number, when it began, and how much longer it took than the scene; each ENV is a
 * variable of its environment, "NAME=TEXT".
 */
#include <stdio.h>

#include "tests/unit/scenes/scenes.h"

static int change(struct build *build, const char *run)
{
	struct profile_header *header = build_header(build);
	unsigned long long id, begin_s, longer_ms;

	if (sscanf(run, "%llu:%llu:%llu", &id, &begin_s, &longer_ms) != 3)
		return -1;
	header->run_id = id;
	header->start_realtime_ns = begin_s * 1000000000;
	header->end_ns += longer_ms * 1000000;
	return 0;
}

int main(int argc, char **argv)
{
	struct build build;
	int status;

	if (argc < 3 || scene_build(&build, argv[1]) != 0 ||
		(argc > 3 && change(&build, argv[3]) != 0)) {
		fprintf(stderr, "usage: write_scene SCENE FILE [ID:SECONDS:MS [NAME=TEXT]...]\n");
		return 2;
	}
	for (int i = 4; i < argc; i++)
		build_text(&build, "env", argv[i]);
	status = build_write(&build, argv[2]);
	build_release(&build);
	if (status != 0)
		perror(argv[2]);
	return status == 0 ? 0 : 1;
}
