/* SPDX-License-Identifier: Apache-2.0 */
/* write_scene SCENE FILE: writes the profile of a made-up run, for tests of the command. */
#include <stdio.h>

#include "tests/unit/scenes/scenes.h"

int main(int argc, char **argv)
{
	struct build build;
	int status;

	if (argc != 3 || scene_build(&build, argv[1]) != 0) {
		fprintf(stderr, "usage: write_scene SCENE FILE\n");
		return 2;
	}
	status = build_write(&build, argv[2]);
	build_release(&build);
	if (status != 0)
		perror(argv[2]);
	return status == 0 ? 0 : 1;
}
