/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool of OMPT that registers a callback for each event. The callbacks print only what is wrong:
 * data of a thread or a region that the tool cannot write, or an event after the end. With FINALIZE
 * the tool ends at the first barrier.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void function(void);
typedef function *lookup(const char *name);
typedef int set_callback(int event, function *callback);

enum {
	THREAD_BEGIN = 1,
	IMPLICIT_TASK = 7,
	SYNC_REGION_WAIT = 16,
	SYNC_REGION = 23,
	LAST = 40,
};

enum { BEGIN = 1 };

static uint64_t *(*get_thread_data)(void);
static function *finalize_tool;
static int is_over;

static void check(int is_right, const char *what)
{
	if (!is_right)
		fprintf(stderr, "%s\n", what);
}

static void on_event(void)
{
	check(!is_over, "an event after the end");
}

static void on_thread_begin(int type, uint64_t *data)
{
	check(get_thread_data() == data, "thread_begin: the thread's data is not its data");
	check(*data == 0, "thread_begin: the data is not new");
	*data = 1;
}

static void on_implicit_task(int endpoint, uint64_t *region, uint64_t *task)
{
	check(endpoint != BEGIN || region, "implicit_task: no region");
	check(get_thread_data() && *get_thread_data() == 1, "implicit_task: not the thread's data");
}

static void on_sync_region(int kind, int endpoint, uint64_t *region)
{
	check(!is_over, "sync_region after the end");
	check(endpoint != BEGIN || region, "sync_region: no region");
	if (getenv("FINALIZE"))
		finalize_tool();
}

static int initialize(lookup *look_up, int device, void *data)
{
	set_callback *set = (set_callback *)look_up("ompt_set_callback");

	get_thread_data = (uint64_t * (*)(void)) look_up("ompt_get_thread_data");
	finalize_tool = look_up("ompt_finalize_tool");
	for (int event = 1; event <= LAST; event++)
		set(event, on_event);
	set(THREAD_BEGIN, (function *)on_thread_begin);
	set(IMPLICIT_TASK, (function *)on_implicit_task);
	set(SYNC_REGION, (function *)on_sync_region);
	set(SYNC_REGION_WAIT, (function *)on_sync_region);
	return 1;
}

static void finalize(void *data)
{
	is_over = 1;
}

/* struct ompt_start_tool_result_t */
void *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct {
		int (*initialize)(lookup *, int, void *);
		void (*finalize)(void *);
		unsigned long long data;
	} result = { initialize, finalize, 0 };

	return &result;
}
