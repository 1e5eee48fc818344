/* SPDX-License-Identifier: Apache-2.0 */
/* The profile reader: what a good file says, and that no bytes whatever can hurt it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/reader.h"
#include "tests/unit/build_profile.h"

#define NODES_PER_SEGMENT (PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES)

static struct diag diag;

/* Samples of all SAMPLES nodes of a file, counted without the reader. */
static uint64_t samples_in_file(const unsigned char *bytes, size_t size)
{
	uint32_t n_segments = ((const struct profile_header *)bytes)->n_segments;
	uint64_t n = 0;

	for (size_t i = 1; i < n_segments && i * PROFILE_SEGMENT_BYTES + 64 <= size; i++) {
		const struct profile_segment *segment =
			(const void *)(bytes + i * PROFILE_SEGMENT_BYTES);
		const struct profile_node *node = (const void *)segment;
		const unsigned char *end = bytes + size;

		if (segment->kind != PROFILE_SEGMENT_NODES ||
			segment->record_bytes != PROFILE_NODE_BYTES)
			continue;
		for (size_t j = 1; j <= segment->used && j < NODES_PER_SEGMENT &&
				   (const unsigned char *)&node[j + 1] <= end;
			j++)
			n += node[j].kind == PROFILE_NODE_SAMPLES ? node[j].n : 0;
	}
	return n;
}

static uint64_t samples_in_profile(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		n += profile->nodes[i].kind == PROFILE_NODE_SAMPLES ? profile->nodes[i].n : 0;
	return n;
}

static void check_node(const struct profile *profile, size_t i)
{
	const struct profile_tree_node *node = &profile->nodes[i];

	assert_in_range(node->kind, PROFILE_NODE_THREAD, PROFILE_NODE_TRUNCATED);
	assert_true(node->owner < profile->n_threads);
	if (node->kind == PROFILE_NODE_THREAD) {
		assert_int_equal(node->parent, UINT32_MAX);
	} else {
		assert_true(node->parent < i);
		assert_int_not_equal(profile->nodes[node->parent].kind, PROFILE_NODE_SAMPLES);
	}
	if (node->context != UINT32_MAX) {
		assert_int_equal(node->kind, PROFILE_NODE_CONTEXT);
		assert_true(node->context < profile->n_nodes);
		assert_in_range(
			profile->nodes[node->context].kind, PROFILE_NODE_REGION, PROFILE_NODE_TASK);
	}
	if (node->kind == PROFILE_NODE_SAMPLES)
		assert_true(node->addr < PROFILE_N_CLASSES);
}

/* What reader.h promises of every profile. */
static void check_profile(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++)
		check_node(profile, i);
	for (size_t i = 1; i < profile->n_threads; i++)
		assert_true(profile->threads[i - 1].index < profile->threads[i].index);
	for (size_t i = 0; i < profile->n_modules; i++) {
		const struct profile_module *module = &profile->modules[i];

		assert_true(module->start < module->end);
		assert_non_null(memchr(module->path, 0, sizeof(module->path)));
		assert_true(module->build_id_bytes <= sizeof(module->build_id));
		assert_true(!i || module[-1].generation <= module->generation);
	}
	assert_null(profile->args[profile->n_args]);
	assert_null(profile->env[profile->n_env]);
	assert_non_null(profile->exe);
	assert_non_null(profile->cwd);
	assert_non_null(memchr(profile->header.tool, 0, sizeof(profile->header.tool)));
}

static void parse(struct profile *profile, const struct build *build)
{
	assert_int_equal(profile_parse(profile, build->bytes, build->size, "test", &diag), 0);
	check_profile(profile);
	assert_int_equal(samples_in_profile(profile), samples_in_file(build->bytes, build->size));
}

static const struct profile_tree_node *find_node(
	const struct profile *profile, uint8_t kind, uint64_t addr)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		if (profile->nodes[i].kind == kind && profile->nodes[i].addr == addr)
			return &profile->nodes[i];
	}
	return NULL;
}

