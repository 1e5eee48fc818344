/* SPDX-License-Identifier: Apache-2.0 */
/* The profile reader: what a good file says, and finding it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"
#include "tests/unit/profile/find_profile.h"

static struct diag diag;

static void test_header_only(void **state)
{
	struct profile profile;
	struct build b;

	build_begin(&b);
	parse_and_check(&profile, &b);
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
	build_header(&b)->version = PROFILE_VERSION + 1;
	check_refused(&b, b.size,
		"cannot read 'x': its format, version 7, is newer than this ompprof reads (6)");
	build_header(&b)->version = 0;
	check_refused(&b, b.size, "cannot read 'x': its header is damaged");
	build_header(&b)->version = PROFILE_VERSION;
	build_header(&b)->sizes.segment_bytes = 64;
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
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_nodes, 18);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(profile.n_threads, 2);
	assert_int_equal(profile.threads[1].type, 2);
	assert_int_equal(profile.n_args, 2);
	assert_string_equal(profile.args[1], "-n=4");
	assert_string_equal(profile.env[0], "OMP_NUM_THREADS=2");
	assert_string_equal(profile.program.exe, "/bin/a.out");
	assert_string_equal(profile.program.cwd, "/tmp");
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

/* What a device has in its tree counts as its target construct's thread's; what is of none is dropped. */
static void test_devices(void **state)
{
	const struct profile_tree_node *event;
	struct profile_device *device;
	uint32_t root, target, frame, orphan;
	struct profile profile;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	root = build_node(
		&b, PROFILE_OWNER_DEVICE | 1, 0, PROFILE_NODE_THREAD, 0, PROFILE_OWNER_DEVICE | 1);
	build_thread(&b, 2);
	frame = build_frame(&b, build_root(&b, 2), 0x1100, 0);
	target = build_target(&b, frame, 0, 0x1104, 3);
	build_timed_event(&b, build_device_context(&b, root, target),
		PROFILE_EVENT_KEY(PROFILE_DEVICE_KERNEL, 5), 3, 64, 3000, 2000);
	orphan = build_device_context(&b, root, frame);
	build_timed_event(&b, orphan, PROFILE_EVENT_KEY(PROFILE_DEVICE_KERNEL, 6), 1, 0, 1, 1);
	device = build_device(&b, 1, 5);
	device->flags = PROFILE_DEVICE_TRACED;
	device->traced = 1000;
	device->since = build_header(&b)->start_ticks + 400000000;
	device->busy = 3000;
	device->ops[0] = (struct profile_device_ops){ 3, 3000, 2000, UINT64_MAX };
	memset(device->type, 'x', sizeof(device->type));
	build_device(&b, 0, 6);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_threads, 2);
	/* The orphans, and the record without an index. */
	assert_int_equal(profile.n_dropped, 3);
	event = find_node(&profile, PROFILE_NODE_EVENT, 5);
	assert_int_equal(event->owner, 1);
	assert_int_equal(event->n_events, 3);
	assert_int_equal(event->events, 64);
	assert_int_equal(event->time_ns, 3000);
	assert_int_equal(event->longest_ns, 2000);
	assert_int_equal(
		profile.nodes[profile.nodes[event->parent].context].kind, PROFILE_NODE_TARGET);
	assert_int_equal(
		profile.nodes[profile.nodes[event->parent].parent].kind, PROFILE_NODE_THREAD);
	assert_int_equal(profile.n_devices, 1);
	assert_int_equal(profile.devices[0].number, 5);
	assert_int_equal(profile.devices[0].traced, 600001000);
	assert_int_equal(profile.devices[0].ops[0].bytes, PROFILE_MOST_NS);
	assert_int_equal(strlen(profile.devices[0].type), sizeof(profile.devices[0].type) - 1);
	profile_release(&profile);
	build_release(&b);
}

