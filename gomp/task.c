/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explicit tasks. libgomp gets an argument block that is longer than the program's: a head, then
 * the program's block. The head says which task it is. libgomp itself uses the first words of the
 * block it gets; these are copied between the head and the program's block:
 *
 *   word 0     the event of a detachable task, which libgomp writes before it copies the block
 *   word 0, 1  the first and last iteration of a taskloop's task, which it writes after the copy
 *   word 2     the address of a taskloop's reductions, which it reads
 *
 * The block is copied as before: by memcpy where the program has no function for it. A task that
 * libgomp copies by a function is executed even if it is cancelled. A task that it copies by memcpy
 * is not, and libgomp calls nothing then. So where tasks can be cancelled the block is copied by a
 * function of this library, and the task is discarded here. A task with an event is not, because
 * libgomp would wait for the event; nor a task with a long block, as the copy may be on the stack.
 * If such a task is cancelled, its memory is lost.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gomp/depend.h"
#include "gomp/detach.h"
#include "gomp/work.h"

/* The flags of GOMP_task and GOMP_taskloop. */
enum {
	UNTIED = 1,
	FINAL = 2,
	MERGEABLE = 4,
	DEPEND = 8,
	UP = 256,
	NOGROUP = 2048,
	DETACH = 8192,
};

/* A block up to this size is made on the stack. */
enum { STACK_BYTES = 4096 };

enum head_use {
	HEAD_TASK,
	HEAD_DISCARDABLE,
	HEAD_DETACHABLE,
	HEAD_TASKLOOP,
};

struct head {
	void *word[3];
	/*
	 * NULL without memory; in a head that copy_block has copied from; and of a taskloop until
	 * the task is created, which is when a function copies the block, or the task begins.
	 */
	struct gomp_task *task;
	void (*fn)(void *);
	void (*copy)(void *, void *); /* the program's, or NULL */
	void *data;                   /* the program's block before the copy */
	const void *caller;
	uint32_t offset; /* of the program's block from the head */
	uint32_t bytes;  /* of a discardable task's block */
	int flags;       /* of the task, for the tool */
	enum head_use use;
};

/*
 * A task that the program wants to be executed at once, and without a copy. It takes no more of the
 * stack than it must, since these tasks may be nested deeply. The thread keeps its memory.
 */
struct undeferred {
	struct gomp_task task;
	void (*fn)(void *);
	void *data;
	struct undeferred *next; /* among the thread's spare memory */
};

static int flags_of(unsigned flags, int is_undeferred)
{
	return ompt_task_explicit | (is_undeferred ? (int)ompt_task_undeferred : 0) |
	       (flags & UNTIED ? ompt_task_untied : 0) | (flags & FINAL ? ompt_task_final : 0) |
	       (flags & MERGEABLE ? ompt_task_mergeable : 0);
}

/* Makes a task in `task`, and tells the tool. depend: its dependences, or NULL. */
static __attribute__((noinline)) void begin(
	struct gomp_task *task, struct gomp_task *by, int flags, void **depend, const void *caller)
{
	memset(task, 0, offsetof(struct gomp_task, loop));
	task->flags = flags;
	task->thread_num = by->thread_num;
	task->n_threads = by->n_threads;
	task->team = by->team;
	GOMP_TELL(task_create, &by->data, &by->frame, &task->data, flags, depend != NULL, caller);
	if (depend)
		gomp_tell_dependences(task, depend);
}

/* Does as begin() in new memory. NULL if there is none: then the tool never sees the task. */
static struct gomp_task *create(struct gomp_task *by, int flags, void **depend, const void *caller)
{
	struct gomp_task *task = malloc(sizeof(*task));

	if (task)
		begin(task, by, flags, depend, caller);
	return task;
}

/* The task becomes the thread's current task. */
static __attribute__((noinline)) void switch_to(struct gomp_task *task, void *frame)
{
	struct thread *thread = &gomp_self;
	struct gomp_task *outer = thread->task;

	task->outer = outer;
	task->outer_state = (uint16_t)thread->state;
	task->thread_num = outer->thread_num;
	gomp_set_frame(&task->frame.exit_frame, &task->frame.exit_frame_flags, frame);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->task = task;
	thread->state = gomp_work_state(task);
	GOMP_TELL(task_schedule, &outer->data, ompt_task_switch, &task->data);
}

