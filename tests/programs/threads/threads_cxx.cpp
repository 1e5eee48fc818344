// SPDX-License-Identifier: Apache-2.0
// Threads of std::thread beside each other, without OpenMP: one works three times as long.
// Flags: -pthread -fno-openmp
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

static volatile std::uint64_t sink;

static __attribute__((noinline)) void churn(long steps)
{
	std::uint64_t x = 88172645463325252u;

	for (; steps > 0; steps--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	sink = x;
}

static __attribute__((noinline)) void long_work(long unit)
{
	churn(300 * unit);
	sink = sink + 1;
}

static __attribute__((noinline)) void short_work(long unit)
{
	churn(100 * unit);
	sink = sink + 2;
}

int main(int argc, char **argv)
{
	long unit = (long)(1e6 * (argc > 1 ? std::atof(argv[1]) : 1));
	std::thread one(long_work, unit), other(short_work, unit);

	one.join();
	other.join();
	std::puts("threads_cxx: 2");
	return 0;
}
