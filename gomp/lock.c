/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock routines, in both versions: the locks of OMP_1.0 belong to threads, the locks of OMP_3.0
 * to tasks. A nestable lock is first tried. So it is known before a wait whether there will be a
 * wait, and afterwards whether the task had the lock already.
 */

#include "gomp/lock.h"
#include "gomp/mutex.h"

#define SET(name, version)                                                                         \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		gomp_ask_mutex(                                                                    \
			task, ompt_mutex_lock, ompt_state_wait_lock, ID, GOMP_FRAME, GOMP_CALLER); \
		next->name##version(lock);                                                         \
		gomp_get_mutex(task, ompt_mutex_lock, ID, GOMP_CALLER);                            \
	}

#define UNSET(name, version)                                                                       \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		next->name##version(lock);                                                         \
		GOMP_TELL(mutex_released, ompt_mutex_lock, ID, GOMP_CALLER);                       \
	}

#define TEST(name, version)                                                                        \
	DEFINE(int, name, version)                                                                 \
	{                                                                                          \
		int result;                                                                        \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		gomp_ask_mutex(task, ompt_mutex_test_lock, ompt_state_wait_lock, ID, GOMP_FRAME,   \
			GOMP_CALLER);                                                              \
		result = next->name##version(lock);                                                \
		if (result)                                                                        \
			gomp_get_mutex(task, ompt_mutex_test_lock, ID, GOMP_CALLER);               \
		else                                                                               \
			gomp_end_mutex_wait(task);                                                 \
		return result;                                                                     \
	}

/* The task has the lock for the n-th time; it did not wait. */
static void nest(struct gomp_task *task, int n, ompt_mutex_t kind, ompt_wait_id_t id, void *frame,
	const void *caller)
{
	if (n == 1) {
		gomp_ask_mutex(task, kind, ompt_state_wait_lock, id, frame, caller);
		gomp_get_mutex(task, kind, id, caller);
	} else if (n > 1) {
		GOMP_TELL(nest_lock, ompt_scope_begin, id, caller);
	}
}

#define SET_NEST(name, test, version)                                                              \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		int n;                                                                             \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		n = next->test##version(lock);                                                     \
		if (n > 0) {                                                                       \
			nest(task, n, ompt_mutex_nest_lock, ID, GOMP_FRAME, GOMP_CALLER);          \
			return;                                                                    \
		}                                                                                  \
		gomp_ask_mutex(task, ompt_mutex_nest_lock, ompt_state_wait_lock, ID, GOMP_FRAME,   \
			GOMP_CALLER);                                                              \
		next->name##version(lock);                                                         \
		gomp_get_mutex(task, ompt_mutex_nest_lock, ID, GOMP_CALLER);                       \
	}

#define TEST_NEST(name, version)                                                                   \
	DEFINE(int, name, version)                                                                 \
	{                                                                                          \
		int n;                                                                             \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		n = next->name##version(lock);                                                     \
		if (n > 0)                                                                         \
			nest(task, n, ompt_mutex_test_nest_lock, ID, GOMP_FRAME, GOMP_CALLER);     \
		else                                                                               \
			GOMP_TELL(                                                                 \
				mutex_acquire, ompt_mutex_test_nest_lock, 0, 0, ID, GOMP_CALLER);  \
		return n;                                                                          \
	}

/*
 * How often the task has the lock: the second word of the lock. In Fortran a lock of OMP_3.0 is the
 * address of the lock.
 */
#define N_NESTED(lock)    (((const volatile int *)(lock))[1])
#define N_NESTED_AT(lock) N_NESTED(*(void *const *)(lock))

#define UNSET_NEST(name, version, n_nested)                                                        \
	DEFINE(void, name, version)                                                                \
	{                                                                                          \
		int n;                                                                             \
		GOMP_PASS_WITHOUT_TOOL(name##version, (lock));                                     \
                                                                                                   \
		n = n_nested(lock);                                                                \
		next->name##version(lock);                                                         \
		if (n == 1)                                                                        \
			GOMP_TELL(mutex_released, ompt_mutex_nest_lock, ID, GOMP_CALLER);          \
		else if (n > 1)                                                                    \
			GOMP_TELL(nest_lock, ompt_scope_end, ID, GOMP_CALLER);                     \
	}

#define LOCKS(version, n_nested_fortran)                                                           \
	SET(omp_set_lock, version)                                                                 \
	SET(omp_set_lock_, version)                                                                \
	UNSET(omp_unset_lock, version)                                                             \
	UNSET(omp_unset_lock_, version)                                                            \
	TEST(omp_test_lock, version)                                                               \
	TEST(omp_test_lock_, version)                                                              \
	SET_NEST(omp_set_nest_lock, omp_test_nest_lock, version)                                   \
	SET_NEST(omp_set_nest_lock_, omp_test_nest_lock_, version)                                 \
	UNSET_NEST(omp_unset_nest_lock, version, N_NESTED)                                         \
	UNSET_NEST(omp_unset_nest_lock_, version, n_nested_fortran)                                \
	TEST_NEST(omp_test_nest_lock, version)                                                     \
	TEST_NEST(omp_test_nest_lock_, version)
LOCKS(OMP_1_0, N_NESTED)
LOCKS(OMP_3_0, N_NESTED_AT)
