/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack for the command that is large enough whatever `ulimit -s` says: reading debug information and writing pages
 * takes more than 64 KB. The limit itself is left alone, as the profiled program inherits it. Used by main.c, and by
 * those that create threads.
 */
#ifndef OMPPROF_SRC_TEXT_LARGE_STACK_H
#define OMPPROF_SRC_TEXT_LARGE_STACK_H

enum { LARGE_STACK_BYTES = 8 << 20 };

/*
 * Calls function(argc, argv) and returns what it returns: on a stack of LARGE_STACK_BYTES where the limit is smaller,
 * or of what there is address space for, otherwise on the caller's.
 */
int large_stack_call(int (*function)(int argc, char **argv), int argc, char **argv);

#endif
