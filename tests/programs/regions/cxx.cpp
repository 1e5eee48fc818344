/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ in a region: a sort whose comparator is inlined, a template at two types, and exceptions
 * that pass through frames with destructors. Names are shown as people write them, the comparator
 * as an inlined frame under sort_all, scale_all<float> and scale_all<double> apart.
 */
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "../work.h"

struct guard {
	long &left;
	explicit guard(long &counter) : left(counter)
	{
	}
	~guard()
	{
		left++;
	}
};

static NOINLINE void throw_at(int depth, long &left)
{
	guard here(left);

	if (depth == 0)
		throw std::runtime_error("bottom");
	throw_at(depth - 1, left);
}

static NOINLINE long catch_all(int n)
{
	long left = 0, caught = 0;

	for (int i = 0; i < n; i++) {
		try {
			throw_at(4, left);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	return caught == n && left == 5L * n;
}

static NOINLINE long sort_all(int n)
{
	std::vector<uint64_t> keys(n);
	uint64_t x = 88172645463325252u;

	for (uint64_t &key : keys) {
		CHURN(x, 1);
		key = x;
	}
	std::sort(keys.begin(), keys.end(),
		[](uint64_t a, uint64_t b) { return (a ^ a >> 32) < (b ^ b >> 32); });
	return (keys.front() ^ keys.front() >> 32) <= (keys.back() ^ keys.back() >> 32);
}

template <typename number> static NOINLINE long scale_all(int n)
{
	std::vector<number> values(1000, number(1));

	for (int round = 0; round < n; round++) {
		for (number &value : values)
			value = value * number(0.5) + number(0.5);
	}
	return values[0] == number(1);
}

int main(int argc, char **argv)
{
	int n = static_cast<int>(work_start(argc, argv, 1) / 1000);
	long good = 0;

#pragma omp parallel for reduction(+ : good)
	for (int i = 0; i < 8; i++)
		good += catch_all(5 * n) + sort_all(300 * n) + scale_all<float>(20 * n) +
			scale_all<double>(20 * n);
	return work_finish("cxx", good, 32);
}
