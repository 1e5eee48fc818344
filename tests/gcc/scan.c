/* SPDX-License-Identifier: Apache-2.0 */
/* libomp does this otherwise than libgomp: a prefix sum, or with -DCANCEL a cancelled loop. */
#include <stdio.h>

int main(void)
{
	static int in[1000], out[1000];
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		in[i] = i % 7;
#ifdef CANCEL
#pragma omp parallel for
	for (int i = 0; i < 1000; i++) {
		out[i] = in[i];
#pragma omp cancel for if (in[0] != 0)
	}
#else
#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < 1000; i++) {
		sum += in[i];
#pragma omp scan inclusive(sum)
		out[i] = sum;
	}
#endif
	printf("%d %d\n", sum, out[999]);
	return 0;
}