/* The current task is over, and the task around it is current again. */
static __attribute__((noinline)) void end(ompt_task_status_t status)
{
	struct thread *thread = &gomp_self;
	struct gomp_task *task = thread->task, *outer = task->outer;

	GOMP_TELL(task_schedule, &task->data, status, &outer->data);
	thread->state = task->outer_state;
	thread->task = outer;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* libgomp calls this in place of the program's function. It keeps no value, to save stack. */
static void run_undeferred(void *data)
{
	struct undeferred *undeferred = data;

	switch_to(&undeferred->task, GOMP_FRAME);
	undeferred->fn(undeferred->data);
	end(ompt_task_complete);
}

/* Creates a taskloop's task. */
static void create_chunk(struct head *head)
{
	struct gomp_task *by = gomp_self.task;

	if (by)
		head->task = create(by, head->flags, NULL, head->caller);
}

/*
 * Whether the task must not be executed, as it is cancelled. libgomp does not call its function
 * then, except if a function has copied its block.
 */
static int is_discarded(const struct head *head)
{
	enum { TASKGROUP = 8 };

	return head->use == HEAD_DISCARDABLE &&
	       head->task->team->next->GOMP_cancellation_point(TASKGROUP);
}

/* The task is not executed. */
static void discard(struct gomp_task *task, void *frame)
{
	switch_to(task, frame);
	end(ompt_task_cancel);
	free(task);
}

/* Executes the body of a task that the tool knows, or discards the task. */
static void run(struct head *head, void *block, void *frame)
{
	struct gomp_task *task = head->task;

	if (is_discarded(head)) {
		discard(task, frame);
		return;
	}
	switch_to(task, frame);
	head->fn(block);
	if (head->use == HEAD_DETACHABLE) {
		gomp_detach_end(&gomp_self, task, task->outer);
		return;
	}
	end(ompt_task_complete);
	free(task);
}

/* libgomp calls this in place of the program's function, with the block or its copy of it. */
static void run_task(void *data)
{
	struct head *head = data;
	void **block = (void **)((char *)head + head->offset);

	if (head->use >= HEAD_DETACHABLE)
		block[0] = head->word[0];
	if (head->use == HEAD_TASKLOOP) {
		block[1] = head->word[1];
		if (!head->task)
			create_chunk(head);
	}
	if (head->task && gomp_self.task)
		run(head, block, GOMP_FRAME);
	else
		head->fn(block);
	/* libgomp executes all tasks of a taskloop with one block, if it defers none. */
	head->task = NULL;
}

/* libgomp calls this in place of the program's function that copies its block. */
static void copy_block(void *to, void *from)
{
	struct head *head = to;

	memcpy(head, from, sizeof(*head));
	((struct head *)from)->task = NULL;
	if (head->use == HEAD_DETACHABLE)
		*(void **)head->data = head->word[0];
	if (head->use == HEAD_TASKLOOP)
		create_chunk(head);
	if (head->copy)
		head->copy((char *)head + head->offset, head->data);
	else if (head->bytes)
		memcpy((char *)head + head->offset, head->data, head->bytes);
}

static size_t head_bytes(size_t align)
{
	return (sizeof(struct head) + align - 1) / align * align;
}

/* libgomp aligns its copy of a block; the head needs at least this. */
static size_t align_of(long arg_align)
{
	return arg_align < 16 ? 16 : (size_t)arg_align;
}

/*
 * The bytes of a block before libgomp copies it. They do not include the program's block if a
 * function copies that.
 */
static size_t block_bytes(const void *copy, long arg_bytes, size_t align)
{
	return head_bytes(align) + (copy ? 0 : (size_t)arg_bytes) + align;
}

/* Where the head is in `memory`, which is block_bytes long. */
static struct head *place_head(void *memory, size_t align)
{
	return (struct head *)(((uintptr_t)memory + align - 1) / align * align);
}

/* Makes the block of a head that has `data` and `copy`. */
static void make_block(struct head *head, long arg_bytes, size_t align)
{
	size_t n_words =
		(size_t)arg_bytes < sizeof(head->word) ? (size_t)arg_bytes : sizeof(head->word);

	memset(head->word, 0, sizeof(head->word));
	head->offset = (uint32_t)head_bytes(align);
	if (head->data)
		memcpy(head->word, head->data, n_words);
	if (!head->copy && head->data)
		memcpy((char *)head + head->offset, head->data, (size_t)arg_bytes);
}

/* Memory for the block: on the caller's stack, or for a long block from malloc. */
#define BLOCK_MEMORY(bytes) ((bytes) <= STACK_BYTES ? __builtin_alloca(bytes) : malloc(bytes))
#define FREE_BLOCK_MEMORY(bytes, memory)                                                           \
	do {                                                                                       \
		if ((bytes) > STACK_BYTES)                                                         \
			free(memory);                                                              \
	} while (0)

/* libgomp will write the task's event to the head. */
static void begin_detachable(struct head *head)
{
	if (head->use != HEAD_DETACHABLE)
		return;
	head->word[0] = NULL;
	if (head->task)
		gomp_detach_add(head->task, head->word);
}

static enum head_use use_of(const struct gomp_task *by, unsigned flags, const void *data,
	const void *copy, size_t bytes)
{
	if (flags & DETACH)
		return data ? HEAD_DETACHABLE : HEAD_TASK;
	return provider.can_cancel && by->team && !copy && bytes <= STACK_BYTES ? HEAD_DISCARDABLE
										: HEAD_TASK;
}

/*
 * Passes a task on with its head; without memory for it, the tool never sees the task. The exported
 * function jumps here, so that the stack has one frame for both.
 */
GOMP_TELLING void tell_task(void (*fn)(void *), void *data, void (*copy)(void *, void *),
	long arg_bytes, long arg_align, _Bool is_deferrable, unsigned flags, void **depend,
	int priority, void *detach)
{
	const struct gomp_functions *next = gomp_self.next;
	struct gomp_task *task = gomp_self.task;
	size_t align = align_of(arg_align), n = block_bytes(copy, arg_bytes, align);
	void *memory = BLOCK_MEMORY(n);
	struct head *head = NULL;

	gomp_enter(task, GOMP_FRAME);
	if (memory) {
		head = place_head(memory, align);
		head->fn = fn;
		head->copy = copy;
		head->data = data;
		head->caller = GOMP_CALLER;
		head->flags = flags_of(flags, !is_deferrable || !task->team);
		head->use = use_of(task, flags, data, copy, n);
		head->bytes = (uint32_t)arg_bytes;
		head->task = create(task, head->flags, flags & DEPEND ? depend : NULL, GOMP_CALLER);
		make_block(head, arg_bytes, align);
		begin_detachable(head);
		fn = run_task;
		data = head;
		copy = copy || head->use == HEAD_DISCARDABLE ? copy_block : NULL;
		arg_bytes += (long)head_bytes(align);
		arg_align = (long)align;
	}
	next->GOMP_task(fn, data, copy, arg_bytes, arg_align, is_deferrable, flags, depend,
		priority, detach);
	if (head && head->use == HEAD_DETACHABLE)
		gomp_detach_created(head->word);
	else if (head && copy && head->task)
		discard(head->task, GOMP_FRAME);
	gomp_leave(task);
	FREE_BLOCK_MEMORY(n, memory);
}

/* Whether the thread has memory for a task that is executed at once. */
static int has_spare(struct thread *thread)
{
	if (thread->spare)
		return 1;
	thread->spare = malloc(sizeof(*thread->spare));
	if (thread->spare)
		thread->spare->next = NULL;
	return thread->spare != NULL;
}

void gomp_free_spare(struct thread *thread)
{
	while (thread->spare) {
		struct undeferred *undeferred = thread->spare;

		thread->spare = undeferred->next;
		free(undeferred);
	}
}

/*
 * For a thread for which has_spare() is true. A function of its own, so that its registers are not
 * on the stack while the task runs.
 */
static __attribute__((noinline)) struct undeferred *begin_undeferred(void (*fn)(void *), void *data,
	unsigned flags, void **depend, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;
	struct undeferred *undeferred = thread->spare;

	thread->spare = undeferred->next;
	undeferred->fn = fn;
	undeferred->data = data;
	gomp_enter(thread->task, frame);
	begin(&undeferred->task, thread->task, flags_of(flags, 1), flags & DEPEND ? depend : NULL,
		caller);
	return undeferred;
}

static __attribute__((noinline)) void end_undeferred(struct undeferred *undeferred)
{
	struct thread *thread = &gomp_self;

	gomp_leave(thread->task);
	undeferred->next = thread->spare;
	thread->spare = undeferred;
}

/* As tell_task, for a task that libgomp executes within this call, unless it is cancelled. */
GOMP_TELLING void tell_undeferred(
	void (*fn)(void *), void *data, unsigned flags, void **depend, int priority)
{
	struct undeferred *undeferred =
		begin_undeferred(fn, data, flags, depend, GOMP_FRAME, GOMP_CALLER);

	gomp_self.next->GOMP_task(
		run_undeferred, undeferred, NULL, 0, 1, 0, flags, depend, priority, NULL);
	end_undeferred(undeferred);
}

void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long arg_bytes,
	long arg_align, _Bool is_deferrable, unsigned flags, void **depend, int priority,
	void *detach)
{
	GOMP_PASS_BODY_WITHOUT_TOOL(GOMP_task, (fn, data, copy, arg_bytes, arg_align, is_deferrable,
						       flags, depend, priority, detach));

	if (!is_deferrable && !copy && !(flags & DETACH) && has_spare(&gomp_self))
		return tell_undeferred(fn, data, flags, depend, priority);
	return tell_task(fn, data, copy, arg_bytes, arg_align, is_deferrable, flags, depend,
		priority, detach);
}