static void test_interleaved_segments(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 1);
	assert_true(b.size / PROFILE_SEGMENT_BYTES > 15);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_nodes, 18);
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
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_nodes, 5);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(profile.nodes[1].addr, 1);
	assert_int_equal(profile.nodes[3].addr, 3);
	assert_int_equal(profile.nodes[3].parent, 2);
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
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_args, 3000);
	assert_string_equal(profile.args[2999], "argument 2999");
	profile_release(&profile);
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
	parse_and_check(&profile, &b);
	assert_string_equal(profile.modules[0].path, "new");
	assert_null(profile_module_at(&profile, 0xfff));
	assert_string_equal(profile_module_at(&profile, 0x1000)->path, "old");
	assert_string_equal(profile_module_at(&profile, 0x2000)->path, "old");
	assert_string_equal(profile_module_at(&profile, 0x2800)->path, "last");
	assert_string_equal(profile_module_at(&profile, 0x5fff)->path, "last");
	assert_null(profile_module_at(&profile, 0x6000));
	assert_string_equal(profile_module_of(&profile, 1, 0x2900)->path, "new");
	assert_string_equal(profile_module_of(&profile, 2, 0x2900)->path, "old");
	assert_string_equal(profile_module_of(&profile, 1, 0x3000)->path, "last");
	assert_string_equal(profile_module_of(&profile, 0, 0x2900)->path, "last");
	assert_string_equal(profile_module_of(&profile, 9, 0x2900)->path, "last");
	assert_null(profile_module_of(&profile, 1, 0x6000));
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
		parse_and_check(&profile, &b);
		for (uint64_t addr = 0; addr < 150; addr++)
			assert_ptr_equal(
				profile_module_at(&profile, addr), search_module(&profile, addr));
		profile_release(&profile);
		build_release(&b);
	}
}

static void write_profile_of_run(const char *path, uint32_t n_samples, uint64_t run_id)
{
	struct build b;

	build_begin(&b);
	build_header(&b)->run_id = run_id;
	build_samples(&b, build_root(&b, build_thread(&b, 1)), PROFILE_WORK, n_samples, 1);
	assert_int_equal(build_write(&b, path), 0);
	build_release(&b);
}

static void write_profile(const char *path, uint32_t n_samples)
{
	write_profile_of_run(path, n_samples, 1);
}

/* A later run counts, however few samples it has; of its processes the one with most. */
static void test_find_latest_run(void **state)
{
	char folder[] = "reader-test-XXXXXX";
	char file[256];
	size_t n_others;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	write_profile_of_run("a.ompprof", 30, 1);
	write_profile_of_run("b.ompprof", 10, 2);
	write_profile_of_run("c.ompprof", 20, 2);
	write_profile_of_run("d.ompprof", 40, 1);
	assert_int_equal(find_profile(".", file, sizeof(file), &n_others, &diag), 0);
	assert_string_equal(file, "./c.ompprof");
	assert_int_equal(n_others, 1);
	for (char name[] = "a.ompprof"; name[0] <= 'd'; name[0]++)
		unlink(name);
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_find(void **state)
{
	char folder[] = "reader-test-XXXXXX";
	char file[256], sentence[256];
	struct profile profile;
	size_t n_others;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(find_profile(folder, file, sizeof(file), &n_others, &diag), -1);
	snprintf(sentence, sizeof(sentence), "cannot find a profile in '%s'", folder);
	assert_string_equal(diag.text, sentence);
	assert_int_equal(chdir(folder), 0);
	write_profile("b.ompprof", 10);
	write_profile("a.ompprof", 30);
	for (char name[] = "c.ompprof"; name[0] <= 'z'; name[0]++)
		write_profile(name, 30);
	write_profile("other", 99);
	assert_int_equal(symlink("nowhere", "broken.ompprof"), 0);
	assert_int_equal(find_profile(".", file, sizeof(file), &n_others, &diag), 0);
	assert_string_equal(file, "./a.ompprof");
	assert_int_equal(n_others, 25);
	assert_int_equal(find_profile("other", file, sizeof(file), &n_others, &diag), 0);
	assert_string_equal(file, "other");
	assert_int_equal(n_others, 0);
	assert_int_equal(profile_open(&profile, file, &diag), 0);
	assert_int_equal(samples_in_profile(&profile), 99);
	assert_int_equal(profile.file_bytes % PROFILE_SEGMENT_BYTES, 0);
	profile_release(&profile);
	unlink("a.ompprof");
	unlink("b.ompprof");
	for (char name[] = "c.ompprof"; name[0] <= 'z'; name[0]++)
		unlink(name);
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

	assert_int_equal(find_profile("nowhere", file, sizeof(file), &n_others, &diag), -1);
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
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_interleaved_segments),
		cmocka_unit_test(test_child_before_parent),
		cmocka_unit_test(test_many_strings),
		cmocka_unit_test(test_modules_overlap),
		cmocka_unit_test(test_modules_random),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_latest_run),
		cmocka_unit_test(test_find_nothing),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
