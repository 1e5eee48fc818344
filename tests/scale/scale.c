/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a job of many processes is the same whatever number of threads reads the files. Its
 * time is linear in the files' bytes, and its memory grows by less than half of them. The time of
 * merging is linear, too, and its memory does not depend on the number of files. This is measured
 * with two sizes of a job of job.h. Also limits the memory of reports of a process with very many
 * regions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/export/own_files.h"
#include "src/text/ordered_pool.h"
#include "src/merge/merge_files.h"
#include "src/views/view.h"
#include "tests/scale/job.h"
#include "tests/unit/scenes/build_profile.h"
#include "tests/unit/profile/in_child.h"

enum {
	SMALL = 60,
	TIMES = 4, /* as many are large */
	N_THREADS = 16,
	N_NODES = 120,
	/* A job of four times the size takes less than so many percent of four times as long: 400 were
	   quadratic. */
	SLACK_PERCENT = 175,
	NOISE_US = 20000,
	TRIES = 3,
	MERGE_SLACK_BYTES = 1 << 20, /* that merging takes more for a job of four times the size */
	MEMORY_PART = 2, /* it takes less than this part of the bytes that it has more */
	N_REGIONS = 1 << 17,
	N_RECORDED = 4096,   /* of them: the tool has records for some */
	REGION_BYTES = 2200, /* of memory at most, for 448 of the file */
};

static char folders[2][32] = { "/tmp/ompprof-scale.XXXXXX", "/tmp/ompprof-scale.XXXXXX" };

static int make_jobs(void **state)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct job job = { .n_processes = i ? TIMES * SMALL : SMALL,
			.n_threads = N_THREADS,
			.n_nodes = N_NODES };

		if (!mkdtemp(folders[i]) || job_write(&job, folders[i]) != 0)
			return -1;
	}
	return 0;
}

/* Beside the folder. */
static const char *merged_of(const char *folder)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s.merged", folder);
	return path;
}

static int remove_jobs(void **state)
{
	char path[128];

	for (uint32_t i = 0; i < 2; i++) {
		for (uint32_t k = 0; k < TIMES * SMALL; k++) {
			snprintf(path, sizeof(path), "%s/rank-%05u.ompprof", folders[i], k);
			unlink(path);
		}
		rmdir(folders[i]);
		unlink(merged_of(folders[i]));
	}
	return 0;
}

static void show(const char *folder, unsigned n_threads, const struct view *view, FILE *out)
{
	static const struct view_options all = { .table = { .limit_permyriad = 0,
							 .n_rows = TABLE_DEFAULT,
							 .max_depth = TABLE_DEFAULT } };
	struct report_options options = { .n_threads = n_threads };
	struct report *report = malloc(sizeof(*report));
	struct terminal terminal;
	struct diag diag;

	if (!report || !out || report_load(report, folder, &options, &diag) != 0)
		abort();
	terminal_plain(&terminal, out);
	if (view->print(report, &all, &terminal) != 0)
		abort();
	fclose(out);
	report_release(report);
	free(report);
}

/* The report as JSON, to be freed. */
static char *report_of(const char *folder, unsigned n_threads, size_t *n)
{
	char *text = NULL;

	show(folder, n_threads, &view_json, open_memstream(&text, n));
	return text;
}

static void test_same(void **state)
{
	size_t n, n_other;
	char *text = report_of(folders[0], 1, &n), *other;

	assert_non_null(strstr(text, "\"rank\":59,"));
	for (unsigned n_threads = 2; n_threads < 10; n_threads += 3) {
		other = report_of(folders[0], n_threads, &n_other);
		assert_int_equal(n, n_other);
		assert_int_equal(memcmp(text, other, n), 0);
		free(other);
	}
	free(text);
}

/* A program that is sanitized has memory of its own beside each byte. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { TELLS_MEMORY = 0 };
#else
enum { TELLS_MEMORY = 1 };
#endif

struct cost {
	uint64_t us, bytes;
};

static uint64_t us_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/* What the report takes of its CPU time, as others may be at work here, and of memory. */
static void take_cost(const void *folder, void *result)
{
	struct cost *cost = result;
	struct rusage usage;

	show(folder, 1, &view_summary, fopen("/dev/null", "w"));
	getrusage(RUSAGE_SELF, &usage);
	cost->us = us_of(&usage.ru_utime) + us_of(&usage.ru_stime);
	cost->bytes = (uint64_t)usage.ru_maxrss * 1024;
}