/* Two threads in one region, a task, a truncated path, a module; every kind of node. */
static void build_every_kind(struct build *b, uint32_t max_records)
{
	uint32_t first, second, frame, region, task, context;

	build_begin(b);
	b->max_records = max_records;
	build_text(b, "arg", "./a.out");
	build_text(b, "arg", "-n=4");
	build_text(b, "env", "OMP_NUM_THREADS=2");
	build_text(b, "exe", "/bin/a.out");
	build_text(b, "cwd", "/tmp");
	build_module(b, "/bin/a.out", 0x1000, 0x9000, PROFILE_MODULE_MAIN);
	first = build_thread(b, 1);
	second = build_thread(b, 2);
	frame = build_frame(b, build_root(b, first), 0x1100, 0);
	region = build_region(b, frame, 0x1104, 7);
	context = build_context(b, second, region);
	frame = build_frame(b, context, 0x1200, PROFILE_FRAME_OUTLINED);
	build_samples(b, frame, PROFILE_WORK, 5, 5000);
	task = build_task(b, frame, 0x1204, 3);
	context = build_context(b, first, task);
	frame = build_frame(b, context, 0x1300, PROFILE_FRAME_EXACT);
	build_samples(b, frame, PROFILE_WAIT_TASKWAIT, 2, 2000);
	build_samples(b, build_truncated(b, build_root(b, second), PROFILE_WALK_LIMIT),
		PROFILE_OVERHEAD, 1, 1000);
}

static void test_header_only(void **state)
{
	struct profile profile;
	struct build b;

	build_begin(&b);
	parse(&profile, &b);
	assert_int_equal(profile.n_threads + profile.n_modules + profile.n_nodes, 0);
	assert_int_equal(profile.n_args + profile.n_env + profile.n_dropped, 0);
	assert_false(profile.is_truncated);
	assert_string_equal(profile.header.host, "testhost");
	profile_release(&profile);
	profile_release(&profile);
	build_release(&b);
}

static void check_refused(const struct build *build, size_t size, const char *sentence)
{
	struct profile profile;

	assert_int_equal(profile_parse(&profile, build->bytes, size, "x", &diag), -1);
	assert_string_equal(diag.text, sentence);
	profile_release(&profile);
}

static void test_refused(void **state)
{
	struct build b;

	build_begin(&b);
	check_refused(&b, 0, "'x' is not an ompprof profile");
	check_refused(&b, 7, "'x' is not an ompprof profile");
	check_refused(&b, 100, "'x' is too short to be a profile: 100 bytes");
	build_header(&b)->version = 2;
	check_refused(&b, b.size,
		"cannot read 'x': its format, version 2, is newer than this ompprof reads (1)");
	build_header(&b)->version = 0;
	check_refused(&b, b.size, "cannot read 'x': its header is damaged");
	build_header(&b)->version = 1;
	build_header(&b)->segment_bytes = 64;
	check_refused(&b, b.size, "cannot read 'x': its header is damaged");
	build_header(&b)->magic[0] = 'o';
	check_refused(&b, b.size, "'x' is not an ompprof profile");
	build_release(&b);
}

static void test_every_kind(void **state)
{
	const struct profile_tree_node *region, *context, *samples;
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	parse(&profile, &b);
	assert_int_equal(profile.n_nodes, 13);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(profile.n_threads, 2);
	assert_int_equal(profile.threads[1].type, 2);
	assert_int_equal(profile.n_args, 2);
	assert_string_equal(profile.args[1], "-n=4");
	assert_string_equal(profile.env[0], "OMP_NUM_THREADS=2");
	assert_string_equal(profile.exe, "/bin/a.out");
	assert_string_equal(profile.cwd, "/tmp");
	region = find_node(&profile, PROFILE_NODE_REGION, 0x1104);
	assert_int_equal(region->n, 7);
	assert_int_equal(region->owner, 0);
	assert_int_equal(profile.nodes[region->parent].addr, 0x1100);
	context = &profile.nodes[find_node(&profile, PROFILE_NODE_FRAME, 0x1200)->parent];
	assert_ptr_equal(&profile.nodes[context->context], region);
	assert_int_equal(context->owner, 1);
	samples = find_node(&profile, PROFILE_NODE_SAMPLES, PROFILE_WAIT_TASKWAIT);
	assert_int_equal(samples->time_ns, 2000);
	assert_int_equal(profile.nodes[samples->parent].flags, PROFILE_FRAME_EXACT);
	profile_release(&profile);
	build_release(&b);
}

