/* SPDX-License-Identifier: Apache-2.0 */
/* The program's own environment; see child_environment.h. */
#include "sampler/tool/child_environment.h"

#include <stddef.h>
#include <string.h>

/* By these names items of lists are recognised; src/run/run_runtime.h has the same names. */
static const char folder[] = "/ompprof-libomp-";
static const char stand_in[] = "/stand-in-libgomp.so";

/* The entry of the variable with this name, which may be followed by '='; or NULL. */
static char **find(char **environment, const char *name)
{
	size_t n = strcspn(name, "=");

	for (; *environment; environment++) {
		if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
			return environment;
	}
	return NULL;
}

static void remove_entry(char **entry)
{
	for (; *entry; entry++)
		entry[0] = entry[1];
}

/* Removes a part of a list, and the variable if the list has no other items. */
static void remove_items(char **entry, char *from, char *to)
{
	char *begin = strchr(*entry, '=') + 1;

	if (*to == ':')
		to++;
	else if (from > begin)
		from--;
	memmove(from, to, strlen(to) + 1);
	if (!*begin)
		remove_entry(entry);
}

/*
 * Removes the first item of LD_LIBRARY_PATH if it is the folder with the link. Returns whether it
 * was.
 */
static int remove_folder(char **entry)
{
	char *begin = strchr(*entry, '=') + 1;
	char *end = begin + strcspn(begin, ":");
	char *at = strstr(begin, folder);

	if (!at || at >= end)
		return 0;
	remove_items(entry, begin, end);
	return 1;
}

/* Removes the stand-in from LD_PRELOAD, and libomp, which is the item before it. */
static void remove_preloaded(char **entry)
{
	char *at = strstr(*entry, stand_in), *begin = strchr(*entry, '=') + 1, *from = at;

	if (!at)
		return;
	for (int i = 0; i < 2; i++) {
		while (from > begin && from[-1] != ':')
			from--;
		if (i == 0 && from > begin)
			from--;
	}
	remove_items(entry, from, at + strlen(stand_in));
}

/*
 * Removes the variables that CHILD_ENVIRONMENT_VARIABLE lists, and then itself. A variable that the
 * program has given another value stays.
 */
static void remove_listed(char **environment, char **entry)
{
	const char *variable = strchr(*entry, '=') + 1;

	while (*variable) {
		size_t n = strcspn(variable, ":");
		char **listed = find(environment, variable);

		if (listed && strncmp(*listed, variable, n) == 0 && !(*listed)[n])
			remove_entry(listed);
		variable += n + (variable[n] == ':');
	}
	remove_entry(find(environment, CHILD_ENVIRONMENT_VARIABLE));
}

void child_environment_restore(char **environment)
{
	char **entry, **path;

	if (!environment)
		return;
	entry = find(environment, CHILD_ENVIRONMENT_VARIABLE);
	if (!entry)
		return;
	path = find(environment, "LD_LIBRARY_PATH");
	if (!path || !remove_folder(path)) {
		remove_listed(environment, entry);
		return;
	}
	path = find(environment, "LD_PRELOAD");
	if (path)
		remove_preloaded(path);
}
