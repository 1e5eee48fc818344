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

#include "profile/shared/event_names.h"
#include "src/text/message.h"
#include "src/findings/report_runtime.h"

static int is(const char *wanted, const char *word)
{
	return strcmp(wanted, word) == 0;
}

/* The program stays on libgomp, and the tool learns nothing of it, for this reason. */
static void __attribute__((format(printf, 2, 3)))
stay_plain(struct run_runtime *runtime, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(runtime->reason, sizeof(runtime->reason), format, args);
	va_end(args);
	runtime->how = RUN_RUNTIME_PLAIN;
}

/* The user's libomp cannot be had, for this reason. Returns -1. */
static int __attribute__((format(printf, 2, 3))) refuse(struct diag *diag, const char *format, ...)
{
	char reason[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return diag_set(diag, "cannot run the program on libomp: %s", reason);
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

/*
 * Finds the libomp for the program that `loader` has read, and chooses RUN_RUNTIME_LIBOMP. Returns
 * 0, or -1 with *diag set if there is no libomp that fits or it cannot be preloaded.
 */
static int use_libomp(struct run_runtime *runtime, const char *wanted, const struct loader *loader,
	const struct gomp_use *use, struct diag *diag)
{
	struct gomp_missing missing;
	int status = find_libomp(runtime, wanted, loader, use, &missing);

	if (status < 0 && strchr(wanted, '/') && access(wanted, R_OK) != 0)
		return refuse(diag, "cannot read '%s': %s", wanted, strerror(errno));
	if (status < 0 && strchr(wanted, '/'))
		return refuse(diag, "'%s' is no libomp with OMPT and libgomp's functions", wanted);
	if (status < 0)
		return refuse(diag, "no libomp with libgomp's functions was found; install one "
				    "(Debian: libomp5, Fedora: libomp)");
	if (use->libomp && !is_same_file(use->libomp, runtime->libomp))
		return refuse(diag, "it has one of its own, '%s'", use->libomp);
	if (status > 0)
		return refuse(diag,
			"'%s' needs %s of libgomp, which '%s' does not have; a newer libomp may",
			missing.file, missing.symbol, runtime->libomp);
	runtime->how = RUN_RUNTIME_LIBOMP;
	if (!can_be_preloaded(runtime->libomp) || !can_be_preloaded(runtime->stand_in))
		return refuse(diag,
			"'%s' or ompprof's own files cannot be preloaded: their names have blanks, "
			"or they are missing",
			runtime->libomp);
	return 0;
}

/* The program gets the provider, if that can be preloaded. */
static void use_provider(struct run_runtime *runtime)
{
	if (access(runtime->provider, R_OK) != 0)
		stay_plain(runtime, "cannot read '%s': %s", runtime->provider, strerror(errno));
	else if (!can_be_preloaded(runtime->provider))
		stay_plain(runtime, "'%s' cannot be preloaded: its name has blanks or colons",
			runtime->provider);
	else
		runtime->how = RUN_RUNTIME_PROVIDER;
}

/* Decides for auto. Returns 0, or 1 if the program says nothing about the runtime. */
static int decide(struct run_runtime *runtime, const struct gomp_use *use)
{
	runtime->reason[0] = '\0';
	if (use->libomp)
		runtime->how = RUN_RUNTIME_OWN;
	else if (use->is_linked_in)
		stay_plain(runtime, "libgomp is linked into it");
	else
		use_provider(runtime);
	return !use->libomp && !runtime->program[0];
}

/*
 * Decides by a program. Returns 0 or -1, or 1 if it says nothing about the runtime. With is_last
 * the decision is for libraries that it may load later.
 */
static int try_program(struct run_runtime *runtime, const char *wanted, const char *word,
	const struct loader *loader, int is_last, struct diag *diag)
{
	struct gomp_use use;

	gomp_use_find(&use, loader);
	if (use.is_used || use.is_linked_in)
		snprintf(runtime->program, sizeof(runtime->program), "%s", word);
	if (is(wanted, "plain"))
		return !runtime->program[0];
	if (is(wanted, "auto"))
		return decide(runtime, &use);
	return use.is_used || use.libomp || is_last
		       ? use_libomp(runtime, wanted, loader, &use, diag)
		       : 1;
}

/* Does as try_program() for the program that a word of the command names. */
static int try_word(struct run_runtime *runtime, const char *wanted, const char *word, int is_last,
	struct diag *diag)
{
	char path[PATH_MAX];
	struct loader loader;
	int status = 1;

	if (run_program_find(word, path, sizeof(path)) != 0)
		return 1;
	loader_init(&loader);
	if (loader_load(&loader, path) == 0 && loader.objects[0].file.interpreter)
		status = try_program(runtime, wanted, word, &loader, is_last, diag);
	else if (is_last)
		status = refuse(diag, "'%s' is linked statically or not for this machine", word);
	loader_release(&loader);
	return status;
}

void run_find_provider(char *path, size_t bytes, const char *library)
{
	snprintf(
		path, bytes, "%.*s" RUN_PROVIDER_FILE, (int)(basename(library) - library), library);
}

void run_runtime_ask_events(struct run_runtime *runtime, const char *library, const char *events)
{
	static const uint64_t needs_all =
		1ULL << PROFILE_EVENT_WORK | 1ULL << PROFILE_EVENT_DISPATCH |
		1ULL << PROFILE_EVENT_MASKED | 1ULL << PROFILE_EVENT_LOCK_INIT |
		1ULL << PROFILE_EVENT_LOCK_DESTROY;
	uint64_t asked = 0;
	char unknown[64];

	if (events && event_names_parse(events, &asked, unknown, sizeof(unknown)) == 0 &&
		asked & needs_all)
		snprintf(runtime->provider, sizeof(runtime->provider),
			"%.*s" RUN_PROVIDER_EVENTS_FILE, (int)(basename(library) - library),
			library);
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
	int is_libomp = !is(wanted, "auto") && !is(wanted, "plain"), status = 1;

	*runtime = (struct run_runtime){ .how = RUN_RUNTIME_PLAIN };
	run_find_provider(runtime->provider, sizeof(runtime->provider), library);
	find_stand_in(runtime, library);
	/* For a command whose programs are not known. */
	if (is(wanted, "auto"))
		use_provider(runtime);
	/* The command may be a launcher, with the program among its arguments. */
	for (int i = 0; argv[i] && status == 1; i++) {
		if (i == 0 || strchr(argv[i], '/'))
			status = try_word(runtime, wanted, argv[i], 0, diag);
	}
	if (status == 1 && is_libomp)
		status = try_word(runtime, wanted, argv[0], 1, diag);
	return status < 0 ? -1 : 0;
}

void run_runtime_set_environment(const struct run_runtime *runtime)
{
	if (runtime->how == RUN_RUNTIME_PROVIDER)
		run_prepend_for_glibc("LD_PRELOAD", runtime->provider);
	if (runtime->how != RUN_RUNTIME_LIBOMP)
		return;
	if (runtime->program[0]) {
		/* As on libgomp: schedule(runtime) is dynamic, with few warnings. */
		setenv("OMP_SCHEDULE", "dynamic,1", 0);
		setenv("KMP_WARNINGS", "0", 0);
	}
	run_prepend_for_glibc("LD_PRELOAD", runtime->stand_in);
	run_prepend_for_glibc("LD_PRELOAD", runtime->libomp);
}

void run_runtime_print(const struct run_runtime *runtime, int is_verbose)
{
	const char *program = runtime->program;

	if (is_verbose && runtime->how == RUN_RUNTIME_PROVIDER)
		message("on GCC's libgomp '%s' tells ompprof of regions and waits",
			runtime->provider);
	else if (is_verbose && runtime->how == RUN_RUNTIME_LIBOMP && !program[0])
		message("programs that load GCC's libgomp get LLVM's libomp, '%s'",
			runtime->libomp);
	else if (runtime->how == RUN_RUNTIME_LIBOMP && program[0])
		message("'%s' is built for GCC's libgomp: it runs on LLVM's libomp, '%s'", program,
			runtime->libomp);
	if (!runtime->reason[0])
		return;
	if (program[0])
		message("'%s' runs on GCC's libgomp, without regions and waits: %s", program,
			runtime->reason);
	else
		message("programs on GCC's libgomp have no regions and waits: %s", runtime->reason);
}
