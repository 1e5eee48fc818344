/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of creation paths: a memo that is found is that of the path that a walk finds. Programs are made
 * up: a rule for each address, and stacks that such functions would leave, on which one word after the other is
 * changed, or all are moved. A walk here is as simple as can be, and remembers nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/core/path_cache.h"

enum {
	N_WORDS = 256,
	N_RULES = 24, /* addresses 1 .. N_RULES have one */
	MOST_FRAMES = 60,
	MOST_PATHS = 4096,
	STACKS = 3000,
	CHANGES = 60,
};

enum kind { BY_SP, BY_FP, LOADED, OUTERMOST };

struct made_rule {
	enum kind kind;
	int32_t words; /* of the frame: CFA = sp or fp + 8 * words; LOADED: word at fp - 8 * words */
	int32_t saves_fp; /* the caller's frame pointer lies below the return address */
};

static const struct made_rule rules[N_RULES] = {
	/* Several of each size, so that one can stand for another. */
	{ BY_SP, 1, 0 },
	{ BY_SP, 1, 0 },
	{ BY_SP, 2, 0 },
	{ BY_SP, 2, 0 },
	{ BY_SP, 2, 1 },
	{ BY_SP, 2, 1 },
	{ BY_SP, 3, 1 },
	{ BY_SP, 3, 1 },
	{ BY_SP, 4, 0 },
	{ BY_SP, 4, 1 },
	{ BY_FP, 2, 1 },
	{ BY_FP, 2, 1 },
	{ BY_FP, 2, 1 },
	{ BY_FP, 3, 1 },
	{ BY_FP, 3, 1 },
	{ BY_FP, 2, 0 },
	{ LOADED, 1, 1 },
	{ LOADED, 1, 1 },
	{ LOADED, 2, 1 },
	{ BY_SP, 3, 0 },
	{ OUTERMOST, 2, 0 },
	{ OUTERMOST, 2, 0 },
	{ BY_SP, 2, 1 },
	{ BY_FP, 3, 1 },
};

/* Where a call leaves the return address in a register, frames are remembered only if they begin with
   that address and the caller's frame pointer. */
static struct made_rule rule_of(uint64_t ip)
{
	struct made_rule rule = rules[ip - 1];

	if (!WALK_HAS_LINK || rule.kind == OUTERMOST)
		return rule;
	rule.saves_fp = 1;
	rule.words = rule.words > 2 ? rule.words : 2;
	rule.kind = rule.kind == LOADED ? BY_FP : rule.kind;
	return rule;
}

static uint64_t words[N_WORDS] __attribute__((aligned(64)));
static struct walk_bounds bounds;
static uint64_t enter_frame;
static struct frames_context frames;
static const struct ompprof_runtime_code nowhere = { 1, { { 0, 1 } } };
static struct path_cache memos;

/* What each node's path was, in distances from the enter frame. */
static struct known {
	uint32_t n;
	uint64_t ip[MOST_FRAMES], cfa[MOST_FRAMES];
	int64_t exit_frame, base_cfa;
} known[MOST_PATHS];
static uint32_t n_known;

static struct walk_frame found[MOST_FRAMES + 1];
static struct walk_path path;
static uint64_t random_state;
static uint32_t n_hits, n_changed_hits;

static uint32_t below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 33) % n;
}

static uint64_t address_of(uint32_t word)
{
	return (uint64_t)(uintptr_t)&words[word];
}

/* Reads a word that a walk may read. Returns 0, or -1. */
static int read_word(uint64_t at, uint64_t *value)
{
	if (at % 8 != 0 || at < enter_frame || at > bounds.hi - 8)
		return -1;
	*value = *(const uint64_t *)(uintptr_t)at;
	return 0;
}

/* The CFA of a frame in this state; 0 if there is none. */
static uint64_t cfa_of(const struct made_rule *rule, uint64_t sp, uint64_t fp)
{
	uint64_t cfa = (rule->kind == BY_FP ? fp : sp) + 8 * (uint64_t)rule->words;

	if (rule->kind == LOADED && read_word(fp - 8 * (uint64_t)rule->words, &cfa) != 0)
		return 0;
	return cfa % 8 == 0 && cfa > sp && cfa <= bounds.hi ? cfa : 0;
}

