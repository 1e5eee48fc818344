/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads that sleep for all their life, as helpers of a library do, beside two threads of
 * OpenMP that work.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *sleep_on(void *unused)
{
	for (;;)
		sleep(1000);
	return unused;
}

int main(void)
{
	pthread_t helpers[2];
	double sum = 0;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&helpers[i], NULL, sleep_on, NULL) != 0)
			return 1;
	for (int i = 0; i < 60; i++) {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
		for (int j = 0; j < 8000000; j++)
			sum += 1.0 / (1.0 + j);
	}
	printf("asleep: %d\n", sum > 300);
	return 0;
}