/* A taskloop without nogroup waits for its tasks. The wait lasts as long as the call. */
static void begin_taskloop(
	struct gomp_task *task, unsigned flags, struct gomp_loop loop, const void *caller)
{
	GOMP_TELL(work, ompt_work_taskloop, ompt_scope_begin, gomp_parallel_data(task), &task->data,
		loop.n, caller);
	if (flags & NOGROUP)
		return;
	GOMP_TELL(sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
		gomp_parallel_data(task), &task->data, caller);
	GOMP_TELL(sync_region_wait, ompt_sync_region_taskgroup, ompt_scope_begin,
		gomp_parallel_data(task), &task->data, caller);
	gomp_self.state = ompt_state_wait_taskgroup;
}

static void end_taskloop(struct gomp_task *task, unsigned flags, const void *caller)
{
	gomp_leave(task);
	if (!(flags & NOGROUP)) {
		GOMP_TELL(sync_region_wait, ompt_sync_region_taskgroup, ompt_scope_end,
			gomp_parallel_data(task), &task->data, caller);
		GOMP_TELL(sync_region, ompt_sync_region_taskgroup, ompt_scope_end,
			gomp_parallel_data(task), &task->data, caller);
		gomp_self.state = gomp_work_state(task);
	}
	GOMP_TELL(work, ompt_work_taskloop, ompt_scope_end, gomp_parallel_data(task), &task->data,
		0, caller);
}

