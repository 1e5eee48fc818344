/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of samples: what real runtimes answer, paired with what the callbacks announced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <omp-tools.h>

#include "sampler/core/classify.h"

/* Deprecated states that libomp up to 18 still answers. */
enum { WAIT_BARRIER = 0x010, WAIT_BARRIER_IMPLICIT = 0x013 };

static const struct {
	const char *situation;
	uint32_t state;
	struct own_state own; /* sync, mutex, has_team, is_worker */
	enum profile_class class;
} rows[] = {
	{ "program without OpenMP", CLASSIFY_NO_STATE, { 0, 0, 0, 0 }, PROFILE_WORK },
	{ "serial part, primary", ompt_state_work_serial, { 0, 0, 0, 0 }, PROFILE_WORK },
	{ "region, primary", ompt_state_work_parallel, { 0, 0, 1, 0 }, PROFILE_WORK },
	{ "region, worker", ompt_state_work_parallel, { 0, 0, 1, 1 }, PROFILE_WORK },
	{ "reduction", ompt_state_work_reduction, { 0, 0, 1, 1 }, PROFILE_OVERHEAD },
	{ "new worker before its first region", ompt_state_idle, { 0, 0, 0, 1 }, PROFILE_IDLE },
	{ "worker between regions, libomp 14, late end", WAIT_BARRIER_IMPLICIT,
		{ OWN_BARRIER, 0, 0, 1 }, PROFILE_IDLE },
	{ "worker between regions, libomp 19, late end", ompt_state_wait_barrier_implicit_parallel,
		{ OWN_BARRIER, 0, 0, 1 }, PROFILE_IDLE },
	{ "worker between regions, end seen", ompt_state_wait_barrier_implicit_parallel,
		{ 0, 0, 0, 1 }, PROFILE_IDLE },
	{ "worker taking up a region", ompt_state_overhead, { 0, 0, 0, 1 }, PROFILE_IDLE },
	{ "fork, primary", ompt_state_overhead, { 0, 0, 0, 0 }, PROFILE_OVERHEAD },
	{ "closing barrier, libomp 14", WAIT_BARRIER_IMPLICIT, { OWN_BARRIER, 0, 1, 1 },
		PROFILE_WAIT_BARRIER },
	{ "closing barrier, libomp 19", ompt_state_wait_barrier_implicit_parallel,
		{ OWN_BARRIER, 0, 1, 1 }, PROFILE_WAIT_BARRIER },
	{ "closing barrier, primary", ompt_state_wait_barrier_implicit_parallel,
		{ OWN_BARRIER, 0, 1, 0 }, PROFILE_WAIT_BARRIER },
	{ "closing barrier, no events", ompt_state_wait_barrier_implicit_parallel, { 0, 0, 1, 1 },
		PROFILE_WAIT_BARRIER },
	{ "explicit barrier, libomp 14", WAIT_BARRIER, { OWN_BARRIER, 0, 1, 1 },
		PROFILE_WAIT_BARRIER },
	{ "explicit barrier, libomp 19", ompt_state_wait_barrier_explicit, { OWN_BARRIER, 0, 1, 0 },
		PROFILE_WAIT_BARRIER },
	{ "single's barrier, libomp 19", ompt_state_wait_barrier_implicit_workshare,
		{ OWN_BARRIER, 0, 1, 0 }, PROFILE_WAIT_BARRIER },
	{ "any barrier, gcc on libomp 19", ompt_state_wait_barrier_implementation,
		{ OWN_BARRIER, 0, 1, 0 }, PROFILE_WAIT_BARRIER },
	{ "teams barrier", ompt_state_wait_barrier_teams, { 0, 0, 1, 0 }, PROFILE_WAIT_BARRIER },
	{ "critical, queuing lock: wait_lock", ompt_state_wait_lock, { 0, OWN_CRITICAL, 1, 1 },
		PROFILE_WAIT_CRITICAL },
	{ "critical, test-and-set lock: work", ompt_state_work_parallel, { 0, OWN_CRITICAL, 1, 1 },
		PROFILE_WAIT_CRITICAL },
	{ "critical as the specification has it", ompt_state_wait_critical, { 0, 0, 1, 1 },
		PROFILE_WAIT_CRITICAL },
	{ "lock", ompt_state_wait_lock, { 0, OWN_LOCK, 1, 1 }, PROFILE_WAIT_LOCK },
	{ "lock, no events", ompt_state_wait_lock, { 0, 0, 1, 1 }, PROFILE_WAIT_LOCK },
	{ "mutex of no kind", ompt_state_wait_mutex, { 0, 0, 1, 1 }, PROFILE_WAIT_LOCK },
	{ "lock in the serial part", ompt_state_wait_lock, { 0, OWN_LOCK, 0, 0 },
		PROFILE_WAIT_LOCK },
	{ "ordered", ompt_state_wait_ordered, { 0, OWN_ORDERED, 1, 1 }, PROFILE_WAIT_ORDERED },
	{ "ordered, no events", ompt_state_wait_ordered, { 0, 0, 1, 1 }, PROFILE_WAIT_ORDERED },
	{ "atomic without libomp", ompt_state_work_parallel, { 0, 0, 1, 1 }, PROFILE_WORK },
	{ "atomic by a lock", ompt_state_wait_lock, { 0, OWN_ATOMIC, 1, 1 }, PROFILE_WAIT_ATOMIC },
	{ "atomic as the specification has it", ompt_state_wait_atomic, { 0, 0, 1, 1 },
		PROFILE_WAIT_ATOMIC },
	{ "taskwait reported as work", ompt_state_work_parallel, { OWN_TASKWAIT, 0, 1, 0 },
		PROFILE_WAIT_TASKWAIT },
	{ "taskgroup reported as work", ompt_state_work_parallel, { OWN_TASKGROUP, 0, 1, 0 },
		PROFILE_WAIT_TASKGROUP },
	{ "taskwait in the serial part", ompt_state_work_serial, { OWN_TASKWAIT, 0, 0, 0 },
		PROFILE_WAIT_TASKWAIT },
	{ "taskwait as the specification has it", ompt_state_wait_taskwait, { 0, 0, 1, 0 },
		PROFILE_WAIT_TASKWAIT },
	{ "taskgroup as the specification has it", ompt_state_wait_taskgroup, { 0, 0, 1, 0 },
		PROFILE_WAIT_TASKGROUP },
	{ "explicit task inside a barrier", ompt_state_work_parallel, { 0, 0, 1, 1 },
		PROFILE_WORK },
	{ "lock within a barrier's task", ompt_state_wait_lock, { 0, OWN_LOCK, 1, 1 },
		PROFILE_WAIT_LOCK },
	{ "target", ompt_state_wait_target, { 0, 0, 0, 0 }, PROFILE_WAIT_TARGET },
	{ "target map", ompt_state_wait_target_map, { 0, 0, 0, 0 }, PROFILE_WAIT_TARGET },
	{ "target update", ompt_state_wait_target_update, { 0, 0, 0, 0 }, PROFILE_WAIT_TARGET },
	{ "MPI in a team", ompt_state_work_parallel, { OWN_MPI, 0, 1, 0 }, PROFILE_WAIT_MPI },
	{ "MPI in serial code", ompt_state_work_serial, { OWN_MPI, 0, 0, 0 }, PROFILE_WAIT_MPI },
	{ "undefined", ompt_state_undefined, { 0, 0, 1, 0 }, PROFILE_WORK },
	{ "a runtime's own state", 0x203, { 0, 0, 1, 0 }, PROFILE_WORK },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum profile_class class = classify(rows[i].state, &rows[i].own);

		if (class != rows[i].class)
			fail_msg("%s: class %d, not %d", rows[i].situation, class, rows[i].class);
	}
}