static void test_interleaved_segments(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 1);
	assert_true(b.size / PROFILE_SEGMENT_BYTES > 15);
	parse(&profile, &b);
	assert_int_equal(profile.n_nodes, 13);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(samples_in_profile(&profile), 8);
	profile_release(&profile);
	build_release(&b);
}

static void test_child_before_parent(void **state)
{
	struct profile profile;
	uint32_t inner, middle, outer;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	inner = build_frame(&b, build_root(&b, 1), 3, 0);
	middle = build_frame(&b, build_root(&b, 1), 2, 0);
	outer = build_frame(&b, build_root(&b, 1), 1, 0);
	build_node_at(&b, inner)->parent = middle;
	build_node_at(&b, middle)->parent = outer;
	build_samples(&b, inner, PROFILE_WORK, 4, 4);
	parse(&profile, &b);
	assert_int_equal(profile.n_nodes, 5);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(profile.nodes[1].addr, 1);
	assert_int_equal(profile.nodes[3].addr, 3);
	assert_int_equal(profile.nodes[3].parent, 2);
	profile_release(&profile);
	build_release(&b);
}

static void test_unreachable_nodes(void **state)
{
	struct profile profile;
	uint32_t one, other, orphan;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	one = build_frame(&b, build_root(&b, 1), 1, 0);
	other = build_frame(&b, one, 2, 0);
	build_node_at(&b, one)->parent = other;
	build_samples(&b, build_frame(&b, other, 3, 0), PROFILE_WORK, 10, 100);
	orphan = build_frame(&b, build_root(&b, 1), 4, 0);
	build_node_at(&b, orphan)->parent = 0x7fffffff;
	build_samples(&b, orphan, PROFILE_IDLE, 20, 200);
	build_samples(
		&b, build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1), PROFILE_WORK, 2, 2);
	orphan = build_region(&b, orphan, 5, 1);
	build_context(&b, 1, orphan);
	parse(&profile, &b);
	assert_int_equal(samples_in_profile(&profile), 33);
	assert_int_equal(profile.n_dropped, 8);
	assert_int_equal(profile.n_nodes, 1 + 4 + 1);
	for (size_t i = 1; i < profile.n_nodes; i++)
		assert_int_equal(profile.nodes[i].parent, 0);
	assert_int_equal(find_node(&profile, PROFILE_NODE_CONTEXT, orphan)->context, UINT32_MAX);
	profile_release(&profile);
	build_release(&b);
}

static void test_missing_threads(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	build_segment_at(&b, b.thread_segment)->kind = PROFILE_SEGMENT_FREE;
	build_segment_at(&b, b.node_segment[2])->owner = 0;
	parse(&profile, &b);
	assert_int_equal(profile.n_threads, 2);
	assert_int_equal(profile.threads[0].index, 0);
	assert_int_equal(profile.threads[1].index, 1);
	assert_int_equal(profile.n_nodes, 13);
	profile_release(&profile);
	build_release(&b);
}

static void test_lost_samples_make_a_root(void **state)
{
	struct profile profile;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	build_samples(&b, build_root(&b, 1), PROFILE_WORK, 3, 3);
	build_node_at(&b, build_root(&b, 1))->kind = 99;
	parse(&profile, &b);
	assert_int_equal(profile.n_nodes, 2);
	assert_int_equal(profile.nodes[0].kind, PROFILE_NODE_THREAD);
	assert_int_equal(profile.nodes[0].addr, 1);
	profile_release(&profile);
	build_release(&b);
}

static void test_claims_beyond_the_file(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	build_segment(&b, PROFILE_SEGMENT_FREE, 1);
	parse(&profile, &b);
	assert_false(profile.is_truncated);
	profile_release(&profile);

	build_header(&b)->n_segments = UINT32_MAX;
	build_segment_at(&b, b.node_segment[1])->used = UINT32_MAX;
	build_segment_at(&b, b.thread_segment)->record_bytes = 1;
	parse(&profile, &b);
	assert_true(profile.is_truncated);
	assert_true(profile.n_dropped >= 2);
	profile_release(&profile);
	build_release(&b);
}

