/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks an OpenMP runtime what it supports; see doctor.h. The command itself exports the function
 * that a runtime looks for when it starts (ompt_start_tool). A child process loads the runtime and
 * starts it with a call that needs no threads.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/shared/event_names.h"
#include "src/doctor/doctor.h"

enum { SECONDS_MOST = 10 };

/* In the child: memory that it shares with its parent; else NULL. */
static struct doctor_ompt *answers;

static void nothing(void)
{
}

static void note_missing(const char *name)
{
	size_t used = strlen(answers->missing);

	snprintf(answers->missing + used, sizeof(answers->missing) - used, "%s%s", used ? ", " : "",
		name);
}

/* Asks for the callbacks that a profile needs, and for the most important entry points. */
static void ask(ompt_function_lookup_t lookup)
{
	static const char *const entries[] = { "ompt_get_state", "ompt_get_task_info",
		"ompt_enumerate_states" };
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	for (uint32_t event = 1; event < EVENTS_N_CALLBACKS; event++) {
		int result;

		if (!event_is_needed(event))
			continue;
		result = set ? set((ompt_callbacks_t)event, (ompt_callback_t)nothing) : 0;
		answers->n_wanted++;
		answers->n_callbacks += result > ompt_set_impossible;
		if (set && result <= ompt_set_impossible)
			note_missing(event_name(event));
	}
	if (!set)
		note_missing("ompt_set_callback");
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (!lookup(entries[i]))
			note_missing(entries[i]);
	}
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device;
	(void)data;
	answers->is_started = 1;
	ask(lookup);
	/* 0: the tool wants no events. */
	return 0;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

/* A runtime that is loaded finds this function in the command. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)omp_version;
	if (!answers)
		return NULL;
	snprintf(answers->version, sizeof(answers->version), "%s",
		runtime_version ? runtime_version : "");
	return &result;
}

/* In the child: hides the runtime's output from the user, and makes it start the tool. */
static void be_silent(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	unsetenv("OMP_TOOL_LIBRARIES");
	setenv("OMP_TOOL", "enabled", 1);
	setenv("OMP_NUM_THREADS", "1", 1);
	unsetenv("OMP_DISPLAY_ENV");
	unsetenv("KMP_SETTINGS");
}

static void load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*start)(void) = library ? (int (*)(void))dlsym(library, "omp_get_max_threads") : NULL;

	if (!start) {
		const char *why = dlerror();

		snprintf(answers->version, sizeof(answers->version), "%s", why ? why : "");
		return;
	}
	start();
	answers->is_loaded = 1;
}

int doctor_ask_runtime(struct doctor_ompt *ompt, const char *path)
{
	struct doctor_ompt *shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	if (shared == MAP_FAILED)
		return -1;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		alarm(SECONDS_MOST);
		answers = shared;
		be_silent();
		load(path);
		_exit(0);
	}
	if (pid > 0) {
		while (waitpid(pid, &status, 0) < 0)
			;
		*ompt = *shared;
		if (WIFSIGNALED(status))
			snprintf(ompt->version, sizeof(ompt->version), "it ended with signal %d",
				WTERMSIG(status));
	}
	munmap(shared, sizeof(*shared));
	return pid > 0 ? 0 : -1;
}
