/* SPDX-License-Identifier: Apache-2.0 */
/* The tree and the file that it lives in: written here, read back by the reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/core/cct.h"
#include "profile/reader/reader.h"
#include "profile/core/writer.h"

static char folder[64], file[128];

static int open_writer(const char *in, const char *name)
{
	int fd = open(in, O_RDONLY | O_DIRECTORY);
	int error = fd < 0 ? errno : writer_open(fd, in, name);

	close(fd);
	return error;
}

static int set_up(void **state)
{
	strcpy(folder, "/tmp/ompprof-cct.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/x.ompprof", folder);
	return open_writer(folder, "x.ompprof");
}

static int tear_down(void **state)
{
	writer_forget();
	unlink(file);
	return rmdir(folder);
}

/* A thread record, which the reader needs to place the nodes. */
static void add_thread(struct cct *cct, uint32_t index)
{
	struct profile_thread *thread =
		writer_record(PROFILE_SEGMENT_THREADS, PROFILE_THREAD_BYTES);

	assert_non_null(thread);
	assert_int_equal(cct_init(cct, index), 0);
	thread->root = cct->root;
	thread->index = index;
	writer_header()->n_threads = index;
}

static uint64_t samples_in(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		if (profile->nodes[i].kind == PROFILE_NODE_SAMPLES)
			n += profile->nodes[i].n;
	}
	return n;
}

static void test_child_is_found_again(void **state)
{
	struct cct_key of_module = { .addr = 0x1000, .module = 3, .kind = PROFILE_NODE_FRAME };
	struct cct cct;
	uint32_t a, b, c;

	add_thread(&cct, 1);
	a = cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, 0x1000);
	assert_true(a != 0);
	b = cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, 0x1000);
	assert_true(a == b);
	b = cct_child(&cct, cct.root, PROFILE_NODE_FRAME, PROFILE_FRAME_RUNTIME, 0x1000);
	assert_true(a != b);
	b = cct_child(&cct, cct.root, PROFILE_NODE_REGION, 0, 0x1000);
	assert_true(a != b);
	b = cct_child(&cct, a, PROFILE_NODE_FRAME, 0, 0x1000);
	assert_true(a != b);
	c = cct_insert(&cct, cct.root, &of_module);
	assert_true(c != 0 && c != a && c != b);
	assert_int_equal(writer_node(c)->module, 3);
	assert_int_equal(cct_insert(&cct, cct.root, &of_module), c);
}

/* Many children of one node, over many segments and chunks; all are found again and read back. */
static void test_many_children(void **state)
{
	enum { N = 40000 };
	static uint32_t ids[N];
	struct profile profile = { 0 };
	struct cct cct;
	struct diag diag;

	add_thread(&cct, 1);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t frame = cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, 0x400000 + 4 * i);

		assert_true(frame != 0);
		ids[i] = cct_child(&cct, frame, PROFILE_NODE_SAMPLES, 0, PROFILE_WORK);
		assert_true(ids[i] != 0);
		cct_add_sample(ids[i], 1000, 2);
	}
	for (uint32_t i = 0; i < N; i++) {
		uint32_t frame = cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, 0x400000 + 4 * i);

		assert_int_equal(
			cct_child(&cct, frame, PROFILE_NODE_SAMPLES, 0, PROFILE_WORK), ids[i]);
	}
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(profile.n_nodes, 2 * N + 1);
	assert_int_equal(samples_in(&profile), N);
	assert_int_equal(profile.n_dropped, 0);
	profile_release(&profile);
}

/* The file can be read at any moment, and is as long as what was claimed once it is finished. */
static void test_finish(void **state)
{
	struct profile profile = { 0 };
	struct cct cct;
	struct diag diag;
	struct stat st;
	uint32_t segment;

	add_thread(&cct, 1);
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(profile.n_threads, 1);
	profile_release(&profile);
	writer_finish();
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 3 * PROFILE_SEGMENT_BYTES);
	assert_null(writer_segment(PROFILE_SEGMENT_NODES, PROFILE_NODE_BYTES, 1, &segment));
}

