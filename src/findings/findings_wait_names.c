/* SPDX-License-Identifier: Apache-2.0 */
/* The names of waits and mutexes; see findings.h. */
#include "src/findings/findings.h"

#include <stdio.h>
#include <string.h>

const char *findings_wait_name(enum profile_wait kind)
{
	static const char *const names[] = {
		[PROFILE_NO_WAIT] = "wait",
#define WAIT(NAME, value, script, label, ...) [value] = (label),
#include "profile/shared/waits.def"
	};

	return names[kind < PROFILE_N_WAITS ? kind : PROFILE_NO_WAIT];
}

const char *findings_wait_word(enum profile_wait kind)
{
	static const char *const words[] = {
		[PROFILE_NO_WAIT] = "wait",
#define WAIT(NAME, value, script, label, word, ...) [value] = (word),
#include "profile/shared/waits.def"
	};

	return words[kind < PROFILE_N_WAITS ? kind : PROFILE_NO_WAIT];
}

int findings_is_mutex(enum profile_wait kind)
{
	return profile_wait_is(kind, PROFILE_TIME_MUTEX);
}

void findings_mutex_name(char *text, size_t text_bytes, enum profile_wait kind, uint64_t wait_id,
	const char *variable)
{
	static const char prefix[] = ".gomp_critical_user_";
	size_t n;

	snprintf(text, text_bytes, "%s", findings_wait_name(kind));
	if (kind == PROFILE_CRITICAL && variable &&
		strncmp(variable, prefix, sizeof(prefix) - 1) == 0) {
		variable += sizeof(prefix) - 1;
		n = strlen(variable);
		if (n >= 4 && strcmp(variable + n - 4, ".var") == 0)
			n -= 4;
		if (n > 0)
			snprintf(text, text_bytes, "critical(%.*s)", (int)n, variable);
		return;
	}
	if (kind != PROFILE_LOCK && kind != PROFILE_NEST_LOCK)
		return;
	if (variable)
		snprintf(text, text_bytes, "%s %s", findings_wait_name(kind), variable);
	else if (wait_id)
		snprintf(text, text_bytes, "%s 0x%llx",
			kind == PROFILE_LOCK ? "omp_lock" : "omp_nest_lock",
			(unsigned long long)wait_id);
	else
		snprintf(text, text_bytes, "%ss without a record", findings_wait_name(kind));
}