/* Fills in what the walker would say of a frame. */
static void describe(struct walk_frame *frame, const struct made_rule *rule)
{
	frame->how = WALK_CALL;
	frame->flags = rule->kind == OUTERMOST ? WALK_FRAME_OUTERMOST : WALK_FRAME_PLAIN;
	if (rule->kind == LOADED) {
		frame->flags |= WALK_FRAME_LOADS_CFA;
		frame->at = -8 * rule->words;
	} else if (rule->saves_fp) {
		frame->at = -16;
	}
	if (rule->kind == BY_FP)
		frame->flags |= WALK_FRAME_BY_POINTER;
}

/* Walks from the enter frame into `path`. */
static void walk(uint64_t codeptr_ra)
{
	uint64_t ip = codeptr_ra, sp = enter_frame + 16, fp, ra;

	memset(&found, 0, sizeof(found));
	path = (struct walk_path){ .frame = found, .end = WALK_BAD_CFI };
	if (read_word(enter_frame + 8, &ra) != 0 || ra != codeptr_ra ||
		read_word(enter_frame, &fp) != 0)
		return;
	while (path.n < MOST_FRAMES) {
		struct walk_frame *frame = &found[path.n++];
		struct made_rule made;
		const struct made_rule *rule = &made;

		*frame = (struct walk_frame){ .ip = ip, .fp = fp };
		if (ip - 1 >= N_RULES)
			return;
		made = rule_of(ip);
		frame->cfa = cfa_of(rule, sp, fp);
		if (!frame->cfa)
			return;
		describe(frame, rule);
		if (rule->kind == OUTERMOST) {
			path.end = WALK_COMPLETE;
			return;
		}
		if (read_word(frame->cfa - 8, &ip) != 0 ||
			(rule->kind == LOADED && read_word(fp, &fp) != 0) ||
			(rule->kind != LOADED && rule->saves_fp &&
				read_word(frame->cfa - 16, &fp) != 0))
			return;
		sp = frame->cfa;
		if (sp > frames_stop(&frames) || ip == 0) {
			path.end = WALK_COMPLETE;
			return;
		}
	}
}

static struct path_cache_key key_of(uint64_t codeptr_ra)
{
	return (struct path_cache_key){
		.codeptr_ra = codeptr_ra,
		.enter_frame = enter_frame,
		.frames = &frames,
		.context = 1,
	};
}

static int64_t distance(uint64_t pointer)
{
	return pointer ? (int64_t)(pointer - enter_frame) : INT64_MIN;
}

/* What is found has to be the path that was walked now. */
static void check(uint32_t node, uint64_t user_cfa)
{
	const struct known *k = &known[node - 1];

	assert_in_range(node, 1, n_known);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.n, k->n);
	assert_int_equal(user_cfa, path.frame[0].cfa);
	assert_true(k->exit_frame == distance(frames.exit_frame));
	assert_true(k->base_cfa == distance(frames.base_cfa));
	for (uint32_t i = 0; i < path.n; i++) {
		assert_int_equal(path.frame[i].ip, k->ip[i]);
		assert_int_equal(path.frame[i].cfa - enter_frame, k->cfa[i]);
	}
}

static void keep(uint64_t codeptr_ra)
{
	struct path_cache_key key = key_of(codeptr_ra);
	struct known *k = &known[n_known++];

	k->n = path.n;
	k->exit_frame = distance(frames.exit_frame);
	k->base_cfa = distance(frames.base_cfa);
	for (uint32_t i = 0; i < path.n; i++) {
		k->ip[i] = path.frame[i].ip;
		k->cfa[i] = path.frame[i].cfa - enter_frame;
	}
	path_cache_keep(&memos, &key, &path, n_known);
}

/* Asks for the path of now, whatever it is. Returns whether a memo was found. */
static int ask(uint64_t codeptr_ra)
{
	struct path_cache_key key = key_of(codeptr_ra);
	const struct cached_path *memo = path_cache_find(&memos, &key, &bounds);

	if (!memo)
		return 0;
	walk(codeptr_ra);
	check(memo->node, key.enter_frame + memo->user_cfa);
	n_hits++;
	return 1;
}

/* A stack that functions with these rules would leave: each frame by a function that fits. Returns the
   innermost one's address. */
