/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a profile: command line, environment, executable, folder. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader_parts.h"

/* Appends a copy of text[0 .. n) to a NULL-terminated list; -1 when out of memory. */
static int add_string(char ***strings, size_t *n_strings, const char *text, size_t n)
{
	/* Room is always a power of two, and one more than the strings. */
	if ((*n_strings & (*n_strings + 1)) == 0) {
		char **grown = realloc(*strings, 2 * (*n_strings + 1) * sizeof(*grown));

		if (!grown)
			return -1;
		*strings = grown;
	}
	(*strings)[*n_strings] = strndup(text, n);
	if (!(*strings)[*n_strings])
		return -1;
	(*strings)[++*n_strings] = NULL;
	return 0;
}

static int set_string(char **string, const char *text, size_t n)
{
	free(*string);
	*string = strndup(text, n);
	return *string ? 0 : -1;
}

/* One entry KEY=VALUE; a key that is not known is passed over. */
static int read_entry(struct profile *profile, const char *entry, size_t n)
{
	const char *equals = memchr(entry, '=', n);
	size_t key_bytes, value_bytes;
	const char *value;

	if (!equals) {
		profile->n_dropped++;
		return 0;
	}
	key_bytes = (size_t)(equals - entry);
	value = equals + 1;
	value_bytes = n - key_bytes - 1;
	if (key_bytes != 3)
		return 0;
	if (!memcmp(entry, "arg", 3))
		return add_string(&profile->args, &profile->n_args, value, value_bytes);
	if (!memcmp(entry, "env", 3))
		return add_string(&profile->env, &profile->n_env, value, value_bytes);
	if (!memcmp(entry, "exe", 3))
		return set_string(&profile->exe, value, value_bytes);
	if (!memcmp(entry, "cwd", 3))
		return set_string(&profile->cwd, value, value_bytes);
	return 0;
}

/* The lists are never NULL, even if empty. */
static int init_strings(struct profile *profile)
{
	profile->args = calloc(1, sizeof(*profile->args));
	profile->env = calloc(1, sizeof(*profile->env));
	profile->exe = strdup("");
	profile->cwd = strdup("");
	return profile->args && profile->env && profile->exe && profile->cwd ? 0 : -1;
}

int reader_read_text(struct profile *profile, const struct reader_input *input)
{
	struct reader_records records;

	if (init_strings(profile))
		return -1;
	for (uint32_t i = 1; i < input->n_segments; i++) {
		if (!reader_records(
			    input, i, PROFILE_SEGMENT_RUN, 1, &records, &profile->n_dropped))
			continue;
		for (size_t at = 0; at < records.n;) {
			const char *entry = (const char *)records.first + at;
			size_t bytes = strnlen(entry, records.n - at);

			if (bytes && read_entry(profile, entry, bytes))
				return -1;
			at += bytes + 1;
		}
	}
	return 0;
}
