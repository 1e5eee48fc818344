/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ompprof-profile(5) says of every field of profile/shared/layout.h where it is, and of every value what
 * it is called: the page's tables are read and compared with the compiler's offsets, both ways.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/shared/layout.h"
#include "profile/reader/merged.h"

struct field {
	const char *name;
	size_t offset;
	size_t bytes;
};

struct value {
	const char *name;
	int value;
};

/* clang-format off */
#define FIELD(type, field) \
	{ #field, offsetof(struct type, field), sizeof(((struct type *)0)->field) }
#define VALUE(name) { #name, name }
/* clang-format on */

static const struct field header[] = {
	FIELD(profile_header, magic),
	FIELD(profile_header, version),
	FIELD(profile_header, sizes.header_bytes),
	FIELD(profile_header, sizes.segment_bytes),
	FIELD(profile_header, flags),
	FIELD(profile_header, n_segments),
	FIELD(profile_header, n_reserved),
	FIELD(profile_header, start_realtime_ns),
	FIELD(profile_header, start_monotonic_ns),
	FIELD(profile_header, end_ns),
	FIELD(profile_header, last_ns),
	FIELD(profile_header, cpu_before_ns),
	FIELD(profile_header, pid),
	FIELD(profile_header, n_cpus),
	FIELD(profile_header, clock_kind),
	FIELD(profile_header, signal),
	FIELD(profile_header, period),
	FIELD(profile_header, frequency_hz),
	FIELD(profile_header, n_threads),
	FIELD(profile_header, ticks_per_s),
	FIELD(profile_header, lost),
	FIELD(profile_header, bytes_private),
	FIELD(profile_header, clock_name),
	FIELD(profile_header, walker),
	FIELD(profile_header, host),
	FIELD(profile_header, runtime),
	FIELD(profile_header, note),
	FIELD(profile_header, tool),
	FIELD(profile_header, run_id),
	FIELD(profile_header, tables.objects),
	FIELD(profile_header, tables.rows),
	FIELD(profile_header, tables.bytes),
	FIELD(profile_header, tables.build_ns),
	FIELD(profile_header, tables.missing),
	FIELD(profile_header, start_ticks),
	FIELD(profile_header, waits),
	FIELD(profile_header, around.rank),
	FIELD(profile_header, around.n_ranks),
	FIELD(profile_header, around.machine_cpus),
	FIELD(profile_header, counted.asked),
	FIELD(profile_header, counted.never),
	FIELD(profile_header, counted.sometimes),
	FIELD(profile_header, paused_ns),
	FIELD(profile_header, n_pauses),
	FIELD(profile_header, left_out.n_unbegun),
	FIELD(profile_header, left_out.n_deep),
	FIELD(profile_header, left_out.n_threads),
	FIELD(profile_header, contention.busy_ns),
	FIELD(profile_header, contention.process_ns),
	FIELD(profile_header, contention.quota_per_s),
	FIELD(profile_header, contention.throttled_ns),
	FIELD(profile_header, counters.names),
	FIELD(profile_header, counters.n),
	FIELD(profile_header, counters.counted),
	FIELD(profile_header, counters.refusal),
	FIELD(profile_header, counters.is_user_only),
	FIELD(profile_header, collectives.n),
	FIELD(profile_header, collectives.level),
	FIELD(profile_header, usage.setup_ns),
	FIELD(profile_header, usage.system_ns),
	FIELD(profile_header, usage.n_faults),
	FIELD(profile_header, usage.peak_bytes),
	FIELD(profile_header, usage.python),
	FIELD(profile_header, usage.n_python_lost),
};

static const struct field segment[] = {
	FIELD(profile_segment, kind),
	FIELD(profile_segment, record_bytes),
	FIELD(profile_segment, used),
	FIELD(profile_segment, owner),
	FIELD(profile_segment, reserved),
};

static const struct field thread[] = {
	FIELD(profile_thread, index),
	FIELD(profile_thread, tid),
	FIELD(profile_thread, type),
	FIELD(profile_thread, flags),
	FIELD(profile_thread, root),
	FIELD(profile_thread, n_signals),
	FIELD(profile_thread, start_ns),
	FIELD(profile_thread, end_ns),
	FIELD(profile_thread, last_ns),
	FIELD(profile_thread, cpu_start_ns),
	FIELD(profile_thread, cpu_last_ns),
	FIELD(profile_thread, n_samples),
	FIELD(profile_thread, n_same),
	FIELD(profile_thread, n_frames),
	FIELD(profile_thread, handler_ticks),
	FIELD(profile_thread, capture_ticks),
	FIELD(profile_thread, n_captures),
	FIELD(profile_thread, n_callbacks),
	FIELD(profile_thread, n_regions),
	FIELD(profile_thread, n_tasks),
	FIELD(profile_thread, n_overruns),
	FIELD(profile_thread, lost),
	FIELD(profile_thread, ends),
	FIELD(profile_thread, time_ns),
	FIELD(profile_thread, name),
	FIELD(profile_thread, stack.lo),
	FIELD(profile_thread, stack.hi),
	FIELD(profile_thread, n_guessed),
	FIELD(profile_thread, n_cut_captures),
	FIELD(profile_thread, n_guessed_captures),
	FIELD(profile_thread, run_delay_ns),
	FIELD(profile_thread, n_waits),
	FIELD(profile_thread, start),
	FIELD(profile_thread, n_lives),
	FIELD(profile_thread, timeline),
	FIELD(profile_thread, begun_ns),
	FIELD(profile_thread, lived_ns),
	FIELD(profile_thread, unsampled_ns),
	FIELD(profile_thread, now),
	FIELD(profile_thread, open),
	FIELD(profile_thread, more.run_delay_at_ns),
	FIELD(profile_thread, more.n_unseen),
	FIELD(profile_thread, more.counters_open_ns),
	FIELD(profile_thread, more.counters_ran_ns),
	FIELD(profile_thread, more.n_uncounted),
	FIELD(profile_thread, more.uncounted),
	FIELD(profile_thread, more.team_number),
	FIELD(profile_thread, more.waited_asleep_ns),
};

static const struct field now[] = {
	FIELD(profile_now, team),
	FIELD(profile_now, instance),
	FIELD(profile_now, thread_num),
	FIELD(profile_now, wait),
	FIELD(profile_now, is_idle),
	FIELD(profile_now, since),
	FIELD(profile_now, arrived),
	FIELD(profile_now, region),
	FIELD(profile_now, leaf),
	FIELD(profile_now, root),
	FIELD(profile_now, helped),
	FIELD(profile_now, root_since),
	FIELD(profile_now, mutex),
	FIELD(profile_now, mutex_since),
	FIELD(profile_now, mutex_until),
	FIELD(profile_now, mutex_kind),
	FIELD(profile_now, mutex_leaf),
	FIELD(profile_now, held),
	FIELD(profile_now, begun),
	FIELD(profile_now, begun_region),
	FIELD(profile_now, begun_instance),
	FIELD(profile_now, site),
};

static const struct field open_ends[] = {
	FIELD(profile_open, task),
	FIELD(profile_open, is_stolen),
	FIELD(profile_open, wait),
	FIELD(profile_open, reserved),
	FIELD(profile_open, task_since),
	FIELD(profile_open, wait_since),
	FIELD(profile_open, wait_until),
	FIELD(profile_open, mutex),
	FIELD(profile_open, mutex_since),
	FIELD(profile_open, reserved_2),
};

static const struct field region[] = {
	FIELD(profile_region, node),
	FIELD(profile_region, outer),
	FIELD(profile_region, min_team),
	FIELD(profile_region, max_team),
	FIELD(profile_region, n),
	FIELD(profile_region, wall),
	FIELD(profile_region, min),
	FIELD(profile_region, max),
	FIELD(profile_region, team_wall),
	FIELD(profile_region, open_since),
	FIELD(profile_region, last_end),
	FIELD(profile_region, n_barriers),
	FIELD(profile_region, imbalance),
	FIELD(profile_region, release),
	FIELD(profile_region, starved),
	FIELD(profile_region, open_team),
	FIELD(profile_region, n_others),
	FIELD(profile_region, n_last),
	FIELD(profile_region, own),
	FIELD(profile_region, elsewhere),
	FIELD(profile_region, team_elsewhere),
	FIELD(profile_region, own_timed),
	FIELD(profile_region, reserved),
	FIELD(profile_region, lengths),
};

static const struct field lock[] = {
	FIELD(profile_lock, wait_id),
	FIELD(profile_lock, kind),
	FIELD(profile_lock, thread),
	FIELD(profile_lock, codeptr),
	FIELD(profile_lock, n_acquired),
	FIELD(profile_lock, n_contended),
	FIELD(profile_lock, wait),
	FIELD(profile_lock, max_wait),
	FIELD(profile_lock, n_held),
	FIELD(profile_lock, held),
	FIELD(profile_lock, max_held),
	FIELD(profile_lock, impl),
	FIELD(profile_lock, hints),
	FIELD(profile_lock, n_estimated),
	FIELD(profile_lock, reserved),
};

static const struct field device[] = {
	FIELD(profile_device, index),
	FIELD(profile_device, number),
	FIELD(profile_device, flags),
	FIELD(profile_device, n_procs),
	FIELD(profile_device, since),
	FIELD(profile_device, traced),
	FIELD(profile_device, busy),
	FIELD(profile_device, n_records),
	FIELD(profile_device, n_lent),
	FIELD(profile_device, n_complete),
	FIELD(profile_device, n_resets),
	FIELD(profile_device, lost),
	FIELD(profile_device, ops),
	FIELD(profile_device, n_of_type),
	FIELD(profile_device, native),
	FIELD(profile_device, type),
};

static const struct field module[] = {
	FIELD(profile_module, start),
	FIELD(profile_module, end),
	FIELD(profile_module, bias),
	FIELD(profile_module, flags),
	FIELD(profile_module, generation),
	FIELD(profile_module, build_id_bytes),
	FIELD(profile_module, build_id),
	FIELD(profile_module, path),
};

static const struct field phase[] = {
	FIELD(profile_phase, number),
	FIELD(profile_phase, outer),
	FIELD(profile_phase, flags),
	FIELD(profile_phase, reserved),
	FIELD(profile_phase, n),
	FIELD(profile_phase, ticks),
	FIELD(profile_phase, open_since),
	FIELD(profile_phase, id),
	FIELD(profile_phase, name),
};

static const struct field timeline[] = {
	FIELD(profile_timeline_segment, segment),
	FIELD(profile_timeline_segment, settled),
	FIELD(profile_timeline_segment, shift),
	FIELD(profile_timeline_segment, merged),
	FIELD(profile_timeline_segment, reserved),
	FIELD(profile_timeline_segment, rest),
	FIELD(profile_timeline_segment, n_moments),
	FIELD(profile_timeline_segment, n_dropped),
	FIELD(profile_timeline_segment, count),
	FIELD(profile_timeline_segment, begun),
	FIELD(profile_timeline_segment, first),
	FIELD(profile_timeline_segment, reserved_2),
	FIELD(profile_timeline_segment, dropped_from),
	FIELD(profile_timeline_segment, reserved_3),
};

static const struct field moment[] = {
	FIELD(profile_moment, end),
	FIELD(profile_moment, length),
	FIELD(profile_moment, amount),
	FIELD(profile_moment, node),
	FIELD(profile_moment, kind),
	FIELD(profile_moment, time),
	FIELD(profile_moment, what),
	FIELD(profile_moment, reserved),
};

static const struct field collective[] = {
	FIELD(profile_collective, begin),
	FIELD(profile_collective, end),
	FIELD(profile_collective, caller),
	FIELD(profile_collective, number),
	FIELD(profile_collective, root),
};

static const struct field node[] = {
	FIELD(profile_node, addr),
	FIELD(profile_node, parent),
	FIELD(profile_node, child),
	FIELD(profile_node, link),
	FIELD(profile_node, kind),
	FIELD(profile_node, flags),
	FIELD(profile_node, module),
	FIELD(profile_node, n),
	FIELD(profile_node, time_ns),
	FIELD(profile_node, events),
	FIELD(profile_node, blame_ns),
	FIELD(profile_node, spare),
};

static const struct field merged_header[] = {
	FIELD(merged_header, magic),
	FIELD(merged_header, version),
	FIELD(merged_header, header_bytes),
	FIELD(merged_header, index_bytes),
	FIELD(merged_header, n_members),
	FIELD(merged_header, file_bytes),
	FIELD(merged_header, index),
	FIELD(merged_header, heads),
	FIELD(merged_header, heads_bytes),
	FIELD(merged_header, heads_plain),
	FIELD(merged_header, check),
	FIELD(merged_header, reserved),
};

static const struct field merged_index[] = {
	FIELD(merged_index, offset),
	FIELD(merged_index, bytes),
	FIELD(merged_index, plain),
	FIELD(merged_index, file_bytes),
	FIELD(merged_index, n_samples),
	FIELD(merged_index, n_threads),
	FIELD(merged_index, reserved),
	FIELD(merged_index, name),
};

static const struct value values[] = {
	VALUE(PROFILE_COMPLETE),
	VALUE(PROFILE_OMPT_STARTED),
	VALUE(PROFILE_SPACE_OUT),
	VALUE(PROFILE_PAUSED),
	VALUE(PROFILE_ENDED),
	VALUE(PROFILE_LOCKED_DOWN),
	VALUE(PROFILE_OTHER_TOOL),
	VALUE(PROFILE_PYTHON_UNREAD),
	VALUE(PROFILE_PHASE_OTHER),
	VALUE(PROFILE_PHASE_NUMBERED),
	VALUE(PROFILE_PHASE_CUT),
	VALUE(PROFILE_CLOCK_CPU),
	VALUE(PROFILE_CLOCK_WALL),
	VALUE(PROFILE_CLOCK_EVENT),
	VALUE(PROFILE_SEGMENT_FREE),
	VALUE(PROFILE_SEGMENT_RUN),
	VALUE(PROFILE_SEGMENT_THREADS),
	VALUE(PROFILE_SEGMENT_MODULES),
	VALUE(PROFILE_SEGMENT_NODES),
	VALUE(PROFILE_LOST_NO_SPACE),
	VALUE(PROFILE_LOST_UNREGISTERED),
	VALUE(PROFILE_LOST_NESTED),
	VALUE(PROFILE_LOST_CONTEXT),
	VALUE(PROFILE_LOST_THREADS),
	VALUE(PROFILE_LOST_MODULES),
	VALUE(PROFILE_LOST_HANDLER),
	VALUE(PROFILE_LOST_STACK),
	VALUE(PROFILE_WALK_COMPLETE),
	VALUE(PROFILE_WALK_NO_CFI),
	VALUE(PROFILE_WALK_BAD_CFI),
	VALUE(PROFILE_WALK_OFF_STACK),
	VALUE(PROFILE_WALK_NO_PROGRESS),
	VALUE(PROFILE_WALK_LIMIT),
	VALUE(PROFILE_WALK_UNKNOWN_CODE),
	VALUE(PROFILE_MODULE_MAIN),
	VALUE(PROFILE_MODULE_RUNTIME),
	VALUE(PROFILE_MODULE_TOOL),
	VALUE(PROFILE_MODULE_VDSO),
	VALUE(PROFILE_MODULE_CUT),
	VALUE(PROFILE_MODULE_FOR_LIBGOMP),
	VALUE(PROFILE_MODULE_PYTHON),
	VALUE(PROFILE_NODE_THREAD),
	VALUE(PROFILE_NODE_FRAME),
	VALUE(PROFILE_NODE_REGION),
	VALUE(PROFILE_NODE_TASK),
	VALUE(PROFILE_NODE_CONTEXT),
	VALUE(PROFILE_NODE_SAMPLES),
	VALUE(PROFILE_NODE_TRUNCATED),
	VALUE(PROFILE_FRAME_EXACT),
	VALUE(PROFILE_FRAME_RUNTIME),
	VALUE(PROFILE_FRAME_GUESSED),
	VALUE(PROFILE_FRAME_OUTLINED),
	VALUE(PROFILE_THREAD_ENDED),
	VALUE(PROFILE_THREAD_HELPER),
	VALUE(PROFILE_REGION_LEAGUE),
	VALUE(PROFILE_TASK_TARGET),
	VALUE(PROFILE_TASK_UNDEFERRED),
	VALUE(PROFILE_SEGMENT_REGIONS),
	VALUE(PROFILE_SEGMENT_LOCKS),
	VALUE(PROFILE_SEGMENT_PHASES),
	VALUE(PROFILE_SEGMENT_TIMELINE),
	VALUE(PROFILE_SEGMENT_MOMENTS),
	VALUE(PROFILE_SEGMENT_COLLECTIVES),
	VALUE(PROFILE_TIME_WORK),
	VALUE(PROFILE_TIME_OVERHEAD),
	VALUE(PROFILE_TIME_IN_WAIT),
	VALUE(PROFILE_TIME_BARRIER),
	VALUE(PROFILE_TIME_TASKS),
	VALUE(PROFILE_TIME_MUTEX),
	VALUE(PROFILE_TIME_IDLE),
	VALUE(PROFILE_TIME_TARGET),
	VALUE(PROFILE_MOMENT_SAMPLE),
	VALUE(PROFILE_MOMENT_WAIT),
	VALUE(PROFILE_NO_WAIT),
	VALUE(PROFILE_TARGET_ROUTINE),
	VALUE(PROFILE_TARGET_CONSTRUCT),
	VALUE(PROFILE_TARGET_ENTER_DATA),
	VALUE(PROFILE_TARGET_EXIT_DATA),
	VALUE(PROFILE_TARGET_UPDATE),
	VALUE(PROFILE_TARGET_OTHER),
	VALUE(PROFILE_TARGET_KIND),
	VALUE(PROFILE_TARGET_NOWAIT),
	VALUE(PROFILE_NODE_WAIT),
	VALUE(PROFILE_NODE_BLAME),
	VALUE(PROFILE_NODE_EVENT),
	VALUE(PROFILE_NODE_TARGET),
	VALUE(PROFILE_NODE_PHASE),
	VALUE(PROFILE_NODE_COUNTS),
	VALUE(PROFILE_NO_EVENT),
	VALUE(PROFILE_SEGMENT_DEVICES),
	VALUE(PROFILE_LOST_TRACE_BUFFERS),
	VALUE(PROFILE_LOST_TRACE_RECORDS),
	VALUE(PROFILE_DEVICE_TRACED),
	VALUE(PROFILE_DEVICE_KERNELS),
	VALUE(PROFILE_DEVICE_TRANSFERS),
	VALUE(PROFILE_DEVICE_OWN_KIND),
	VALUE(PROFILE_DEVICE_TRANSLATES),
	VALUE(PROFILE_DEVICE_ENDED),
	VALUE(PROFILE_TRACE_UNKNOWN),
	VALUE(PROFILE_TRACE_SHORT),
	VALUE(PROFILE_TRACE_CURSOR),
	VALUE(PROFILE_TRACE_TIMES),
	VALUE(PROFILE_TRACE_LATE),
	VALUE(PROFILE_TRACE_FOREIGN),
	VALUE(PROFILE_TRACE_UNMATCHED),
	VALUE(PROFILE_TRACE_DECLINED),
	VALUE(PROFILE_BLAME_SAMPLED),
	VALUE(PROFILE_BLAME_DEPENDENCE),
	VALUE(PROFILE_BLAME_ASLEEP),
	VALUE(PROFILE_BLAME_NO_CPU),
	VALUE(PROFILE_UNSEEN),
	VALUE(PROFILE_STATE_PLAIN),
	VALUE(PROFILE_STATE_UNKNOWN),
	VALUE(PROFILE_STATE_UNDEFINED),
	VALUE(PROFILE_STATE_REDUCTION),
	VALUE(PROFILE_STATE_BARRIER_TEAMS),
	VALUE(PROFILE_STATE_MUTEX),
	VALUE(PROFILE_STATE_TARGET_MAP),
	VALUE(PROFILE_STATE_TARGET_UPDATE),
	VALUE(PROFILE_STATE_OWN),
	VALUE(PROFILE_LOST_REGIONS),
	VALUE(PROFILE_LOST_LOCKS),
	VALUE(PROFILE_LOST_WAITS),
	VALUE(PROFILE_LOST_BLOCKED),
	VALUE(PROFILE_LOST_NO_ROOM),
	VALUE(PROFILE_LOST_EVENTS),
};

/* The values of the tables. The page does not repeat the specification's numbers of callbacks. */
static const struct value listed[] = {
#define CLASS(NAME, ...) VALUE(PROFILE_##NAME),
#include "profile/shared/classes.def"
#define WAIT(NAME, ...) VALUE(PROFILE_##NAME),
#include "profile/shared/waits.def"
#define EVENT(NAME, ...) VALUE(PROFILE_##NAME),
#include "profile/shared/events.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static FILE *open_source(const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", srcdir ? srcdir : ".", name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("cannot open '%s'", path);
	return file;
}

/* Checks the table after the comment `.\" struct NAME` of the page, row by row. */
static void check_struct(const char *name, const struct field *fields, size_t n, size_t bytes)
{
	FILE *page = open_source("man/ompprof-profile.5");
	char line[512], marker[64], field_name[64];
	size_t offset, field_bytes, end = 0, i = 0;
	int is_inside = 0;

	snprintf(marker, sizeof(marker), ".\\\" struct %s\n", name);
	while (fgets(line, sizeof(line), page)) {
		if (strcmp(line, marker) == 0)
			is_inside = 1;
		else if (is_inside && strncmp(line, ".El", 3) == 0)
			break;
		if (!is_inside || sscanf(line, ".It %zu Ta %zu Ta %63s Ta", &offset, &field_bytes,
					  field_name) != 3)
			continue;
		assert_true(i < n);
		assert_string_equal(field_name, fields[i].name);
		assert_int_equal(offset, fields[i].offset);
		assert_int_equal(field_bytes, fields[i].bytes);
		/* No field of the struct is missing: what is between two is padding. */
		assert_in_range(offset, end, end + 7);
		end = offset + field_bytes;
		i++;
	}
	fclose(page);
	assert_int_equal(i, n);
	assert_in_range(bytes, end, end + 7);
}

static void test_merged(void **state)
{
	check_struct(
		"merged_header", merged_header, COUNT(merged_header), sizeof(struct merged_header));
	check_struct(
		"merged_index", merged_index, COUNT(merged_index), sizeof(struct merged_index));
}

static void test_header(void **state)
{
	check_struct("profile_header", header, COUNT(header), sizeof(struct profile_header));
}

static void test_segment(void **state)
{
	check_struct("profile_segment", segment, COUNT(segment), sizeof(struct profile_segment));
}

static void test_thread(void **state)
{
	check_struct("profile_thread", thread, COUNT(thread), sizeof(struct profile_thread));
}

static void test_open(void **state)
{
	check_struct("profile_open", open_ends, COUNT(open_ends), sizeof(struct profile_open));
}

static void test_now(void **state)
{
	check_struct("profile_now", now, COUNT(now), sizeof(struct profile_now));
}

static void test_region(void **state)
{
	check_struct("profile_region", region, COUNT(region), sizeof(struct profile_region));
}

static void test_lock(void **state)
{
	check_struct("profile_lock", lock, COUNT(lock), sizeof(struct profile_lock));
}

static void test_device(void **state)
{
	check_struct("profile_device", device, COUNT(device), sizeof(struct profile_device));
}

static void test_module(void **state)
{
	check_struct("profile_module", module, COUNT(module), sizeof(struct profile_module));
}

static void test_phase(void **state)
{
	check_struct("profile_phase", phase, COUNT(phase), sizeof(struct profile_phase));
}

static void test_timeline(void **state)
{
	check_struct("profile_timeline_segment", timeline, COUNT(timeline),
		sizeof(struct profile_timeline_segment));
}

static void test_moment(void **state)
{
	check_struct("profile_moment", moment, COUNT(moment), sizeof(struct profile_moment));
}

static void test_collective(void **state)
{
	check_struct("profile_collective", collective, COUNT(collective),
		sizeof(struct profile_collective));
}

static void test_node(void **state)
{
	check_struct("profile_node", node, COUNT(node), sizeof(struct profile_node));
}

static const struct value *find_in(const struct value *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	}
	return NULL;
}