static uint64_t make_stack(void)
{
	uint32_t at = 16 + below(16), fp_at, n = 2 + below(12);
	uint64_t ip = 1 + below(10), first = ip;

	for (uint32_t i = 0; i < N_WORDS; i++)
		words[i] = below(2) ? 1 + below(N_RULES) : address_of(below(N_WORDS));
	enter_frame = address_of(at);
	words[at + 1] = ip;
	fp_at = at;
	at += 2;
	for (uint32_t i = 0; i < n && at + 16 < N_WORDS; i++) {
		struct made_rule made = rule_of(ip);
		const struct made_rule *rule = &made;
		uint32_t cfa_at = at + (uint32_t)rule->words;

		if (rule->kind == BY_FP || rule->kind == LOADED)
			cfa_at = at + 3 + below(3);
		if (rule->kind == BY_FP)
			words[fp_at] = address_of(cfa_at - (uint32_t)rule->words);
		if (rule->kind == LOADED) {
			words[fp_at] = address_of(at + (uint32_t)rule->words);
			words[at] = address_of(cfa_at);
			fp_at = at + (uint32_t)rule->words;
		} else if (rule->saves_fp) {
			fp_at = cfa_at - 2;
		}
		ip = i + 2 < n ? 1 + below(20) : 21 + below(2);
		if (i + 2 == n && below(4) == 0)
			ip = 0;
		words[cfa_at - 1] = ip;
		at = cfa_at;
		if (ip == 0 || rules[ip - 1].kind == OUTERMOST)
			break;
	}
	frames = (struct frames_context){ .task = below(2) ? FRAMES_ALL : FRAMES_ON_STACK };
	frames.base_cfa = frames.task == FRAMES_ALL ? 0 : enter_frame + 8 * (8 + below(20));
	frames.exit_frame = below(2) ? 0 : enter_frame + 8 * (4 + below(20));
	frames.runtime = &nowhere; /* nothing is the runtime's, whose code is known */
	return first;
}

/* Changes one thing that a walk may depend on. */
static void change(void)
{
	uint32_t word = (uint32_t)(enter_frame - address_of(0)) / 8 + below(48);
	uint64_t *at = &words[word];

	switch (below(8)) {
	case 0:
		frames.exit_frame = below(3) ? enter_frame + 8 * below(24) : 0;
		break;
	case 1:
		if (frames.task == FRAMES_ON_STACK)
			frames.base_cfa += 8;
		break;
	case 2:
		*at = address_of(below(N_WORDS));
		break;
	case 3:
		*at += 8;
		break;
	default:
		if (*at - 1 < N_RULES)
			*at = 1 + below(N_RULES);
	}
}

static uint64_t moved(uint64_t word, uint64_t by)
{
	return word >= address_of(0) && word <= address_of(N_WORDS) ? word + by : word;
}

/* Moves all that is on the stack further out. */
static void move_stack(uint32_t n)
{
	for (uint32_t i = N_WORDS; i > 0; i--)
		words[i - 1] = i > n ? moved(words[i - 1 - n], 8 * n) : 0;
	enter_frame += 8 * n;
	frames.exit_frame = moved(frames.exit_frame, 8 * n);
	frames.base_cfa = moved(frames.base_cfa, 8 * n);
}

static int set_up(void **state)
{
	memset(&memos, 0, sizeof(memos));
	random_state = 88172645463325252u;
	bounds = (struct walk_bounds){ address_of(0), address_of(N_WORDS) };
	n_known = n_hits = n_changed_hits = 0;
	return 0;
}

static void test_random(void **state)
{
	static uint64_t before[N_WORDS];
	uint32_t n_kept = 0;

	for (uint32_t i = 0; i < STACKS; i++) {
		uint64_t codeptr_ra = make_stack();
		struct frames_context frames_before = frames;

		walk(codeptr_ra);
		if (path.end != WALK_COMPLETE)
			continue;
		n_kept++;
		keep(codeptr_ra);
		assert_true(ask(codeptr_ra));
		memcpy(before, words, sizeof(before));
		for (int j = 0; j < CHANGES; j++) {
			change();
			n_changed_hits += (uint32_t)ask(codeptr_ra);
			if (below(3) == 0)
				continue;
			memcpy(words, before, sizeof(before));
			frames = frames_before;
		}
		memcpy(words, before, sizeof(before));
		frames = frames_before;
		assert_true(ask(codeptr_ra));
	}
	assert_true(n_kept > STACKS / 4);
	/* Words that a path does not depend on can change. */
	assert_true(n_changed_hits > n_kept);
}