static void test_bad_values(void **state)
{
	struct profile profile;
	struct build b;
	uint32_t samples;

	build_every_kind(&b, 0);
	samples = build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1);
	build_node_at(&b, samples)->addr = 77;
	memset(build_header(&b)->tool, 'x', sizeof(build_header(&b)->tool));
	memset(build_module_at(&b, 1)->path, 'y', sizeof(build_module_at(&b, 1)->path));
	build_module_at(&b, 1)->build_id_bytes = 5000;
	memset(build_thread_at(&b, 1)->name, 'z', 16);
	build_segment_at(&b, b.text_segment)->used -= 2;
	build_module(&b, "empty", 10, 10, 0);
	build_thread_at(&b, build_thread(&b, 1))->index = 2;
	parse(&profile, &b);
	assert_int_equal(strlen(profile.header.tool), 31);
	assert_int_equal(strlen(profile.modules[0].path), 899);
	assert_int_equal(profile.modules[0].build_id_bytes, 0);
	assert_int_equal(strlen(profile.threads[0].name), 15);
	assert_string_equal(profile.cwd, "/tm");
	assert_int_equal(profile.n_modules, 1);
	assert_int_equal(profile.n_dropped, 2);
	profile_release(&profile);
	build_release(&b);
}

static void test_many_strings(void **state)
{
	struct profile profile;
	char text[32];
	struct build b;

	build_begin(&b);
	for (int i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "argument %d", i);
		build_text(&b, "arg", text);
	}
	build_text(&b, "future", "key");
	parse(&profile, &b);
	assert_int_equal(profile.n_args, 3000);
	assert_string_equal(profile.args[2999], "argument 2999");
	profile_release(&profile);
	build_release(&b);
}

static void test_truncated_everywhere(void **state)
{
	struct build b;

	build_every_kind(&b, 2);
	for (size_t size = 0; size <= b.size; size += 64) {
		unsigned char *copy = malloc(size ? size : 1);
		struct profile profile;

		memcpy(copy, b.bytes, size);
		if (profile_parse(&profile, copy, size, "x", &diag)) {
			assert_true(size < sizeof(struct profile_header));
		} else {
			check_profile(&profile);
			assert_int_equal(profile.is_truncated, size < b.size);
			assert_int_equal(samples_in_profile(&profile), samples_in_file(copy, size));
		}
		profile_release(&profile);
		free(copy);
	}
	build_release(&b);
}

/* xorshift64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

static void mutate(unsigned char *bytes, size_t size, uint64_t *random)
{
	static const uint32_t values[] = { 0, 1, 2, 4, 64, 255, 256, 257, 0x7fffffff, UINT32_MAX };
	uint64_t n = 1 + next_random(random) % 8;

	while (n--) {
		/* Mostly where something is: in a segment's header or its first records. */
		size_t segment = next_random(random) % (size / PROFILE_SEGMENT_BYTES);
		size_t word = next_random(random) % (next_random(random) % 4 ? 200 : 4096);
		uint32_t value = (uint32_t)next_random(random);

		if (value % 2)
			value = values[value / 2 % 10];
		memcpy(bytes + segment * PROFILE_SEGMENT_BYTES + word * 4, &value, 4);
	}
}

static void test_mutations(void **state)
{
	uint64_t random = 20260101;
	struct build b;
	unsigned char *copy;
	int n_read = 0;

	build_every_kind(&b, 3);
	copy = malloc(b.size);
	for (int i = 0; i < 20000; i++) {
		struct profile profile;

		memcpy(copy, b.bytes, b.size);
		mutate(copy, b.size, &random);
		if (profile_parse(&profile, copy, b.size, "x", &diag) == 0) {
			check_profile(&profile);
			assert_int_equal(
				samples_in_profile(&profile), samples_in_file(copy, b.size));
			n_read++;
		}
		profile_release(&profile);
	}
	assert_true(n_read > 10000);
	free(copy);
	build_release(&b);
}

static void test_modules_overlap(void **state)
{
	struct profile profile;
	struct build b;

	build_begin(&b);
	build_module(&b, "old", 0x1000, 0x5000, 0);
	build_module(&b, "new", 0x2000, 0x3000, 0);
	build_module(&b, "last", 0x2800, 0x6000, 0);
	build_module_at(&b, 1)->generation = 2;
	build_module_at(&b, 2)->generation = 1;
	parse(&profile, &b);
	assert_string_equal(profile.modules[0].path, "new");
	assert_null(profile_module_at(&profile, 0xfff));
	assert_string_equal(profile_module_at(&profile, 0x1000)->path, "old");
	assert_string_equal(profile_module_at(&profile, 0x2000)->path, "old");
	assert_string_equal(profile_module_at(&profile, 0x2800)->path, "last");
	assert_string_equal(profile_module_at(&profile, 0x5fff)->path, "last");
	assert_null(profile_module_at(&profile, 0x6000));
	profile_release(&profile);
	build_release(&b);
}

