/* SPDX-License-Identifier: Apache-2.0 */
/* The path cache; see path_cache.h. Part of the signal-safe core. */
#include "sampler/core/path_cache.h"

#include <stddef.h>
#include <string.h>

#include "sampler/core/region_timing.h"

static uint32_t set_of(const struct path_cache_key *key)
{
	uint64_t hash = (key->codeptr_ra ^ (uint64_t)key->context << 32) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)(hash >> 60) % PATH_CACHE_SETS;
}

/* The loop does not end early, because the words are nearly always the same. */
REGION_FAST_CODE int path_cache_has_words(const struct cached_path *memo, uint64_t enter_frame)
{
	const char *from = (const char *)(uintptr_t)enter_frame;
	const struct path_cache_word *word = memo->word, *apart = word + memo->n_equal;
	const struct path_cache_word *end = apart + memo->n_apart;
	uint64_t difference = 0;

	for (; word < apart; word += PATH_CACHE_AT_ONCE) {
#pragma GCC unroll 4
		for (int i = 0; i < PATH_CACHE_AT_ONCE; i++)
			difference |= *(const uint64_t *)(from + word[i].at) ^ word[i].value;
	}
	for (; word < end; word += PATH_CACHE_AT_ONCE) {
#pragma GCC unroll 4
		for (int i = 0; i < PATH_CACHE_AT_ONCE; i++)
			difference |= (*(const uint64_t *)(from + word[i].at) - enter_frame) ^
				      word[i].value;
	}
	return difference == 0;
}

const struct cached_path *path_cache_find(const struct path_cache *memos,
	const struct path_cache_key *key, const struct walk_bounds *bounds)
{
	const struct cached_path *memo = memos->at[set_of(key)];

	for (uint32_t i = 0; i < PATH_CACHE_WAYS; i++, memo++) {
		if (path_cache_fits(memo, key, bounds))
			return memo;
	}
	return NULL;
}

/* A memo that is being made. */
struct making {
	struct cached_path *cached_path;
	uint64_t enter_frame;
	uint32_t n_apart;
	struct path_cache_word apart[PATH_CACHE_WORDS + PATH_CACHE_AT_ONCE];
	int is_bad;
};

/*
 * Whether the memo can have this word: a hit may read there, and there is room for one more. If
 * not, the whole memo is bad. Sets *place to the word's place.
 */
static int find_place(struct making *m, uint64_t address, uint32_t *place)
{
	uint64_t at = address - m->enter_frame;

	if (at % 8 != 0 || at + 8 > m->cached_path->reach ||
		m->cached_path->n_equal + m->n_apart >= PATH_CACHE_WORDS)
		m->is_bad = 1;
	*place = (uint32_t)at;
	return !m->is_bad;
}

/* Adds the word of a return address, which may be signed. */
static void add_return(struct making *m, uint64_t address, uint64_t ip)
{
	uint32_t place;
	uint64_t word;

	if (!find_place(m, address, &place))
		return;
	word = *(const uint64_t *)(uintptr_t)address;
	m->is_bad |= arch_code_address(word) != ip;
	m->cached_path->word[m->cached_path->n_equal++] = (struct path_cache_word){ word, place };
}

static void add_apart(struct making *m, uint64_t address, uint64_t value)
{
	uint32_t place;

	if (!find_place(m, address, &place))
		return;
	m->apart[m->n_apart++] = (struct path_cache_word){ value - m->enter_frame, place };
}

/*
 * Adds the words that lead from a frame to the next frame, whose fp is live or not. Returns whether
 * this frame's fp is live.
 */
static int add_words(struct making *m, const struct walk_frame *frame, int is_live)
{
	const struct walk_frame *next = frame + 1;

	add_return(m, frame->cfa + (uint64_t)walk_return_at(frame), next->ip);
	if (frame->flags & WALK_FRAME_LOADS_CFA) {
		add_apart(m, frame->fp + (uint64_t)(int64_t)frame->at, frame->cfa);
		if (is_live)
			add_apart(m, frame->fp, next->fp);
		return 1;
	}
	if (frame->at) {
		if (is_live)
			add_apart(m, frame->cfa + (uint64_t)(int64_t)frame->at, next->fp);
		is_live = 0;
	}
	return is_live || frame->flags & WALK_FRAME_BY_POINTER;
}

