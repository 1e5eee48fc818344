/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for the walkers' tests: code of an object that comes and goes. The samples' signal is
 * blocked while the loader changes its list, which libunwind would read in the handler.
 */
#include "program.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

static volatile double sink;

static double back(double x)
{
	double y = x;

	for (int i = 0; i < 50; i++)
		y = y * 0.5 + i;
	return y;
}

static void hold_samples(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(how, &set, NULL);
}

int main(int argc, char **argv)
{
	double (*work)(double (*)(double), int);
	void *object;

	do {
		hold_samples(SIG_BLOCK);
		object = dlopen(argc > 1 ? argv[1] : "", RTLD_LAZY);
		if (!object)
			fprintf(stderr, "%s\n", dlerror());
		if (!object)
			return 1;
		*(void **)&work = dlsym(object, "plugin_work");
		hold_samples(SIG_UNBLOCK);
		sink = work(back, work_size(200));
		hold_samples(SIG_BLOCK);
		dlclose(object);
		hold_samples(SIG_UNBLOCK);
	} while (!is_enough());
	return 0;
}
