/* SPDX-License-Identifier: Apache-2.0 */
/* The thread board; see thread_board.h. Part of the signal-safe core. */
#include "sampler/core/thread_board.h"

#include <stddef.h>

static struct profile_now *lines[BOARD_MAX_THREADS];
static uint32_t n_listed;

int board_join(struct profile_now *now)
{
	for (uint32_t i = 0; i < BOARD_MAX_THREADS; i++) {
		if (lines[i])
			continue;
		__atomic_store_n(&lines[i], now, __ATOMIC_RELEASE);
		if (i >= n_listed)
			__atomic_store_n(&n_listed, i + 1, __ATOMIC_RELEASE);
		return 0;
	}
	return -1;
}

void board_leave(struct profile_now *now)
{
	for (uint32_t i = 0; i < n_listed; i++) {
		if (lines[i] == now)
			__atomic_store_n(&lines[i], NULL, __ATOMIC_RELEASE);
	}
}

void board_forget_all(void)
{
	for (uint32_t i = 0; i < n_listed; i++)
		lines[i] = NULL;
	n_listed = 0;
}

uint32_t board_n_listed(void)
{
	return __atomic_load_n(&n_listed, __ATOMIC_ACQUIRE);
}

struct profile_now *board_at(uint32_t index)
{
	return __atomic_load_n(&lines[index], __ATOMIC_ACQUIRE);
}

/* The innermost implicit task of a team; NULL outside a team. */
static const struct task *member_task(const struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);

	while (n > 0 && !thread->tasks.at[n - 1].is_implicit)
		n--;
	return n && thread->tasks.at[n - 1].region ? &thread->tasks.at[n - 1] : NULL;
}

void board_publish(struct thread *thread)
{
	board_publish_task(thread, member_task(thread));
}
