/* SPDX-License-Identifier: Apache-2.0 */
#include "gomp/serial.h"

#include <pthread.h>
#include <stdio.h>

static uintptr_t do_nothing(void)
{
	return 0;
}

static unsigned run(void (*body)(void *), void *data)
{
	body(data);
	return 1;
}

static void run_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long arg_bytes,
	long arg_align)
{
	if (copy) {
		uintptr_t memory = (uintptr_t)__builtin_alloca((size_t)(arg_bytes + arg_align));
		void *own = (void *)((memory + (uintptr_t)arg_align - 1) & -(uintptr_t)arg_align);

		copy(own, data);
		data = own;
	}
	body(data);
}

static struct gomp_functions functions = { .is_foreign = 1 };

static void begin(void)
{
#define FUNCTION(returns, name, parameters)                                                        \
	functions.name = (__typeof__(functions.name))(uintptr_t)do_nothing;
#define VERSION(returns, name, version, parameters)                                                \
	functions.name##version = (__typeof__(functions.name##version))(uintptr_t)do_nothing;
#define VARIADIC(name, type) functions.name = (__typeof__(functions.name))(uintptr_t)do_nothing;
#include "gomp/functions.def"
	functions.GOMP_parallel = (__typeof__(functions.GOMP_parallel))(uintptr_t)run;
	functions.GOMP_task = (__typeof__(functions.GOMP_task))(uintptr_t)run_task;
	fprintf(stderr, "ompprof-gomp: the program calls libgomp, which is not loaded: it goes on "
			"with one thread\n");
}

const struct gomp_functions *gomp_serial(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, begin);
	return &functions;
}
