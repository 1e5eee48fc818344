/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a command: its file, whether that can be profiled, on which runtime; see doctor.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/doctor/doctor.h"
#include "src/text/message.h"
#include "src/run/run.h"
#include "src/run/run_runtime.h"
#include "src/symbols/machine.h"

enum { INTERPRETERS_MOST = 5 };

/* The errno with which execvp would fail for `word`, which is no program. */
static int find_error(const char *word)
{
	struct stat st;

	if (!strchr(word, '/'))
		return ENOENT;
	if (stat(word, &st) != 0)
		return errno;
	return EACCES;
}

static int refuse(const char *word, int error)
{
	message("cannot run '%s': %s", word, strerror(error));
	return run_status_of_error(error);
}

/* Whether execvp would pass the file to the shell, because the kernel does not know its format. */
static int is_for_shell(const char *path)
{
	char head[4] = "";
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(head, 1, sizeof(head), file) : 0;

	if (file)
		fclose(file);
	return n < sizeof(head) || memcmp(head, "\177ELF", sizeof(head)) != 0;
}

/*
 * Finds the file that is executed for the word; for a script, the last interpreter. Returns 0; or
 * prints a message and returns the exit status with which `ompprof run` would end.
 */
static int find_program(struct doctor *doctor, const char *word, char *path, size_t bytes)
{
	char name[PATH_MAX], next[PATH_MAX];

	if (run_program_in_path(word, path, bytes) != 0)
		return refuse(word, find_error(word));
	snprintf(name, sizeof(name), "%s", path);
	for (int i = 0; i < INTERPRETERS_MOST; i++) {
		int kind = run_program_interpreter(name, next, sizeof(next));
		int is_script = kind == RUN_PROGRAM_SCRIPT;

		if (kind && !is_script)
			return refuse(word, EACCES);
		if (!is_script && !is_for_shell(name))
			return 0;
		if (!is_script)
			snprintf(next, sizeof(next), "/bin/sh");
		if (run_program_in_path(next, path, bytes) != 0) {
			message("cannot run '%s': its interpreter '%s' is not there", word, next);
			return RUN_NOT_FOUND;
		}
		doctor_add(doctor, DOCTOR_OK, "script", NULL,
			"'%s' is run by '%s', which is profiled with the programs that it starts, "
			"except static and 32-bit ones",
			name, path);
		snprintf(name, sizeof(name), "%s", path);
	}
	return refuse(word, ELOOP);
}

static void check_needed(struct doctor *doctor, const struct loader *loader)
{
	for (size_t i = 0; i < loader->n; i++) {
		const struct elf_dynamic *file = &loader->objects[i].file;

		for (size_t k = 0; k < file->n_needed; k++) {
			if (loader_find(loader, file->needed[k]))
				continue;
			doctor_add(doctor, DOCTOR_MISSING, "libraries",
				"install it, or name its folder in LD_LIBRARY_PATH",
				"'%s' needs '%s', which is not found", file->path, file->needed[k]);
		}
	}
}

static void judge_runtime(
	struct doctor *doctor, const struct run_runtime *runtime, const struct gomp_use *use)
{
	if (use->libomp)
		doctor_add(doctor, DOCTOR_OK, "runtime", NULL, "'%s'", use->libomp);
	else if (runtime->reason[0])
		doctor_add(doctor, DOCTOR_LIMITED, "runtime",
			use->is_linked_in ? "link libgomp as a library" : "install ompprof again",
			"'%s' runs on GCC's libgomp, without regions and waits: %s",
			runtime->program, runtime->reason);
	else if (use->is_used)
		doctor_add(doctor, DOCTOR_OK, "runtime", NULL,
			"'%s' runs on GCC's libgomp, and '%s' tells ompprof of regions and waits",
			runtime->program, runtime->provider);
	else
		doctor_add(doctor, DOCTOR_OK, "runtime", NULL,
			"no OpenMP runtime is linked: threads are sampled, and regions if a "
			"runtime is loaded later");
}

static void check_runtime(struct doctor *doctor, const struct loader *loader, char **argv)
{
	struct run_runtime runtime;
	struct gomp_use use;
	struct diag diag;

	gomp_use_find(&use, loader);
	if (run_runtime_choose(&runtime, "auto", argv, doctor->library, &diag) == 0)
		judge_runtime(doctor, &runtime, &use);
}

/* Adds a finding on a program that `ompprof run` profiles only in part, or not at all. */
static void add_kind(struct doctor *doctor, const char *path, enum run_kind kind, const char *why)
{
	char remedy[128];

	snprintf(remedy, sizeof(remedy), "build it for %s with 64 bits and the GNU C library",
		machine_host->name);
	if (kind == RUN_KIND_FOREIGN)
		doctor_add(doctor, DOCTOR_MISSING, "program", remedy,
			"cannot profile '%s': %s; 'ompprof run' runs it without a profile", path,
			why);
	else if (kind == RUN_KIND_STATIC)
		doctor_add(doctor, DOCTOR_MISSING, "program",
			"link it without -static, at least the C library and the OpenMP runtime",
			"cannot profile '%s': %s", path, why);
	else
		doctor_add(doctor, DOCTOR_LIMITED, "program",
			"put 'ompprof run' before the programs that it starts",
			"'%s' is linked statically, so only what it starts is profiled", path);
}

static void add_unreadable(struct doctor *doctor, const char *path)
{
	char remedy[128];

	snprintf(remedy, sizeof(remedy), "profile a program for %s with 64 bits",
		machine_host->name);
	doctor_add(doctor, DOCTOR_MISSING, "program", remedy,
		"'%s' is no program that ompprof can profile", path);
}

/* Checks the ELF file at `path`. Returns 0, or the exit status if it cannot be executed. */
static int check_file(struct doctor *doctor, const char *path, char **argv)
{
	char why[RUN_WHY_BYTES];
	enum run_kind kind = run_find_kind(argv[0], why, sizeof(why));
	const char *interpreter;
	struct loader loader;
	int status = 0;

	loader_init(&loader);
	if (kind == RUN_KIND_FOREIGN) {
		add_kind(doctor, path, kind, why);
	} else if (loader_load(&loader, path) != 0) {
		add_unreadable(doctor, path);
	} else if (!(interpreter = loader.objects[0].file.interpreter)) {
		add_kind(doctor, path, kind, why);
		doctor_check_objects(doctor, &loader);
	} else if (access(interpreter, R_OK) != 0) {
		message("cannot run '%s': its loader '%s' is not there", path, interpreter);
		status = RUN_NOT_FOUND;
	} else {
		doctor_add(doctor, DOCTOR_OK, "program", NULL, "'%s'", path);
		check_needed(doctor, &loader);
		check_runtime(doctor, &loader, argv);
		doctor_check_objects(doctor, &loader);
	}
	loader_release(&loader);
	return status;
}

int doctor_check_program(struct doctor *doctor, char **argv)
{
	const char *gain;
	char path[PATH_MAX];
	int status;

	doctor->group = "program";
	status = find_program(doctor, argv[0], path, sizeof(path));
	if (status != 0)
		return status;
	gain = run_find_gain(argv[0]);
	if (gain)
		doctor_add(doctor, DOCTOR_MISSING, "rights",
			"profile a copy without these rights, or as the user to whom they belong",
			"cannot profile '%s': %s, so the loader ignores the profiler", argv[0],
			gain);
	return check_file(doctor, path, argv);
}
