/* SPDX-License-Identifier: Apache-2.0 */
/* The signal handler, top to bottom; see handler.h. Part of the signal-safe core. */
#include "sampler/core/handler.h"

#include <errno.h>
#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "profile/core/counters.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/core/path.h"
#include "sampler/core/run_delay.h"
#include "sampler/core/sample_follow.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/states.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"

/* The signal is not from our clock: it is the program's own. */
static void pass_on(int signal, siginfo_t *info, void *ucontext)
{
	if (tool.previous.sa_flags & SA_SIGINFO)
		tool.previous.sa_sigaction(signal, info, ucontext);
	else if (tool.previous.sa_handler != SIG_IGN && tool.previous.sa_handler != SIG_DFL)
		tool.previous.sa_handler(signal);
}

/* The thread's activity: its class, and the mark of the runtime's state (enum profile_state). */
struct activity {
	enum profile_class class;
	uint8_t mark;
};

/* The mutex that the current task has asked for, also on the fast path, or OWN_NONE. */
static enum own_wait mutex_of(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	if (!task)
		return OWN_NONE;
	if (thread->quick.phase == MUTEX_FAST_ASKED)
		return classify_mutex(thread->quick.ompt_kind);
	return (enum own_wait)task->mutex;
}

static struct activity activity_now(struct thread *thread, const struct path_place *place)
{
	struct task *task = thread_waiter(thread);
	struct own_state own = {
		.sync = task ? task->sync : OWN_NONE,
		.mutex = (uint8_t)mutex_of(thread),
		.has_team = (uint8_t)place->has_team,
		.is_worker = (uint8_t)thread_is_runtimes(thread),
	};
	struct states_meaning meaning = { CLASSIFY_NO_STATE, PROFILE_STATE_PLAIN };
	ompt_wait_id_t wait_id;

	if (tool.has_ompt && thread->life.is_openmp)
		meaning = states_meaning((uint32_t)tool.get_state(&wait_id));
	return (struct activity){ classify(meaning.standard, &own), meaning.mark };
}

/* Walks and inserts the interrupted path. Returns the innermost node, or 0 without space. */
static uint32_t walk(
	struct thread *thread, struct path_place *place, const struct walk_registers *registers)
{
	struct walk_bounds bounds = thread->stack;
	uint32_t node;

	if (registers->reg[WALK_SP] > bounds.lo + WALK_RED_ZONE_BYTES &&
		registers->reg[WALK_SP] < bounds.hi)
		bounds.lo = registers->reg[WALK_SP] - WALK_RED_ZONE_BYTES;
	path_walk(thread, place, registers, &bounds);
	writer_count(&thread->record->n_frames, thread->path.n);
	writer_count(&thread->record->ends[thread->path.end], 1);
	node = path_insert(thread, place);
	thread->sample.is_guessed = path_is_guessed(thread);
	return node;
}

/*
 * Whether the thread is still in the wait of its last sample. A mutex that was asked for is no
 * proof: a failed test of a lock has no further event.
 */
static int is_same_wait(struct thread *thread, const struct activity *activity,
	const struct walk_registers *registers)
{
	uint64_t pc = registers->reg[WALK_IP];

	return activity->class == thread->sample.class && activity->mark == thread->sample.mark &&
	       activity->class >= PROFILE_WAIT_BARRIER && thread->sample.leaf &&
	       thread->record->n_callbacks == thread->sample.callbacks &&
	       (mutex_of(thread) == OWN_NONE || runtime_code_has(tool.runtime_code, pc));
}

/*
 * Whether the task is implicit, in a region right within a team of a league. LLVM's runtime reports
 * overhead in such a body, if the team has more threads than one. Other threads write the regions.
 */
static int is_in_league(const struct task *task)
{
	const struct region *outer;
	int is_within;

	if (!task || !task->is_implicit || !task->region)
		return 0;
	outer = BOARD_READ(task->region->outer);
	is_within = outer && BOARD_READ(outer->team.is_within);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return is_within && !path_is_over(task);
}

/*
 * The SAMPLES node of this sample, or 0 without space. The path can prove that the task does not
 * wait for a mutex any more; then *activity changes.
 */
