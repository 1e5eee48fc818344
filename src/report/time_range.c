/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and applies --time; see time_range.h. */
#include "src/report/time_range.h"

#include <string.h>

#include "attribution/select/select_time.h"
#include "attribution/tree/add_saturated.h"

enum { MOST_DIGITS = 18 };

#define SECOND 1000000000ULL
/* Later than any moment of a run. UINT64_MAX means no end. */
#define MOST_NS (UINT64_MAX / 2)

static const struct {
	const char *word;
	uint64_t ns;
} units[] = { { "ms", 1000000 }, { "us", 1000 }, { "s", SECOND } };

/*
 * Reads a number into *value, in units of 10^-9; strtod() depends on the locale. Returns the text
 * behind the number, or `text` if there is none.
 */
static const char *read_number(const char *text, unsigned __int128 *value)
{
	uint64_t scale = SECOND;
	const char *at = text;
	int n = 0;

	*value = 0;
	/* More digits are ignored: no run lasts that long. */
	for (; *at >= '0' && *at <= '9'; at++, n++)
		if (n < MOST_DIGITS)
			*value = *value * 10 + (uint64_t)(*at - '0');
	*value *= SECOND;
	if (n == 0)
		return text;
	if (at[0] == '.' && at[1] >= '0' && at[1] <= '9') {
		for (at++; *at >= '0' && *at <= '9'; at++) {
			scale /= 10;
			*value += (uint64_t)(*at - '0') * scale;
		}
	}
	return at;
}

/* Reads one end of a range; without a number *ns stays. Returns the text behind it. */
static const char *read_moment(const char *text, uint64_t *ns)
{
	unsigned __int128 value;
	uint64_t unit_ns = SECOND;
	const char *at = read_number(text, &value);

	if (at == text)
		return text;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i].word);

		if (strncmp(at, units[i].word, n) == 0) {
			unit_ns = units[i].ns;
			at += n;
			break;
		}
	}
	value = value * unit_ns / SECOND;
	*ns = value < MOST_NS ? (uint64_t)value : MOST_NS;
	return at;
}

int time_range_read(struct time_range *range, const char *text, struct diag *diag)
{
	const char *at;

	*range = (struct time_range){ .text = text, .end_ns = UINT64_MAX };
	at = read_moment(text, &range->begin_ns);
	if (strncmp(at, "..", 2) != 0 || strcmp(text, "..") == 0 ||
		*read_moment(at + 2, &range->end_ns) != '\0')
		return diag_set(diag,
			"option '--time' wants a part of the run as '2s..5s', '500ms..' or '..3s', "
			"not "
			"'%s'",
			text);
	if (range->end_ns <= range->begin_ns)
		return diag_set(diag, "option '--time': '%s' does not end after it begins", text);
	return 0;
}

int time_range_is_given(const struct time_range *range)
{
	return range && range->text;
}

static uint64_t since(uint64_t ns, uint64_t origin_ns)
{
	return ns == UINT64_MAX ? ns : ns > origin_ns ? ns - origin_ns : 0;
}

int time_range_cut(const struct time_range *range, struct profile *profile, uint64_t origin_ns,
	struct diag *diag)
{
	if (!time_range_is_given(range))
		return 0;
	if (select_time(profile, since(range->begin_ns, origin_ns),
		    since(range->end_ns, origin_ns)) != 0)
		return diag_set(diag, "cannot cut the profile by its time: out of memory");
	return 0;
}

void time_range_join(struct profile_part *to, const struct profile_part *from, uint64_t origin_ns,
	size_t n_threads)
{
	uint64_t whole_ns = add_saturated(from->whole_ns, origin_ns);
	uint64_t traced_ns = from->traced_ns == UINT64_MAX || from->traced_ns == 0
				     ? from->traced_ns
				     : add_saturated(from->traced_ns, origin_ns);

	if (!from->is_cut)
		return;
	if (!to->is_cut)
		*to = (struct profile_part){ .is_cut = 1, .has_paths = 1, .traced_ns = UINT64_MAX };
	/* A process without threads does not change the result. */
	if (n_threads == 0)
		return;
	to->has_paths &= from->has_paths;
	if (whole_ns > to->whole_ns)
		to->whole_ns = whole_ns;
	if (traced_ns < to->traced_ns)
		to->traced_ns = traced_ns;
	if (from->bucket_ns > to->bucket_ns)
		to->bucket_ns = from->bucket_ns;
	to->n_unknown += from->n_unknown;
}

static int refuse_paths(const struct profile_part *part, const char *path, struct diag *diag)
{
	if (part->traced_ns == 0) {
		diag_set(diag, "cannot show call paths of a part of the run: '%s' has no trace",
			path);
		diag_hint(diag, "'ompprof run --trace' records the time of each sample and wait");
		return -1;
	}
	diag_set(diag,
		"cannot show call paths of a part of the run that ends after %.3f s: the trace was "
		"full",
		(double)part->traced_ns / 1e9);
	diag_hint(diag, "set OMPPROF_TRACE to more MiB");
	return -1;
}

int time_range_check(const struct time_range *range, struct profile_part *part, size_t n_threads,
	const char *path, struct diag *diag)
{
	if (!time_range_is_given(range))
		return 0;
	if (part->n_unknown >= n_threads)
		return diag_set(diag,
			"cannot show a part of the run: '%s' has no times within the run", path);
	if (range->begin_ns >= part->whole_ns)
		return diag_set(diag,
			"option '--time': '%s' begins after the run, which took %.3f s",
			range->text, (double)part->whole_ns / 1e9);
	if (range->needs_paths && !part->has_paths)
		return refuse_paths(part, path, diag);
	part->begin_ns = range->begin_ns;
	part->end_ns = range->end_ns < part->whole_ns ? range->end_ns : part->whole_ns;
	return 0;
}
