/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes of a run still exist; see run.h. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/run.h"

/* Whether the environment with which a process began has this entry. If it cannot be read: no. */
static int has_entry(const char *pid, const char *entry)
{
	char path[300], *at = NULL;
	size_t bytes = 0;
	int has = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	file = fopen(path, "re");
	while (file && !has && getdelim(&at, &bytes, '\0', file) > 0)
		has = strcmp(at, entry) == 0;
	free(at);
	if (file)
		fclose(file);
	return has;
}

static size_t count_with(const char *entry)
{
	struct dirent *process;
	DIR *processes = opendir("/proc");
	size_t n = 0;

	while (processes && (process = readdir(processes)))
		n += isdigit((unsigned char)process->d_name[0]) &&
		     has_entry(process->d_name, entry);
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
	 * Repeat until a pass finds nothing new: a name_list process may have ended after it started
	 * one that is not name_list.
	 */
	return n ? n : count_with(entry);
}
