/* SPDX-License-Identifier: Apache-2.0 */
/* The conductor: a case's process, its stage and its folder; see conduct.h. */
#include "tests/runtime/conduct.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/shared/frequency.h"
#include "tests/runtime/clock.h"
#include "tests/runtime/conduct_parts.h"
#include "tests/runtime/user.h"

/* The user's functions, for the runtime. */
static void call_user(unsigned number)
{
	user_functions[number].function();
}

static const void *address_of_user(unsigned number)
{
	return (const void *)user_functions[number].function;
}

/* Plays the case in its own process. */
static void __attribute__((noreturn))
be_played(const struct conductor *conductor, const char *library, const char *log)
{
	const struct play *play = conductor->play;
	struct rlimit none = { 0, 0 };
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	setrlimit(RLIMIT_CORE, &none);
	setenv("OMPPROF_OUTPUT", conductor->outcome->folder, 1);
	unsetenv("OMPPROF_PID");
	/* A child of fork is of the same run. */
	setenv("OMPPROF_RUN", "1", 1);
	for (unsigned i = 0; i < play->n_settings; i++)
		putenv(strdup(play->settings[i]));
	runtime_settings = play->runtime;
	runtime_settings.library = library;
	runtime_user_function = call_user;
	runtime_user_address = address_of_user;
	if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 || runtime_prepare() != 0)
		_exit(99);
	close(fd);
	if (play->is_virtual)
		clock_make_virtual();
	runtime_begin(&stage->actors[0]);
	user_main();
	_exit(99);
}

/* The case's average time from sample to sample. */
static uint64_t period_of(const struct play *play)
{
	static const char name[] = "OMPPROF_FREQUENCY=";
	uint64_t period = 1000000000 / FREQUENCY_DEFAULT_HZ;

	for (unsigned i = 0; i < play->n_settings; i++) {
		if (strncmp(play->settings[i], name, sizeof(name) - 1) == 0)
			frequency_parse(play->settings[i] + sizeof(name) - 1, &period);
	}
	return period;
}

static struct stage *make_stage(const struct play *play)
{
	struct stage *made = mmap(
		NULL, sizeof(*made), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		return NULL;
	made->now_ns = CLOCK_BEGIN_NS;
	made->period_ns = period_of(play);
	made->is_virtual = (uint32_t)play->is_virtual;
	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		made->actors[i].index = i;
		made->actors[i].cpu_ns = CLOCK_CPU_BEGIN_NS;
		sem_init(&made->actors[i].go, 1, 0);
		sem_init(&made->actors[i].done, 1, 0);
	}
	return made;
}

static char *read_all(const char *path)
{
	char *text = NULL;
	FILE *file = fopen(path, "r");
	size_t bytes = 0;

	if (!file || getdelim(&text, &bytes, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	if (file)
		fclose(file);
	return text;
}

void conduct(
	struct outcome *outcome, const struct play *play, const char *library, const char *scratch)
{
	struct conductor conductor = { .play = play, .outcome = outcome };
	char log[300];

	*outcome = (struct outcome){ .status = -1, .said = NULL };
	snprintf(outcome->folder, sizeof(outcome->folder), "%s/XXXXXX", scratch);
	outcome->stage = stage = make_stage(play);
	if (!stage || !mkdtemp(outcome->folder)) {
		conduct_fail(&conductor, "no place for a case: %s", strerror(errno));
		return;
	}
	snprintf(log, sizeof(log), "%s.said", outcome->folder);
	fflush(NULL);
	conductor.pid = fork();
	if (conductor.pid == 0)
		be_played(&conductor, library, log);
	if (conductor.pid < 0)
		conduct_fail(&conductor, "fork: %s", strerror(errno));
	else
		conduct_steps(&conductor);
	outcome->said = read_all(log);
	unlink(log);
	stage = NULL;
}

static void remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
}

void conduct_release(struct outcome *outcome)
{
	if (getenv("SCRIPTED_KEEP"))
		printf("# kept: %s\n", outcome->folder);
	else
		remove_folder(outcome->folder);
	munmap(outcome->stage, sizeof(*outcome->stage));
	free(outcome->said);
}
