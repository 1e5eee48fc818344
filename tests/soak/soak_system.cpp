/* SPDX-License-Identifier: Apache-2.0 */
/* What the soak asks of the C library and the kernel: memory, threads of its own, plugins, children. */
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/soak/soak.h"

extern char **environ;

enum { N_SLOTS = 64, N_OWN = 12, N_CHILDREN = 12 };

[[noreturn]] static void give_up(const char *what)
{
	perror(what);
	abort();
}

/* --- memory */

struct block {
	size_t bytes;
	unsigned char fill;
	unsigned char data[];
};

static block *block_make(dice &own)
{
	/* Now and then one that is mapped by itself. */
	size_t bytes = static_cast<size_t>(own.below(own.below(64) == 0 ? 400000 : 3000)) + 1;
	block *made = static_cast<block *>(
		own.below(8) == 0 ? aligned_alloc(64, (sizeof(block) + bytes + 63) / 64 * 64)
				  : malloc(sizeof(block) + bytes));

	if (!made)
		give_up("malloc");
	made->bytes = bytes;
	made->fill = static_cast<unsigned char>(own.next());
	memset(made->data, made->fill, bytes);
	return made;
}

/* Whether a block has kept what was written to it; it is freed. */
static int block_end(block *old)
{
	int is_kept = old->data[0] == old->fill && old->data[old->bytes - 1] == old->fill;

	free(old);
	return is_kept;
}

/* Blocks that other threads free, and some that grow. */
uint64_t soak_memory(dice die)
{
	std::atomic<block *> slots[N_SLOTS] = {};
	int n = 50 + die.below(100);
	long good = 0, made = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : good, made)
	for (int i = 0; i < n; i++) {
		dice own = die.of_item(i);

		for (int j = 0; j < 200; j++) {
			block *next = block_make(own);

			made++;
			if (j % 8 == 0) {
				void *grown = realloc(next, sizeof(block) + next->bytes * 2);

				next = grown ? static_cast<block *>(grown) : next;
			}
			next = slots[own.below(N_SLOTS)].exchange(next);
			good += next && block_end(next);
		}
		if (i % 32 == 0)
			malloc_trim(0);
	}
	for (std::atomic<block *> &slot : slots) {
		block *last = slot.exchange(nullptr);

		good += last && block_end(last);
	}
	return static_cast<uint64_t>(made) * 1000 + static_cast<uint64_t>(made - good);
}

/* --- threads of the program's own */

struct own_thread {
	pthread_t thread;
	dice die;
	uint64_t result;
};

/* No tasks, no nested regions: with threads that end, libomp 14 to 19 fail in these at times, by themselves. */
static void *own_start(void *argument)
{
	own_thread *own = static_cast<own_thread *>(argument);
	own_thread other = { {}, own->die.of_item(1), 0 };

	switch (own->die.below(5)) {
	case 0:
		own->result = soak_churn(own->die.next(), 100000);
		break;
	case 1:
		own->result = soak_memory(own->die);
		break;
	case 2:
		own->result = soak_regions(own->die, 0);
		break;
	case 3:
		for (int i = 0; i < 500; i++)
			own->result += soak_throw(i % 12, own->die.next());
		pthread_exit(nullptr);
	default:
		if (pthread_create(&other.thread, nullptr, own_start, &other) != 0)
			give_up("pthread_create");
		own->result = soak_churn(own->die.next(), 50000);
		pthread_join(other.thread, nullptr);
		own->result += other.result;
		break;
	}
	return nullptr;
}

uint64_t soak_pthreads(dice die)
{
	own_thread threads[N_OWN];
	int n = 1 + die.below(N_OWN);
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		threads[i].die = die.of_item(i);
		threads[i].result = 0;
		if (pthread_create(&threads[i].thread, nullptr, own_start, &threads[i]) != 0)
			give_up("pthread_create");
	}
	for (int i = 0; i < n; i++) {
		pthread_join(threads[i].thread, nullptr);
		sum += threads[i].result;
	}
	return sum;
}

/* --- plugins */

static SOAK_KEEP uint64_t call_back(uint64_t x)
{
	x = soak_churn(x, 300);
	if (x % 7 == 0)
		throw std::runtime_error("through the plugin");
	return x;
}

