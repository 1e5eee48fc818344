/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose frames have all shapes that compilers make: leaves, recursion, alloca, aligned and
 * large frames, variable arguments, many saved registers, tail calls, calls that do not return. Built
 * with and without options for unwind data, and for other architectures; needs no C library.
 */
#include "tests/walker/program_shapes.h"

#include <stdarg.h>

#define SHAPE __attribute__((noinline))

/* So that no value is known when this is compiled. */
static volatile int zero;
static volatile char *volatile place;
static int (*innermost)(int);

SHAPE int shape_leaf(int n)
{
	return n * 3 + zero;
}

/* A leaf with a frame: its array does not fit into registers. */
SHAPE int shape_leaf_array(int n)
{
	volatile int values[40];

	for (int i = 0; i < 8; i++)
		values[5 * i] = i * n;
	return values[5];
}

SHAPE int shape_innermost(int n)
{
	return innermost(n) + shape_leaf(n);
}

SHAPE int shape_recursion(int n)
{
	return n > 0 ? shape_recursion(n - 1) + n : shape_innermost(n);
}

SHAPE int shape_alloca(int n)
{
	volatile char *room = __builtin_alloca((unsigned int)(n & 63) * 16 + 16);

	place = room;
	room[0] = (char)n;
	return shape_recursion(n & 3) + room[0];
}

SHAPE int shape_aligned(int n)
{
	volatile int block[16] __attribute__((aligned(128)));

	place = (volatile char *)block;
	block[n & 15] = n;
	return shape_alloca(n + 7) + block[n & 15];
}

/* Beyond what one instruction can add to the stack pointer. */
SHAPE int shape_large(int n)
{
	volatile char room[SHAPES_LARGE_BYTES];

	place = room;
	room[n & 63] = (char)n;
	return shape_aligned(n) + room[n & 63];
}

SHAPE int shape_variable(int n, ...)
{
	va_list list;
	int sum = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += va_arg(list, int);
	va_end(list);
	return shape_large(sum);
}

/* Floating-point numbers that live across a call have registers of their own to be saved. */
SHAPE int shape_saves(int n)
{
	int a = shape_leaf(n), b = shape_leaf(a), c = shape_leaf(b), d = shape_leaf(c);
	int e = shape_leaf(d), f = shape_leaf(e), g = shape_leaf(f), h = shape_leaf(g);
	double x = zero + a, y = x * b, z = y + c;
	int deeper = shape_variable(4, n, zero, n & 1, zero);

	x += shape_leaf(deeper);
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ (int)(x + y - z) ^ deeper;
}

SHAPE int shape_tail(int n)
{
	return shape_saves(n + 1);
}

/* Two ways out, and a frame on only one of them. */
SHAPE int shape_early(int n)
{
	if (n < 0)
		return shape_leaf(n);
	return shape_tail(n) + shape_leaf_array(n);
}

static __attribute__((noinline, noreturn)) void shape_leave(int n)
{
	for (;;)
		zero = shape_innermost(n) & 0;
}

/* The call is the last instruction: its return address is that of another function. */
SHAPE void shape_last_call(int n)
{
	shape_leave(n + shape_leaf(n));
}

SHAPE int shapes(int n, int (*deepest)(int))
{
	int (*volatile indirect)(int) = shape_early;

	innermost = deepest;
	zero = (indirect(n) - shape_early(-n)) & 0;
	shape_last_call(n);
	return n;
}

static int stop(int n)
{
	__builtin_trap();
}

int main(int argc, char **argv)
{
	return shapes(argc, stop);
}
