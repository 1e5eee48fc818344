/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of merge_files.h share. */
#ifndef OMPPROF_SRC_MERGE_MERGE_INTERNAL_H
#define OMPPROF_SRC_MERGE_MERGE_INTERNAL_H

#include "profile/reader/merged.h"
#include "src/merge/merge_files.h"

/* A profile as a member of a merged file, or why it could not become one. */
struct merge_part {
	struct merged_member member;
	struct diag diag; /* set where the member has no bytes */
};

/* Reads the profile at `path`. NULL when out of memory. Any thread. Free with merge_part_free. */
struct merge_part *merge_part_make(const char *path);
void merge_part_free(void *part);

/* The files [first, end) of a list that a rank makes parts of: about as many bytes as every other. */
struct merge_share {
	size_t first, end;
};
struct merge_share merge_share_of(const struct profile_list *list, int rank, int size);

/* Tells the other ranks the files of the list, or that there are none. Returns 0, or -1 when out of memory. */
int merge_share_list(const struct merge_ranks *ranks, const struct profile_list *list);

/* What the other ranks do. Returns an exit status. */
int merge_other(uint32_t n_threads, const struct merge_ranks *ranks);

#endif