static uint32_t find_leaf(struct thread *thread, struct activity *activity,
	struct path_place *place, const void *ucontext)
{
	/* Read once: at the end of the profile another thread can take the tasks away meanwhile. */
	struct task *task = thread_waiter(thread);
	struct walk_registers registers;
	uint32_t node;

	walk_registers_from_ucontext(&registers, ucontext);
	if (is_same_wait(thread, activity, &registers)) {
		writer_count(&thread->record->n_same, 1);
		return thread->sample.leaf;
	}
	thread->sample.is_guessed = 0;
	node = activity->class == PROFILE_IDLE ? thread->cct.root : walk(thread, place, &registers);
	if (task && task->mutex != OWN_NONE && !mutex_is_spinning(thread) &&
		!frames_is_in_runtime(&thread->path, &place->frames, &thread->sample.marks)) {
		task->mutex = OWN_NONE;
		board_give_up_mutex(thread);
		*activity = activity_now(thread, place);
	}
	if (activity->class == PROFILE_OVERHEAD && is_in_league(task) &&
		!(runtime_code_is_known(tool.runtime_code) &&
			frames_is_in_runtime(&thread->path, &place->frames, &thread->sample.marks)))
		activity->class = PROFILE_WORK;
	if (node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_SAMPLES, activity->mark,
			(uint64_t)activity->class);
	return node;
}

/* Adds the advance of the thread's clock to a SAMPLES node. now_ns is from tool_now_ns. */
static void add_sample(struct thread *thread, uint32_t leaf, enum profile_class class,
	const struct clock_weight *weight, uint64_t now_ns)
{
	struct profile_thread *record = thread->record;

	cct_add_sample(leaf, weight->time_ns, weight->events);
	writer_count(&record->n_samples, 1);
	writer_count(&record->time_ns[class], weight->time_ns);
	__atomic_store_n(&record->cpu_last_ns, thread->life.cpu_before_ns + weight->cpu_ns,
		__ATOMIC_RELAXED);
	record->last_ns = now_ns;
	__atomic_store_n(&writer_header()->last_ns, now_ns, __ATOMIC_RELAXED);
	if (!__atomic_load_n(&writer_header()->ticks_per_s, __ATOMIC_RELAXED))
		tool_calibrate();
}

void handler_drop(struct thread *thread)
{
	struct profile_thread *record = thread->record;
	struct clock_weight weight;
	uint64_t cpu_ns;

	tool.clock->read(&thread->clock, &weight);
	cpu_ns = thread->life.cpu_before_ns + weight.cpu_ns;
	thread->life.cpu_before_ns -= cpu_ns - record->cpu_last_ns;
	thread->clock.last_ns += weight.time_ns;
	thread->clock.last_events += weight.events;
	run_delay_skip(thread, weight.cpu_ns);
	counters_drop(&thread->counters);
}

void handler_pause(struct thread *thread)
{
	struct thread_clock *clock = &thread->clock;
	struct clock_weight weight;

	counters_keep(&thread->counters);
	tool.clock->read(clock, &weight);
	clock->kept_ns += weight.time_ns;
	clock->kept_events += weight.events;
	clock->last_ns += weight.time_ns;
	clock->last_events += weight.events;
	__atomic_store_n(&thread->record->cpu_last_ns, thread->life.cpu_before_ns + weight.cpu_ns,
		__ATOMIC_RELAXED);
}

/* The time that was kept before a pause goes to this sample. */
static void take_kept(struct thread_clock *clock)
{
	clock->last_ns -= clock->kept_ns;
	clock->last_events -= clock->kept_events;
	clock->kept_ns = clock->kept_events = 0;
}

/* The signal of a sample, and the state that it interrupted. */
struct sample_signal {
	struct thread *thread;
	const siginfo_t *info;
	const void *ucontext;
};

