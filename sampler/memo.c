/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of creation paths; see memo.h. Part of the signal-safe core. */
#include "sampler/memo.h"

#include <string.h>

/* The distance of what is not there. No two places on a stack lie so far apart. */
#define MEMO_MISSING INT64_MIN

static int64_t distance(uint64_t pointer, uint64_t enter_frame)
{
	return pointer ? (int64_t)(pointer - enter_frame) : MEMO_MISSING;
}

static uint32_t set_of(const struct memo_key *key)
{
	uint64_t hash = (key->codeptr_ra ^ (uint64_t)key->context << 32) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)(hash >> 60) % MEMO_SETS;
}

static int is_key(const struct memo *memo, const struct memo_key *key)
{
	return memo->codeptr_ra == key->codeptr_ra && memo->context == key->context &&
	       memo->task == (uint32_t)key->frames->task && memo->to_base == key->frames->to_base &&
	       memo->exit_frame == distance(key->frames->exit_frame, key->enter_frame) &&
	       memo->base_cfa == distance(key->frames->base_cfa, key->enter_frame);
}

/* Whether the stack holds the memo's words. No early end: they are the same nearly always. */
static int has_words(const struct memo *memo, uint64_t enter_frame)
{
	const char *from = (const char *)(uintptr_t)enter_frame;
	uint64_t difference = 0;
	uint32_t i = 0;

	for (; i < memo->n_equal; i++)
		difference |= *(const uint64_t *)(from + memo->at[i]) ^ memo->value[i];
	for (; i < memo->n_equal + memo->n_apart; i++)
		difference |=
			(*(const uint64_t *)(from + memo->at[i]) - enter_frame) ^ memo->value[i];
	return difference == 0;
}

uint32_t memo_find(const struct memos *memos, const struct memo_key *key,
	const struct walk_bounds *bounds, uint64_t *user_cfa)
{
	const struct memo *memo = memos->memo[set_of(key)];

	/* A memo whose making failed has no construct either. */
	if (!key->codeptr_ra || key->enter_frame % 8 != 0 || key->enter_frame < bounds->lo ||
		key->enter_frame >= bounds->hi)
		return 0;
	for (uint32_t i = 0; i < MEMO_WAYS; i++, memo++) {
		if (!is_key(memo, key) || memo->reach > bounds->hi - key->enter_frame ||
			!has_words(memo, key->enter_frame))
			continue;
		*user_cfa = key->enter_frame + memo->user_cfa;
		return memo->node;
	}
	return 0;
}

/* A memo that is being made. */
struct making {
	struct memo *memo;
	uint64_t enter_frame;
	uint32_t n_apart;
	uint32_t apart_at[MEMO_WORDS];
	uint64_t apart_value[MEMO_WORDS];
	int is_bad;
};

/* Whether a word lies where a hit may read; its place then. */
static int find_place(struct making *m, uint64_t address, uint32_t *place)
{
	uint64_t at = address - m->enter_frame;

	if (at % 8 != 0 || at + 8 > m->memo->reach || m->memo->n_equal + m->n_apart >= MEMO_WORDS)
		m->is_bad = 1;
	*place = (uint32_t)at;
	return !m->is_bad;
}

static void add_equal(struct making *m, uint64_t address, uint64_t value)
{
	uint32_t place;

	if (!find_place(m, address, &place))
		return;
	m->memo->at[m->memo->n_equal] = place;
	m->memo->value[m->memo->n_equal++] = value;
}

static void add_apart(struct making *m, uint64_t address, uint64_t value)
{
	uint32_t place;

	if (!find_place(m, address, &place))
		return;
	m->apart_at[m->n_apart] = place;
	m->apart_value[m->n_apart++] = value - m->enter_frame;
}

/* Adds the words that lead from a frame to the next, whose fp is live or not. Returns whether this one's is. */
static int add_words(struct making *m, const struct walk_frame *frame, int is_live)
{
	const struct walk_frame *next = frame + 1;

	add_equal(m, frame->cfa - 8, next->ip);
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

/* Adds the words that the last frame's CFA and its being the last depend on. Returns whether its fp is live. */
static int add_last(struct making *m, const struct walk_frame *last, uint64_t stop_cfa)
{
	if (last->flags & WALK_FRAME_LOADS_CFA)
		add_apart(m, last->fp + (uint64_t)(int64_t)last->at, last->cfa);
	if (last->flags & WALK_FRAME_PLAIN && last->cfa <= stop_cfa)
		add_equal(m, last->cfa - 8, 0);
	return (last->flags & (WALK_FRAME_LOADS_CFA | WALK_FRAME_BY_POINTER)) != 0;
}

/* Whether nothing but the memo's words can change what the walker found. */
static int is_firm(const struct walk_path *path)
{
	/* A frame has one word at least. */
	if (path->n == 0 || path->n > MEMO_WORDS || path->end != WALK_COMPLETE)
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

/* Makes *memo that of the path. Returns 0, or -1 if it cannot have one. */
static int make(struct memo *memo, const struct memo_key *key, const struct walk_path *path)
{
	struct making m = { .memo = memo, .enter_frame = key->enter_frame };
	const struct walk_frame *last = &path->frame[path->n - 1];
	int is_live;

	if (last->cfa - key->enter_frame > UINT32_MAX)
		return -1;
	memo->reach = (uint32_t)(last->cfa - key->enter_frame);
	memo->user_cfa = (uint32_t)(path->frame[0].cfa - key->enter_frame);
	memo->n_equal = 0;
	is_live = add_last(&m, last, frames_stop(key->frames));
	while (last-- > path->frame)
		is_live = add_words(&m, last, is_live);
	add_equal(&m, key->enter_frame + 8, key->codeptr_ra);
	if (is_live)
		add_apart(&m, key->enter_frame, path->frame[0].fp);
	if (m.is_bad)
		return -1;
	memcpy(&memo->at[memo->n_equal], m.apart_at, m.n_apart * sizeof(m.apart_at[0]));
	memcpy(&memo->value[memo->n_equal], m.apart_value, m.n_apart * sizeof(m.apart_value[0]));
	memo->n_apart = m.n_apart;
	return 0;
}

void memo_keep(struct memos *memos, const struct memo_key *key, const struct walk_path *path,
	uint32_t node)
{
	uint32_t set = set_of(key);
	struct memo *memo = &memos->memo[set][memos->oldest[set] % MEMO_WAYS];

	if (!is_firm(path))
		return;
	memo->codeptr_ra = 0;
	if (make(memo, key, path) != 0)
		return;
	memo->exit_frame = distance(key->frames->exit_frame, key->enter_frame);
	memo->base_cfa = distance(key->frames->base_cfa, key->enter_frame);
	memo->context = key->context;
	memo->task = (uint32_t)key->frames->task;
	memo->to_base = key->frames->to_base;
	memo->node = node;
	memo->codeptr_ra = key->codeptr_ra;
	memos->oldest[set]++;
}
