/* SPDX-License-Identifier: Apache-2.0 */
/* Names of events; see event_names.h. OpenMP 5.1, 4.5.2. */
#include "profile/shared/event_names.h"

#include <string.h>

/* By the specification's numbers, which those of enum profile_event are. */
static const char *const names[] = {
	[1] = "thread_begin",
	[2] = "thread_end",
	[3] = "parallel_begin",
	[4] = "parallel_end",
	[PROFILE_EVENT_TASK_CREATE] = "task_create",
	[PROFILE_EVENT_TASK_SCHEDULE] = "task_schedule",
	[7] = "implicit_task",
	[8] = "target",
	[9] = "target_data_op",
	[10] = "target_submit",
	[PROFILE_EVENT_CONTROL_TOOL] = "control_tool",
	[12] = "device_initialize",
	[13] = "device_finalize",
	[14] = "device_load",
	[15] = "device_unload",
	[16] = "sync_region_wait",
	[17] = "mutex_released",
	[PROFILE_EVENT_DEPENDENCES] = "dependences",
	[PROFILE_EVENT_TASK_DEPENDENCE] = "task_dependence",
	[PROFILE_EVENT_WORK] = "work",
	[PROFILE_EVENT_MASKED] = "masked",
	[22] = "target_map",
	[PROFILE_EVENT_SYNC_REGION] = "sync_region",
	[PROFILE_EVENT_LOCK_INIT] = "lock_init",
	[PROFILE_EVENT_LOCK_DESTROY] = "lock_destroy",
	[26] = "mutex_acquire",
	[27] = "mutex_acquired",
	[28] = "nest_lock",
	[PROFILE_EVENT_FLUSH] = "flush",
	[PROFILE_EVENT_CANCEL] = "cancel",
	[31] = "reduction",
	[PROFILE_EVENT_DISPATCH] = "dispatch",
	[33] = "target_emi",
	[34] = "target_data_op_emi",
	[35] = "target_submit_emi",
	[36] = "target_map_emi",
	[PROFILE_EVENT_ERROR] = "error",
};

enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

const char *const event_words[] = { "all", "default", "work", "dispatch", "sync_region", "masked",
	"flush", "cancel", "lock_init", "lock_destroy", "dependences", "task_dependence",
	"task_create", "task_schedule", "error", "control_tool", NULL };

const char *event_name(uint32_t event)
{
	return event < N_NAMES ? names[event] : NULL;
}

static int is_word(const char *name, size_t bytes, const char *word)
{
	return word && strlen(word) == bytes && memcmp(name, word, bytes) == 0;
}

/* Adds what a name stands for. Returns 0, or -1 if it is none. */
static int add(const char *name, size_t bytes, uint64_t *events)
{
	if (is_word(name, bytes, "default"))
		return 0;
	if (is_word(name, bytes, "all")) {
		*events |= EVENTS_ALL;
		return 0;
	}
	for (uint32_t i = 0; i < N_NAMES; i++) {
		if (!is_word(name, bytes, names[i]))
			continue;
		*events |= 1ULL << i & EVENTS_ALL;
		return 0;
	}
	return -1;
}

int event_names_parse(const char *list, uint64_t *events, char *unknown, size_t bytes)
{
	*events = 0;
	for (;;) {
		size_t length = strcspn(list, ",");

		if (add(list, length, events) != 0) {
			if (length >= bytes)
				length = bytes - 1;
			memcpy(unknown, list, length);
			unknown[length] = '\0';
			return -1;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}