static struct cost measure(const char *folder)
{
	struct cost cost;

	in_child(take_cost, folder, &cost, sizeof(cost));
	return cost;
}

static uint64_t bytes_of(const char *folder, uint32_t n)
{
	uint64_t sum = 0;
	char path[128];
	struct stat st;

	for (uint32_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/rank-%05u.ompprof", folder, i);
		assert_int_equal(stat(path, &st), 0);
		sum += (uint64_t)st.st_size;
	}
	return sum;
}

static void test_linear(void **state)
{
	uint64_t small_bytes = bytes_of(folders[0], SMALL);
	uint64_t large_bytes = bytes_of(folders[1], TIMES * SMALL);
	int is_linear = 0;

	for (int i = 0; i < TRIES && !is_linear; i++) {
		struct cost small = measure(folders[0]), large = measure(folders[1]);

		print_message(
			"%d files, %llu MB: %llu ms, %llu MB of memory; %d, %llu MB: %llu ms, "
			"%llu MB\n",
			SMALL, (unsigned long long)small_bytes >> 20,
			(unsigned long long)small.us / 1000, (unsigned long long)small.bytes >> 20,
			TIMES * SMALL, (unsigned long long)large_bytes >> 20,
			(unsigned long long)large.us / 1000, (unsigned long long)large.bytes >> 20);
		is_linear = large.us * 100 < small.us * TIMES * SLACK_PERCENT + NOISE_US * 100;
		assert_true(!TELLS_MEMORY ||
			    large.bytes < small.bytes + (large_bytes - small_bytes) / MEMORY_PART);
	}
	assert_true(is_linear);
}

static void merge(const void *data, void *result)
{
	static const struct merge_ranks alone = { .size = 1 };
	char folder[sizeof(folders[0])];
	char *input = folder;
	struct merge_request request = {
		.inputs = &input, .n_inputs = 1, .n_threads = 1, .is_quiet = 1
	};
	struct cost *cost = result;
	struct rusage usage;

	strcpy(folder, data);
	request.output = (struct save_place){
		.path = merged_of(folder), .is_merged = 1, .is_own = own_file_is
	};
	if (merge_files(&request, &alone) != 0)
		abort();
	getrusage(RUSAGE_SELF, &usage);
	cost->us = us_of(&usage.ru_utime) + us_of(&usage.ru_stime);
	cost->bytes = (uint64_t)usage.ru_maxrss * 1024;
}

static void test_merge_linear(void **state)
{
	int is_linear = 0;

	for (int i = 0; i < TRIES && !is_linear; i++) {
		struct cost small, large;

		in_child(merge, folders[0], &small, sizeof(small));
		in_child(merge, folders[1], &large, sizeof(large));
		print_message(
			"merge of %d files: %llu ms, %llu kB of memory; %d: %llu ms, %llu kB\n",
			SMALL, (unsigned long long)small.us / 1000,
			(unsigned long long)small.bytes >> 10, TIMES * SMALL,
			(unsigned long long)large.us / 1000, (unsigned long long)large.bytes >> 10);
		is_linear = large.us * 100 < small.us * TIMES * SLACK_PERCENT + NOISE_US * 100;
		assert_true(!TELLS_MEMORY || large.bytes < small.bytes + MERGE_SLACK_BYTES);
	}
	assert_true(is_linear);
}

/* The merged file of the job has its report, but for its name. */
static void test_merge_same(void **state)
{
	size_t n, n_merged;
	char *text = report_of(folders[0], 1, &n), *merged;
	struct cost cost;

	in_child(merge, folders[0], &cost, sizeof(cost));
	merged = report_of(merged_of(folders[0]), 2, &n_merged);
	assert_null(strstr(text, folders[0]));
	assert_int_equal(n, n_merged);
	assert_memory_equal(text, merged, n);
	free(text);
	free(merged);
}

static char regions_path[] = "/tmp/ompprof-regions.XXXXXX";

