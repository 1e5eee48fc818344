/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP runtime on which `ompprof run` runs a program. GCC's libgomp has no OMPT. So the
 * program gets the provider, libompprof-gomp.so, which is preloaded and tells the tool what happens
 * in libgomp. A program that needs a libomp does not get it: the provider has lock routines by the
 * same names, and would cost each lock a jump.
 *
 *   the command's words -- run_program_find --> ELF files -- loader_load --> libraries they need
 *                                                                               |
 *                                struct run_runtime <-- auto: gomp_use_find <---+
 *                                        ^                                      |
 *   libomps here -- libomp_choose -------+--- libomp: symbols that are needed <-+
 *
 * Programs that load libgomp late, and programs that the command starts, are not known at the
 * start. So a command that names no program with a runtime gets the provider, too. It does nothing
 * in a process that does not call libgomp.
 *
 * With --runtime=libomp, LLVM's libomp takes libgomp's place, because it also has libgomp's
 * functions, with the same names and versions.
 * libomp is preloaded, and behind it a stub, an empty library that is called libgomp.so.1. So the
 * loader finds the stub when something asks for libgomp.so.1, and libomp's functions when something
 * calls libgomp. The real library is not loaded as well: its start would bind the initial thread to
 * one CPU if OMP_PROC_BIND is set, and libomp would then believe that there is only one CPU.
 *
 * If a program is known to be built for libgomp, it then also gets OMP_SCHEDULE, unless that is
 * set, because schedule(runtime) is dynamic by default on libgomp and static on libomp. It also
 * gets KMP_WARNINGS=0, because libomp prints more warnings than libgomp.
 *
 * Guarantees: a program on libomp starts with the symbols and versions that its files need; no
 * process gets two libomps by their names; nothing is executed to find out.
 */
#ifndef OMPPROF_SRC_RUN_RUN_RUNTIME_H
#define OMPPROF_SRC_RUN_RUN_RUNTIME_H

#include "profile/shared/diag.h"
#include "src/run/loader.h"

#define LIBGOMP_NAME "libgomp.so.1"

/* The ways to treat the runtime. */
enum run_runtime_how {
	RUN_RUNTIME_OWN,      /* nothing: the program needs a libomp */
	RUN_RUNTIME_PLAIN,    /* nothing: the user wants it, or see the reason */
	RUN_RUNTIME_PROVIDER, /* the provider is preloaded */
	RUN_RUNTIME_LIBOMP,   /* libomp is preloaded, with the stub */
};

struct run_runtime {
	enum run_runtime_how how;
	char provider[4096]; /* the path of the provider, which has all functions for some events */
	char libomp[4096];   /* the libomp, for LIBOMP */
	char program[1024];  /* the program that was built for libgomp; "" if none is known */
	char stand_in[4096]; /* the stub; or "" */
	char reason[1024];   /* PLAIN: why; "" if the user chose it */
};

/*
 * Decides for the command `argv`. `wanted` is the value of --runtime: "auto", "plain", "libomp", or
 * the path of a libomp. `library` is the path of libompprof.so; the provider and the stub lie
 * beside it. Returns 0, or -1 with the reason in *diag if the user's wish cannot be fulfilled.
 */
int run_runtime_choose(struct run_runtime *runtime, const char *wanted, char **argv,
	const char *library, struct diag *diag);

/* The path of the provider, which lies beside `library`. */
void run_find_provider(char *path, size_t bytes, const char *library);

/*
 * The user counts these events, a list as --events has it or NULL: if some of them need it, the
 * provider is the library with all functions.
 */
void run_runtime_ask_events(struct run_runtime *runtime, const char *library, const char *events);

/*
 * In the child: sets the environment so that the program gets the runtime. Call it before other
 * libraries are put in front in LD_PRELOAD.
 */
void run_runtime_set_environment(const struct run_runtime *runtime);

/* Prints what is done about the runtime, if anything; is_verbose: also what may happen later. */
void run_runtime_print(const struct run_runtime *runtime, int is_verbose);

/* Puts `item` in front of the list in the environment variable `name`. */
void run_prepend(const char *name, const char *item, char separator);

/*
 * Puts `path` in front of a list of paths for the loader, in a form that only glibc's loader finds.
 * Other loaders, such as musl's, would fail with the file there. The path begins with "/${LIB}":
 * glibc's loader replaces that by a folder; others look for a folder of that name, and skip it. If
 * the form does not work here, the path is used as it is.
 */
void run_prepend_for_glibc(const char *name, const char *path);

/* Finds the file that execvp executes for the word. Returns 0, or -1 if there is none. */
int run_program_in_path(const char *word, char *path, size_t bytes);

enum { RUN_PROGRAM_UNREADABLE = 1, RUN_PROGRAM_SCRIPT };

/*
 * The file that is executed for `word`, as execvp finds it. For a script it is the interpreter's
 * (for /usr/bin/env the program that env looks for), never a script. Returns 0 with its path,
 * RUN_PROGRAM_UNREADABLE with the path of a file that can only be executed, or -1.
 */
int run_program_find(const char *word, char *path, size_t bytes);

/* As run_program_find(); *is_script says whether the word names a script. */
int run_program_follow(const char *word, char *path, size_t bytes, int *is_script);

/*
 * The interpreter that the first line of the script at `path` names. For /usr/bin/env without an
 * option it is the program that env looks for. Returns RUN_PROGRAM_SCRIPT, 0 for another file,
 * RUN_PROGRAM_UNREADABLE, or -1 if the line names none.
 */
int run_program_interpreter(const char *path, char *word, size_t bytes);

/* How a program uses libgomp; the texts are valid until its loader is released. */
struct gomp_use {
	int is_used;        /* an object needs libgomp.so.1 and gets GCC's */
	int is_linked_in;   /* libgomp is a part of the program's own file */
	const char *libomp; /* the libomp that the program loads as well, or NULL */
};

/* Looks through the objects of a loaded program. */
void gomp_use_find(struct gomp_use *use, const struct loader *loader);

/* A missing symbol. */
struct gomp_missing {
	char symbol[256]; /* "NAME (VERSION)" or "version VERSION" */
	char file[1024];  /* the file that needs it */
};

/*
 * Whether the file has libomp's entry points, OMPT, and all symbols of libgomp that a program's
 * objects need. Returns 0 with the number of symbols that it defines in *n, which grows with
 * libomp's versions; 1 with the first missing symbol; or -1 if the file is no libomp with OMPT.
 */
int libomp_check(
	const char *path, const struct loader *loader, size_t *n, struct gomp_missing *missing);

/* Takes a file that may be a libomp. is_found_by_name: the loader finds it by its name alone. */
typedef void libomp_take(void *data, const char *path, int is_found_by_name);

/*
 * Calls `take` for each file with a name of a libomp, first for files that the loader finds by
 * name. The same file can come several times, under several names.
 */
void libomp_each(const struct loader *loader, libomp_take *take, void *data);

/*
 * Chooses the newest libomp (with most symbols) that has everything that the program needs. With
 * is_late a libomp that the loader finds by name comes first, because the program may also load
 * that. Returns as libomp_check does; if no libomp is right, for the newest.
 */
int libomp_choose(char *path, size_t bytes, const struct loader *loader, int is_late,
	struct gomp_missing *missing);

#endif
