/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Untied tasks: one creates 500 and waits for them, twice. LLVM's runtime executes each in parts, most of which are
 * quick. The two threads work all the time.
 */
#include "../work.h"

enum { N_TASKS = 500 };

static long executed;

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1);

#pragma omp parallel shared(executed)
#pragma omp single nowait
#pragma omp task untied
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < N_TASKS; i++)
#pragma omp task untied shared(executed)
		{
			uint64_t x = 1;

			CHURN(x, n / 10);
			work_sink = x;
#pragma omp atomic
			executed++;
		}
#pragma omp taskwait
	}
	return work_finish("untied", executed, 2 * N_TASKS);
}
