/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocols by which threads of the program tell each other something without a lock, and the
 * outcomes that must not be; docs/internals/memory-order.md has the list. Most cases run the
 * product's own functions. A case whose functions are not in a header repeats their operations.
 */
#include "tests/litmus/record.h"

#include <stdio.h>
#include <string.h>

#include "sampler/core/depend.h"
#include "sampler/core/phase_internal.h"
#include "sampler/core/region.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"
#include "tests/litmus/explore.h"

/* Included so that their operations are recorded, too. */
#include "sampler/core/thread_board.c"
#include "sampler/threads/region_ends.c"
#include "unwinder/core/objects.c"

#define READ(place)         __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define WRITE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELAXED)

enum { OLD = 5, NEW = 9, LOCK = PROFILE_LOCK };

static struct profile_thread record;
static struct thread thread;
static struct region old_region, new_region;
static uint32_t phase;

/* What the threads of a case found. */
static struct {
	const struct region *region;
	const void *pointer;
	uint64_t since, until, other_since, value;
	uint32_t n, instance;
	int is, other_is;
} seen;

static void reset(void)
{
	memset(&record, 0, sizeof(record));
	memset(&seen, 0, sizeof(seen));
	thread.record = &record;
	thread.gate = (struct thread_gate){ 0 };
	phase = TOOL_ON;
	tool.phase = &phase;
}

/* The team, and the number of its execution. */

static void reset_team(void)
{
	reset();
	record.now.team = (uint64_t)&old_region;
	record.now.instance = OLD;
}

static void change_team(void)
{
	board_publish_task(&thread, &(struct task){ .region = &new_region, .generation = NEW });
}

static void read_team(void)
{
	seen.region = board_team(&record.now, &seen.instance);
}

static int is_mixed_team(void)
{
	return (seen.region == &old_region && seen.instance == NEW) ||
	       (seen.region == &new_region && seen.instance == OLD);
}

/* The mutex that is asked for, and since when. */

static void reset_mutex(void)
{
	reset();
	record.now.mutex = OLD;
	record.now.mutex_since = 100;
	record.now.mutex_until = 200;
}

static void look_at_old(void)
{
	seen.is = board_asks(&record.now, OLD, &seen.since, &seen.until);
}

static void look_at_new(void)
{
	seen.other_is = board_asks(&record.now, NEW, &seen.other_since, &seen.until);
}

static void ask(void)
{
	board_publish_mutex(&record.now, NEW, LOCK, 500);
}

static int is_mixed_mutex(void)
{
	return (seen.is && seen.since == 500) || (seen.other_is && seen.other_since == 100);
}

static void ask_again(void)
{
	board_publish_mutex(&record.now, OLD, LOCK, 500);
}

static int is_mixed_wait(void)
{
	return seen.is && seen.until == MUTEX_WAITS && seen.since == 100;
}

/* The kind of a wait says that what was published before is seen. */

static void ask_and_wait(void)
{
	WRITE(record.now.mutex, NEW);
	board_publish_wait(&thread, LOCK, 500);
}

static void look_at_wait(void)
{
	seen.n = BOARD_ACQUIRE(record.now.wait);
	seen.value = READ(record.now.mutex);
	seen.since = READ(record.now.since);
}

static int is_wait_of_nothing(void)
{
	return seen.n == LOCK && (seen.value != NEW || seen.since != 500);
}

/* A wait has been added to its node when a reader of the file does not see it any more. */

static uint64_t node;

static void reset_node(void)
{
	reset();
	record.now.wait = LOCK;
	node = 0;
}

static void end_wait(void)
{
	WRITE(node, 1);
	board_publish_wait(&thread, 0, 0);
}

/* reader_live.c */
static void read_live(void)
{
	seen.n = READ(record.now.wait);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	seen.value = READ(node);
}

static int is_lost_wait(void)
{
	return seen.n == 0 && seen.value == 0;
}

/* The end of the profile, and a handler. */

static void reset_handler(void)
{
	reset();
	node = 0;
}

static void handle(void)
{
	thread_enter_handler(&thread);
	seen.is = tool_is_on_in_handler();
}

static void end_profile(void)
{
	tool_turn_off();
	seen.other_is = thread_is_in_handler(&thread);
}

static int is_missed_handler(void)
{
	return seen.is && !seen.other_is;
}

static void reset_in_handler(void)
{
	reset_handler();
	thread.gate.in_handler = 1;
}

