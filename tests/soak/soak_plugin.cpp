/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin of the soak. LAYOUT is 1, 2 or 3: functions of the same names and nearly the same code with
 * frames of different sizes; 3 has a region of its own.
 */
#include <stdexcept>

#include "tests/soak/soak.h"

#define ROOM (LAYOUT == 1 ? 1800 : 600)

static SOAK_KEEP uint64_t inner(uint64_t x, soak_back back, int depth)
{
	volatile char room[ROOM];

	room[depth] = static_cast<char>(x);
	if (depth > 0)
		return inner(x, back, depth - 1) + static_cast<unsigned char>(room[depth]);
	if (x % 5 == 0)
		throw std::runtime_error("from the plugin");
	return back(x);
}

static SOAK_KEEP uint64_t region(uint64_t x)
{
	uint64_t sum = 0;

#if LAYOUT == 3
#pragma omp parallel for num_threads(2) reduction(+ : sum)
#endif
	for (int i = 0; i < 4; i++) {
		uint64_t y = x + static_cast<uint64_t>(i);

		for (int j = 0; j < 500; j++)
			y = y * 6364136223846793005u + 1;
		sum += y;
	}
	return sum;
}

extern "C" SOAK_KEEP uint64_t soak_run(uint64_t x, soak_back back)
{
	volatile char room[LAYOUT * 1000];

	room[x % 1000] = static_cast<char>(x);
	uint64_t sum = region(x);

	return inner(x, back, 4) + sum + static_cast<unsigned char>(room[x % 1000]);
}
