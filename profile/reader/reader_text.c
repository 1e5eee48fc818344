/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a profile: command line, environment, executable, folder, and the runtime's own
 * names. See layout.h.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

static int set_string(char **string, const char *text, size_t n)
{
	free(*string);
	*string = strndup(text, n);
	return *string ? 0 : -1;
}

/* Makes room for two items behind n; the room is a power of two. Returns -1 when out of memory. */
static int grow(void **items, size_t n, size_t item_bytes)
{
	void *grown;

	if ((n & (n + 1)) != 0)
		return 0;
	grown = realloc(*items, 2 * (n + 1) * item_bytes);
	if (!grown)
		return -1;
	*items = grown;
	return 0;
}

/* Appends a copy of text[0 .. n) to a NULL-terminated list. Returns -1 when out of memory. */
static int add_string(char ***strings, size_t *n_strings, const char *text, size_t n)
{
	if (grow((void **)strings, *n_strings, sizeof(**strings)))
		return -1;
	(*strings)[*n_strings] = strndup(text, n);
	if (!(*strings)[*n_strings])
		return -1;
	(*strings)[++*n_strings] = NULL;
	return 0;
}

/* Reads a number and the blank after it. Returns 1, or 0 if there is none. */
static int read_number(const char **text, const char *end, int base, uint32_t *number)
{
	char digits[16] = "", *rest;
	size_t n = (size_t)(end - *text);
	const char *blank = memchr(*text, ' ', n);
	unsigned long value;

	if (!blank || blank == *text || (size_t)(blank - *text) >= sizeof(digits))
		return 0;
	memcpy(digits, *text, (size_t)(blank - *text));
	value = strtoul(digits, &rest, base);
	if (*rest || value > UINT32_MAX || strchr("+- \t\n", digits[0]))
		return 0;
	*number = (uint32_t)value;
	*text = blank + 1;
	return 1;
}

static char *copy_word(const char *text, size_t n)
{
	return strndup(text, n < PROFILE_WORD_BYTES ? n : PROFILE_WORD_BYTES);
}

/* "MARK VALUE CLASS NAME" */
static int read_state(struct profile *profile, const char *text, const char *end)
{
	struct profile_own_state *state;
	uint32_t mark, value, class;

	if (!read_number(&text, end, 10, &mark) || !read_number(&text, end, 16, &value) ||
		!read_number(&text, end, 10, &class) || mark < PROFILE_STATE_OWN ||
		mark > UINT8_MAX || class >= PROFILE_N_CLASSES ||
		profile->runtime.n_states == PROFILE_MOST_WORDS) {
		profile->n_dropped++;
		return 0;
	}
	if (grow((void **)&profile->runtime.states, profile->runtime.n_states, sizeof(*state)))
		return -1;
	state = &profile->runtime.states[profile->runtime.n_states];
	*state = (struct profile_own_state){ .mark = (uint8_t)mark,
		.class = (uint8_t) class,
		.value = value,
		.name = copy_word(text, (size_t)(end - text)) };
	profile->runtime.n_states += state->name != NULL;
	return state->name ? 0 : -1;
}

int profile_add_impl(struct profile *profile, uint32_t number, const char *name, size_t n)
{
	struct profile_impl *impl;

	if (profile->runtime.n_impls == PROFILE_MOST_WORDS) {
		profile->n_dropped++;
		return 0;
	}
	if (grow((void **)&profile->runtime.impls, profile->runtime.n_impls, sizeof(*impl)))
		return -1;
	impl = &profile->runtime.impls[profile->runtime.n_impls];
	*impl = (struct profile_impl){ number, copy_word(name, n) };
	profile->runtime.n_impls += impl->name != NULL;
	return impl->name ? 0 : -1;
}

/* "NUMBER NAME" */
static int read_impl(struct profile *profile, const char *text, const char *end)
{
	uint32_t number;

	if (read_number(&text, end, 10, &number))
		return profile_add_impl(profile, number, text, (size_t)(end - text));
	profile->n_dropped++;
	return 0;
}

const char *profile_impl_name(const struct profile *profile, uint32_t number)
{
	for (size_t i = profile->runtime.n_impls; i-- > 0;) {
		if (profile->runtime.impls[i].number == number)
			return profile->runtime.impls[i].name;
	}
	return NULL;
}

static int is_key(const char *entry, size_t key_bytes, const char *key)
{
	return strlen(key) == key_bytes && memcmp(entry, key, key_bytes) == 0;
}

/* Reads an entry KEY=VALUE; an unknown key is skipped. */
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
	if (is_key(entry, key_bytes, "arg"))
		return add_string(&profile->args, &profile->n_args, value, value_bytes);
	if (is_key(entry, key_bytes, "env"))
		return add_string(&profile->env, &profile->n_env, value, value_bytes);
	if (is_key(entry, key_bytes, "exe"))
		return set_string(&profile->program.exe, value, value_bytes);
	if (is_key(entry, key_bytes, "cwd"))
		return set_string(&profile->program.cwd, value, value_bytes);
	if (is_key(entry, key_bytes, "state"))
		return read_state(profile, value, value + value_bytes);
	if (is_key(entry, key_bytes, "impl"))
		return read_impl(profile, value, value + value_bytes);
	return 0;
}

/* Makes empty lists and texts, so that none is NULL. */
static int init_strings(struct profile *profile)
{
	profile->args = calloc(1, sizeof(*profile->args));
	profile->env = calloc(1, sizeof(*profile->env));
	profile->program.exe = strdup("");
	profile->program.cwd = strdup("");
	return profile->args && profile->env && profile->program.exe && profile->program.cwd ? 0
											     : -1;
}

int reader_read_text(struct profile *profile, struct reader_work *work)
{
	struct reader_records records;

	if (init_strings(profile))
		return -1;
	for (uint32_t i = 1; i < work->input->n_segments; i++) {
		if (!reader_records(
			    work->input, i, PROFILE_SEGMENT_RUN, &records, &profile->n_dropped))
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

const char *profile_env(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->n_env; i++)
		if (strncmp(profile->env[i], name, strlen(name)) == 0)
			return profile->env[i] + strlen(name);
	return "";
}

const char *profile_label(const struct profile *profile)
{
	return profile_env(profile, "OMPPROF_LABEL=");
}