static SOAK_KEEP uint64_t call_plugin(const char *path, uint64_t x)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	uint64_t sum = 0;

	if (!object) {
		fprintf(stderr, "dlopen: %s\n", dlerror());
		abort();
	}
	soak_plugin run = reinterpret_cast<soak_plugin>(dlsym(object, "soak_run"));

	for (int i = 0; i < 4; i++) {
		try {
			sum += run(x + static_cast<uint64_t>(i), call_back);
		} catch (const std::exception &error) {
			sum += strlen(error.what());
		}
	}
	dlclose(object);
	return sum;
}

/* The highest digit of the result is how many plugins stayed open, which should be none. */
uint64_t soak_plugins(dice die)
{
	int n = 40 + die.below(160);
	uint64_t sum = 0, still_open = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		dice own = die.of_item(i);

		sum += call_plugin(soak_plugin_paths[own.below(soak_n_plugins)], own.next());
	}
	for (int i = 0; i < 10; i++)
		sum += call_plugin(soak_plugin_paths[die.below(soak_n_plugins)], die.next());
	for (int i = 0; i < soak_n_plugins; i++)
		still_open += dlopen(soak_plugin_paths[i], RTLD_NOW | RTLD_NOLOAD) != nullptr;
	return still_open << 60 | sum >> 4;
}

/* --- children */

/* The child's exit status, or 1000 and its signal. */
static uint64_t status_of(pid_t pid)
{
	int status = 0;

	if (pid < 0)
		give_up("fork");
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			give_up("waitpid");
	}
	return static_cast<uint64_t>(
		WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
}

static char *const *child_arguments(dice &own)
{
	static thread_local std::string seed;
	static thread_local char word[] = "child";
	static thread_local char *arguments[4];

	seed = std::to_string(own.next());
	arguments[0] = const_cast<char *>(soak_program);
	arguments[1] = word;
	arguments[2] = &seed[0];
	arguments[3] = nullptr;
	return arguments;
}

/* A child that leaves OpenMP alone and ends, or executes this program anew. */
static uint64_t make_child(dice own)
{
	char *const *arguments = child_arguments(own);
	int how = own.below(4), status = own.below(100);
	pid_t pid = -1;

	if (how == 0 && posix_spawn(&pid, soak_program, nullptr, nullptr, arguments, environ) == 0)
		return status_of(pid);
	if (how == 1)
		pid = vfork();
	else
		pid = fork();
	if (pid == 0) {
		if (how != 2)
			execv(soak_program, arguments);
		_exit(how == 2 ? status : 127);
	}
	return status_of(pid);
}

/* A child that goes on with OpenMP; it ends with its result, in one of several ways. Not with locks: libomp
   fails in a child whose parent had some. And not without a region: libomp 16 hangs when such a child exits, as it
   looks for its file in /dev/shm, which it has not made (one of a former process with the same number hides that). */
static uint64_t make_openmp_child(dice own)
{
	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		uint64_t (*const run[])(dice) = { soak_exceptions, soak_memory, soak_nested,
			soak_tasks, soak_pthreads };
		uint64_t (*const chosen)(dice) = run[own.below(5)];
		int status = static_cast<int>((soak_regions(own, 0) + chosen(own)) % 100);

		if (own.below(2) == 0)
			_exit(status);
		exit(status);
	}
	return status_of(pid);
}

/* From the serial part, and from within a region, where others work meanwhile. How each child ended is shown. */
uint64_t soak_children(dice die)
{
	uint64_t ended[N_CHILDREN] = {};
	uint64_t sum = 0;

	for (int i = 0; i < 2; i++)
		ended[i] = make_openmp_child(die.of_item(i));
	ended[2] = make_child(die.of_item(2));
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int i = 3; i < N_CHILDREN; i++) {
		dice own = die.of_item(i);

		if (i % 3 == 0)
			ended[i] = make_child(own);
		else
			sum += soak_churn(own.next(), 100000) % 1000;
	}
	for (uint64_t status : ended)
		printf("%u ", static_cast<unsigned>(status));
	return sum;
}
