/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of awkward_code.c. It is built with unwind data that is not what it should be, and
 * without frame pointers, so that nothing else leads through it.
 */
#include "tests/walker/awkward_library.h"
#include "tests/walker/chain.h"

static CHAIN_KEEP int inner(struct chain *chain, int (*function)(int), int n)
{
	volatile int many[40];
	int result;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	many[n] = n;
	result = function(n) + many[n];
	CHAIN_LEAVE(chain);
	return result;
}

int CHAIN_KEEP library_call(struct chain *chain, int (*function)(int), int n)
{
	int result;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	result = inner(chain, function, n) + n;
	CHAIN_LEAVE(chain);
	return result;
}

static CHAIN_KEEP double compute(double x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 0.5 + i;
	return x;
}

double CHAIN_KEEP library_compute(struct chain *chain, int n)
{
	double x = n;

	CHAIN_ENTER(chain, CHAIN_CALLED);
	x += compute(x, n);
	if (n > 0)
		x += library_compute(chain, n - 1);
	x += compute(x, n);
	CHAIN_LEAVE(chain);
	return x;
}
