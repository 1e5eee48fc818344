/* SPDX-License-Identifier: Apache-2.0 */
/* Which OpenMP runtime the program gets: the decision and its execution; see run_runtime.h. */
#include "src/run/run_runtime.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/text/message.h"
#include "src/run/run_folder.h"
#include "src/run/run_proof.h"
#include "src/findings/report_runtime.h"

static int is(const char *wanted, const char *word)
{
	return strcmp(wanted, word) == 0;
}

/* The program keeps its runtime, for this reason. Returns 0 with auto; else -1, an error. */
static int __attribute__((format(printf, 4, 5)))
give_up(struct run_runtime *runtime, const char *wanted, struct diag *diag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(runtime->reason, sizeof(runtime->reason), format, args);
	va_end(args);
	if (!is(wanted, "auto"))
		return diag_set(diag, "cannot run the program on libomp: %s", runtime->reason);
	runtime->how = runtime->program[0] ? RUN_RUNTIME_NATIVE : RUN_RUNTIME_OWN;
	runtime->libomp[0] = '\0';
	return 0;
}

static int is_same_file(const char *one, const char *other)
{
	struct stat a, b;

	return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Finds the user's libomp, else the program's own, else the best. Returns as libomp_check. */
static int find_libomp(struct run_runtime *runtime, const char *wanted, const struct loader *loader,
	const struct gomp_use *use, struct gomp_missing *missing)
{
	const char *path = strchr(wanted, '/') ? wanted : use->libomp;
	char *real;
	size_t n;

	if (!path)
		return libomp_choose(
			runtime->libomp, sizeof(runtime->libomp), loader, !use->is_used, missing);
	real = realpath(path, NULL);
	snprintf(runtime->libomp, sizeof(runtime->libomp), "%s", real ? real : path);
	free(real);
	return libomp_check(runtime->libomp, loader, &n, missing);
}

static int can_be_preloaded(const char *path)
{
	return path[0] && !strpbrk(path, " :");
}

static enum run_runtime_how how_to(const struct gomp_use *use)
{
	if (use->is_used)
		return use->is_fixed ? RUN_RUNTIME_PRELOADED : RUN_RUNTIME_REPLACED;
	return use->libomp ? RUN_RUNTIME_LATE : RUN_RUNTIME_PRELOADED;
}

/*
 * With auto: returns whether the program stays on libgomp, because something is not proven to be
 * the same on libomp, because another program starts it, or because the library cannot be
 * preloaded.
 */
static int check_proof(struct run_runtime *runtime, const struct loader *loader, struct diag *diag)
{
	const char *setting = gomp_setting_find();
	struct gomp_unproven unproven;

	if (gomp_unproven_find(&unproven, loader))
		give_up(runtime, "auto", diag,
			"'%s' uses %s, %s; '--runtime=libomp' takes the risk", unproven.file,
			unproven.symbol, unproven.why);
	else if (setting)
		give_up(runtime, "auto", diag,
			"libomp may behave differently from libgomp with '%s'; '--runtime=libomp' "
			"takes the risk",
			setting);
	else if (runtime->starter)
		give_up(runtime, "auto", diag,
			"'%s' starts it, and may start unknown programs; put 'ompprof run' before "
			"'%s'",
			runtime->starter, runtime->program);
	else if (!can_be_preloaded(runtime->library))
		give_up(runtime, "auto", diag,
			"'%s' cannot be preloaded: its name has blanks or colons",
			runtime->library);
	return runtime->how == RUN_RUNTIME_NATIVE;
}

/* Decides whether and how a loaded program runs on libomp. Returns 0, or -1 with *diag set. */
static int decide(struct run_runtime *runtime, const char *wanted, const struct loader *loader,
	const struct gomp_use *use, struct diag *diag)
{
	struct gomp_missing missing;
	int status = find_libomp(runtime, wanted, loader, use, &missing);

	if (status < 0 && strchr(wanted, '/') && access(wanted, R_OK) != 0)
		return give_up(
			runtime, wanted, diag, "cannot read '%s': %s", wanted, strerror(errno));
	if (status < 0 && strchr(wanted, '/'))
		return give_up(runtime, wanted, diag,
			"'%s' is no libomp with OMPT and libgomp's functions", wanted);
	if (status < 0)
		return give_up(runtime, wanted, diag,
			"no libomp with libgomp's functions was found; install one (Debian: "
			"libomp5, "
			"Fedora: libomp)");
	if (use->libomp && !is_same_file(use->libomp, runtime->libomp))
		return give_up(runtime, wanted, diag, "it has one of its own, '%s'", use->libomp);
	if (status > 0)
		return give_up(runtime, wanted, diag,
			"'%s' needs %s of libgomp, which '%s' does not have; a newer libomp may",
			missing.file, missing.symbol, runtime->libomp);
	if (is(wanted, "auto") && check_proof(runtime, loader, diag))
		return 0;
	runtime->how = how_to(use);
	if (runtime->how == RUN_RUNTIME_PRELOADED &&
		(!can_be_preloaded(runtime->libomp) || !can_be_preloaded(runtime->stand_in)))
		return give_up(runtime, wanted, diag,
			"'%s' or ompprof's own files cannot be preloaded: their names have blanks, "
			"or they are missing",
			runtime->libomp);
	return 0;
}

/*
 * Decides by the program that a word of the command names. Returns 0 or -1, or 1 if it says nothing
 * about the runtime. With is_last the decision is for libraries that it may load later.
 */
static int try_word(struct run_runtime *runtime, const char *wanted, const char *word, int is_last,
	struct diag *diag)
{
	char path[PATH_MAX];
	struct loader loader;
	struct gomp_use use;
	int status = 1;

	if (run_program_find(word, path, sizeof(path)) != 0)
		return 1;
	loader_init(&loader);
	if (loader_load(&loader, path) != 0 || !loader.objects[0].file.interpreter) {
		loader_release(&loader);
		return !is_last || is(wanted, "auto") || is(wanted, "native")
			       ? 1
			       : diag_set(diag,
					 "cannot run the program on libomp: '%s' is linked "
					 "statically or not for this machine",
					 word);
	}
	gomp_use_find(&use, &loader);
	if (use.is_used)
		snprintf(runtime->program, sizeof(runtime->program), "%s", word);
	if (is(wanted, "native")) {
		status = !use.is_used && !is_last;
		runtime->how = status == 0 ? RUN_RUNTIME_NATIVE : runtime->how;
	} else if (is(wanted, "auto") && !use.is_used) {
		/* Nothing is done for later libraries and for programs that it may start. */
		status = !use.libomp && !is_last;
	} else if (use.is_used || use.libomp || is_last) {
		status = decide(runtime, wanted, &loader, &use, diag);
	}
	loader_release(&loader);
	return status;
}

/* Finds the stub, beside the installed or the built library. */
static void find_stand_in(struct run_runtime *runtime, const char *library)
{
	static const char *const places[] = { "ompprof/" RUN_RUNTIME_STAND_IN,
		"../sampler/" RUN_RUNTIME_STAND_IN };
	int n = (int)(basename(library) - library);

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(runtime->stand_in, sizeof(runtime->stand_in), "%.*s%s", n, library,
			places[i]);
		if (access(runtime->stand_in, R_OK) == 0)
			return;
	}
	runtime->stand_in[0] = '\0';
}

