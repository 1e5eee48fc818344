/* SPDX-License-Identifier: Apache-2.0 */
/* The script's objects; see objects.h. */
#include "tests/runtime/objects.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/runtime/leave_out.h"

struct object objects[OBJECTS_N];
struct performer performers[STAGE_MAX_ACTORS];

static char *pages;
static size_t page_bytes;

int objects_prepare(void)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, OBJECTS_N * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? -1 : 0;
}

ompt_data_t *objects_data(int64_t object)
{
	/* Not all at the same place of their pages. */
	if (object < 0)
		return NULL;
	return (ompt_data_t *)(pages + (size_t)object * page_bytes +
			       (size_t)object * 64 % page_bytes);
}

void objects_unmap(int64_t object)
{
	munmap(pages + (size_t)object * page_bytes, page_bytes);
}

struct performer *objects_self(void)
{
	return &performers[stage_self->index];
}

int64_t objects_task(void)
{
	struct performer *self = objects_self();

	return self->tasks[self->n_tasks - 1];
}

int64_t objects_region(void)
{
	return objects[objects_task()].region;
}

ompt_frame_t *objects_frame(int64_t task)
{
	return objects[task].is_given ? &objects[task].given : &objects[task].frame;
}

void objects_begin_thread(int actor)
{
	struct performer *self = &performers[actor];
	int64_t own = OBJECTS_OWN_TASK + actor;

	*self = (struct performer){ .n_tasks = 1, .tasks[0] = own, .levels = -1 };
	objects[own] = (struct object){
		.flags = ompt_task_initial,
		.region = OBJECTS_OWN_REGION + actor,
	};
	objects[OBJECTS_OWN_REGION + actor] =
		(struct object){ .encountering = STEP_NULL, .team = 1 };
}

void objects_push(int64_t task)
{
	struct performer *self = objects_self();

	if (self->n_tasks == OBJECTS_MAX_STACK)
		stage_fail(stage_self, "too many tasks on top of each other");
	else
		self->tasks[self->n_tasks++] = task;
}

/* Returns the number of its uppermost place, from 1 on, or 0 if it is not there. */
static int find(const struct performer *self, int64_t task)
{
	int n = self->n_tasks;

	while (n > 0 && self->tasks[n - 1] != task)
		n--;
	return n;
}

void objects_remove(int64_t task)
{
	struct performer *self = objects_self();
	int n = find(self, task);

	/* The thread's own stays. */
	if (n > 1)
		self->n_tasks = n - 1;
}

void objects_switch(int64_t prior, int is_done, int64_t next)
{
	struct performer *self = objects_self();
	int n = next >= 0 ? find(self, next) : 0;

	if (n > 0)
		self->n_tasks = n;
	else if (is_done && prior >= 0)
		objects_remove(prior);
	if (n == 0 && next >= 0)
		objects_push(next);
}

/* The task at this level: first on the thread's stack, then the tasks that began their regions. */
static int64_t ancestor(int level)
{
	struct performer *self = objects_self();
	int64_t task = objects_task();
	int at = self->n_tasks - 1;

	for (; level > 0 && task >= 0; level--) {
		if (at > 1)
			task = self->tasks[--at];
		else
			task = objects[objects[task].region].encountering;
	}
	return task;
}

int objects_get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
	ompt_data_t **region, int *thread_num)
{
	int64_t of;

	if (!stage_self || level < 0)
		return 0;
	of = ancestor(level);
	if (of < 0 || (objects_self()->levels >= 0 && level >= objects_self()->levels))
		return 0;
	if (flags)
		*flags = objects[of].flags;
	if (task)
		*task = objects_data(of);
	if (frame)
		*frame = objects_frame(of);
	if (region)
		*region = objects_data(objects[of].region);
	if (thread_num)
		*thread_num = objects[of].thread_num;
	return 2;
}

int objects_get_parallel_info(int level, ompt_data_t **region, int *team)
{
	int64_t task, of;

	if (!stage_self || level < 0)
		return 0;
	task = objects_task();
	of = objects[task].region;
	for (; level > 0 && of >= 0; level--) {
		task = objects[of].encountering;
		of = task >= 0 ? objects[task].region : STEP_NULL;
	}
	if (of < 0)
		return 0;
	*region = objects_data(of);
	*team = objects[of].team;
	return 2;
}

int objects_get_state(ompt_wait_id_t *wait_id)
{
	const struct performer *self;

	if (wait_id)
		*wait_id = 0;
	if (!stage_self)
		return ompt_state_work_serial;
	self = objects_self();
	if (self->is_state_given) {
		if (wait_id)
			*wait_id = self->wait_id;
		return leave_out_state((int)self->state);
	}
	return objects_region() >= OBJECTS_OWN_REGION ? ompt_state_work_serial
						      : ompt_state_work_parallel;
}
