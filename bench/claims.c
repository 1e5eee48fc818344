/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claims: how long a thread takes to claim something that all threads share: a segment or a record
 * of the profile's file, the number of a region, mutex or thread, the place of a target region.
 * 1, 2, 8, 64 and 1024 threads claim as fast as they can, by the tool's own functions; each row
 * and number of threads has processes with profiles of their own.
 *
 * Prints two figures in ns: the median wall time of a claim, and its mean CPU time. The mean also
 * has work that comes once for many claims: the file grows, pages are touched for the first time,
 * a thread waits for a lock in the kernel. Both include a read of the tick counter, which the row
 * "nothing" shows alone. The row "shared counter" shows a word that all threads write at once.
 * Failed claims are counted beside the figures. If two threads got the same, the status is 1.
 *
 * BENCH_THREADS: numbers of threads; BENCH_CLAIMS: names of rows; BENCH_TURNS: processes for each
 * figure, which is their median (3); BENCH_PART: the number of claims is divided by it. TMPDIR
 * needs room for 200 MB. `make bench-claims` runs it.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/claims.h"
#include "sampler/tool/output.h"
#include "sampler/core/tool.h"

enum { MOST_THREADS = 1024, MOST_SIZES = 8, MOST_TURNS = 99, SETTLE_US = 10000 };

/* The figures of a process. */
struct result {
	double median_ns, cpu_ns;
	uint64_t n, n_failed, n_twice;
};

static uint32_t is_gone;
static uint32_t n_ready __attribute__((aligned(128)));

static const struct kind *kind;
static double ns_per_tick;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	uint64_t before, since, until;

	if (kind->is_registered)
		worker->thread = thread_register(ompt_thread_worker);
	__atomic_add_fetch(&n_ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&is_gone, __ATOMIC_ACQUIRE))
		sched_yield();
	before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	since = tool_ticks();
	for (uint32_t i = 0; i < worker->n; i++, since = until) {
		worker->keys[i] =
			kind->is_registered && !worker->thread ? 0 : kind->claim(worker, i);
		until = tool_ticks();
		worker->ticks[i] =
			until - since < UINT32_MAX ? (uint32_t)(until - since) : UINT32_MAX;
	}
	worker->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	thread_unregister();
	return NULL;
}