/* Anywhere else on the stack a path is the same, as long as it ends on the stack. */
static void test_moved(void **state)
{
	uint32_t n_out = 0;

	for (uint32_t i = 0; i < STACKS; i++) {
		uint64_t codeptr_ra = make_stack(), hi = bounds.hi;
		uint32_t by = 1 + below(64);

		walk(codeptr_ra);
		if (path.end != WALK_COMPLETE || path.frame[path.n - 1].cfa + 8 * by > hi)
			continue;
		keep(codeptr_ra);
		move_stack(by);
		assert_true(ask(codeptr_ra));
		walk(codeptr_ra);
		bounds.hi = path.frame[path.n - 1].cfa - 8;
		assert_false(ask(codeptr_ra));
		bounds.hi = hi;
		bounds.lo = enter_frame + 8;
		assert_false(ask(codeptr_ra));
		bounds.lo = address_of(0);
		n_out++;
	}
	assert_true(n_out > STACKS / 8);
}

/* Two ways to one construct that differ in one return address alone, in turn: each keeps its node. */
static void test_twins(void **state)
{
	uint64_t codeptr_ra = 3;
	struct path_cache_key key;
	uint32_t at = 32, node[2];

	frames = (struct frames_context){ .task = FRAMES_ALL, .runtime = &nowhere };
	enter_frame = address_of(at);
	words[at + 1] = codeptr_ra; /* 2 words */
	words[at + 3] = 5;          /* 2 words, as 6 */
	words[at + 5] = 21;
	for (int i = 0; i < 8; i++) {
		words[at + 3] = 5 + (uint64_t)i % 2;
		key = key_of(codeptr_ra);
		if (i < 2) {
			assert_null(path_cache_find(&memos, &key, &bounds));
			walk(codeptr_ra);
			keep(codeptr_ra);
			node[i] = n_known;
		}
		assert_int_equal(path_cache_find(&memos, &key, &bounds)->node, node[i % 2]);
		assert_true(ask(codeptr_ra));
	}
	assert_int_not_equal(node[0], node[1]);
}

/* Frames that more decides about than the words of a memo: none is made. */
static void test_not_firm(void **state)
{
	static const struct {
		uint8_t flags, how;
		uint16_t object;
	} table[] = {
		{ 0, WALK_CALL, 0 },
		{ WALK_FRAME_PLAIN | WALK_FRAME_FOREIGN, WALK_CALL, 0 },
		{ WALK_FRAME_PLAIN, WALK_EXACT, 0 },
		{ WALK_FRAME_PLAIN, WALK_GUESS, 0 },
		{ WALK_FRAME_PLAIN, WALK_CALL, 1 },
		{ WALK_FRAME_PLAIN, WALK_CALL, WALK_NO_OBJECT },
		{ WALK_FRAME_OUTERMOST, WALK_CALL, 0 },
	};
	uint64_t codeptr_ra = 3;
	uint32_t at = 32;

	frames = (struct frames_context){ .task = FRAMES_ALL, .runtime = &nowhere };
	enter_frame = address_of(at);
	words[at + 1] = codeptr_ra;
	words[at + 3] = 5;
	words[at + 5] = 21;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		walk(codeptr_ra);
		found[1].flags = table[i].flags;
		found[1].how = table[i].how;
		found[1].object = table[i].object;
		keep(codeptr_ra);
		assert_false(ask(codeptr_ra));
	}
	walk(codeptr_ra);
	path.end = WALK_NO_CFI;
	keep(codeptr_ra);
	assert_false(ask(codeptr_ra));
	walk(codeptr_ra);
	keep(codeptr_ra);
	assert_true(ask(codeptr_ra));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_random, set_up),
		cmocka_unit_test_setup(test_moved, set_up),
		cmocka_unit_test_setup(test_twins, set_up),
		cmocka_unit_test_setup(test_not_firm, set_up),
	};

	return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
