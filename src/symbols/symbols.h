/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an address in an object file to function names, lines and inlined calls, over libdw with
 * an index of its own: compile units by dwarf_get_units and dwarf_ranges (clang writes no
 * .debug_aranges, so libdw cannot find them by address), and per unit touched one walk of its DIEs.
 * Lazy: a file is opened at its first address, a unit indexed at its first address. What is found may be kept
 * in a file (cache.h): then the next time no object is opened.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct symbols;

struct symbols_options {
	int demangle;             /* C++, Rust and Fortran names as people write them */
	int inlines;              /* expand inlined calls */
	int debuginfod;           /* may ask a debuginfod server (libdw does it); default off */
	const char *debug_dir;    /* of separate debug files; NULL: "/usr/lib/debug" */
	const char *cache_folder; /* where what is found is kept for the next time; NULL: nowhere */
};

/* All that debug information has, and nothing fetched or kept. */
#define SYMBOLS_OPTIONS_DEFAULT                                                                    \
	{                                                                                          \
		.demangle = 1, .inlines = 1                                                        \
	}

/* One function at an address. Strings belong to the struct symbols and live as long. */
struct symbol {
	const char *name;    /* readable, never NULL: see demangle.h; "0x1234" if unknown */
	const char *linkage; /* as in the symbol table, or name */
	const char *file;    /* source path, "" if unknown */
	uint32_t line; /* of the address, or of the inlined call within this function; 0 unknown */
	uint32_t decl_line; /* where the function is declared in file decl_file; 0 unknown */
	const char *decl_file;
	int is_inlined; /* inlined into the next symbol of the list */
};

#define SYMBOLS_MAX_DEPTH 64

/* What is at an address: symbol[0] is the innermost inlined function, symbol[n-1] the function
   that the code belongs to. n >= 1 always. */
struct symbols_at {
	struct symbol symbol[SYMBOLS_MAX_DEPTH];
	size_t n;
};

/* NULL when out of memory. options->debug_dir and cache_folder must live until symbols_close(),
   which writes the cache. */
struct symbols *symbols_open(const struct symbols_options *options);
void symbols_close(struct symbols *symbols);

/* An object file to look addresses up in. */
struct symbols_object {
	const char *path;        /* as recorded in the profile */
	const uint8_t *build_id; /* or NULL */
	size_t build_id_bytes;
};

/*
 * Looks `addr` (an address of the file's symbol table: run-time address minus bias) up. For a
 * return address pass addr - 1. A file that cannot be read, or whose build-id differs from the
 * recorded one, gives the bare address as name; symbols_problem() then says why.
 */
void symbols_lookup(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbols_at *at);

/* The name of the variable at `addr`, as in the symbol table, or NULL. Lives as long as `symbols`. */
const char *symbols_variable(
	struct symbols *symbols, const struct symbols_object *object, uint64_t addr);

/*
 * The variable of the critical section that is entered by the call which returns to `addr`, by its name
 * in the symbol table, or NULL. The code before the call tells: the runtime keeps its lock elsewhere.
 */
const char *symbols_critical(
	struct symbols *symbols, const struct symbols_object *object, uint64_t addr);

/* A function's code, by its symbol in the symbol table. */
struct symbols_extent {
	uint64_t low, high; /* addresses of the file's symbol table */
	const char *name;   /* as linkers see it */
	const char *file;   /* of the line that it begins with, "" if unknown */
	uint32_t last_line; /* its last one in that file, but of what is inlined; 0 unknown */
};

/* The code that is around `addr`. Returns 0, or -1: no symbol, or the file could not be used. */
int symbols_extent(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbols_extent *extent);

/*
 * The MD5 that `file`, as struct symbol has it, had when the code at `addr` was compiled. Returns 0; 1: the
 * object's own debug information names the file, without MD5; or -1: it does not, whatever was kept of it says.
 */
int symbols_source_md5(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	const char *file, uint8_t md5[16]);

/*
 * The i-th thing that kept symbols from being found ("cannot read 'x': No such file or directory;
 * its functions are shown as addresses"), or NULL past the last: one sentence per file.
 */
const char *symbols_problem(const struct symbols *symbols, size_t i);

/*
 * The i-th file that has symbols but no debug information ("no debug information in 'x': no lines
 * and no inlined calls; compile with -g"), or NULL past the last. Worth a line only where the
 * program's time is: for most libraries it is normal.
 */
const char *symbols_note(const struct symbols *symbols, size_t i);

/* Whether lines may be known in `object`: it has debug information. Opens it if need be. */
int symbols_has_lines(struct symbols *symbols, const struct symbols_object *object);

#endif
