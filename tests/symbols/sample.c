/* SPDX-License-Identifier: Apache-2.0 */
/* For agreement.sh: inlined calls in C, nested, in loops and from several places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid {
	double *cells;
	size_t n_rows, n_columns;
};

static inline double *cell(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cells[row * grid->n_columns + column];
}

static inline double neighbours(const struct grid *grid, size_t row, size_t column)
{
	return *cell(grid, row - 1, column) + *cell(grid, row + 1, column) +
	       *cell(grid, row, column - 1) + *cell(grid, row, column + 1);
}

static inline double relax(const struct grid *grid, size_t row, size_t column)
{
	double old = *cell(grid, row, column);
	double new = 0.25 * neighbours(grid, row, column);

	*cell(grid, row, column) = new;
	return new > old ? new - old : old - new;
}

__attribute__((noinline)) static double sweep(const struct grid *grid)
{
	double change = 0;

	for (size_t row = 1; row + 1 < grid->n_rows; row++)
		for (size_t column = 1; column + 1 < grid->n_columns; column++)
			change += relax(grid, row, column);
	return change;
}

static inline void fail(const char *what)
{
	fprintf(stderr, "cannot %s\n", what);
	exit(1);
}

static struct grid make_grid(size_t n_rows, size_t n_columns)
{
	struct grid grid = { calloc(n_rows * n_columns, sizeof(double)), n_rows, n_columns };

	if (!grid.cells)
		fail("allocate");
	for (size_t row = 0; row < n_rows; row++)
		*cell(&grid, row, 0) = row;
	return grid;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 40;
	struct grid grid = make_grid(n, n + argc);
	double change = 1;

	for (int step = 0; step < 50 && change > 1e-3; step++)
		change = sweep(&grid);
	qsort(grid.cells, n, sizeof(double), compare);
	if (argc > 2 && strcmp(argv[2], "-v") == 0)
		printf("%g %g\n", change, relax(&grid, 1, 1));
	free(grid.cells);
	return change < 0;
}
