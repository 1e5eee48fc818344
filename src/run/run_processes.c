/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes of a run still exist; see run.h. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/run.h"
#include "src/run/run_marker.h"

static size_t count_with(const char *entry)
{
	struct dirent *process;
	DIR *processes = opendir("/proc");
	size_t n = 0;

	while (processes && (process = readdir(processes)))
		n += isdigit((unsigned char)process->d_name[0]) &&
		     run_process_has(atoi(process->d_name), entry, strlen(entry) + 1);
	if (processes)
		closedir(processes);
	return n;
}

size_t run_count_processes(uint64_t run_id)
{
	char entry[64];
	size_t n;

	snprintf(entry, sizeof(entry), "OMPPROF_RUN=%" PRIu64, run_id);
	n = count_with(entry);
	/*
	 * A process may end during a pass after it has started another process that the pass does
	 * not see. So a pass that finds nothing is repeated.
	 */
	return n ? n : count_with(entry);
}
