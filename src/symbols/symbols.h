/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds function names, lines and inlined calls for an address in an object file. It uses libdw and
 * its own index. Compile units come from dwarf_get_units and dwarf_ranges, because clang writes no
 * .debug_aranges and libdw then cannot find units by address. In each unit that is needed, the DIEs
 * are visited once. The work is lazy: a file is opened, and a unit indexed, for its first address.
 * The results may be kept in a file (cache.h). The next time an object is opened only for what the
 * file lacks.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct machine;
struct symbols;

struct symbols_options {
	int demangle;          /* C++, Rust and Fortran names in readable form */
	int inlines;           /* expand inlined calls */
	int debuginfod;        /* may ask a debuginfod server (libdw does it); default off */
	const char *debug_dir; /* the folder of separate debug files; NULL: "/usr/lib/debug" */
	const char *sysroot;   /* a folder below which files are looked for first; or NULL */
	/* the folder where results are kept for the next time; NULL: none */
	const char *cache_folder;
};

/* Uses all debug information, and fetches and keeps nothing. */
#define SYMBOLS_OPTIONS_DEFAULT                                                                    \
	{                                                                                          \
		.demangle = 1, .inlines = 1                                                        \
	}

/* A function at an address. The strings belong to the struct symbols and live as long as it. */
struct symbol {
	const char *name;    /* readable, never NULL, see demangle.h; "0x1234" if unknown */
	const char *linkage; /* the linker's name; without one the source's, or the address */
	const char *file;    /* source path, "" if unknown */
	/* line of the address, or of the inlined call within this function; 0 if unknown */
	uint32_t line;
	uint32_t decl_line;    /* line of the function's declaration in decl_file; 0 if unknown */
	const char *decl_file; /* "" if unknown */
	int is_inlined;        /* inlined into the next symbol of the list */
};

#define SYMBOLS_MAX_DEPTH 64

/*
 * The functions at an address. symbol[0] is the innermost inlined function, symbol[n-1] is the
 * function that contains the code. n is always at least 1.
 */
struct symbols_at {
	struct symbol symbol[SYMBOLS_MAX_DEPTH];
	size_t n;
};

/*
 * NULL when out of memory, or if libelf is too old. options->debug_dir, sysroot and
 * cache_folder must live until symbols_close(), which writes the cache.
 */
struct symbols *symbols_open(const struct symbols_options *options);
void symbols_close(struct symbols *symbols);

/* An object file in which addresses are looked up. */
struct symbols_object {
	const char *path;        /* the path in the profile */
	const uint8_t *build_id; /* or NULL */
	size_t build_id_bytes;
	int is_python; /* a Python function, whose addresses are lines (symbols_python.h) */
};

/*
 * Looks up `addr`, an address of the file's symbol table: the run-time address minus the bias. For
 * a return address pass addr - 1. The name is an address if no symbol covers `addr`, or if neither
 * the file nor a separate debug file with its build-id can be read: the begin of the function if
 * call frame information tells it, else `addr`. For an unreadable file symbols_problem() says why.
 * Names in the cache are used without reading the file.
 */
void symbols_lookup(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbols_at *at);

/*
 * The name, in the symbol table, of the variable that contains `addr`, or NULL. Lives as long as
 * `symbols`.
 */
const char *symbols_variable(
	struct symbols *symbols, const struct symbols_object *object, uint64_t addr);

/*
 * The name, in the symbol table, of the variable of a critical section, or NULL. `addr` is the
 * address to which the call returns that enters the section. The name is found from the code before
 * the call, because the runtime keeps the lock itself elsewhere.
 */
const char *symbols_critical(
	struct symbols *symbols, const struct symbols_object *object, uint64_t addr);

/*
 * Finds the function that the call before the return address `addr` passes to the runtime as the
 * body of a construct. Fills *body with its name and the line of its first instruction, which is
 * the line of the construct. Returns 1; 0 if the body is not known; -1 if the call does not begin a
 * construct, as after a tail call of the function that began it, or if no direct call can be read.
 */
int symbols_body(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbol *body);

/* As symbols_body, for the function around `addr`. Returns 1, or 0 without a symbol. */
int symbols_begin(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbol *function);

/*
 * Finds the function that the call before the return address `addr` calls, if it is not the
 * runtime's. If a thread then waits in the runtime without another frame, this function has ended
 * with a jump into the runtime, or to a function that did. Returns 1; 0 if the call is of the
 * runtime, or if no call can be read. function->name is "0x" and an address: of the jump into the
 * runtime, if function->line is 1; or of the called function's begin, if it may wait at several
 * places, or if not all jumps can be followed. The name is the function's name alone if the loader
 * may take the function from another object. It is "unknown function" after a call to an address
 * that the code does not tell.
 */
int symbols_tail(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbol *function);

/* The code of a function, found by its symbol in the symbol table. */
struct symbols_extent {
	uint64_t low, high; /* addresses of the file's symbol table */
	const char *name;   /* the name that linkers use */
	const char *file;   /* the source file of the line with which it begins; "" if unknown */
	uint32_t last_line; /* its last line in that file, without inlined code; 0 if unknown */
	const char *path;   /* where the object was found */
	const struct machine *machine; /* the object's; NULL if it is not known */
};

/* Finds the function around `addr`. Returns 0, or -1 without a symbol or the file. */
int symbols_extent(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	struct symbols_extent *extent);

/*
 * Finds the MD5 that a source file had when the code at `addr` was compiled. `file` is as in struct
 * symbol. Returns 0 on success. Returns 1 if the object's debug information names the file without
 * an MD5 that can be read. Returns -1 if there is no debug information, or if it does not name the
 * file, whatever the cache says.
 */
int symbols_source_md5(struct symbols *symbols, const struct symbols_object *object, uint64_t addr,
	const char *file, uint8_t md5[16]);

/*
 * The i-th reason why functions or lines are not known ("cannot name functions of 'x': No such file
 * or directory"), or NULL past the last. There is at most one for each object.
 */
const char *symbols_problem(const struct symbols *symbols, size_t i);

/*
 * A sentence on the i-th file without debug information ("no debug information in 'x': no lines and
 * no inlined calls; compile with -g"), or NULL past the last. A report should mention it only
 * if the program spends time there, because most libraries have no debug information.
 */
const char *symbols_note(const struct symbols *symbols, size_t i);

/* Whether `object` has debug information, so that lines may be known. May open it. */
int symbols_has_lines(struct symbols *symbols, const struct symbols_object *object);

#endif
