/* SPDX-License-Identifier: Apache-2.0 */
/* The soak's regions, tasks, locks and exceptions. */
#include <exception>
#include <omp.h>
#include <stdexcept>
#include <vector>

#include "tests/soak/soak.h"

struct guard {
	uint64_t &left;
	explicit guard(uint64_t &counter) : left(counter)
	{
	}
	~guard()
	{
		left++;
	}
};

static SOAK_KEEP uint64_t throw_at(int depth, uint64_t x, uint64_t &left)
{
	guard here(left);

	if (depth == 0) {
		if (x % 3 == 0)
			throw std::runtime_error("runtime");
		throw x;
	}
	return throw_at(depth - 1, soak_churn(x, 10), left) + 1;
}

SOAK_KEEP uint64_t soak_throw(int depth, uint64_t x)
{
	uint64_t left = 0;

	try {
		try {
			left += throw_at(depth, x, left);
		} catch (const std::runtime_error &error) {
			left += 100 + static_cast<uint64_t>(error.what()[0]);
			throw;
		}
	} catch (uint64_t thrown) {
		left += thrown % 1000;
	} catch (...) {
		left += 7;
	}
	return left;
}

/* In a loop, in tasks, and one that another thread throws again. */
uint64_t soak_exceptions(dice die)
{
	int n = 20 + die.below(60);
	std::vector<std::exception_ptr> kept(static_cast<size_t>(n));
	uint64_t sum = 0;

#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		dice own = die.of_item(i);

		for (int j = 0; j < 60; j++)
			sum += soak_throw(own.below(12), own.next());
		try {
			throw own.next();
		} catch (...) {
			kept[static_cast<size_t>(i)] = std::current_exception();
		}
	}
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(kept, sum)
		try {
			std::rethrow_exception(kept[static_cast<size_t>(n - 1 - i)]);
		} catch (uint64_t thrown) {
#pragma omp atomic
			sum += thrown % 1000;
		}
	}
	return sum;
}

uint64_t soak_regions(dice die, int level)
{
	int n = 2 + die.below(6), threads = 1 + die.below(3);
	uint64_t sum = 0;

#pragma omp parallel for num_threads(threads) reduction(+ : sum) if (die.state % 5 != 0)
	for (int i = 0; i < n; i++) {
		dice own = die.of_item(i);

		sum += soak_churn(own.next(), 2000 + own.below(20000));
		if (level > 0)
			sum += soak_regions(own, level - 1);
	}
	return sum;
}

uint64_t soak_nested(dice die)
{
	uint64_t sum = 0;

	for (int i = 0; i < 12; i++)
		sum += soak_regions(die.of_item(i), die.below(3));
	return sum;
}

static uint64_t fib(int n, uint64_t x)
{
	uint64_t a = 0, b = 0;

	if (n < 2)
		return soak_churn(x + static_cast<uint64_t>(n), 200);
#pragma omp task shared(a) firstprivate(n, x) if (n % 4 != 0)
	a = fib(n - 1, x);
#pragma omp task shared(b) firstprivate(n, x) final(n < 4) mergeable
	b = fib(n - 2, x + 1);
#pragma omp taskwait
	return a + b;
}

static uint64_t chain_of_tasks(dice die)
{
	uint64_t x = die.next(), y = die.next();

	for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : x) shared(x)
		x = soak_churn(x, 500);
#pragma omp task depend(in : x) depend(inout : y) shared(x, y)
		y += x;
	}
#pragma omp taskwait
	return x + y;
}

uint64_t soak_tasks(dice die)
{
	uint64_t sum = 0, x = die.next();
	int n = 12 + die.below(5), loop = 100 + die.below(400);

#pragma omp parallel
	{
#pragma omp single nowait
		{
			uint64_t got = fib(n, x);

#pragma omp atomic
			sum += got;
		}
#pragma omp single
		{
			uint64_t got = chain_of_tasks(die.of_item(1));

#pragma omp atomic
			sum += got;
#pragma omp taskgroup
#pragma omp taskloop grainsize(3) shared(sum)
			for (int i = 0; i < loop; i++) {
				uint64_t one = soak_churn(die.of_item(i).next(), 1000);

#pragma omp atomic
				sum += one;
			}
		}
	}
	return sum;
}

static uint64_t lock_one(dice own, omp_lock_t *lock, omp_nest_lock_t *nested, uint64_t &shared)
{
	uint64_t value = soak_churn(own.next(), own.below(300));

	switch (own.below(4)) {
	case 0:
		omp_set_lock(lock);
		shared += value;
		omp_unset_lock(lock);
		return 0;
	case 1:
		while (!omp_test_lock(lock))
			soak_churn(value, 10);
		shared += value;
		omp_unset_lock(lock);
		return 0;
	case 2:
		omp_set_nest_lock(nested);
		omp_set_nest_lock(nested);
		value = soak_churn(value, 100);
		omp_unset_nest_lock(nested);
		omp_unset_nest_lock(nested);
		return value;
	default:
#pragma omp critical(soak)
		value = soak_churn(value, 100);
		return value;
	}
}

uint64_t soak_locks(dice die)
{
	int n = 2000 + die.below(6000);
	omp_nest_lock_t nested;
	omp_lock_t lock;
	uint64_t shared = 0, sum = 0, ordered_pool = 1;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);
#pragma omp parallel
	{
#pragma omp for schedule(guided) reduction(+ : sum)
		for (int i = 0; i < n; i++)
			sum += lock_one(die.of_item(i), &lock, &nested, shared);
#pragma omp for schedule(static, 1) ordered
		for (int i = 0; i < 200; i++) {
			uint64_t value = soak_churn(die.of_item(i).next(), 500);

#pragma omp ordered
			ordered_pool = ordered_pool * 31 + value;
		}
	}
	omp_destroy_nest_lock(&nested);
	omp_destroy_lock(&lock);
	return shared + sum + ordered_pool;
}
