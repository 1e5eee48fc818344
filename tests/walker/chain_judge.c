/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/walker/chain_judge.h"

#define MAX_BETWEEN 24 /* frames of other code between two links */
#define MAX_OUTER   4  /* frames outside of the outermost link: the start of a thread */

/* Where a comparison is: the frame that comes next. */
struct place {
	struct chain_trial *trial;
	const struct walk_path *path;
	uint32_t next;
};

/* The path has no frame where one must be. */
static const char *lacks(struct place *place, const char *why)
{
	place->trial->is_short = place->path->end != WALK_COMPLETE;
	return why;
}

/* The first frame with this CFA among the next n + 1 frames, or NULL. */
static const struct walk_frame *find_cfa(struct place *place, uint64_t cfa, uint32_t n)
{
	for (uint32_t i = place->next; i <= place->next + n; i++) {
		if (i >= place->path->n || !place->path->frame[i].cfa) {
			lacks(place, NULL);
			return NULL;
		}
		if (place->path->frame[i].cfa == cfa)
			return &place->path->frame[i];
	}
	return NULL;
}

/* A handler's frame has been found and its caller is the signal's frame, which comes next. */
static const char *judge_signal(struct place *place, const struct chain_link *link)
{
	const struct walk_frame *frame = &place->path->frame[place->next];

	if (place->next + 1 >= place->path->n)
		return lacks(place, "the path ends at a signal's frame");
	if (frame->cfa != link->sp)
		return "the CFA of a signal's frame is not the stack pointer at the signal";
	if (frame[1].ip != link->ip)
		return "a signal's frame is not followed by what it interrupted";
	if (frame[1].how != WALK_EXACT)
		return "what a signal interrupted is not told from a call";
	place->next++;
	return NULL;
}

/* One link: finds its frame, checks it, and moves on to its caller. */
static const char *judge_link(
	struct place *place, const struct chain_link *link, uint32_t max_between)
{
	const struct walk_frame *frame = find_cfa(place, link->cfa, max_between);
	const struct walk_bounds *bounds = place->trial->bounds;
	int is_foreign = link->cfa < bounds->lo || link->cfa > bounds->hi;

	if (!frame)
		return "a function of the chain has no frame";
	place->next = (uint32_t)(frame - place->path->frame) + 1;
	if (!!(frame->flags & WALK_FRAME_FOREIGN) != is_foreign)
		return "a frame is not marked for the stack that it is on";
	if (!link->return_address)
		return place->next == place->path->n ? NULL
						     : "the path goes on from a made stack's end";
	if (place->next >= place->path->n)
		return lacks(place, "the path ends before the chain");
	if (frame[1].ip != link->return_address)
		return "a return address is wrong";
	if (frame[1].how == WALK_EXACT)
		return "a caller is taken for interrupted";
	return link->how == CHAIN_HANDLER ? judge_signal(place, link) : NULL;
}

static const char *judge_end(struct place *place)
{
	if (place->path->n > place->next + MAX_OUTER)
		return "the path goes on beyond the chain";
	if (place->path->end != WALK_COMPLETE)
		return lacks(place, "the path is cut short");
	return NULL;
}

/* A path that is full is right as far as it goes. */
static int is_full(const struct place *place)
{
	return place->trial->wanted->is_limited && place->path->end == WALK_LIMIT &&
	       place->path->n == WALK_MAX_FRAMES && place->next >= place->path->n - 1;
}

/* On the thread's own stack each frame is further out than the one before. */
static int is_ordered(const struct walk_path *path, const struct walk_bounds *bounds)
{
	uint64_t previous = 0;

	for (uint32_t i = 0; i < path->n; i++) {
		uint64_t cfa = path->frame[i].cfa;

		if (cfa < bounds->lo || cfa > bounds->hi)
			continue;
		if (cfa <= previous)
			return 0;
		previous = cfa;
	}
	return 1;
}

const char *chain_judge(struct chain_trial *trial)
{
	struct place place = { .trial = trial, .path = trial->path };
	const struct chain_wanted *wanted = trial->wanted;
	uint32_t max_between = wanted->max_inner + 1;
	const char *why;

	trial->is_short = 0;
	if (trial->path->n == 0 || trial->path->frame[0].ip != trial->ip ||
		trial->path->frame[0].how != WALK_EXACT)
		return "the first frame is not where the thread stood";
	if (!is_ordered(trial->path, trial->bounds))
		return "the path goes back on the thread's stack";
	for (uint32_t i = trial->n; i-- > 0;) {
		if (wanted->is_loose && i < wanted->n_sure)
			return NULL;
		why = judge_link(&place, &trial->chain->link[i], max_between);
		if (why)
			return is_full(&place) ? NULL : why;
		max_between = trial->chain->link[i].how == CHAIN_CALLED ? 0 : MAX_BETWEEN;
	}
	return judge_end(&place);
}
