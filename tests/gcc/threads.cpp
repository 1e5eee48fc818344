/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++: exceptions that are thrown and caught within a region, through frames of the runtime's callers and
 * out of called functions, and threads of std::thread beside OpenMP: one with a region of its own, one
 * without.
 */
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

static long odd_ones(long i)
{
	if (i % 100000 == 1)
		throw std::runtime_error(std::to_string(i));
	return i % 3;
}

static long with_exceptions(long n)
{
	long sum = 0, caught = 0;

#pragma omp parallel for reduction(+ : sum, caught) schedule(dynamic, 1000)
	for (long i = 0; i < n; i++) {
		try {
			sum += odd_ones(i);
		} catch (const std::runtime_error &error) {
			caught += std::stol(error.what());
		}
	}
	return sum + caught;
}

static long plain_work(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += i % 3;
		asm volatile("" : "+r"(sum));
	}
	return sum;
}

static long beside_threads(long n)
{
	long one = 0, two = 0, sum = 0;
	std::thread with_region([&] { one = with_exceptions(n); });
	std::thread without([&] { two = plain_work(n); });

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += i % 5;
	with_region.join();
	without.join();
	return one + two + sum;
}

int main()
{
	std::string caught = "none";

	std::printf("%ld\n", with_exceptions(20000000));
	std::printf("%ld\n", beside_threads(10000000));
	try {
#pragma omp parallel
		{
#pragma omp single
			caught = "one";
		}
		throw std::runtime_error("after the region");
	} catch (const std::exception &error) {
		std::printf("%s %s\n", caught.c_str(), error.what());
	}
	return 0;
}
