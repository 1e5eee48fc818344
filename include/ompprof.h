/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs that are profiled by ompprof: names the phases of the program, and says when to measure. C and C++;
 * for Fortran there is the module of ompprof.f90.
 *
 *     #include <ompprof.h>
 *
 *     ompprof_phase_begin("assemble");
 *     ...
 *     ompprof_phase_end();
 *
 * and then: ompprof report --by phase, ompprof report --phase assemble. The calls go to whatever tool the OpenMP
 * runtime has (omp_control_tool, OpenMP 5.1, 3.14). Without a tool a call is only one or two calls of the runtime. It
 * does nothing if there is no OpenMP runtime, if the runtime does not know of tools, as GCC's libgomp without ompprof,
 * or if the compiler does not define __GNUC__. There is nothing to link. See ompprof.h(3).
 */
#ifndef OMPPROF_H
#define OMPPROF_H

/* Commands of omp_control_tool: OpenMP's own, and ompprof's. */
enum ompprof_command {
	OMPPROF_START = 1,
	OMPPROF_PAUSE = 2,
	OMPPROF_FLUSH = 3,
	OMPPROF_END = 4,
	OMPPROF_PHASE_BEGIN = 64, /* modifier: its number, or 0; then arg is its name */
	OMPPROF_PHASE_END = 65
};

/* The results of the calls below. A tool other than ompprof may return other numbers. */
enum ompprof_result {
	OMPPROF_NO_TOOL = -2,    /* nobody is told: not profiled, or without OpenMP */
	OMPPROF_NO_CONTROL = -1, /* a tool that does not take commands */
	OMPPROF_SUCCESS = 0,
	OMPPROF_IGNORED = 1 /* the command did nothing: ompprof.h(3) says when */
};

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define OMPPROF_WEAK_   __attribute__((__weak__))
#define OMPPROF_INLINE_ static __inline__ __attribute__((__unused__))

/* The runtime's functions, with or without <omp.h>. NULL without a runtime that has them. */
extern int ompprof_omp_control_tool_(int, int, void *) __asm__("omp_control_tool") OMPPROF_WEAK_;
extern int ompprof_omp_get_max_threads_(void) __asm__("omp_get_max_threads") OMPPROF_WEAK_;

/* Sends a command to the tool. */
OMPPROF_INLINE_ int ompprof_control(int command, int modifier, const char *arg)
{
	int result;

	if (!ompprof_omp_control_tool_)
		return OMPPROF_NO_TOOL;
	result = ompprof_omp_control_tool_(command, modifier, (void *)arg);
	/* Before the first construct a runtime may not have looked for a tool yet: this makes it look. */
	if (result == OMPPROF_NO_TOOL && ompprof_omp_get_max_threads_ &&
		ompprof_omp_get_max_threads_() > 0)
		result = ompprof_omp_control_tool_(command, modifier, (void *)arg);
	return result;
}
#else
#define OMPPROF_INLINE_ static
#define ompprof_control(command, modifier, arg) OMPPROF_NO_TOOL
#endif

OMPPROF_INLINE_ int ompprof_phase_begin(const char *name)
{
	return ompprof_control(OMPPROF_PHASE_BEGIN, 0, name);
}

OMPPROF_INLINE_ int ompprof_phase_begin_number(int number)
{
	return ompprof_control(OMPPROF_PHASE_BEGIN, number, 0);
}

OMPPROF_INLINE_ int ompprof_phase_end(void)
{
	return ompprof_control(OMPPROF_PHASE_END, 0, 0);
}

OMPPROF_INLINE_ int ompprof_start(void)
{
	return ompprof_control(OMPPROF_START, 0, 0);
}

OMPPROF_INLINE_ int ompprof_pause(void)
{
	return ompprof_control(OMPPROF_PAUSE, 0, 0);
}

OMPPROF_INLINE_ int ompprof_flush(void)
{
	return ompprof_control(OMPPROF_FLUSH, 0, 0);
}

OMPPROF_INLINE_ int ompprof_end(void)
{
	return ompprof_control(OMPPROF_END, 0, 0);
}

#ifdef __cplusplus
}
#endif

#endif