static int compare_ticks(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

static int compare_doubles(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/*
 * Starts n threads, lets them go at once, and waits for their ends. Returns 0, or -1 if n threads
 * cannot be started.
 */
static int let_go(struct worker *workers, uint32_t n)
{
	pthread_attr_t attributes;
	uint32_t n_begun = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, CLAIMS_STACK_BYTES);
	while (n_begun < n &&
		pthread_create(&workers[n_begun].id, &attributes, work, &workers[n_begun]) == 0)
		n_begun++;
	while (__atomic_load_n(&n_ready, __ATOMIC_ACQUIRE) < n_begun)
		usleep(1000);
	/* The threads need this time to spread over the CPUs. */
	usleep(SETTLE_US);
	__atomic_store_n(&is_gone, 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < n_begun; i++)
		pthread_join(workers[i].id, NULL);
	return n_begun == n ? 0 : -1;
}

/* Sorts both lists. */
static struct result sum_up(const struct worker *workers, uint32_t n, uint32_t each)
{
	struct result result = { .n = (uint64_t)n * each };
	uint32_t *ticks = workers[0].ticks;
	uint64_t *keys = workers[0].keys;

	qsort(ticks, result.n, sizeof(*ticks), compare_ticks);
	qsort(keys, result.n, sizeof(*keys), compare_keys);
	result.median_ns = ticks[result.n / 2] * ns_per_tick;
	for (uint32_t i = 0; i < n; i++)
		result.cpu_ns += (double)workers[i].cpu_ns / (double)result.n;
	for (uint64_t i = 0; i < result.n; i++) {
		result.n_failed += keys[i] == 0;
		result.n_twice += i && keys[i] && keys[i] == keys[i - 1];
	}
	return result;
}

/* In a process of its own. Returns its status. */
static int measure(uint32_t n, uint32_t each, int out)
{
	struct worker *workers = calloc(n, sizeof(*workers));
	uint32_t *ticks = malloc((size_t)n * each * sizeof(*ticks));
	uint64_t *keys = malloc((size_t)n * each * sizeof(*keys));
	struct result result;
	int has_failed;

	if (!workers || !ticks || !keys || tool_start() != 0)
		return 1;
	/* Pages are touched before. */
	memset(ticks, 1, (size_t)n * each * sizeof(*ticks));
	memset(keys, 1, (size_t)n * each * sizeof(*keys));
	for (uint32_t i = 0; i < n; i++) {
		workers[i] = (struct worker){ .number = i,
			.n = each,
			.ticks = ticks + (size_t)i * each,
			.keys = keys + (size_t)i * each };
	}
	has_failed = let_go(workers, n) != 0;
	tool_stop();
	unlink(output_path());
	if (has_failed)
		return 1;
	result = sum_up(workers, n, each);
	return write(out, &result, sizeof(result)) == sizeof(result) ? 0 : 1;
}

/* Returns 0, or -1 if there was no result. */
static int measure_once(uint32_t n, uint32_t each, struct result *result)
{
	int out[2], status = 1;
	ssize_t bytes;
	pid_t child;

	fflush(stdout);
	if (pipe(out) != 0)
		return -1;
	child = fork();
	if (child == 0)
		_exit(measure(n, each, out[1]));
	close(out[1]);
	bytes = read(out[0], result, sizeof(*result));
	close(out[0]);
	return waitpid(child, &status, 0) == child && status == 0 && bytes == sizeof(*result) ? 0
											      : -1;
}

static int number_of(const char *variable, int otherwise)
{
	const char *value = getenv(variable);

	return value && atoi(value) > 0 ? atoi(value) : otherwise;
}

static double median(double *list, int n)
{
	qsort(list, (size_t)n, sizeof(*list), compare_doubles);
	return (list[n / 2] + list[(n - 1) / 2]) / 2;
}

/* Fills *result with the median of several processes. */
static int measure_turns(uint32_t n, int turns, struct result *result)
{
	double medians[MOST_TURNS], cpu[MOST_TURNS];
	uint32_t part = (uint32_t)number_of("BENCH_PART", 1), each = kind->n / part / n;
	struct result one;

	*result = (struct result){ 0 };
	for (int i = 0; i < turns; i++) {
		if (measure_once(n, each ? each : 1, &one) != 0)
			return -1;
		medians[i] = one.median_ns;
		cpu[i] = one.cpu_ns;
		result->n += one.n;
		result->n_failed += one.n_failed;
		result->n_twice += one.n_twice;
	}
	result->median_ns = median(medians, turns);
	result->cpu_ns = median(cpu, turns);
	return 0;
}

/* Whether BENCH_CLAIMS, names with commas between them, has the name, or is not set. */
static int is_wanted(const char *name)
{
	const char *at = getenv("BENCH_CLAIMS");
	size_t bytes = strlen(name);

	while (at && *at && !(strncmp(at, name, bytes) == 0 && (at[bytes] == ',' || !at[bytes]))) {
		at = strchr(at, ',');
		if (!at)
			return 0;
		at++;
	}
	return !at || *at;
}

/* The numbers of threads, up to MOST_SIZES. Returns how many there are. */
static int read_sizes(uint32_t *sizes)
{
	const char *text = getenv("BENCH_THREADS");
	char *end;
	int n = 0;

	for (text = text ? text : "1 2 8 64 1024"; n < MOST_SIZES; text = end) {
		unsigned long size = strtoul(text, &end, 10);

		if (end == text)
			break;
		if (size >= 1 && size <= MOST_THREADS)
			sizes[n++] = (uint32_t)size;
	}
	return n;
}

static void find_length_of_ticks(void)
{
	uint64_t ns = clock_ns(CLOCK_MONOTONIC), ticks = tool_ticks(), now;

	do
		now = clock_ns(CLOCK_MONOTONIC);
	while (now - ns < 20000000);
	ns_per_tick = (double)(now - ns) / (double)(tool_ticks() - ticks);
}

static void set_up(const char *folder)
{
	setenv("OMPPROF_OUTPUT", folder, 1);
	setenv("OMPPROF_TRACE", "64", 1);
	setenv("OMPPROF_FREQUENCY", "1", 1);
	setenv("OMPPROF_QUIET", "1", 1);
	find_length_of_ticks();
}

/* Prints the kind's line. Returns 1 if two threads got the same, else 0. */
static int print_kind(const uint32_t *sizes, int n_sizes)
{
	int turns = number_of("BENCH_TURNS", 3), is_wrong = 0;

	printf("%-18s", kind->name);
	for (int i = 0; i < n_sizes; i++) {
		struct result result;

		if (measure_turns(sizes[i], turns < MOST_TURNS ? turns : MOST_TURNS, &result) !=
			0) {
			printf("  %8s %8s", "-", "-");
			continue;
		}
		printf("  %8.0f %8.0f", result.median_ns, result.cpu_ns);
		if (result.n_failed)
			printf(" (%llu of %llu failed)", (unsigned long long)result.n_failed,
				(unsigned long long)result.n);
		if (result.n_twice)
			printf(" (%llu twice)", (unsigned long long)result.n_twice);
		is_wrong |= result.n_twice > 0;
	}
	printf("\n");
	return is_wrong;
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char folder[4096];
	uint32_t sizes[MOST_SIZES];
	int n_sizes = read_sizes(sizes), is_wrong = 0;

	snprintf(folder, sizeof(folder), "%s/ompprof-claims.XXXXXX", parent ? parent : "/tmp");
	if (!mkdtemp(folder))
		return 1;
	set_up(folder);
	printf("%-18s", "median, CPU ns");
	for (int i = 0; i < n_sizes; i++)
		printf("  %9u threads", sizes[i]);
	printf("\n");
	for (kind = claims_kinds; kind < claims_kinds + claims_n_kinds; kind++) {
		if (is_wanted(kind->name))
			is_wrong |= print_kind(sizes, n_sizes);
	}
	rmdir(folder);
	return is_wrong;
}