/*
 * Adds the words that decide the last frame's CFA and that it is the last frame. Returns whether
 * its fp is live.
 */
static int add_last(struct making *m, const struct walk_frame *last, uint64_t stop_cfa)
{
	if (last->flags & WALK_FRAME_LOADS_CFA)
		add_apart(m, last->fp + (uint64_t)(int64_t)last->at, last->cfa);
	if (last->flags & WALK_FRAME_PLAIN && last->cfa <= stop_cfa)
		add_return(m, last->cfa + (uint64_t)walk_return_at(last), 0);
	return (last->flags & (WALK_FRAME_LOADS_CFA | WALK_FRAME_BY_POINTER)) != 0;
}

/* Whether only a change of the memo's words can change the walker's result. */
static int is_firm(const struct walk_path *path)
{
	/* A frame has at least one word. */
	if (path->n == 0 || path->n > PATH_CACHE_WORDS || path->end != WALK_COMPLETE)
		return 0;
	for (uint32_t i = 0; i < path->n; i++) {
		const struct walk_frame *frame = &path->frame[i];
		int is_last = i + 1 == path->n;

		if (frame->object != 0 || frame->flags & WALK_FRAME_FOREIGN ||
			frame->how != WALK_CALL ||
			!(frame->flags & (WALK_FRAME_PLAIN | (is_last ? WALK_FRAME_OUTERMOST : 0))))
			return 0;
	}
	return 1;
}

/*
 * Repeats the last of n words, if there is one, until their number is a multiple of
 * PATH_CACHE_AT_ONCE. Returns that number.
 */
static uint32_t fill_up(struct path_cache_word *word, uint32_t n)
{
	for (; n % PATH_CACHE_AT_ONCE; n++)
		word[n] = word[n - 1];
	return n;
}

/* Makes *memo the memo of the path. Returns 0, or -1 if the path cannot have a memo. */
static int make(
	struct cached_path *memo, const struct path_cache_key *key, const struct walk_path *path)
{
	struct making m;
	const struct walk_frame *last = &path->frame[path->n - 1];
	int is_live;

	if (last->cfa - key->enter_frame > UINT32_MAX)
		return -1;
	m.cached_path = memo;
	m.enter_frame = key->enter_frame;
	m.n_apart = 0;
	m.is_bad = 0;
	memo->reach = (uint32_t)(last->cfa - key->enter_frame);
	memo->user_cfa = (uint32_t)(path->frame[0].cfa - key->enter_frame);
	memo->n_equal = 0;
	is_live = add_last(&m, last, frames_stop(key->frames));
	while (last-- > path->frame)
		is_live = add_words(&m, last, is_live);
	add_return(&m, key->enter_frame + 8, key->codeptr_ra);
	if (is_live)
		add_apart(&m, key->enter_frame, path->frame[0].fp);
	if (m.is_bad)
		return -1;
	memo->n_equal = fill_up(memo->word, memo->n_equal);
	m.n_apart = fill_up(m.apart, m.n_apart);
	memcpy(&memo->word[memo->n_equal], m.apart, m.n_apart * sizeof(m.apart[0]));
	memo->n_apart = m.n_apart;
	return 0;
}

const struct cached_path *path_cache_keep(struct path_cache *memos,
	const struct path_cache_key *key, const struct walk_path *path, uint32_t node)
{
	uint32_t set = set_of(key);
	struct cached_path *memo = &memos->at[set][memos->oldest[set] % PATH_CACHE_WAYS];

	if (!is_firm(path))
		return NULL;
	memo->codeptr_ra = 0;
	if (make(memo, key, path) != 0)
		return NULL;
	memo->exit_frame = path_cache_distance(key->frames->exit_frame, key->enter_frame);
	memo->base_cfa = path_cache_distance(key->frames->base_cfa, key->enter_frame);
	memo->context = key->context;
	memo->task = (uint32_t)key->frames->task;
	memo->to_base = key->frames->to_base;
	memo->node = node;
	memo->codeptr_ra = key->codeptr_ra;
	memos->oldest[set]++;
	return memo;
}
