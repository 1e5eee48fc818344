/* SPDX-License-Identifier: Apache-2.0 */
/* Names of values; see words.h. */
#include "tests/runtime/words.h"

#include <omp-tools.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/layout.h"

#define LIST(name) static const struct word name##_words[] =
#define END_OF_LIST                                                                                \
	{                                                                                          \
		NULL, 0                                                                            \
	}

/* clang-format off */
LIST(thread) {
	{ "initial", ompt_thread_initial }, { "worker", ompt_thread_worker }, { "other", ompt_thread_other },
	{ "unknown", ompt_thread_unknown }, END_OF_LIST
};

LIST(endpoint) { { "begin", 1 }, { "end", 2 }, { "beginend", 3 }, END_OF_LIST };

LIST(parallel_flag) {
	{ "program", ompt_parallel_invoker_program }, { "runtime", ompt_parallel_invoker_runtime },
	{ "league", ompt_parallel_league }, { "team", ompt_parallel_team }, END_OF_LIST
};

/* Values of details of events, by the names of their lists, which have no words of their own. */
static const struct detail {
	const char *list;
	struct word word;
} details[] = {
#define DETAIL(list, value, name, word) { #list, { #name, (value) } },
#define FLAG(list, bit, name, word) { #list, { #name, (bit) } },
#include "profile/shared/events.def"
	{ "dependence", { "out_all_memory", 34 } }, { "dependence", { "inout_all_memory", 35 } },
};

LIST(target) {
	{ "target", 1 }, { "enter_data", 2 }, { "exit_data", 3 }, { "update", 4 }, { "nowait", 9 },
	{ "enter_data_nowait", 10 }, { "exit_data_nowait", 11 }, { "update_nowait", 12 }, END_OF_LIST
};

LIST(data_op) {
	{ "alloc", 1 }, { "transfer_to_device", 2 }, { "transfer_from_device", 3 }, { "delete", 4 },
	{ "associate", 5 }, { "disassociate", 6 }, { "alloc_async", 17 }, { "transfer_to_device_async", 18 },
	{ "transfer_from_device_async", 19 }, { "delete_async", 20 }, END_OF_LIST
};

LIST(map_flag) {
	{ "to", 1 }, { "from", 2 }, { "alloc", 4 }, { "release", 8 }, { "delete", 16 }, { "implicit", 32 }, END_OF_LIST
};

LIST(state) {
	{ "work_serial", 0x000 }, { "work_parallel", 0x001 }, { "work_reduction", 0x002 },
	{ "wait_barrier", 0x010 }, { "wait_barrier_implicit_parallel", 0x011 },
	{ "wait_barrier_implicit_workshare", 0x012 }, { "wait_barrier_implicit", 0x013 },
	{ "wait_barrier_explicit", 0x014 }, { "wait_barrier_implementation", 0x015 }, { "wait_barrier_teams", 0x016 },
	{ "wait_taskwait", 0x020 }, { "wait_taskgroup", 0x021 }, { "wait_mutex", 0x040 }, { "wait_lock", 0x041 },
	{ "wait_critical", 0x042 }, { "wait_atomic", 0x043 }, { "wait_ordered", 0x044 }, { "wait_target", 0x080 },
	{ "wait_target_map", 0x081 }, { "wait_target_update", 0x082 }, { "idle", 0x100 }, { "overhead", 0x101 },
	{ "undefined", 0x102 }, END_OF_LIST
};

LIST(result) {
	{ "error", ompt_set_error }, { "never", ompt_set_never }, { "impossible", ompt_set_impossible },
	{ "sometimes", ompt_set_sometimes }, { "sometimes_paired", ompt_set_sometimes_paired },
	{ "always", ompt_set_always }, END_OF_LIST
};

#define EVENT_WORD(event, type, number) { #event + sizeof("ompt_callback_") - 1, number },
LIST(event) { FOREACH_OMPT_EVENT(EVENT_WORD) END_OF_LIST };

/* Lists of the profile. */
LIST(class) {
#define CLASS(NAME, value, word, ...) { word, (value) },
#include "profile/shared/classes.def"
	END_OF_LIST
};

LIST(wait) {
#define WAIT(NAME, value, script, ...) { #script, (value) },
#include "profile/shared/waits.def"
	END_OF_LIST
};

LIST(leaf) {
#define EVENT(NAME, number, script) { #script, (number) },
#include "profile/shared/events.def"
	END_OF_LIST
};

