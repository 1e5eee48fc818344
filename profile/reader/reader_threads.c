/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a profile, in order of their index. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

/* Sets the flag of native threads; they are no hidden helpers, even if the file says so. */
static void set_role(struct profile_thread *thread)
{
	thread->flags &= ~(uint32_t)PROFILE_THREAD_NATIVE;
	if (thread->start != 0 && thread->type == 0)
		thread->flags =
			(thread->flags & ~(uint32_t)PROFILE_THREAD_HELPER) | PROFILE_THREAD_NATIVE;
}

static void drop_bad_threads(struct profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_threads; i++) {
		struct profile_thread *thread = &profile->threads[i];

		if (!thread->index || (n && profile->threads[n - 1].index == thread->index)) {
			profile->n_dropped++;
			continue;
		}
		thread->name[sizeof(thread->name) - 1] = '\0';
		set_role(thread);
		profile->threads[n++] = *thread;
	}
	profile->n_threads = n;
}

static int read_thread(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	(void)work;
	memcpy(&profile->threads[profile->n_threads++], bytes, sizeof(*profile->threads));
	return 1;
}

int reader_read_threads(struct profile *profile, struct reader_work *work)
{
	profile->threads =
		reader_alloc(work->input, PROFILE_SEGMENT_THREADS, sizeof(*profile->threads), 0);
	if (!profile->threads)
		return -1;
	reader_each(profile, work, PROFILE_SEGMENT_THREADS, read_thread);
	qsort(profile->threads, profile->n_threads, sizeof(*profile->threads), reader_compare_u32);
	drop_bad_threads(profile);
	return 0;
}

uint64_t profile_life_ns(const struct profile_thread *thread, uint64_t end_ns)
{
	uint64_t begin_ns =
		thread->start || thread->n_lives > 1 ? thread->begun_ns : thread->start_ns;
	uint64_t before_ns =
		thread->lived_ns < PROFILE_MOST_NS ? thread->lived_ns : PROFILE_MOST_NS;

	if (thread->end_ns)
		end_ns = thread->end_ns;
	end_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
	return end_ns < PROFILE_MOST_NS - before_ns ? before_ns + end_ns : PROFILE_MOST_NS;
}

size_t reader_find_thread(const struct profile *profile, uint32_t index)
{
	const struct profile_thread *found = bsearch(
		&index, profile->threads, profile->n_threads, sizeof(*found), reader_compare_u32);

	return found ? (size_t)(found - profile->threads) : profile->n_threads;
}

int reader_add_threads(struct profile *profile, const uint32_t *indices, size_t n)
{
	size_t n_known = profile->n_threads, n_all = n_known;
	struct profile_thread *grown =
		realloc(profile->threads, (n_known + n + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	profile->threads = grown;
	for (size_t i = 0; i < n; i++) {
		if ((i && indices[i] == indices[i - 1]) ||
			reader_find_thread(profile, indices[i]) < n_known)
			continue;
		grown[n_all++] = (struct profile_thread){ .index = indices[i] };
	}
	profile->n_threads = n_all;
	qsort(grown, n_all, sizeof(*grown), reader_compare_u32);
	return 0;
}