static void leave_handler(void)
{
	WRITE(node, 1);
	thread_leave_handler(&thread);
}

static void look_at_handler(void)
{
	seen.is = thread_is_in_handler(&thread);
	seen.value = READ(node);
}

static int is_lost_sample(void)
{
	return !seen.is && seen.value == 0;
}

/* The start of the tool. */

static void reset_off(void)
{
	reset_handler();
	phase = TOOL_STARTING;
}

static void start(void)
{
	WRITE(node, 1);
	__atomic_store_n(tool.phase, TOOL_ON, __ATOMIC_RELEASE);
}

static void look_at_tool(void)
{
	seen.is = tool_is_on();
	seen.value = READ(node);
}

static int is_half_started(void)
{
	return seen.is && seen.value == 0;
}

/* Phases of the program. */

static void reset_news(void)
{
	reset();
	memset(&phase_ring, 0, sizeof(phase_ring));
	phase_ring.n = OLD;
	thread.gate.has_news = 1;
}

static void change_phase(void)
{
	phase_ring_add(500, NEW);
	thread_tell(&thread);
}

static void take_news(void)
{
	thread_take_news(&thread);
	seen.n = __atomic_load_n(&phase_ring.n, __ATOMIC_ACQUIRE);
	seen.instance = phase_change_at(OLD).phase;
	seen.since = phase_change_at(OLD).ticks;
}

static int is_missed_news(void)
{
	return seen.n == OLD && !thread.gate.has_news;
}

static int is_half_change(void)
{
	return seen.n == OLD + 1 && (seen.instance != NEW || seen.since != 500);
}

/* The ends of a region's executions. Execution 16 + k uses the place of execution k again. */

static void reset_region(void)
{
	reset();
	memset(&old_region, 0, sizeof(old_region));
	for (uint32_t i = 0; i < REGION_N_ENDS; i++)
		old_region.ends[i] = (struct region_end){ .end = 100, .wall = 10 };
	old_region.last_end = 100;
	old_region.wall = 10;
	old_region.begun = 150;
	old_region.generation = OLD;
}

static void end_region(void)
{
	region_note_end(&old_region, 200, 50);
}

static void end_region_and_next(void)
{
	end_region();
	region_set_begin(&old_region, 1000);
}

static void look_at_end(void)
{
	seen.n = region_n_ended(&old_region, OLD);
	seen.value = region_end_of(&old_region, OLD, 2, 1);
}

static int is_early_end(void)
{
	return seen.n == 1 && seen.value != 200;
}

static void look_at_wall(void)
{
	seen.value = region_wall_of(&old_region, OLD, 160, &seen.n);
}

/* 10 before it, and 10 of its own so far. */
static int is_wrong_wall(void)
{
	return seen.value != 20;
}

static void reset_reuse(void)
{
	reset_region();
	old_region.generation = OLD + REGION_N_ENDS - 1;
}

static void end_two_regions(void)
{
	end_region();
	region_note_end(&old_region, 300, 50);
}

static void look_at_old_end(void)
{
	seen.value = region_end_of(&old_region, OLD, 2, REGION_N_ENDS - 1);
}

static void look_at_old_wall(void)
{
	seen.value = region_wall_of(&old_region, OLD, 400, &seen.n);
}

static int is_end_of_another(void)
{
	return seen.value == 300;
}

static int is_wall_of_another(void)
{
	return seen.n == 1 && seen.value > 60;
}

/* A thread joins the board. */

static void reset_board(void)
{
	reset();
	board_forget_all();
}

static void join(void)
{
	WRITE(record.now.root_since, 500);
	board_join(&record.now);
}

static void look_at_board(void)
{
	seen.n = board_n_listed();
	seen.pointer = board_at(0);
	seen.since = READ(record.now.root_since);
}

static int is_half_joined(void)
{
	return (seen.n && !seen.pointer) || (seen.pointer && seen.since != 500);
}

/* The list of loaded objects, and the walks that use it (unwinder/prepare/objects_refresh.c). */

static struct objects lists[2];

static void reset_objects(void)
{
	reset_handler();
	memset(&objects_state, 0, sizeof(objects_state));
	objects_state.current = &lists[0];
}

static void walk(void)
{
	uint32_t place = 1;
	unsigned int counter;

	seen.pointer = objects_enter(&place, &counter);
}

