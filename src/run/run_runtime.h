/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On which OpenMP runtime `ompprof run` runs a program. GCC's libgomp has no OMPT, but LLVM's libomp has
 * libgomp's functions, too, by the same names and versions. A program that is built for libgomp runs on
 * libomp, if it finds that when it looks for `libgomp.so.1`.
 *
 *	the command's words ── run_program_find ──► ELF files ── loader_load ──► what they need
 *	                                                                            │
 *	libomps here ── libomp_choose ◄── symbols and versions of libgomp ── gomp_use_find
 *	                     │
 *	                     ▼
 *	struct run_runtime: what is done, with which libomp, why ── run_runtime_set_environment ──► program
 *
 * What is done to the program is in its environment:
 *
 * - LD_LIBRARY_PATH gets a folder in front that holds one link, `libgomp.so.1`, to the libomp. The
 *   loader looks there when something asks for libgomp.so.1. Nothing else is ever found there, so what never
 *   asks is as it was.
 * - LD_PRELOAD gets libomp only where that does not help: where the program's own files find libgomp by
 *   DT_RPATH, which the loader obeys first, or by a path; or where the user asks for libomp and nothing
 *   is known of the program. After it comes a stand-in that is called libgomp.so.1 and is empty, so that
 *   the real one is not loaded as well: its start would bind the initial thread to one CPU where
 *   OMP_PROC_BIND is set, and libomp would then believe that there is one.
 *
 * Where a program is known to be built for libgomp, it also gets OMP_SCHEDULE, if that is not set, as
 * schedule(runtime) is dynamic by default on libgomp and static on libomp; and KMP_WARNINGS=0, as libomp says more
 * than libgomp.
 *
 * libomp does not do all that libgomp does, and some of it silently wrong. So `auto` takes libomp only for a program
 * whose needs are all proven (run_proof.h), and only where everything is known before the start: not where the
 * program can load more (dlopen), nor for what it starts, nor where another program starts it. The library takes the
 * variables back as soon as the program has them (sampler/tool/child_environment.h), so that no child inherits them. With
 * --runtime=libomp the user decides, and children and late libraries get libomp, too.
 *
 * What holds: a program starts with the symbols and versions that its files need, or on the runtime that
 * it would have had; by their names no process gets two libomps; nothing is executed to find out.
 */
#ifndef OMPPROF_SRC_RUN_RUN_RUNTIME_H
#define OMPPROF_SRC_RUN_RUN_RUNTIME_H

#include "profile/shared/diag.h"
#include "src/run/loader.h"

#define LIBGOMP_NAME "libgomp.so.1"

/* What is done about the runtime. */
enum run_runtime_how {
	RUN_RUNTIME_OWN,       /* nothing, and the program needs nothing */
	RUN_RUNTIME_NATIVE,    /* nothing, though libgomp is or may be needed: see the reason */
	RUN_RUNTIME_LATE,      /* libomp for what may ask for libgomp later */
	RUN_RUNTIME_REPLACED,  /* libomp, by the folder */
	RUN_RUNTIME_PRELOADED, /* libomp, by the folder and preloaded */
};

struct run_runtime {
	enum run_runtime_how how;
	char libomp[4096];   /* the libomp, but for OWN and NATIVE */
	char program[1024];  /* the program that is built for libgomp, or "" if none is known */
	char folder[4096];   /* what LD_LIBRARY_PATH gets; "" before run_runtime_make_folder */
	int lock;            /* the descriptor that keeps the folder locked, if there is one */
	char stand_in[4096]; /* the empty libgomp.so.1, for PRELOADED, or "" */
	char reason[1024]; /* NATIVE: what is missing and how to get it; "" as the user wanted it */
	int is_for_one;    /* for the program alone, not for what it starts: auto */
	const char *starter; /* the first word of the command, where another one is the program */
	const char *library; /* libompprof.so, which sees to is_for_one */
};

/*
 * Decides for the command `argv`; `wanted` is the value of --runtime: "auto", "native", "libomp", or
 * the path of a libomp. `library` is the path of libompprof.so, beside which the stand-in lies. Returns 0, or
 * -1 with the reason in *diag where the user's wish cannot be fulfilled.
 */
int run_runtime_choose(struct run_runtime *runtime, const char *wanted, char **argv,
	const char *library, struct diag *diag);

