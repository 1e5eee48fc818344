/* SPDX-License-Identifier: Apache-2.0 */
#include "gomp/detach.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct detachable {
	struct detachable *next;
	struct gomp_task *task;
	void *const *event_at; /* where libgomp writes the event; NULL once the task is created */
	void *event;           /* the event, once event_at is NULL */
	int is_over;
	int is_fulfilled;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct detachable *detachables;

void gomp_detach_add(struct gomp_task *task, void *const *event)
{
	struct detachable *new = malloc(sizeof(*new));

	if (!new)
		return;
	*new = (struct detachable){ .task = task, .event_at = event };
	pthread_mutex_lock(&mutex);
	new->next = detachables;
	detachables = new;
	pthread_mutex_unlock(&mutex);
}

/* The task is no longer needed. */
static void drop(struct detachable **link)
{
	struct detachable *detachable = *link;

	*link = detachable->next;
	free(detachable->task);
	free(detachable);
}

void gomp_detach_created(void *const *event)
{
	pthread_mutex_lock(&mutex);
	for (struct detachable *i = detachables; i; i = i->next) {
		if (i->event_at != event)
			continue;
		i->event = *event;
		i->event_at = NULL;
	}
	pthread_mutex_unlock(&mutex);
}

/* The link to the task's entry, or to NULL. */
static struct detachable **find_task(const struct gomp_task *task)
{
	struct detachable **link = &detachables;

	while (*link && (*link)->task != task)
		link = &(*link)->next;
	return link;
}

void gomp_detach_end(struct thread *thread, struct gomp_task *task, struct gomp_task *outer)
{
	struct detachable **link;
	int is_fulfilled;

	pthread_mutex_lock(&mutex);
	link = find_task(task);
	is_fulfilled = *link && (*link)->is_fulfilled;
	GOMP_TELL(task_schedule, &task->data, is_fulfilled ? ompt_task_complete : ompt_task_detach,
		&outer->data);
	thread->state = task->outer_state;
	thread->task = outer;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!*link)
		free(task);
	else if (is_fulfilled)
		drop(link);
	else
		(*link)->is_over = 1;
	pthread_mutex_unlock(&mutex);
}

static int has_event(const struct detachable *detachable, const void *event)
{
	return event == (detachable->event_at
					? __atomic_load_n(detachable->event_at, __ATOMIC_RELAXED)
					: detachable->event);
}

/* Tells the tool of the event while the task is there. */
static void tell(const void *event)
{
	struct detachable **link = &detachables;

	pthread_mutex_lock(&mutex);
	while (*link && !has_event(*link, event))
		link = &(*link)->next;
	if (*link) {
		(*link)->is_fulfilled = 1;
		GOMP_TELL(task_schedule, &(*link)->task->data,
			(*link)->is_over ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
		if ((*link)->is_over)
			drop(link);
	}
	pthread_mutex_unlock(&mutex);
}

#define FULFILL(name)                                                                              \
	void name(uintptr_t event)                                                                 \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, (event));                                             \
                                                                                                   \
		tell((const void *)event);                                                         \
		return next->name(event);                                                          \
	}

FULFILL(omp_fulfill_event)
FULFILL(omp_fulfill_event_)