static void replace(void)
{
	__atomic_store_n(&objects_state.current, &lists[1], __ATOMIC_SEQ_CST);
	seen.is = __atomic_load_n(&objects_state.walks[0].n, __ATOMIC_SEQ_CST) == 0;
}

static int is_freed_list(void)
{
	return seen.is && seen.pointer == &lists[0];
}

static void reset_walk(void)
{
	reset_objects();
	objects_state.walks[0].n = 1;
}

static void end_walk(void)
{
	seen.value = READ(node);
	objects_leave(0);
}

static void free_list(void)
{
	seen.is = __atomic_load_n(&objects_state.walks[0].n, __ATOMIC_SEQ_CST) == 0;
	WRITE(node, 1);
}

static int is_freed_in_walk(void)
{
	return seen.is && seen.value == 1;
}

/* A timeline that is merged, and a reader of the file (timeline.c, reader_live.c). */

static struct {
	uint32_t settled, begun, count[2];
} timeline;

static void reset_timeline(void)
{
	reset();
	memset(&timeline, 0, sizeof(timeline));
}

static void merge(void)
{
	__atomic_store_n(&timeline.begun, 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE(timeline.count[0], 1);
	WRITE(timeline.count[1], 1);
	__atomic_store_n(&timeline.settled, 1, __ATOMIC_RELEASE);
}

static void copy_timeline(void)
{
	seen.n = READ(timeline.settled);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	seen.value = READ(timeline.count[0]) + READ(timeline.count[1]);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	seen.is = READ(timeline.begun) == seen.n;
}

static int is_mixed_timeline(void)
{
	return seen.is && seen.value != 2 * seen.n;
}

/* A task's place, which a later task gets (depend.c). */

static struct depend_place place;

static void reset_place(void)
{
	reset();
	place = (struct depend_place){ .number = OLD, .context = OLD, .ended = 100 };
}

static void use_place_again(void)
{
	WRITE(place.number, (uint16_t)NEW);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE(place.ended, 0);
	WRITE(place.context, (uint32_t)NEW);
	__atomic_store_n(&place.ended, 500, __ATOMIC_RELEASE);
}

static void look_at_place(void)
{
	seen.until = __atomic_load_n(&place.ended, __ATOMIC_ACQUIRE);
	seen.instance = READ(place.context);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	seen.is = READ(place.number) == OLD;
}

static int is_other_task(void)
{
	return seen.is && (seen.until != 100 || seen.instance != OLD);
}

static const struct litmus_case cases[] = {
	{ "team", reset_team, { change_team, read_team }, is_mixed_team, 0 },
	{ "mutex", reset_mutex, { look_at_old, ask, look_at_new }, is_mixed_mutex, 5 },
	{ "mutex again", reset_mutex, { look_at_old, ask_again }, is_mixed_wait, 4 },
	{ "wait", reset, { ask_and_wait, look_at_wait }, is_wait_of_nothing, 0 },
	{ "wait in the file", reset_node, { end_wait, read_live }, is_lost_wait, 0 },
	{ "end and handler", reset_handler, { handle, end_profile }, is_missed_handler, 0 },
	{ "handler left", reset_in_handler, { leave_handler, look_at_handler }, is_lost_sample, 0 },
	{ "start", reset_off, { start, look_at_tool }, is_half_started, 0 },
	{ "news", reset_news, { change_phase, take_news }, is_missed_news, 2 },
	{ "phase", reset_news, { change_phase, take_news }, is_half_change, 2 },
	{ "end", reset_region, { end_region, look_at_end }, is_early_end, 1 },
	{ "old end", reset_reuse, { look_at_old_end, end_two_regions }, is_end_of_another, 3 },
	{ "wall", reset_region, { look_at_wall, end_region_and_next }, is_wrong_wall, 2 },
	{ "old wall", reset_reuse, { look_at_old_wall, end_two_regions }, is_wall_of_another, 4 },
	{ "board", reset_board, { join, look_at_board }, is_half_joined, 0 },
	{ "objects", reset_objects, { walk, replace }, is_freed_list, 0 },
	{ "walk", reset_walk, { end_walk, free_list }, is_freed_in_walk, 0 },
	{ "timeline", reset_timeline, { merge, copy_timeline }, is_mixed_timeline, 1 },
	{ "dependence", reset_place, { use_place_again, look_at_place }, is_other_task, 2 },
};

int main(void)
{
	int n = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		n += litmus_check(&cases[i], n + 1);
	printf("1..%d\n", n);
	return 0;
}