#define TASKLOOP(name, type, is_down)                                                              \
	GOMP_TELLING void tell_##name(void (*fn)(void *), void *data,                              \
		void (*copy)(void *, void *), long arg_bytes, long arg_align, unsigned flags,      \
		unsigned long n_tasks, int priority, type begin, type end, type step)              \
	{                                                                                          \
		const struct gomp_functions *next = gomp_self.next;                                \
		struct gomp_task *task = gomp_self.task;                                           \
		size_t align = align_of(arg_align), n = block_bytes(copy, arg_bytes, align);       \
		void *memory = BLOCK_MEMORY(n);                                                    \
                                                                                                   \
		gomp_enter(task, GOMP_FRAME);                                                      \
		begin_taskloop(task, flags,                                                        \
			gomp_loop((uint64_t)begin, (uint64_t)end, (uint64_t)step, is_down),        \
			GOMP_CALLER);                                                              \
		if (memory) {                                                                      \
			struct head *head = place_head(memory, align);                             \
                                                                                                   \
			head->task = NULL;                                                         \
			head->fn = fn;                                                             \
			head->copy = copy;                                                         \
			head->data = data;                                                         \
			head->caller = GOMP_CALLER;                                                \
			head->flags = flags_of(flags, !task->team);                                \
			head->use = HEAD_TASKLOOP;                                                 \
			make_block(head, arg_bytes, align);                                        \
			fn = run_task;                                                             \
			data = head;                                                               \
			copy = copy ? copy_block : NULL;                                           \
			arg_bytes += (long)head_bytes(align);                                      \
			arg_align = (long)align;                                                   \
		}                                                                                  \
		next->name(fn, data, copy, arg_bytes, arg_align, flags, n_tasks, priority, begin,  \
			end, step);                                                                \
		end_taskloop(task, flags, GOMP_CALLER);                                            \
		FREE_BLOCK_MEMORY(n, memory);                                                      \
	}                                                                                          \
	void name(void (*fn)(void *), void *data, void (*copy)(void *, void *), long arg_bytes,    \
		long arg_align, unsigned flags, unsigned long n_tasks, int priority, type begin,   \
		type end, type step)                                                               \
	{                                                                                          \
		GOMP_PASS_BODY_WITHOUT_TOOL(name, (fn, data, copy, arg_bytes, arg_align, flags,    \
							  n_tasks, priority, begin, end, step));   \
                                                                                                   \
		return tell_##name(fn, data, copy, arg_bytes, arg_align, flags, n_tasks, priority, \
			begin, end, step);                                                         \
	}

TASKLOOP(GOMP_taskloop, long, step < 0)
TASKLOOP(GOMP_taskloop_ull, unsigned long long, !(flags & UP))

/* Another task may be executed meanwhile. */
void GOMP_taskyield(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_taskyield, ());

	gomp_enter(task, GOMP_FRAME);
	next->GOMP_taskyield();
	gomp_leave(task);
}
