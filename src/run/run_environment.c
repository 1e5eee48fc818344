/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the environment of the program; see run.h. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/shared/folder.h"
#include "src/text/install_paths.h"
#include "src/run/run.h"
#include "src/run/run_runtime.h"
#include "src/symbols/machine.h"

int run_find_library(char *path, size_t bytes, struct diag *diag)
{
	char debians[128];
	const char *const places[] = { "/.libs/libompprof.so", "/../lib/libompprof.so",
		"/../lib64/libompprof.so", debians, INSTALL_PATH_AT(LIBDIR "/libompprof.so"),
		NULL };

	snprintf(debians, sizeof(debians), "/..%s/libompprof.so", machine_host->library_folders[0]);
	if (install_path_find(path, bytes, places) == 0)
		return 0;
	return diag_set(diag, "cannot read '%s': %s", path, strerror(errno));
}

void run_prepend(const char *name, const char *item, char separator)
{
	const char *rest = getenv(name);
	char *value;

	if (!rest || !rest[0]) {
		setenv(name, item, 1);
		return;
	}
	if (asprintf(&value, "%s%c%s", item, separator, rest) < 0)
		return;
	setenv(name, value, 1);
	free(value);
}

/* A folder that only glibc's loader finds, and from there the root folder. */
#define FROM_LIB "/${LIB}" PROFILE_WAY_UP

/* Whether the loader finds files by FROM_LIB: tries the C library, which is loaded already. */
static int is_lib_known(void)
{
	char path[PATH_MAX];
	void *handle;
	Dl_info info;

	if (dladdr((void *)(uintptr_t)getenv, &info) == 0)
		return 0;
	snprintf(path, sizeof(path), FROM_LIB "%s", info.dli_fname);
	handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (handle)
		dlclose(handle);
	return handle != NULL;
}

void run_prepend_for_glibc(const char *name, const char *path)
{
	char *known = NULL;

	if (path[0] == '/' && is_lib_known() && asprintf(&known, FROM_LIB "%s", path) < 0)
		known = NULL;
	run_prepend(name, known ? known : path, ':');
	free(known);
}

static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
}

static void set_number(const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	setenv(name, text, 1);
}

void run_set_environment(
	const struct run_options *options, const struct run_output *output, const char *library)
{
	run_prepend("OMP_TOOL_LIBRARIES", library, ':');
	setenv("OMP_TOOL", "enabled", 1);
	/*
	 * If the tool is loaded at the start, it also samples code before the first OpenMP
	 * construct, and programs without OpenMP. The loader splits the variable at blanks and
	 * colons.
	 */
	if (!strpbrk(library, " :")) {
		run_prepend_for_glibc("LD_PRELOAD", library);
		/*
		 * AddressSanitizer as a library refuses to be loaded behind other libraries. It
		 * works behind ours: our pthread_create and pthread_sigmask call the next
		 * definition.
		 */
		run_prepend("ASAN_OPTIONS", "verify_asan_link_order=0", ':');
	}
	set("OMPPROF_OUTPUT", output->path);
	set("OMPPROF_EVENT", options->event);
	set("OMPPROF_EVENTS", options->events);
	set("OMPPROF_COUNTERS", options->counters);
	set("OMPPROF_FREQUENCY", options->frequency);
	set("OMPPROF_UNWIND", options->unwind);
	set("OMPPROF_SIGNAL", options->signal);
	set("OMPPROF_BUDGET", options->budget);
	set("OMPPROF_LABEL", options->label);
	set("OMPPROF_START_PAUSED", options->is_paused ? "1" : NULL);
	if (options->is_traced && !getenv("OMPPROF_TRACE"))
		setenv("OMPPROF_TRACE", "64", 1);
	set("OMPPROF_QUIET", options->is_quiet ? "1" : NULL);
	set("OMPPROF_VERBOSE", options->is_verbose ? "1" : NULL);
	set_number("OMPPROF_PID", (uint64_t)getpid());
	set_number("OMPPROF_RUN", output->run_id);
	if (output->series)
		set_number(PROFILE_REPEAT, output->series);
	else
		unsetenv(PROFILE_REPEAT);
}
