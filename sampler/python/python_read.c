/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the chain of Python frames; see python.h. Part of the signal-safe core. */
#include "sampler/core/python.h"

#include <pthread.h>
#include <string.h>
#include <sys/uio.h>

#include "profile/core/writer.h"
#include "sampler/python/python_record.h"
#include "sampler/core/tool.h"
#include "sampler/python/python_layout.h"
#include "unwinder/core/remote.h"

enum {
	MOST_STATES = 256, /* threads of Python that are looked at */
	WINDOW_BYTES = 2048,
	PAGE_BYTES = 4096,
};

/* A copy of memory around an address. All zero: empty. */
struct window {
	uint64_t lo;
	uint64_t n;
	unsigned char bytes[WINDOW_BYTES];
};

/* The fields of a frame. */
struct link {
	uint64_t code, instruction, previous;
	uint8_t owner, is_entry;
};

/* The state of a walk along the chain. */
struct chain {
	const struct python_layout *layout;
	struct python_stack *stack;
	uint64_t frame;  /* the next one */
	uint64_t cframe; /* of the call that executes it; 0 in 3.13 */
	/* the path's part of the stack, which can be read directly, but for its innermost frame */
	uint64_t begin, end;
	uint32_t n_known; /* frames whose mark is known */
	struct window window;
};

static int read_word(uint64_t address, uint64_t *word)
{
	return remote_read(address, word, sizeof(*word));
}

/* The thread's own state is wanted: whether `bytes` at this address are of this state. */
static int is_own(const struct python_layout *layout, const unsigned char *bytes)
{
	return python_word(bytes, layout->state.thread_id) == (uint64_t)pthread_self();
}

/* The address of the word that leads to a state, by what the state says. */
static uint64_t link_of(const struct python_layout *layout, const unsigned char *bytes)
{
	uint64_t before = python_word(bytes, layout->state.prev);

	return before ? before + layout->state.next
		      : python_word(bytes, layout->state.interp) + layout->runtime.threads_head;
}

/* Whether the state that the thread remembers is still its own, and in the list. Copies it. */
static int has_kept(const struct python_stack *stack, unsigned char bytes[PYTHON_STATE_BYTES])
{
	uint64_t at;
	struct iovec to[] = { { bytes, PYTHON_STATE_BYTES }, { &at, sizeof(at) } };
	struct iovec from[] = { { (void *)(uintptr_t)stack->state, PYTHON_STATE_BYTES },
		{ (void *)(uintptr_t)stack->link, sizeof(at) } };

	return stack->state && remote_gather(to, from, 2) == 0 && at == stack->state &&
	       is_own(tool.python->layout, bytes) &&
	       link_of(tool.python->layout, bytes) == stack->link;
}

/* Copies the calling thread's state. Returns 0, or -1 if it has none that is known. */
static int find_state(struct python_stack *stack, unsigned char bytes[PYTHON_STATE_BYTES])
{
	const struct python_layout *layout = tool.python->layout;
	uint64_t at;

	if (has_kept(stack, bytes))
		return 0;
	stack->state = 0;
	if (read_word(tool.python->runtime + layout->runtime.interpreters_main, &at) != 0 || !at)
		return -1;
	stack->link = at + layout->runtime.threads_head;
	for (int i = 0; i < MOST_STATES; i++) {
		if (read_word(stack->link, &at) != 0 || !at ||
			remote_read(at, bytes, PYTHON_STATE_BYTES) != 0)
			return -1;
		if (is_own(layout, bytes)) {
			stack->state = at;
			return 0;
		}
		stack->link = at + layout->state.next;
	}
	return -1;
}

/*
 * Returns a copy of n bytes at `address`, or NULL. Frames further out are before a frame, so the
 * window ends behind these bytes. It begins on their page, because the page before may be missing.
 */
static const unsigned char *look(struct window *window, uint64_t address, uint64_t n)
{
	uint64_t page = address - address % PAGE_BYTES;

	if (address < window->lo || address + n > window->lo + window->n) {
		window->n = 0;
		window->lo = address + n - WINDOW_BYTES;
		if (window->lo < page || window->lo > address)
			window->lo = page;
		if (remote_read(window->lo, window->bytes, address + n - window->lo) != 0)
			return NULL;
		window->n = address + n - window->lo;
	}
	return window->bytes + (address - window->lo);
}

static int is_on_stack(const struct chain *chain, uint64_t address, uint64_t n)
{
	return address >= chain->begin && address < chain->end && n <= chain->end - address;
}

/* Copies a part of what CPython keeps for a call. */
static int read_call(const struct chain *chain, uint64_t address, void *to, uint64_t n)
{
	if (!is_on_stack(chain, address, n))
		return remote_read(address, to, n);
	memcpy(to, (const void *)(uintptr_t)address, n);
	return 0;
}

static int read_link(struct chain *chain, struct link *link)
{
	const struct python_layout *layout = chain->layout;
	const unsigned char *bytes = (const unsigned char *)(uintptr_t)chain->frame;

	if (!is_on_stack(chain, chain->frame, PYTHON_FRAME_BYTES))
		bytes = look(&chain->window, chain->frame, PYTHON_FRAME_BYTES);

	if (!bytes)
		return -1;
	link->code = python_word(bytes, layout->frame.code);
	link->instruction = python_word(bytes, layout->frame.prev_instr);
	link->previous = python_word(bytes, layout->frame.previous);
	link->owner = bytes[layout->frame.owner];
	link->is_entry = layout->frame.is_entry && bytes[layout->frame.is_entry];
	return 0;
}

