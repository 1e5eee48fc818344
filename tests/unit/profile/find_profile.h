/* SPDX-License-Identifier: Apache-2.0 */
/* Which file of a folder a test reads. */
#ifndef OMPPROF_TESTS_UNIT_PROFILE_FIND_PROFILE_H
#define OMPPROF_TESTS_UNIT_PROFILE_FIND_PROFILE_H

#include <stdio.h>

#include "profile/reader/reader.h"

/*
 * Writes to `file` the path of the profile with the most samples in the latest run of a folder, or of the file that
 * `path` is. *n_others gets the number of the run's other profiles. Returns as profile_list_read().
 */
static inline int find_profile(
	const char *path, char *file, size_t file_bytes, size_t *n_others, struct diag *diag)
{
	struct profile_list list;
	int status = profile_list_read(&list, path, diag);

	*n_others = 0;
	if (status == 0) {
		*n_others = list.n - 1;
		snprintf(file, file_bytes, "%s", list.entries[profile_list_most(&list)].path);
	}
	profile_list_release(&list);
	return status;
}

#endif
