/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Behaves as a daemon does: after a first region it closes all descriptors from 3 up, opens files of
 * its own, works again, and finds its files and their numbers as it left them.
 * Flags: -D_GNU_SOURCE
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../work.h"

static NOINLINE void daemon_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	int file[8];
	char text[16], back[16];
	long intact = 0;

#pragma omp parallel
	daemon_kernel(100 * unit);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	for (int i = 0; i < 8; i++) {
		file[i] = memfd_create("own", 0);
		snprintf(text, sizeof(text), "file %d", i);
		if (write(file[i], text, sizeof(text)) != sizeof(text))
			return 2;
	}
#pragma omp parallel
	daemon_kernel(100 * unit);
	for (int i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "file %d", i);
		if (pread(file[i], back, sizeof(back), 0) == sizeof(back) && !strcmp(text, back) &&
			lseek(file[i], 0, SEEK_END) == sizeof(back) && file[i] == 3 + i)
			intact++;
	}
	return work_finish("fds", intact, 8);
}
