/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment settings that libgomp and libomp take alike; see run_proof.h.
 * tests/gcc/settings.txt has values of each kind, and a live test compares what a program does with
 * them on both runtimes.
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/run_proof.h"

#define NUMBER "[1-9][0-9]{0,3}"

/* Only variables with these prefixes are looked at. */
static const char *const prefixes[] = { "OMP_", "GOMP_", "KMP_" };

static const struct setting {
	const char *name;
	/* extended regular expression for the whole value; case does not matter */
	const char *values;
	const char *with;    /* accepted only if this variable is set, or NULL */
	const char *without; /* accepted only if this variable is not set, or NULL */
} settings[] = {
	{ "OMP_NUM_THREADS", NUMBER "(," NUMBER ")*", NULL, NULL },
	{ "OMP_SCHEDULE", "((non)?monotonic:)?(static|dynamic|guided)(,[1-9][0-9]{0,8})?|auto",
		NULL, NULL },
	{ "OMP_DYNAMIC", "false", NULL, NULL },
	{ "OMP_NESTED", "true", NULL, NULL },
	{ "OMP_NESTED", "false", NULL, "OMP_MAX_ACTIVE_LEVELS" },
	{ "OMP_THREAD_LIMIT", NUMBER, NULL, NULL },
	{ "OMP_MAX_ACTIVE_LEVELS", "[0-9]{1,2}", NULL, NULL },
	{ "OMP_WAIT_POLICY", "active|passive", NULL, NULL },
	{ "OMP_STACKSIZE", "[1-9][0-9]{2,6}K?|[1-9][0-9]{0,3}M|[1-9]G", NULL, NULL },
	{ "OMP_PROC_BIND", "false", NULL, "OMP_PLACES" },
	{ "OMP_PROC_BIND", "close|spread|master|primary", "OMP_PLACES", NULL },
	{ "OMP_PLACES", "threads|cores|sockets", "OMP_PROC_BIND", NULL },
	{ "OMP_CANCELLATION", "false", NULL, NULL },
	{ "OMP_DISPLAY_ENV", "false", NULL, NULL },
	{ "OMP_DISPLAY_AFFINITY", "false", NULL, NULL },
	{ "OMP_MAX_TASK_PRIORITY", "[0-9]{1,4}", NULL, NULL },
	{ "OMP_DEFAULT_DEVICE", "0", NULL, NULL },
	{ "OMP_TARGET_OFFLOAD", "default|disabled", NULL, NULL },
	/* Not libgomp's: they are for libomp or for tools. */
	{ "OMP_TOOL", "enabled|disabled", NULL, NULL },
	{ "OMP_TOOL_LIBRARIES", ".*", NULL, NULL },
	{ "KMP_BLOCKTIME", "[0-9]{1,6}|infinite", NULL, NULL },
	{ "KMP_WARNINGS", ".*", NULL, NULL },
};

static int is_whole_match(const char *pattern, const char *value)
{
	regmatch_t at;
	regex_t regex;
	int is_match;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE) != 0)
		return 0;
	is_match =
		regexec(&regex, value, 1, &at, 0) == 0 && at.rm_so == 0 && value[at.rm_eo] == '\0';
	regfree(&regex);
	return is_match;
}

static int is_taken(const char *variable)
{
	const char *value = strchr(variable, '=') + 1;
	size_t n = (size_t)(value - 1 - variable);

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		const struct setting *setting = &settings[i];

		if (strncmp(setting->name, variable, n) == 0 && !setting->name[n] &&
			(!setting->with || getenv(setting->with)) &&
			(!setting->without || !getenv(setting->without)) &&
			is_whole_match(setting->values, value))
			return 1;
	}
	return 0;
}

const char *gomp_setting_find(void)
{
	for (char **variable = environ; variable && *variable; variable++) {
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
			if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0 &&
				strchr(*variable, '=') && !is_taken(*variable))
				return *variable;
		}
	}
	return NULL;
}