static const struct value *find_value(const char *name)
{
	const struct value *value = find_in(values, COUNT(values), name);

	return value ? value : find_in(listed, COUNT(listed), name);
}

static void test_values(void **state)
{
	FILE *page = open_source("man/ompprof-profile.5");
	char line[512], name[64];
	size_t n = 0;
	int value;

	while (fgets(line, sizeof(line), page)) {
		if (sscanf(line, ".It %d Ta PROFILE_%50s Ta", &value, name) != 2)
			continue;
		memmove(name + 8, name, strlen(name) + 1);
		memcpy(name, "PROFILE_", 8);
		if (!find_value(name))
			fail_msg("'%s' of the page is not in this test", name);
		assert_int_equal(find_value(name)->value, value);
		n++;
	}
	fclose(page);
	assert_int_equal(n, COUNT(values) + COUNT(listed));
}

/* Every value that the header defines is in this test, so that none is forgotten. */
static void test_no_value_is_forgotten(void **state)
{
	FILE *source = open_source("profile/shared/layout.h");
	char line[512], name[64];
	size_t n = 0;

	while (fgets(line, sizeof(line), source)) {
		if (sscanf(line, " PROFILE_%50[A-Z_]", name) != 1 || line[0] == '#')
			continue;
		memmove(name + 8, name, strlen(name) + 1);
		memcpy(name, "PROFILE_", 8);
		if (strstr(name, "_N_"))
			continue;
		if (!find_value(name))
			fail_msg("'%s' of layout.h is not in this test", name);
		n++;
	}
	fclose(source);
	assert_int_equal(n, COUNT(values));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_segment),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_region),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_phase),
		cmocka_unit_test(test_timeline),
		cmocka_unit_test(test_moment),
		cmocka_unit_test(test_collective),
		cmocka_unit_test(test_node),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_no_value_is_forgotten),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
