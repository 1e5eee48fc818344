/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocking [FACTOR]: works and then blocks, in every way that a signal can interrupt, again and again on every
 * thread of a region, and counts what was interrupted: under the profiler as without it, nothing.
 * Flags: -D_GNU_SOURCE -pthread
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../work.h"

enum { N_WAYS = 9, NAP_MS = 3 };

static NOINLINE void between_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

struct things {
	int epoll, pipe[2], socket;
	sem_t semaphore;
};

static int make_things(struct things *things)
{
	struct timeval patience = { 0, NAP_MS * 1000 };

	things->epoll = epoll_create1(EPOLL_CLOEXEC);
	things->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	sem_init(&things->semaphore, 0, 0);
	return pipe2(things->pipe, O_CLOEXEC) == 0 &&
	       bind(things->socket, &(struct sockaddr){ .sa_family = AF_UNIX }, 2) == 0 &&
	       listen(things->socket, 1) == 0 &&
	       setsockopt(things->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ==
		       0;
}

static void *write_late(void *data)
{
	usleep(NAP_MS * 1000);
	return write(*(int *)data, "", 1) == 1 ? data : NULL;
}

static int read_late(struct things *things)
{
	pthread_t writer;
	char byte;
	int status;

	if (pthread_create(&writer, NULL, write_late, &things->pipe[1]) != 0)
		return 0;
	status = read(things->pipe[0], &byte, 1) < 0 ? -1 : 0;
	pthread_join(writer, NULL);
	return status;
}

/* -1 with errno if it failed; timeouts are no failure. */
static int block(struct things *things, int way)
{
	struct timespec nap = { 0, NAP_MS * 1000000 }, until;
	struct timeval short_nap = { 0, NAP_MS * 1000 };
	struct epoll_event event;

	switch (way) {
	case 0:
		return nanosleep(&nap, NULL);
	case 1:
		return clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL) == EINTR ? -1 : 0;
	case 2:
		return poll(NULL, 0, NAP_MS);
	case 3:
		return select(0, NULL, NULL, NULL, &short_nap);
	case 4:
		return epoll_wait(things->epoll, &event, 1, NAP_MS);
	case 5:
		return read_late(things);
	case 6:
		/* With a timeout of the socket it is not restarted. */
		return accept4(things->socket, NULL, NULL, 0);
	case 7:
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += NAP_MS * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		return sem_timedwait(&things->semaphore, &until);
	default:
		return usleep(NAP_MS * 1000);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[N_WAYS] = { "nanosleep", "clock_nanosleep", "poll", "select",
		"epoll_wait", "read", "accept", "sem_timedwait", "usleep" };
	long unit = work_start(argc, argv, 1), n[N_WAYS] = { 0 }, all = 0;

#pragma omp parallel reduction(+ : n, all)
	{
		struct things things;
		int is_ready = make_things(&things);

		all += !is_ready;
		for (int i = 0; is_ready && i < 20 * N_WAYS; i++) {
			between_kernel(unit / 2);
			errno = 0;
			if (block(&things, i % N_WAYS) == -1 && errno == EINTR) {
				n[i % N_WAYS]++;
				all++;
			}
		}
	}
	for (int i = 0; i < N_WAYS; i++) {
		if (n[i])
			fprintf(stderr, "blocking: %s was interrupted %ld times\n", names[i], n[i]);
	}
	return work_finish("blocking", all, 0);
}
