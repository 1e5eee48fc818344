/* SPDX-License-Identifier: Apache-2.0 */
/* Several threads make items, which are taken in order; see ordered_pool.h. */
#include "src/text/ordered_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "src/text/large_stack.h"

/* For each thread, how many items may have begun and not been taken. */
enum { AHEAD = 4 };

struct slot {
	void *made;
	int is_done;
};

/* The mutex guards all members but `work`. */
struct queue {
	const struct ordered_pool *work;
	pthread_mutex_t mutex;
	pthread_cond_t has_changed;
	struct slot *slots; /* item i is in slot i % n_slots from its begin until it is taken */
	size_t n_slots;
	size_t next, taken; /* the item that begins next, and the item that is taken next */
	uint64_t weight;    /* of the items from `taken` to `next` - 1 */
	int is_ended;
};

unsigned count_cpus(void)
{
	cpu_set_t cpus;
	int n = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;

	return n > 0 ? (unsigned)n : 1;
}

static int run_alone(const struct ordered_pool *work)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < work->n; i++)
		status = work->take(work->data, i, work->make(work->data, i));
	return status;
}

static int may_begin(const struct queue *queue, uint64_t weight)
{
	size_t n = queue->next - queue->taken;

	return n == 0 || (n < queue->n_slots && weight <= IN_ORDER_WEIGHT &&
				 queue->weight <= IN_ORDER_WEIGHT - weight);
}

/* Waits until the next item may begin. Returns 1 with its number, or 0 if there are no more. */
static int begin(struct queue *queue, size_t *item)
{
	const struct ordered_pool *work = queue->work;
	int found = 0;

	pthread_mutex_lock(&queue->mutex);
	while (!queue->is_ended && queue->next < work->n) {
		uint64_t weight = work->weigh(work->data, queue->next);

		if (may_begin(queue, weight)) {
			*item = queue->next++;
			queue->weight += weight;
			found = 1;
			break;
		}
		pthread_cond_wait(&queue->has_changed, &queue->mutex);
	}
	pthread_mutex_unlock(&queue->mutex);
	return found;
}

static void *make_items(void *data)
{
	struct queue *queue = data;
	const struct ordered_pool *work = queue->work;
	size_t item;

	while (begin(queue, &item)) {
		void *made = work->make(work->data, item);

		pthread_mutex_lock(&queue->mutex);
		queue->slots[item % queue->n_slots] = (struct slot){ made, 1 };
		pthread_cond_broadcast(&queue->has_changed);
		pthread_mutex_unlock(&queue->mutex);
	}
	return NULL;
}

/* Waits for the result of an item. Its slot and its weight stay in use until go_on(). */
static void *wait_for(struct queue *queue, size_t item)
{
	struct slot *slot = &queue->slots[item % queue->n_slots];
	void *made;

	pthread_mutex_lock(&queue->mutex);
	while (!slot->is_done)
		pthread_cond_wait(&queue->has_changed, &queue->mutex);
	made = slot->made;
	slot->is_done = 0;
	pthread_mutex_unlock(&queue->mutex);
	return made;
}

static void go_on(struct queue *queue, size_t item, int status)
{
	const struct ordered_pool *work = queue->work;

	pthread_mutex_lock(&queue->mutex);
	queue->taken = item + 1;
	queue->weight -= work->weigh(work->data, item);
	queue->is_ended = status != 0;
	pthread_cond_broadcast(&queue->has_changed);
	pthread_mutex_unlock(&queue->mutex);
}

static int take_all(struct queue *queue)
{
	const struct ordered_pool *work = queue->work;
	int status = 0;

	for (size_t i = 0; status == 0 && i < work->n; i++) {
		status = work->take(work->data, i, wait_for(queue, i));
		go_on(queue, i, status);
	}
	return status;
}

static int run_queue(struct queue *queue, unsigned n_threads)
{
	pthread_t threads[IN_ORDER_MOST_THREADS];
	pthread_attr_t usual;
	unsigned n = 0;
	int status;

	pthread_attr_init(&usual);
	/* The default size depends on `ulimit -s`. */
	pthread_attr_setstacksize(&usual, LARGE_STACK_BYTES);
	while (n < n_threads && pthread_create(&threads[n], &usual, make_items, queue) == 0)
		n++;
	pthread_attr_destroy(&usual);
	status = n ? take_all(queue) : run_alone(queue->work);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < queue->n_slots; i++)
		if (queue->slots[i].is_done && queue->slots[i].made)
			queue->work->drop(queue->slots[i].made);
	return status;
}

int ordered_pool_run(const struct ordered_pool *work)
{
	struct queue queue = { .work = work,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.has_changed = PTHREAD_COND_INITIALIZER };
	unsigned n_threads = work->n_threads ? work->n_threads : count_cpus();
	int status;

	if (n_threads > IN_ORDER_MOST_THREADS)
		n_threads = IN_ORDER_MOST_THREADS;
	queue.n_slots = (size_t)n_threads * AHEAD;
	queue.slots =
		n_threads > 1 && work->n > 1 ? calloc(queue.n_slots, sizeof(*queue.slots)) : NULL;
	if (!queue.slots)
		return run_alone(work);
	status = run_queue(&queue, n_threads);
	free(queue.slots);
	return status;
}
