/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walker over libunwind, a plug-in of its own: ompprof-walk-libunwind.so. The sampler loads it
 * at start when the user asks for it, and takes its only symbol, `ompprof_walker`. It serves for
 * comparison with the other walkers, and for code that they cannot unwind.
 *
 * It is not signal-safe, and the user accepts that:
 * - Each step may take the loader's lock and libunwind's own lock. While another thread is in
 *   dlopen or dlclose, the handler waits for it. A program that is sampled inside the loader may
 *   see the loader's list half changed.
 * - Each step blocks and unblocks signals by system calls, which takes several hundred nanoseconds
 *   a frame.
 * - Code without call frame information is stepped over by guesses that are not marked.
 * - libunwind has its own exception functions. They replace the functions of the C++ runtime in a
 *   program that looks them up after the plug-in was loaded globally. So load it with RTLD_LOCAL.
 */
#include "unwinder/core/walk.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <string.h>
#include <ucontext.h>

/* On some architectures libunwind has a structure of its own, which begins like a ucontext. */
_Static_assert(offsetof(unw_context_t, uc_mcontext) == offsetof(ucontext_t, uc_mcontext),
	"walk_registers_to_ucontext finds the registers");

extern const struct walker ompprof_walker;

/*
 * Moves the cursor to the caller. Sets the CFA of the frame that it leaves, which is the caller's
 * stack pointer. Returns -1 to continue, or how the path ends.
 */
static int step(unw_cursor_t *cursor, const struct walk_bounds *bounds, uint64_t previous_cfa,
	struct walk_frame *frame)
{
	unw_word_t sp = 0, ip = 0;
	int result = unw_step(cursor);

	if (result == 0)
		return WALK_COMPLETE;
	if (result < 0)
		return result == -UNW_ENOINFO ? WALK_NO_CFI : WALK_BAD_CFI;
	if (unw_get_reg(cursor, UNW_REG_SP, &sp) != 0 || unw_get_reg(cursor, UNW_REG_IP, &ip) != 0)
		return WALK_BAD_CFI;
	if (sp % 8 != 0 || sp < bounds->lo || sp > bounds->hi)
		return WALK_OFF_STACK;
	if (sp <= previous_cfa)
		return WALK_NO_PROGRESS;
	frame->cfa = sp;
	return ip == 0 ? WALK_COMPLETE : -1;
}

static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	unw_context_t context;
	unw_cursor_t cursor;
	unw_word_t ip = start->reg[WALK_IP];
	uint64_t previous_cfa = 0;
	uint8_t how = start->is_return ? WALK_CALL : WALK_EXACT;
	int end = -1;

	memset(&context, 0, sizeof(context));
	walk_registers_to_ucontext(start, &context);
	walk_path_begin(path);
	if (unw_init_local2(&cursor, &context, start->is_return ? 0 : UNW_INIT_SIGNAL_FRAME) != 0)
		end = WALK_BAD_CFI;
	while (end < 0 && path->n < WALK_MAX_FRAMES) {
		struct walk_frame *frame = &path->frame[path->n++];

		*frame = (struct walk_frame){ .ip = ip, .how = how };
		how = unw_is_signal_frame(&cursor) > 0 ? WALK_EXACT : WALK_CALL;
		end = step(&cursor, bounds, previous_cfa, frame);
		previous_cfa = frame->cfa;
		if (end < 0 && previous_cfa > stop_cfa)
			end = WALK_COMPLETE;
		if (end < 0)
			unw_get_reg(&cursor, UNW_REG_IP, &ip);
	}
	path->end = end < 0 ? WALK_LIMIT : (uint32_t)end;
	return path->n;
}

/* libunwind prepares itself when it is first used, which must not be in the handler. */
static int init(void)
{
	struct walk_registers here;
	struct walk_bounds whole = { .lo = 0, .hi = UINTPTR_MAX };
	static struct walk_path path;

	walk_registers_here(&here);
	return walk(&here, &whole, UINT64_MAX, &path) > 0 ? 0 : -1;
}

__attribute__((visibility("default")))
const struct walker ompprof_walker = { .name = "libunwind", .init = init, .walk = walk };