LIST(loss) {
	{ "no_space", PROFILE_LOST_NO_SPACE }, { "unregistered", PROFILE_LOST_UNREGISTERED },
	{ "nested", PROFILE_LOST_NESTED }, { "context", PROFILE_LOST_CONTEXT }, { "threads", PROFILE_LOST_THREADS },
	{ "modules", PROFILE_LOST_MODULES }, { "handler", PROFILE_LOST_HANDLER }, { "regions", PROFILE_LOST_REGIONS },
	{ "locks", PROFILE_LOST_LOCKS }, { "waits", PROFILE_LOST_WAITS }, { "blocked", PROFILE_LOST_BLOCKED },
	{ "no_room", PROFILE_LOST_NO_ROOM }, { "events", PROFILE_LOST_EVENTS },
	{ "trace_buffers", PROFILE_LOST_TRACE_BUFFERS }, { "trace_records", PROFILE_LOST_TRACE_RECORDS }, END_OF_LIST
};
/* clang-format on */

LIST(trace_loss){ { "unknown", PROFILE_TRACE_UNKNOWN }, { "short", PROFILE_TRACE_SHORT },
	{ "cursor", PROFILE_TRACE_CURSOR }, { "times", PROFILE_TRACE_TIMES },
	{ "late", PROFILE_TRACE_LATE }, { "foreign", PROFILE_TRACE_FOREIGN },
	{ "unmatched", PROFILE_TRACE_UNMATCHED }, { "declined", PROFILE_TRACE_DECLINED },
	END_OF_LIST };

/* struct profile_device_ops, one after the other. */
LIST(device_op){ { "kernel", 0 }, { "kernel_time", 1 }, { "kernel_longest", 2 }, { "to", 4 },
	{ "to_time", 5 }, { "to_bytes", 7 }, { "from", 8 }, { "from_time", 9 },
	{ "from_bytes", 11 }, { "data", 12 }, { "data_time", 13 }, { "data_bytes", 15 },
	{ "native", 16 }, { "native_time", 17 }, { "queue", 20 }, { "queue_time", 21 },
	{ "queue_longest", 22 }, END_OF_LIST };

LIST(record_type){ { "native", 0 }, FOREACH_OMPT_EVENT(EVENT_WORD) END_OF_LIST };

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name##_words                                                                \
	}

#define ROW_OF_DETAILS(name)                                                                       \
	{                                                                                          \
#name, NULL                                                                        \
	}

static const struct word_list lists[] = {
	ROW(thread),
	ROW(endpoint),
	ROW(parallel_flag),
	ROW_OF_DETAILS(task_flag),
	ROW_OF_DETAILS(task_status),
	ROW_OF_DETAILS(work),
	ROW_OF_DETAILS(dispatch),
	ROW_OF_DETAILS(sync_region),
	ROW_OF_DETAILS(mutex),
	ROW_OF_DETAILS(dependence),
	ROW_OF_DETAILS(cancel),
	ROW_OF_DETAILS(severity),
	ROW(target),
	ROW(leaf),
	ROW(data_op),
	ROW(map_flag),
	ROW(state),
	ROW(result),
	ROW(event),
	ROW(trace_loss),
	ROW(device_op),
	ROW(record_type),
	ROW(class),
	ROW(wait),
	ROW(loss),
};

const struct word_list *words_find(const char *name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (strcmp(lists[i].name, name) == 0)
			return &lists[i];
	}
	return NULL;
}

static int is_name(const struct word *word, const char *name, size_t bytes)
{
	return strlen(word->name) == bytes && strncmp(word->name, name, bytes) == 0;
}

static int value_of_name(
	const struct word_list *list, const char *name, size_t bytes, uint64_t *value)
{
	const struct word *found = NULL;

	if (!list)
		return -1;
	for (const struct word *word = list->words; word && word->name && !found; word++)
		found = is_name(word, name, bytes) ? word : NULL;
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]) && !found; i++) {
		if (strcmp(details[i].list, list->name) == 0 &&
			is_name(&details[i].word, name, bytes))
			found = &details[i].word;
	}
	if (found)
		*value = found->value;
	return found ? 0 : -1;
}

int words_value(const struct word_list *list, const char *text, uint64_t *value)
{
	uint64_t one;

	if (words_number(text, value) == 0)
		return 0;
	*value = 0;
	for (;;) {
		size_t bytes = strcspn(text, ",");

		if (value_of_name(list, text, bytes, &one) != 0)
			return -1;
		*value |= one;
		if (!text[bytes])
			return 0;
		text += bytes + 1;
	}
}

int words_number(const char *text, uint64_t *value)
{
	static const struct word units[] = { { "", 1 }, { "ns", 1 }, { "us", 1000 },
		{ "ms", 1000000 }, { "s", 1000000000 }, { "kB", 1000 }, { "MB", 1000000 },
		{ NULL, 0 } };
	const struct word_list list = { "unit", units };
	uint64_t unit;
	char *end;

	if (!strchr("0123456789-", text[0]) || !text[0])
		return -1;
	*value = strtoull(text, &end, 0);
	if (end == text || value_of_name(&list, end, strlen(end), &unit) != 0)
		return -1;
	*value *= unit;
	return 0;
}
