/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin of dl_stress.c. LAYOUT is 1 or 2: both have the same instructions at the same places, but
 * for the sizes of their frames, so that what is known of one is wrong for the other.
 */
#include "tests/walker/dl_stress.h"

/*
 * Bytes: none fits into one byte of an instruction. The frames of stress_run and of all of inner are
 * together as large in either, so that a callback's frame is where it was in the other.
 */
#define DEPTH      3
#define INNER_ROOM (LAYOUT == 1 ? 1800 : 600)
#define RUN_ROOM   (6400 - DEPTH * INNER_ROOM)
#define SPIN_ROOM  (LAYOUT == 1 ? 400 : 3000)

static CHAIN_KEEP int spin(int n)
{
	volatile char room[SPIN_ROOM];
	int x = n;

	room[n % 64] = (char)n;
	for (int i = 0; i < n; i++)
		x = x * 3 + i;
	return x + room[n % 64];
}

/* After inner or the callback returns, no other call overwrites the return address left there. */
static CHAIN_KEEP int inner(struct chain *chain, stress_callback callback, int n, int depth)
{
	volatile char room[INNER_ROOM];
	int result;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	room[depth] = (char)n;
	if (depth > 0)
		result = inner(chain, callback, n, depth - 1) + room[depth];
	else
		result = callback(chain, spin(n));
	CHAIN_LEAVE(chain);
	return result;
}

int CHAIN_KEEP stress_run(struct chain *chain, stress_callback callback, int n)
{
	volatile char room[RUN_ROOM];
	int result;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	room[n % 64] = (char)n;
	result = inner(chain, callback, SPIN, DEPTH - 1) + room[n % 64];
	CHAIN_LEAVE(chain);
	return result;
}
