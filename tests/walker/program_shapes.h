/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of program_shapes.c that others call or look for. */
#ifndef OMPPROF_TESTS_WALKER_PROGRAM_SHAPES_H
#define OMPPROF_TESTS_WALKER_PROGRAM_SHAPES_H

/* More than 64 KB. */
#define SHAPES_LARGE_BYTES 80000

/* Calls the functions, one through the other, down to deepest(), which has to end the program. */
int shapes(int n, int (*deepest)(int));

int shape_leaf(int n);
int shape_leaf_array(int n);
int shape_innermost(int n);
int shape_recursion(int n);
int shape_alloca(int n);
int shape_aligned(int n);
int shape_large(int n);
int shape_variable(int n, ...);
int shape_saves(int n);
int shape_tail(int n);
int shape_early(int n);
void shape_last_call(int n);

#endif