static void sample(const struct sample_signal *signal)
{
	struct thread *thread = signal->thread;
	struct profile_thread *record = thread->record;
	struct clock_weight weight;
	struct path_place place;
	struct activity activity;
	struct sample_gap gap;
	uint64_t now_ns;
	uint32_t leaf;

	path_find_place(thread, NULL, &place);
	activity = activity_now(thread, &place);
	catch_up(thread);
	if (tool_is_paused()) {
		handler_drop(thread);
		tool.clock->next(&thread->clock);
		return;
	}
	leaf = find_leaf(thread, &activity, &place, signal->ucontext);
	if (!leaf) {
		writer_count(&record->lost[PROFILE_LOST_NO_SPACE], 1);
		tool.clock->next(&thread->clock);
		return;
	}
	if (thread->clock.kept_ns)
		take_kept(&thread->clock);
	now_ns = tool_now_ns();
	gap.since_ns = now_ns - record->last_ns;
	tool.clock->turn(&thread->clock, signal->info, &weight);
	add_sample(thread, leaf, activity.class, &weight, now_ns);
	counters_sample(&thread->counters, leaf, activity.class);
	/* In a wait, the event at its end looks at the delay, and knows the wait's leaf. */
	gap.delay_ns = 0;
	if (activity.class <= PROFILE_OVERHEAD || activity.class == PROFILE_WAIT_TARGET)
		gap.delay_ns = run_delay_look(thread, now_ns, weight.cpu_ns);
	sample_spread(thread, leaf, activity.class, &weight, &gap);
	unseen_count(thread, leaf, activity.class, &weight, &gap);
	sample_note_open(thread, leaf, activity.class, gap.delay_ns);
	writer_count(&record->n_guessed, thread->sample.is_guessed);
	thread->sample.class = (uint8_t)activity.class;
	thread->sample.mark = activity.mark;
	thread->sample.leaf = leaf;
	thread->sample.callbacks = record->n_callbacks;
	if (tool.clock->go_on)
		tool.clock->go_on(&thread->clock);
}

static void take_sample(void *data)
{
	const struct sample_signal *signal = data;
	struct unseen_top top;

	signal->thread->gate.is_pending = 0;
	unseen_meet(signal->thread, &top);
	sample(signal);
	unseen_part(signal->thread, &top);
}

void handler_take_pending(struct thread *thread)
{
	enum profile_class class = mutex_is_spinning(thread) ? PROFILE_WAIT_LOCK : PROFILE_OVERHEAD;
	struct clock_weight weight;
	struct path_place place;
	uint32_t node;

	thread->gate.is_pending = 0;
	if (tool_is_paused()) {
		handler_drop(thread);
		return;
	}
	path_find_place(thread, NULL, &place);
	node = path_root(thread, &place);
	if (node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_SAMPLES, 0, class);
	if (!node)
		return;
	tool.clock->read(&thread->clock, &weight);
	add_sample(thread, node, class, &weight, tool_now_ns());
	counters_sample(&thread->counters, node, class);
	sample_spread(thread, node, class, &weight, &(struct sample_gap){ 0 });
	thread->clock.last_ns += weight.time_ns;
	thread->clock.last_events += weight.events;
}

/* A signal of our clock has come on a registered thread. */
static void on_tick(struct thread *thread, const siginfo_t *info, const void *ucontext)
{
	struct profile_thread *record = thread->record;
	struct sample_signal signal = { thread, info, ucontext };

	if (info->si_code == SI_TIMER && info->si_overrun > 0)
		writer_count(&record->n_overruns, (uint64_t)info->si_overrun);
	if (tool.clock->skips && tool.clock->skips(&thread->clock, info, ucontext))
		return;
	if (!thread->gate.in_tool) {
		arch_call_on_stack(
			take_sample, &signal, thread->signal_stack + sizeof(thread->signal_stack));
		return;
	}
	thread->gate.is_pending = 1;
	writer_count(&record->lost[PROFILE_LOST_NESTED], 1);
	tool.clock->next(&thread->clock);
}

void handler_on_signal(int signal, siginfo_t *info, void *ucontext)
{
	struct thread *thread = thread_self();
	uint64_t begin;
	int saved = errno;

	if (thread)
		thread_enter_handler(thread);
	if (!tool.clock->owns(thread ? &thread->clock : NULL, info)) {
		/* Cleared first: the program's handler may never return. */
		if (thread)
			thread_leave_handler(thread);
		pass_on(signal, info, ucontext);
	} else if (!tool_is_on_in_handler()) {
		/* The signal was on its way when the tool stopped. */
	} else if (!thread) {
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_UNREGISTERED], 1, __ATOMIC_RELAXED);
	} else {
		begin = tool_ticks();
		on_tick(thread, info, ucontext);
		tool_add_ticks(
			&thread->record->handler_ticks, thread->record->n_signals++, begin, 1);
	}
	if (thread)
		thread_leave_handler(thread);
	errno = saved;
}
