// SPDX-License-Identifier: Apache-2.0
// A case for awkward.sh: exceptions. A function's link is taken away by its clean-up. It is run by
// chain.c.
#include "tests/walker/chain.h"

#include <dlfcn.h>
#include <stdexcept>

#define N_THROWS 3
#define RUNTIME  30 // frames of the C++ runtime, and what it calls

static volatile int sink;

// Takes away the links that were added since.
struct links_end {
	uint32_t n = chain_now->n;

	~links_end()
	{
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		chain_now->n = n;
	}
};

static CHAIN_KEEP int thrower(int depth)
{
	links_end end;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	if (depth == 0)
		throw std::runtime_error("bottom");
	return thrower(depth - 1) + 1;
}

static CHAIN_KEEP int again(int depth)
{
	links_end end;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	try {
		sink = thrower(depth);
	} catch (const std::exception &) {
		throw;
	}
	return 0;
}

static CHAIN_KEEP int catcher(int depth)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	uint32_t n = chain_now->n;

	try {
		sink = again(depth);
	} catch (const std::exception &e) {
		chain_now->n = n;
		sink = e.what()[0];
	}
	CHAIN_LEAVE(chain_now);
	return sink;
}

static uint64_t runtime_lo, runtime_hi;

// Where the runtime installs a context, its own rules show registers that are half of the new one.
static int is_in_runtime(uint64_t ip)
{
	return ip >= runtime_lo && ip < runtime_hi;
}

static CHAIN_KEEP void run_throw()
{
	void *resume = dlsym(RTLD_DEFAULT, "_Unwind_Resume");
	dl_find_object runtime;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	if (!resume || _dl_find_object(resume, &runtime) != 0)
		chain_skip("the C++ runtime is not found");
	runtime_lo = (uintptr_t)runtime.dlfo_map_start;
	runtime_hi = (uintptr_t)runtime.dlfo_map_end;
	sink = catcher(1);
	chain_wanted.max_inner = RUNTIME;
	chain_wanted.is_unwound = 1;
	chain_wanted.n_sure = chain_now->n + 1;
	chain_wanted.is_explained = is_in_runtime;
	chain_wanted.explained_percent = 2;
	chain_steps_begin();
	for (int i = 0; i < N_THROWS; i++)
		sink = catcher(i % 3);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

const struct chain_case chain_cases[] = {
	{ "throw", run_throw },
	{ nullptr, nullptr },
};