/* Adds a frame whose mark is not known yet. */
static int add(struct chain *chain, const struct link *link)
{
	struct python_stack *stack = chain->stack;
	int64_t unit =
		(int64_t)(link->instruction - link->code - chain->layout->code.co_code_adaptive) /
		2;

	/* The instruction before the first is that of a function that has not begun. */
	if (stack->n == PYTHON_MOST_FRAMES || unit < -1 || unit > INT32_MAX)
		return -1;
	stack->at[stack->n++] = (struct python_frame){
		.code = link->code,
		.unit = (int32_t)unit,
		.is_generators = link->owner == PYTHON_OWNED_BY_GENERATOR,
	};
	return 0;
}

/*
 * The frames of a call of the interpreter's loop end at `link`. Gives them their mark. Returns 1 if
 * the chain goes on, 0 if it leaves the path, or -1.
 */
static int end_call(struct chain *chain, const struct link *link)
{
	struct python_stack *stack = chain->stack;
	uint64_t mark = chain->cframe ? chain->cframe : chain->frame, words[3], outer;

	if (mark >= chain->end) {
		stack->n = chain->n_known;
		return 0;
	}
	while (chain->n_known < stack->n)
		stack->at[chain->n_known++].mark = mark;
	if (!chain->cframe)
		return 1;
	if (read_call(chain, chain->cframe, words, sizeof(words)) != 0)
		return -1;
	chain->cframe = words[chain->layout->cframe.previous / 8];
	if (!chain->cframe || read_call(chain, chain->cframe + chain->layout->cframe.current_frame,
				      &outer, sizeof(outer)) != 0)
		return -1;
	return outer == link->previous ? 1 : -1;
}

/* Reads the chain up to the path's end. Returns 0 or -1. */
static int follow(struct chain *chain)
{
	struct link link;
	int status = 1;

	/* Each call has a frame or is further out on the C stack than the call before. */
	for (int i = 0; i < 2 * PYTHON_MOST_FRAMES && status > 0; i++) {
		if (!chain->frame)
			return chain->n_known == chain->stack->n ? 0 : -1;
		if (read_link(chain, &link) != 0)
			return -1;
		if (link.owner == PYTHON_OWNED_BY_C_STACK)
			status = end_call(chain, &link);
		else if (add(chain, &link) != 0)
			return -1;
		else if (link.is_entry)
			status = end_call(chain, &link);
		chain->frame = link.previous;
	}
	return status == 0 ? 0 : -1;
}

static int read_chain(struct chain *chain, const unsigned char *state)
{
	const struct python_layout *layout = chain->layout;

	chain->stack->n = 0;
	chain->frame = python_word(state, layout->state.top);
	if (layout->cframe.exists) {
		chain->cframe = chain->frame;
		if (read_call(chain, chain->cframe + layout->cframe.current_frame, &chain->frame,
			    sizeof(chain->frame)) != 0)
			return -1;
	}
	return follow(chain);
}

static int is_in_loop(const struct walk_frame *frame)
{
	return frame->ip - tool.python->eval_lo < tool.python->eval_hi - tool.python->eval_lo;
}

/*
 * Finds the path's frame that contains each mark. Returns 0, or -1 if a mark or a call of the
 * interpreter's loop is left over.
 */
static int match(struct python_stack *stack, const struct walk_path *path, uint32_t n)
{
	uint32_t i = 0, n_inner = 0, k = 0;

	for (i = 0; i < n; i++) {
		const struct walk_frame *frame = &path->frame[i];
		uint32_t first = k;

		while (k < stack->n && stack->at[k].mark < frame->cfa)
			stack->at[k++].native = (uint16_t)i;
		if (k > first && (!python_has(tool.python, frame->ip) ||
					 stack->at[first].mark != stack->at[k - 1].mark))
			return -1;
		if (k == first && is_in_loop(frame) && (k > 0 || n_inner++ > 0))
			return -1;
	}
	return k == stack->n ? 0 : -1;
}

/* The CFA of the outermost frame whose CFA is known. */
static uint64_t end_of(const struct walk_path *path, uint32_t n)
{
	return n > 1 && !path->frame[n - 1].cfa ? path->frame[n - 2].cfa : path->frame[n - 1].cfa;
}

static int is_foreign(const struct walk_path *path, uint32_t n)
{
	uint8_t flags = 0;

	for (uint32_t i = 0; i < n; i++)
		flags |= path->frame[i].flags;
	return flags & WALK_FRAME_FOREIGN;
}

static int read_all(struct python_stack *stack, const struct walk_path *path, uint32_t n)
{
	unsigned char state[PYTHON_STATE_BYTES];
	struct chain chain;

	if (find_state(stack, state) != 0)
		return 0;
	chain.layout = tool.python->layout;
	chain.stack = stack;
	chain.cframe = 0;
	chain.begin = path->frame[0].cfa;
	chain.end = end_of(path, n);
	chain.n_known = 0;
	chain.window.lo = chain.window.n = 0;
	if (is_foreign(path, n) || read_chain(&chain, state) != 0)
		return -1;
	if (stack->n == 0)
		return 0;
	return match(stack, path, n) == 0 && python_name_frames(stack) == 0 ? 1 : -1;
}

int python_read(struct python_stack *stack, const struct walk_path *path, uint32_t n)
{
	int found;

	if (n == 0 || remote_process == 0)
		return 0;
	found = read_all(stack, path, n);
	if (found < 0)
		__atomic_fetch_add(&writer_header()->usage.n_python_lost, 1, __ATOMIC_RELAXED);
	return found;
}
