/* SPDX-License-Identifier: Apache-2.0 */
/* The rank's collective calls of MPI, in the order of their numbers. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

/* A record without a number was being filled when the program was killed. */
static int read_collective(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	const struct profile_header *header = &profile->header;
	struct profile_collective from;

	(void)work;
	memcpy(&from, bytes, sizeof(from));
	if (!from.number || !profile_is_kept(from.number, header->collectives.level))
		return 1;
	if (from.number > header->collectives.n || from.begin < header->start_ticks ||
		from.end < from.begin || from.end > INT64_MAX)
		return 0;
	profile->collectives.all[profile->collectives.n++] = from;
	return 1;
}

static int by_number(const void *left, const void *right)
{
	const struct profile_collective *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

static void drop_doubles(struct profile *profile)
{
	struct profile_collective *calls = profile->collectives.all;
	size_t n = 0;

	for (size_t i = 0; i < profile->collectives.n; i++)
		if (n == 0 || calls[n - 1].number != calls[i].number)
			calls[n++] = calls[i];
	profile->n_dropped += profile->collectives.n - n;
	profile->collectives.n = n;
}

int reader_read_collectives(struct profile *profile, struct reader_work *work)
{
	profile->collectives.all = reader_alloc(
		work->input, PROFILE_SEGMENT_COLLECTIVES, sizeof(*profile->collectives.all), 0);
	if (!profile->collectives.all)
		return -1;
	if (!profile->has_ticks)
		return 0;
	reader_each(profile, work, PROFILE_SEGMENT_COLLECTIVES, read_collective);
	qsort(profile->collectives.all, profile->collectives.n, sizeof(*profile->collectives.all),
		by_number);
	drop_doubles(profile);
	return 0;
}
