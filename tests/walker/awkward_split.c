/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case for awkward.sh: a stack in pieces, by -fsplit-stack. A function that gets a new piece has
 * two frames, of its body on the new piece and of its beginning on the old one, with one of the
 * runtime's between. It is run by chain.c.
 */
#include "tests/walker/chain.h"

#define DEPTH 200

static volatile int sink;

static CHAIN_KEEP int recurse(int depth)
{
	volatile char room[1000];
	int result;

	CHAIN_ENTER(chain_now, CHAIN_THROUGH);
	room[depth] = (char)depth;
	if (depth > 0) {
		result = recurse(depth - 1) + room[depth];
	} else {
		chain_steps_begin();
		sink = room[0];
		chain_steps_end();
		result = sink;
	}
	CHAIN_LEAVE(chain_now);
	return result;
}

static CHAIN_KEEP void run_split(void)
{
	CHAIN_ENTER(chain_now, CHAIN_THROUGH);
	sink = recurse(DEPTH);
	CHAIN_LEAVE(chain_now);
}

const struct chain_case chain_cases[] = {
	{ "split", run_split },
	{ 0 },
};