int run_runtime_choose(struct run_runtime *runtime, const char *wanted, char **argv,
	const char *library, struct diag *diag)
{
	int status = 1;

	*runtime = (struct run_runtime){ .how = RUN_RUNTIME_OWN, .library = library };
	runtime->is_for_one = is(wanted, "auto");
	find_stand_in(runtime, library);
	/* The command may be a launcher, with the program among its arguments. */
	for (int i = 0; argv[i] && status == 1; i++) {
		runtime->starter = i > 0 ? argv[0] : NULL;
		if (i == 0 || strchr(argv[i], '/'))
			status = try_word(runtime, wanted, argv[i], 0, diag);
	}
	if (status == 1) {
		runtime->starter = NULL;
		status = try_word(runtime, wanted, argv[0], 1, diag);
	}
	return status < 0 ? -1 : 0;
}

void run_runtime_make_folder(struct run_runtime *runtime)
{
	struct diag diag;

	run_folder_remove_left();
	if (runtime->how == RUN_RUNTIME_OWN || runtime->how == RUN_RUNTIME_NATIVE)
		return;
	runtime->lock =
		run_folder_make(runtime->folder, sizeof(runtime->folder), runtime->libomp, &diag);
	if (runtime->lock < 0)
		give_up(runtime, "auto", &diag, "%s", diag.text);
}

void run_runtime_remove_folder(struct run_runtime *runtime)
{
	if (!runtime->folder[0])
		return;
	run_folder_remove(runtime->folder, runtime->lock);
	runtime->folder[0] = '\0';
}

static void set_unset(const char *name, const char *value, char *list, size_t bytes)
{
	size_t used = strlen(list);

	if (getenv(name))
		return;
	setenv(name, value, 1);
	snprintf(list + used, bytes - used, ":%s=%s", name, value);
}

void run_runtime_set_environment(const struct run_runtime *runtime)
{
	char variables[64] = "";

	if (!runtime->folder[0])
		return;
	if (runtime->program[0]) {
		/* As on libgomp: schedule(runtime) is dynamic, with few warnings. */
		set_unset("OMP_SCHEDULE", "dynamic,1", variables, sizeof(variables));
		set_unset("KMP_WARNINGS", "0", variables, sizeof(variables));
	}
	run_prepend_for_glibc("LD_LIBRARY_PATH", runtime->folder);
	if (runtime->how == RUN_RUNTIME_PRELOADED) {
		run_prepend_for_glibc("LD_PRELOAD", runtime->stand_in);
		run_prepend_for_glibc("LD_PRELOAD", runtime->libomp);
	}
	if (runtime->is_for_one)
		setenv("OMPPROF_FOR_ONE", variables, 1);
}

void run_runtime_print(const struct run_runtime *runtime, int is_verbose)
{
	if (is_verbose && runtime->how == RUN_RUNTIME_LATE)
		message("programs that load GCC's libgomp get LLVM's libomp, '%s'",
			runtime->libomp);
	if (!runtime->program[0] && runtime->reason[0])
		message("nothing runs on LLVM's libomp: %s", runtime->reason);
	if (!runtime->program[0])
		return;
	if (runtime->how == RUN_RUNTIME_NATIVE && runtime->reason[0])
		message("'%s' runs on GCC's libgomp, which does not support tools (OMPT), so "
			"without regions and waits: %s",
			runtime->program, runtime->reason);
	else if (runtime->how == RUN_RUNTIME_REPLACED || runtime->how == RUN_RUNTIME_PRELOADED)
		message("'%s' is built for GCC's libgomp, which does not support tools (OMPT): it "
			"runs on LLVM's libomp, '%s'",
			runtime->program, runtime->libomp);
}