/* The contexts of a region in two threads, and their waits at its end. */
static void add_region(struct build *b, const uint32_t *threads, uint32_t at, int is_recorded)
{
	uint32_t region = build_region(b, at, 0x20080, 1);

	if (is_recorded)
		build_region_record(b, region, 1, 1000, 2);
	for (uint32_t k = 0; k < 2; k++)
		build_wait(b, build_context(b, threads[k], region), PROFILE_BARRIER_CLOSING, 0, 1,
			1000 + at % 7);
}

/* A region on each of the paths that two functions can make which call each other and themselves. */
static int write_regions(const char *path)
{
	uint32_t *frames = calloc(2 * N_REGIONS, sizeof(*frames)), threads[2];
	struct build b;
	int status;

	build_begin(&b);
	build_header(&b)->waits = (1u << PROFILE_N_WAITS) - 2;
	build_module(&b, "/made/up/program", 0x10000, 0x10000000, PROFILE_MODULE_MAIN);
	for (uint32_t i = 0; i < 2; i++)
		threads[i] = build_thread(&b, i + 1);
	frames[1] = build_frame(&b, build_root(&b, threads[0]), 0x20000, 0);
	for (uint32_t i = 2; i < 2 * N_REGIONS; i++)
		frames[i] = build_frame(&b, frames[i / 2], 0x20020 + 32 * (i % 2), 0);
	for (uint32_t i = 0; i < N_REGIONS; i++)
		add_region(&b, threads, frames[N_REGIONS + i], i < N_RECORDED);
	status = build_write(&b, path);
	build_release(&b);
	free(frames);
	return status;
}

static void take_bytes(const void *view, void *result)
{
	struct cost *cost = result;
	struct rusage usage;

	show(regions_path, 1, view, fopen("/dev/null", "w"));
	getrusage(RUSAGE_SELF, &usage);
	cost->bytes = (uint64_t)usage.ru_maxrss * 1024;
}

/* The reports of very many regions: what a node has beside what the file says of it is little, and held once. */
static void test_regions(void **state)
{
	static const struct view *const shown[] = { &view_summary, &view_json };
	int fd = mkstemp(regions_path);
	struct cost cost;

	assert_true(fd >= 0 && close(fd) == 0 && write_regions(regions_path) == 0);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		in_child(take_bytes, shown[i], &cost, sizeof(cost));
		print_message("%s of %d regions: %llu bytes of memory for each\n", shown[i]->name,
			N_REGIONS, (unsigned long long)(cost.bytes / N_REGIONS));
		if (TELLS_MEMORY)
			assert_in_range(cost.bytes / N_REGIONS, 1, REGION_BYTES);
	}
	unlink(regions_path);
}

/* When the queue is to end, and what it has done. */
struct asked {
	size_t n_taken, ends_at;
	int is_out_of_order;
};

static uint64_t weigh(void *data, size_t item)
{
	return item % 3 ? 1 : IN_ORDER_WEIGHT + 1;
}

static void *make(void *data, size_t item)
{
	size_t *made = malloc(sizeof(*made));

	if (made)
		*made = item;
	return made;
}

static int take(void *data, size_t item, void *made)
{
	struct asked *asked = data;

	asked->is_out_of_order |= !made || *(size_t *)made != item || item != asked->n_taken;
	asked->n_taken++;
	free(made);
	return item == asked->ends_at ? 7 : 0;
}

/* Items too heavy for the queue come through alone; an end in the middle leaves nothing behind. */
static void test_in_order(void **state)
{
	static const size_t ends[] = { SIZE_MAX, 0, 499 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		for (unsigned n_threads = 1; n_threads < 40; n_threads += 6) {
			struct asked asked = { .ends_at = ends[i] };
			struct ordered_pool work = { .n = 1000,
				.data = &asked,
				.weigh = weigh,
				.make = make,
				.take = take,
				.drop = free,
				.n_threads = n_threads };
			int status = ordered_pool_run(&work);

			assert_int_equal(status, ends[i] == SIZE_MAX ? 0 : 7);
			assert_int_equal(asked.n_taken, ends[i] == SIZE_MAX ? 1000 : ends[i] + 1);
			assert_false(asked.is_out_of_order);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_merge_linear),
		cmocka_unit_test(test_merge_same),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests_name("scale", tests, make_jobs, remove_jobs);
}
