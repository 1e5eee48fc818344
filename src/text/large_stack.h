/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack that is large enough for the command, whatever `ulimit -s` says. Reading debug
 * information and writing pages takes more than 64 KB. The limit itself stays unchanged, as the
 * profiled program inherits it. Used by main.c and ordered_pool.c.
 */
#ifndef OMPPROF_SRC_TEXT_LARGE_STACK_H
#define OMPPROF_SRC_TEXT_LARGE_STACK_H

enum { LARGE_STACK_BYTES = 8 << 20 };

/*
 * Calls function(argc, argv) and returns its result. If the limit is smaller than
 * LARGE_STACK_BYTES, the call runs on a stack of that size, or of the size that the address space
 * permits. Otherwise it runs on the caller's stack.
 */
int large_stack_call(int (*function)(int argc, char **argv), int argc, char **argv);

#endif
