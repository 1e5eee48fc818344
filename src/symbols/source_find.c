/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the present place of a source file; see source.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "src/symbols/source.h"

/* Calls stat() before anything is opened: to open a device may have an effect. */
static int is_regular(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Tries `folder`/`rest`. Returns 0 if that is a file, else -1. */
static int try_below(char *path, const char *folder, const char *rest)
{
	int n = snprintf(path, PATH_MAX, "%s%s%s", folder, folder[0] ? "/" : "", rest);

	return n > 0 && n < PATH_MAX && is_regular(path) ? 0 : -1;
}

/*
 * Looks below `folder` for the path, then for the path without its first part, and so on. A rest
 * with a part ".." is not tried: it may lead out of the folder.
 */
static int search_below(char *path, const char *folder, const char *recorded)
{
	const char *rest = recorded;

	for (;;) {
		while (*rest == '/')
			rest++;
		if (!*rest)
			return -1;
		if (strcmp(rest, "..") != 0 && strncmp(rest, "../", 3) != 0 &&
			!strstr(rest, "/../") && try_below(path, folder, rest) == 0)
			return 0;
		rest += strcspn(rest, "/");
	}
}

/* Returns the rest of `path` if it begins with the parts of `prefix`, else NULL. */
static const char *after_prefix(const char *path, const char *prefix, size_t n)
{
	if (strncmp(path, prefix, n) != 0)
		return NULL;
	if (n > 0 && prefix[n - 1] == '/')
		return path + n;
	return path[n] == '/' ? path + n + 1 : path[n] ? NULL : path + n;
}

static int apply_rule(char *path, const char *rule, const char *recorded)
{
	const char *equals = strchr(rule, '=');
	const char *rest;

	if (!equals)
		return search_below(path, rule, recorded);
	rest = after_prefix(recorded, rule, equals - rule);
	if (!rest)
		return -1;
	if (!*rest)
		return try_below(path, "", equals + 1);
	return try_below(path, equals[1] ? equals + 1 : ".", rest);
}

int source_find_by_rules(
	char path[PATH_MAX], const char *recorded, const struct source_rules *rules)
{
	if (!recorded[0] || strlen(recorded) >= PATH_MAX)
		return -1;
	for (size_t i = 0; i < rules->n; i++)
		if (apply_rule(path, rules->rules[i], recorded) == 0)
			return 0;
	return -1;
}

int source_find(char path[PATH_MAX], const char *recorded, const struct source_rules *rules)
{
	if (source_find_by_rules(path, recorded, rules) == 0)
		return 0;
	if (!recorded[0] || strlen(recorded) >= PATH_MAX)
		return -1;
	if (try_below(path, "", recorded) == 0)
		return 0;
	return search_below(path, ".", recorded);
}
