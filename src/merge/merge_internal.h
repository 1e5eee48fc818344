/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of merge_files.h. */
#ifndef OMPPROF_SRC_MERGE_MERGE_INTERNAL_H
#define OMPPROF_SRC_MERGE_MERGE_INTERNAL_H

#include "profile/reader/merged.h"
#include "src/merge/merge_files.h"

/* A profile as a member of a merged file, or why it could not become a member. */
struct merge_part {
	struct merged_member member;
	struct diag diag; /* if the member has no bytes */
};

/* The files whose parts a rank makes. The `data` of its ordered_pool begins with it. */
struct merge_making {
	const struct profile_entry *entries;
};

/* `weigh` and `make` of this ordered_pool, which makes a merge_part of each file. */
uint64_t merge_weigh(void *data, size_t i);
void *merge_make(void *data, size_t i);

/* Returns NULL when out of memory. Free with merge_part_free. Any thread. */
struct merge_part *merge_part_make(const char *path);
void merge_part_free(void *part);

/* The files [first, end) whose parts a rank makes: as many bytes as the others, about. */
struct merge_share {
	size_t first, end;
};
struct merge_share merge_share_of(const struct profile_list *list, int rank, int size);

/* Sends a list, which can be empty, to the others. Returns 0, or -1 when out of memory. */
int merge_share_list(const struct merge_ranks *ranks, const struct profile_list *list);

/* The work of the other ranks. Returns an exit status. */
int merge_other(uint32_t n_threads, const struct merge_ranks *ranks);

#endif