static void test_sync_regions(void **state)
{
	static const uint32_t barriers[] = { 1, 2, ompt_sync_region_barrier_explicit,
		ompt_sync_region_barrier_implementation,
		ompt_sync_region_barrier_implicit_workshare,
		ompt_sync_region_barrier_implicit_parallel, ompt_sync_region_barrier_teams };

	for (size_t i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++)
		assert_int_equal(classify_sync_region(barriers[i]), OWN_BARRIER);
	assert_int_equal(classify_sync_region(ompt_sync_region_taskwait), OWN_TASKWAIT);
	assert_int_equal(classify_sync_region(ompt_sync_region_taskgroup), OWN_TASKGROUP);
	assert_int_equal(classify_sync_region(ompt_sync_region_reduction), OWN_NONE);
	assert_int_equal(classify_sync_region(99), OWN_NONE);
}

/* A test of a lock does not wait, and when it fails no event says that it is over. */
static void test_mutexes(void **state)
{
	assert_int_equal(classify_mutex(ompt_mutex_lock), OWN_LOCK);
	assert_int_equal(classify_mutex(ompt_mutex_nest_lock), OWN_LOCK);
	assert_int_equal(classify_mutex(ompt_mutex_test_lock), OWN_NONE);
	assert_int_equal(classify_mutex(ompt_mutex_test_nest_lock), OWN_NONE);
	assert_int_equal(classify_mutex(ompt_mutex_critical), OWN_CRITICAL);
	assert_int_equal(classify_mutex(ompt_mutex_atomic), OWN_ATOMIC);
	assert_int_equal(classify_mutex(ompt_mutex_ordered), OWN_ORDERED);
	assert_int_equal(classify_mutex(99), OWN_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_sync_regions),
		cmocka_unit_test(test_mutexes),
	};

	return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
