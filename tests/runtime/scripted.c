/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scripted [--show] FILE [CASE]: plays the cases of a script, each in a process of its own, and
 * judges them; see README. scripted --complete: checks that it has all events and entry points of
 * OMPT's header. Speaks TAP.
 *
 * The environment: builddir, srcdir; SCRIPTED_VIRTUAL and SCRIPTED_REAL, the libraries to be
 * played; SCRIPTED_KEEP: the profiles are kept; SCRIPTED_WITHOUT: see leave_out.h;
 * SCRIPTED_UNREPORTED: no report and no info is judged.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runtime/compile.h"
#include "tests/runtime/conduct.h"
#include "tests/runtime/entry_points.h"
#include "tests/runtime/expect.h"

static struct session {
	char library[2][4096]; /* real, virtual */
	char command[4096];    /* ompprof */
	char prelude[4096];
	char scratch[64];
	pid_t pid; /* that made it */
	int is_shown;
} session;

static const char *from_environment(const char *name, const char *preset)
{
	const char *value = getenv(name);

	return value && value[0] ? value : preset;
}

/* The library that a variable names, or that in the build folder. */
static void find_library(char *path, size_t bytes, const char *variable, const char *preset)
{
	const char *given = getenv(variable);

	if (given && given[0])
		snprintf(path, bytes, "%s", given);
	else
		snprintf(path, bytes, "%s/%s", from_environment("builddir", SCRIPTED_BUILDDIR),
			preset);
	if (access(path, R_OK) != 0) {
		printf("Bail out! no library '%s'\n", path);
		exit(99);
	}
}

/* Does nothing at the end of a case's process. */
static void remove_scratch(void)
{
	if (getpid() == session.pid)
		rmdir(session.scratch);
}

static void prepare(void)
{
	const char *build = from_environment("builddir", SCRIPTED_BUILDDIR);

	find_library(session.library[0], sizeof(session.library[0]), "SCRIPTED_REAL",
		".libs/libompprof.so");
	find_library(session.library[1], sizeof(session.library[1]), "SCRIPTED_VIRTUAL",
		"tests/runtime/.libs/virtual.so");
	snprintf(session.command, sizeof(session.command), "%s %s/ompprof",
		from_environment("CROSS_RUN", ""), build);
	snprintf(session.prelude, sizeof(session.prelude), "%s/tests/runtime/cases/prelude.inc",
		from_environment("srcdir", SCRIPTED_SRCDIR));
	snprintf(session.scratch, sizeof(session.scratch), "/tmp/ompprof-scripted.XXXXXX");
	if (!mkdtemp(session.scratch)) {
		printf("Bail out! no scratch folder: %s\n", strerror(errno));
		exit(99);
	}
	session.pid = getpid();
	atexit(remove_scratch);
}

/* Returns whether it went as expected. */
static int play_case(const struct script_case *of)
{
	const struct play *play = compile(of);
	struct outcome outcome;
	char *why = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&why, &bytes);
	int n_failures;

	conduct(&outcome, play, session.library[play->is_virtual], session.scratch);
	n_failures = expect_judge(play, &outcome, session.command, session.is_shown, out);
	fclose(out);
	printf("%s - %s\n%s", n_failures ? "not ok" : "ok", of->name, why);
	free(why);
	conduct_release(&outcome);
	return n_failures == 0;
}

/* Every event and entry point that omp-tools.h lists, by name. Returns how many are missing. */
static int check_complete(void)
{
#define CHECK_EVENT(event, type, number)                                                           \
	if (!compile_has_event(#event + sizeof("ompt_callback_") - 1))                             \
		printf("# there is no event %s\n", #event), n_missing++;
#define CHECK_ENTRY_POINT(name)                                                                    \
	if (!entry_points_lookup(#name))                                                           \
		printf("# there is no entry point %s\n", #name), n_missing++;
	int n_missing = 0;

	FOREACH_OMPT_EVENT(CHECK_EVENT)
	printf("%s - all events can be played\n", n_missing ? "not ok" : "ok");
	FOREACH_OMPT_INQUIRY_FN(CHECK_ENTRY_POINT)
	printf("%s - all entry points are there\n1..2\n", n_missing ? "not ok" : "ok");
	return n_missing;
}

int main(int argc, char **argv)
{
	const struct script *script;
	int n_failed = 0, n_played = 0;
	const char *one;

	if (argc == 2 && strcmp(argv[1], "--complete") == 0)
		return check_complete() != 0;
	session.is_shown = argc > 1 && strcmp(argv[1], "--show") == 0;
	argv += session.is_shown;
	argc -= session.is_shown;
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: scripted [--show] FILE [CASE]\n");
		return 2;
	}
	one = argc > 2 ? argv[2] : NULL;
	prepare();
	script = script_read(argv[1], session.prelude);
	/* Compile all first: an error in the last case is reported before any is played. */
	for (size_t i = 0; i < script->n_cases; i++)
		compile(&script->cases[i]);
	for (size_t i = 0; i < script->n_cases; i++) {
		if (one && strcmp(one, script->cases[i].name) != 0)
			continue;
		n_failed += !play_case(&script->cases[i]);
		n_played++;
	}
	printf("1..%d\n", n_played);
	if (n_played == 0)
		fprintf(stderr, "scripted: no such case\n");
	return n_failed || n_played == 0;
}
