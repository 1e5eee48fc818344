/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions and tasks in each other, and such that are not what they seem: each kernel has an eighth of
 * the work and its own place. Undeferred (if(0)) and included (final) tasks run at once on the
 * thread that meets them; a region with if(0) is executed by one thread.
 *
 *   undeferred_kernel  main, region, make_undeferred, task
 *   included_kernel    main, region, make_included, task
 *   outer_kernel       main, region, make_outer, task, outer_body
 *   inner_kernel       the same, task, inner_body
 *   alone_kernel       main, be_alone, region
 *   child_kernel       main, be_alone, region, make_child, task
 *   under_kernel       main, region, make_team, task, start_team, region
 *   serial_kernel      main
 */
#include "../work.h"

#define KERNEL(name)                                                                               \
	static NOINLINE void name(long steps)                                                      \
	{                                                                                          \
		uint64_t x = 88172645463325252u;                                                   \
                                                                                                   \
		CHURN(x, steps);                                                                   \
		work_sink = x;                                                                     \
	}

KERNEL(undeferred_kernel)
KERNEL(included_kernel)
KERNEL(outer_kernel)
KERNEL(inner_kernel)
KERNEL(alone_kernel)
KERNEL(child_kernel)
KERNEL(under_kernel)
KERNEL(serial_kernel)

static long unit, n_done;

static void done(void)
{
#pragma omp atomic
	n_done++;
}

static NOINLINE void make_undeferred(void)
{
#pragma omp task if (0)
	{
		undeferred_kernel(20 * unit);
		done();
	}
	done();
}

static NOINLINE void make_included(void)
{
#pragma omp task final(1) if (0)
	{
#pragma omp task
		{
			included_kernel(20 * unit);
			done();
		}
		done();
	}
	done();
}

static NOINLINE void inner_body(void)
{
	inner_kernel(20 * unit);
	done();
}

static NOINLINE void outer_body(void)
{
	outer_kernel(10 * unit);
#pragma omp task
	{
		inner_body();
		done();
	}
	outer_kernel(10 * unit);
#pragma omp taskwait
	done();
}

static NOINLINE void make_outer(void)
{
#pragma omp task
	{
		outer_body();
		done();
	}
#pragma omp taskwait
	done();
}

static NOINLINE void make_child(void)
{
#pragma omp task
	{
		child_kernel(20 * unit);
		done();
	}
#pragma omp taskwait
	done();
}

static NOINLINE void be_alone(void)
{
#pragma omp parallel if (0)
	{
		alone_kernel(20 * unit);
		make_child();
		done();
	}
	done();
}

static NOINLINE void start_team(void)
{
#pragma omp parallel num_threads(2)
	{
		under_kernel(10 * unit);
		done();
	}
	done();
}

static NOINLINE void make_team(void)
{
#pragma omp task
	{
		start_team();
		done();
	}
#pragma omp taskwait
	done();
}

int main(int argc, char **argv)
{
	unit = work_start(argc, argv, 1);
	omp_set_max_active_levels(2);
	for (int i = 0; i < 5; i++) {
#pragma omp parallel
		{
#pragma omp single
			{
				make_undeferred();
				make_included();
				make_outer();
				make_team();
			}
			done();
		}
		be_alone();
		serial_kernel(20 * unit);
	}
	return work_finish("nested_tasks", n_done, 5 * (19 + omp_get_max_threads()));
}
