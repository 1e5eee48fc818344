/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sections of several processes; see report_internal.h. */
#include "profile/shared/hash.h"
#include "attribution/merge/merge.h"
#include "src/report/report_internal.h"

/* Of what is no address of a program's, and still a number that JSON's readers keep as it is. */
#define BY_NAME (UINT64_C(1) << 52)

/*
 * libomp allocates the mutex of a critical section, wherever there is room in a process. By the call that enters the
 * section its name is known, and that is the same in all of them.
 */
static uint64_t identify(void *data, const struct metrics_lock *lock)
{
	const struct report *report = data;
	const struct profile_module *module = profile_module_at(&report->profile, lock->codeptr);
	struct symbols_object object = { .path = NULL };
	const char *name;

	if (lock->kind != PROFILE_CRITICAL || !lock->wait_id || !module ||
		profile_module_at(&report->profile, lock->wait_id))
		return lock->wait_id;
	object.path = module->path;
	object.build_id = module->build_id_bytes ? module->build_id : NULL;
	object.build_id_bytes = module->build_id_bytes;
	name = symbols_critical(report->symbols, &object, lock->codeptr - module->bias);
	if (!name)
		return lock->wait_id;
	return BY_NAME | hash_text(hash_text(HASH_START, module->path), name) % BY_NAME;
}

int report_join_criticals(struct report *report)
{
	if (report->metrics.n_processes < 2 || !report->symbols)
		return 0;
	return merge_join_mutexes(&report->metrics, identify, report);
}
