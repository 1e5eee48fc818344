/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that wait for tasks. A team of two: in each of 10 rounds one task produces for 10 units of work, and two
 * consume for 3 each when it is done. While it produces, the other thread has nothing to do, and both consumers wait,
 * from their creation on.
 */
#include "../work.h"

enum { ROUNDS = 10 };

static long produced, consumed;

static NOINLINE uint64_t produce(uint64_t x, long n)
{
	CHURN(x, 10 * n);
	return x;
}

static NOINLINE uint64_t consume(uint64_t x, long n)
{
	CHURN(x, 3 * n);
	return x;
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1);
	uint64_t data = 1;

#pragma omp parallel shared(data, produced, consumed)
#pragma omp single
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp task depend(out : data) shared(data, produced) /* produces */
		{
			data = produce(data, n);
			produced++;
		}
		for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : data) shared(data, consumed) /* consumes */
			{
				work_sink = consume(data, n);
#pragma omp atomic
				consumed++;
			}
		}
#pragma omp taskwait
	}
	return work_finish("depend", produced * 100 + consumed, ROUNDS * 100 + 2 * ROUNDS);
}