/*
 * Makes the folder with the link, for this run alone. Where that is not possible, the program runs natively,
 * and the reason says so. To be called before the program is started.
 */
void run_runtime_make_folder(struct run_runtime *runtime);

/* Removes the folder. What still runs then, and asks for libgomp only now, gets its own. */
void run_runtime_remove_folder(struct run_runtime *runtime);

/* Sets in this process, the child, what the program needs to get the runtime. Before other libraries are
   put into LD_PRELOAD, which are to come first. */
void run_runtime_set_environment(const struct run_runtime *runtime);

/* Says in one line, if there is anything to say, what is done; with is_verbose also what may be. */
void run_runtime_print(const struct run_runtime *runtime, int is_verbose);

/* Puts `item` in front of the list in the environment's variable `name`. */
void run_prepend(const char *name, const char *item, char separator);

/*
 * Puts `path` in front of a list of paths that the loader reads, so that only glibc's loader finds it. Other loaders,
 * as musl's, would fail with what lies there. The path begins with "/${LIB}": glibc's loader puts a folder in for
 * that, others look for a folder of that name, and go on without it. Where it does not work the path is left as it is.
 */
void run_prepend_for_glibc(const char *name, const char *path);

/* The file that execvp executes for the word: one without a slash is looked up in PATH. Returns 0, or -1 for none. */
int run_program_in_path(const char *word, char *path, size_t bytes);

enum { RUN_PROGRAM_UNREADABLE = 1, RUN_PROGRAM_SCRIPT };

/*
 * The file that executing `word` executes, as execvp finds it, or for a script its interpreter's (for env(1) the
 * program's that this looks for): no script itself. Returns 0 with its path, RUN_PROGRAM_UNREADABLE with that of one
 * that may be executed, but not read, or -1.
 */
int run_program_find(const char *word, char *path, size_t bytes);

/* Likewise; *is_script says whether the word names a script. */
int run_program_follow(const char *word, char *path, size_t bytes, int *is_script);

/*
 * The interpreter that the first line of the script at `path` names. For env(1) it is the program that
 * this looks for. Returns RUN_PROGRAM_SCRIPT, 0 for another file, RUN_PROGRAM_UNREADABLE, or -1 if it names none.
 */
int run_program_interpreter(const char *path, char *word, size_t bytes);

/* How a program uses libgomp; the texts are valid until its loader is released. */
struct gomp_use {
	int is_used;        /* something needs libgomp.so.1 and gets GCC's */
	int is_fixed;       /* by a way that LD_LIBRARY_PATH does not change */
	const char *libomp; /* the libomp that it loads, too, or NULL */
};

/* Looks at the objects of a loaded program. */
void gomp_use_find(struct gomp_use *use, const struct loader *loader);

/* A symbol that is missing. */
struct gomp_missing {
	char symbol[256]; /* "NAME (VERSION)" or "version VERSION" */
	char file[1024];  /* what needs it */
};

/* Whether a symbol without a version can be one of libgomp's, by its name. */
int gomp_is_name(const char *name);

/* Whether an object other than libgomp defines the symbol, so that one without a version may be that. */
int gomp_is_defined_elsewhere(const struct loader *loader, const char *symbol);

/*
 * Whether the file has libomp's entry points and OMPT and all symbols of libgomp that the objects of a
 * program need. Returns 0 with the number of symbols that it defines in *n, which grows with libomp's
 * versions; 1 with the first symbol that is missing; -1 if the file is no such libomp. `loader` may be
 * NULL.
 */
int libomp_check(
	const char *path, const struct loader *loader, size_t *n, struct gomp_missing *missing);

/* Takes a file that may be a libomp; is_found_by_name: the loader finds it without a path. */
typedef void libomp_take(void *data, const char *path, int is_found_by_name);

/*
 * Calls `take` for each file that is called as libomps are, first for those that the loader finds by a
 * name. One file can come several times, by several names.
 */
void libomp_each(const struct loader *loader, libomp_take *take, void *data);

/*
 * Chooses a libomp for the program: the newest that has all that it needs, which is the one that defines most.
 * With is_late the one that the loader finds as libomp.so.5 comes first, as the program may also load
 * it by that name. Returns as libomp_check does, about the newest if none is right.
 */
int libomp_choose(char *path, size_t bytes, const struct loader *loader, int is_late,
	struct gomp_missing *missing);

#endif