/* The module that a plain search finds. */
static const struct profile_module *search_module(const struct profile *profile, uint64_t addr)
{
	for (size_t i = profile->n_modules; i-- > 0;) {
		if (addr >= profile->modules[i].start && addr < profile->modules[i].end)
			return &profile->modules[i];
	}
	return NULL;
}

static void test_modules_random(void **state)
{
	uint64_t random = 7;

	for (int round = 0; round < 300; round++) {
		struct profile profile;
		struct build b;

		build_begin(&b);
		for (uint64_t n = next_random(&random) % 24; n; n--) {
			uint64_t start = next_random(&random) % 100;

			build_module(&b, "m", start, start + 1 + next_random(&random) % 40, 0);
		}
		parse(&profile, &b);
		for (uint64_t addr = 0; addr < 150; addr++)
			assert_ptr_equal(
				profile_module_at(&profile, addr), search_module(&profile, addr));
		profile_release(&profile);
		build_release(&b);
	}
}

static void write_profile(const char *path, uint32_t n_samples)
{
	struct build b;

	build_begin(&b);
	build_samples(&b, build_root(&b, build_thread(&b, 1)), PROFILE_WORK, n_samples, 1);
	assert_int_equal(build_write(&b, path), 0);
	build_release(&b);
}

static void test_find(void **state)
{
	char folder[] = "reader-test-XXXXXX";
	char file[256], sentence[256];
	struct profile profile;
	size_t n_others;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(profile_find(folder, file, sizeof(file), &n_others, &diag), -1);
	snprintf(sentence, sizeof(sentence), "cannot find a profile in '%s'", folder);
	assert_string_equal(diag.text, sentence);
	assert_int_equal(chdir(folder), 0);
	write_profile("b.ompprof", 10);
	write_profile("a.ompprof", 30);
	write_profile("c.ompprof", 30);
	write_profile("other", 99);
	assert_int_equal(symlink("nowhere", "broken.ompprof"), 0);
	assert_int_equal(profile_find(".", file, sizeof(file), &n_others, &diag), 0);
	assert_string_equal(file, "./a.ompprof");
	assert_int_equal(n_others, 2);
	assert_int_equal(profile_find("other", file, sizeof(file), &n_others, &diag), 0);
	assert_string_equal(file, "other");
	assert_int_equal(n_others, 0);
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(samples_in_profile(&profile), 99);
	assert_int_equal(profile.file_bytes % PROFILE_SEGMENT_BYTES, 0);
	profile_release(&profile);
	unlink("a.ompprof");
	unlink("b.ompprof");
	unlink("c.ompprof");
	unlink("other");
	unlink("broken.ompprof");
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_find_nothing(void **state)
{
	struct profile profile;
	size_t n_others;
	char file[256];

	assert_int_equal(profile_find("nowhere", file, sizeof(file), &n_others, &diag), -1);
	assert_string_equal(diag.text, "cannot read 'nowhere': No such file or directory");
	assert_string_equal(diag.hint, "record a profile with: ompprof run COMMAND");
	assert_int_equal(profile_open(&profile, "nowhere", &diag), -1);
	assert_string_equal(diag.text, "cannot read 'nowhere': No such file or directory");
	assert_int_equal(profile_open(&profile, "/", &diag), -1);
	assert_string_equal(diag.text, "cannot read '/': Is a directory");
	assert_int_equal(profile_open(&profile, "/dev/null", &diag), -1);
	assert_string_equal(diag.text, "'/dev/null' is not an ompprof profile");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header_only),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_every_kind),
		cmocka_unit_test(test_interleaved_segments),
		cmocka_unit_test(test_child_before_parent),
		cmocka_unit_test(test_unreachable_nodes),
		cmocka_unit_test(test_missing_threads),
		cmocka_unit_test(test_lost_samples_make_a_root),
		cmocka_unit_test(test_claims_beyond_the_file),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_many_strings),
		cmocka_unit_test(test_truncated_everywhere),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_modules_overlap),
		cmocka_unit_test(test_modules_random),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_nothing),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
