/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup [-r] FILE < ADDRESSES: prints what src/symbols.h says of each address (hexadecimal, one a
 * line) as `llvm-symbolizer --inlines` does: for each frame a line with the function and one with
 * FILE:LINE, then an empty line. Linkage names, or with -r readable ones. Problems and the time of
 * all lookups go to stderr.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/symbols.h"

static void print_place(const struct symbols_at *at, int is_readable)
{
	for (size_t i = 0; i < at->n; i++) {
		const struct symbol *symbol = &at->symbol[i];

		printf("%s\n%s:%u\n", is_readable ? symbol->name : symbol->linkage,
			*symbol->file ? symbol->file : "??", symbol->line);
	}
	putchar('\n');
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	static struct symbols_at at;
	struct symbols_options options = { .demangle = 1, .inlines = 1 };
	struct symbols *symbols = symbols_open(&options);
	int is_readable = argc > 2 && strcmp(argv[1], "-r") == 0;
	struct symbols_object object = { .path = argv[1 + is_readable] };
	double start = seconds();
	char line[64];
	size_t n = 0;

	if (!symbols || argc < 2)
		return 2;
	for (; fgets(line, sizeof(line), stdin); n++) {
		symbols_lookup(symbols, &object, strtoull(line, NULL, 16), &at);
		print_place(&at, is_readable);
	}
	fprintf(stderr, "%zu addresses in %.3f s\n", n, seconds() - start);
	for (size_t i = 0; symbols_problem(symbols, i); i++)
		fprintf(stderr, "problem: %s\n", symbols_problem(symbols, i));
	for (size_t i = 0; symbols_note(symbols, i); i++)
		fprintf(stderr, "note: %s\n", symbols_note(symbols, i));
	symbols_close(symbols);
	return 0;
}
