/* SPDX-License-Identifier: Apache-2.0 */
/* How long threads wait for a CPU; see run_delay.h. Part of the signal-safe core. */
#include "sampler/core/run_delay.h"

#include <errno.h>
#include <string.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"

enum { PATH_BYTES = 64, TEXT_BYTES = 96, MOST_DIGITS = 10 };

static void make_path(char *path, uint32_t tid)
{
	static const char begin[] = "/proc/self/task/", end[] = "/schedstat";
	char digits[MOST_DIGITS];
	size_t n = 0, at = sizeof(begin) - 1;

	memcpy(path, begin, at);
	do
		digits[n++] = (char)('0' + tid % 10);
	while ((tid /= 10) > 0 && n < MOST_DIGITS);
	while (n > 0)
		path[at++] = digits[--n];
	memcpy(path + at, end, sizeof(end));
}

/* The second of the numbers "CPU time, time on the run queue, slices". */
static uint64_t second_of(const char *text)
{
	uint64_t number = 0;
	int i = 0;

	while (i < TEXT_BYTES && text[i] && text[i] != ' ')
		i++;
	while (i < TEXT_BYTES && text[i] == ' ')
		i++;
	for (; i < TEXT_BYTES && text[i] >= '0' && text[i] <= '9'; i++)
		number = 10 * number + (uint64_t)(text[i] - '0');
	return number;
}

uint64_t run_delay_of(uint32_t tid)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	int fd, saved = errno;
	ssize_t n = -1;

	make_path(path, tid);
	fd = plain_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd >= 0) {
		n = plain_read(fd, text, sizeof(text) - 1);
		plain_close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	errno = saved;
	return second_of(text);
}

static void look_from(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	thread->life.delay.wall_ns = now_ns;
	thread->life.delay.cpu_ns = cpu_ns;
}

void run_delay_begin(struct thread *thread, uint64_t now_ns)
{
	const struct profile_thread *record = thread->record;
	struct thread_delay *delay = &thread->life.delay;

	/*
	 * A thread that the program has created is known from its begin on: nothing is left out.
	 * The difference may wrap: its sum with a later delay is correct modulo 2^64.
	 */
	delay->asked_ns = record->start ? 0 : run_delay_of(record->tid);
	delay->before_ns = record->run_delay_ns - delay->asked_ns;
	delay->ticks = tool_time();
	look_from(thread, now_ns, record->start ? 0 : clock_now_ns(CLOCK_THREAD_CPUTIME_ID));
}

static void record_delay(struct thread *thread, uint64_t delay_ns, uint64_t at_ns)
{
	struct profile_thread *record = thread->record;

	__atomic_store_n(
		&record->run_delay_ns, thread->life.delay.before_ns + delay_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&record->more.run_delay_at_ns, at_ns, __ATOMIC_RELAXED);
}

uint64_t run_delay_look(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	struct thread_delay *delay = &thread->life.delay;
	uint64_t asked_ns = delay->asked_ns, delay_ns;

	delay->ticks = tool_time();
	if (clock_less(now_ns, delay->wall_ns) < cpu_ns - delay->cpu_ns + RUN_DELAY_LEAST_NS)
		return 0;
	look_from(thread, now_ns, cpu_ns);
	delay_ns = run_delay_of(thread->record->tid);
	if (delay_ns <= asked_ns)
		return 0;
	delay->asked_ns = delay_ns;
	record_delay(thread, delay_ns, now_ns);
	return delay_ns - asked_ns;
}

void run_delay_skip(struct thread *thread, uint64_t cpu_ns)
{
	look_from(thread, tool_now_ns(), cpu_ns);
}

void run_delay_add(uint32_t node, uint64_t ns)
{
	uint64_t *sum = &writer_node(node)->spare;

	__atomic_store_n(sum, *sum + ns, __ATOMIC_RELAXED);
}

void run_delay_end(struct thread *thread)
{
	uint64_t delay_ns = run_delay_of(thread->record->tid);

	/* A thread that has already ended keeps the latest value that it was told. */
	if (delay_ns)
		record_delay(thread, delay_ns, 0);
}