/* A file that cannot grow any more: inserts fail, what is there stays, nobody is killed. */
static void test_file_size_limit(void **state)
{
	struct rlimit before, limit;
	struct profile profile = { 0 };
	struct cct cct;
	struct diag diag;
	uint32_t n = 0;

	add_thread(&cct, 1);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	while (n < 100000 && cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, n))
		n++;
	setrlimit(RLIMIT_FSIZE, &before);
	assert_in_range(n, 10000, 16384);
	assert_true(writer_header()->flags & PROFILE_SPACE_OUT);
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(profile.n_nodes, n + 1);
	profile_release(&profile);
}

/* Whoever replaces the file does not get our data. */
static void test_file_replaced(void **state)
{
	struct cct cct;
	struct stat st;
	FILE *other;
	uint32_t n = 0;

	add_thread(&cct, 1);
	unlink(file);
	other = fopen(file, "w");
	assert_non_null(other);
	fputs("mine", other);
	fclose(other);
	while (n < 100000 && cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, n))
		n++;
	assert_in_range(n, 10000, 16384);
	writer_finish();
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 4);
}

/* Nor does what a link at its name leads to, and a pipe there is not waited for. */
static void test_file_replaced_by_link(void **state)
{
	char other[192];
	struct stat st;
	struct cct cct;
	uint32_t n = 0;

	snprintf(other, sizeof(other), "%s.other", file);
	add_thread(&cct, 1);
	assert_int_equal(rename(file, other), 0);
	assert_int_equal(truncate(other, 1 << 20), 0);
	assert_int_equal(symlink(other, file), 0);
	while (n < 20000 && cct_child(&cct, cct.root, PROFILE_NODE_FRAME, 0, n))
		n++;
	assert_in_range(n, 10000, 16384);
	unlink(file);
	assert_int_equal(mkfifo(file, 0600), 0);
	writer_finish();
	assert_int_equal(stat(other, &st), 0);
	assert_int_equal(st.st_size, 1 << 20);
	unlink(other);
}

static void test_open_refuses(void **state)
{
	char path[5000];

	writer_forget();
	assert_int_equal(open_writer(folder, "x.ompprof"), EEXIST);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(open_writer(folder, path), ENAMETOOLONG);
	assert_int_equal(open_writer(folder, "no/x.ompprof"), ENOENT);
	assert_null(writer_header());
}

/* While a thread makes the file grow, which a busy disk can make long, there is room for the claims of others. */
static void test_grows_ahead(void **state)
{
	const struct profile_header *header = writer_header();
	uint32_t segment;

	for (int i = 0; i < 1000; i++) {
		assert_non_null(
			writer_segment(PROFILE_SEGMENT_NODES, PROFILE_NODE_BYTES, 1, &segment));
		assert_true(header->n_reserved - header->n_segments > 32);
	}
}

/* A page of the file that is touched takes memory, not those around it. Where files lie in memory all are there. */
static void test_pages_come_one_by_one(void **state)
{
	enum { PAGES = (1 << 20) / 4096 };
	unsigned char is_there[PAGES];
	struct statfs fs;
	int n = 0;

	if (statfs(folder, &fs) != 0 || fs.f_type == TMPFS_MAGIC || sysconf(_SC_PAGESIZE) != 4096)
		skip();
	assert_int_equal(mincore(writer_header(), sizeof(is_there) * 4096, is_there), 0);
	for (int i = 0; i < PAGES; i++)
		n += is_there[i] & 1;
	assert_in_range(n, 1, 4);
}

static void test_text(void **state)
{
	struct profile profile = { 0 };
	struct diag diag;
	char *huge = malloc(100001);

	memset(huge, 'y', 100000);
	huge[100000] = '\0';
	writer_text("arg", "./app");
	writer_text("arg", huge);
	writer_text("arg", "-n");
	writer_text("env", "OMP_NUM_THREADS=2");
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(profile.n_args, 3);
	assert_string_equal(profile.args[0], "./app");
	assert_in_range(strlen(profile.args[1]), 16000, PROFILE_SEGMENT_BYTES);
	assert_string_equal(profile.args[2], "-n");
	assert_string_equal(profile.env[0], "OMP_NUM_THREADS=2");
	profile_release(&profile);
	free(huge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_child_is_found_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_children, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_finish, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_file_size_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_file_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_file_replaced_by_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_open_refuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_grows_ahead, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pages_come_one_by_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("cct", tests, NULL, NULL);
}
