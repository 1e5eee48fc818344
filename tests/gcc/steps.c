/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's way from one region to the next, an instruction at a time, for events.sh: after each
 * of them a signal handler asks for the worker's task. The program is the tool, too. A task never
 * has data of one region and belongs to another. Only on x86-64, which can trap each instruction.
 */
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100

static ompt_get_task_info_t get_task_info;
static uint64_t n_regions;
static volatile int n_steps, n_wrong, is_over;

static void on_step(int signal, siginfo_t *info, void *context)
{
	ompt_data_t *task = NULL, *region = NULL;
	int flags = 0, is_known = get_task_info(0, &flags, &task, NULL, &region, NULL);

	n_steps++;
	if (is_known && (flags != ompt_task_implicit || !task ||
				(region && task->value && task->value != region->value)))
		n_wrong++;
	if (is_known && task && !region && !task->value)
		n_wrong++;
	if (is_over)
		((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void on_parallel_begin(ompt_data_t *by, const ompt_frame_t *frame, ompt_data_t *region,
	unsigned n, int flags, const void *codeptr_ra)
{
	region->value = ++n_regions;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
	unsigned n, unsigned index, int flags)
{
	if (endpoint == ompt_scope_begin)
		task->value = region->value;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	return &result;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 1) {
			if (i == 0)
				__asm__ volatile("pushfq; orq %0, (%%rsp); popfq" ::"i"(TRAP_FLAG)
						 : "cc", "memory");
			is_over = i == 3;
		}
	}
	printf("%s, %d wrong\n", n_steps > 100 ? "stepped" : "not stepped", n_wrong);
	return 0;
}
