/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup [-ru] [-c FOLDER] [-d DEBUG_DIR] [-b BUILD-ID] [-s SYSROOT] FILE < ADDRESSES: looks up each address
 * (hexadecimal, one a line) by src/symbols/symbols.h and prints it as `llvm-symbolizer --inlines`
 * does: for each frame a line with the function and a line FILE:LINE, then an empty line. Names are
 * linkage names, or readable with -r. -u may ask a debuginfod server; -c keeps results in FOLDER for
 * the next time. Problems, notes and the time of all lookups go to stderr.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/symbols/symbols.h"

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

/* Hexadecimal digits into `id`, which has room. Returns the number of bytes. */
static size_t parse_build_id(const char *digits, uint8_t *id, size_t size)
{
	size_t n = 0;
	unsigned int byte;

	for (; n < size && sscanf(digits + 2 * n, "%2x", &byte) == 1; n++)
		id[n] = byte;
	return n;
}

static void look_up(struct symbols *symbols, const struct symbols_object *object, int is_readable)
{
	static struct symbols_at at;
	double start = seconds();
	char line[64];
	size_t n = 0;

	for (; fgets(line, sizeof(line), stdin); n++) {
		symbols_lookup(symbols, object, strtoull(line, NULL, 16), &at);
		print_place(&at, is_readable);
	}
	fprintf(stderr, "%zu addresses in %.3f s\n", n, seconds() - start);
	for (size_t i = 0; symbols_problem(symbols, i); i++)
		fprintf(stderr, "problem: %s\n", symbols_problem(symbols, i));
	for (size_t i = 0; symbols_note(symbols, i); i++)
		fprintf(stderr, "note: %s\n", symbols_note(symbols, i));
}

int main(int argc, char **argv)
{
	struct symbols_options options = SYMBOLS_OPTIONS_DEFAULT;
	struct symbols_object object = { 0 };
	struct symbols *symbols;
	uint8_t build_id[64];
	int option, is_readable = 0;

	while ((option = getopt(argc, argv, "ruc:d:b:s:")) != -1) {
		if (option == 'r')
			is_readable = 1;
		else if (option == 'u')
			options.debuginfod = 1;
		else if (option == 'c')
			options.cache_folder = optarg;
		else if (option == 'd')
			options.debug_dir = optarg;
		else if (option == 's')
			options.sysroot = optarg;
		else if (option == 'b')
			object.build_id_bytes = parse_build_id(optarg, build_id, sizeof(build_id));
		else
			return 2;
	}
	object.path = argv[optind];
	object.build_id = object.build_id_bytes ? build_id : NULL;
	symbols = symbols_open(&options);
	if (!symbols || !object.path)
		return 2;
	look_up(symbols, &object, is_readable);
	symbols_close(symbols);
	return 0;
}
