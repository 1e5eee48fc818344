/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool of OMPT that registers a callback for each event. The callbacks print only what is wrong:
 * data of a thread or a region that the tool cannot write, or an event after the end. With FINALIZE
 * the tool ends at the first barrier. PLACE: the processor of the only place.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

static void check_places(lookup *look_up)
{
	int (*get_num_places)(void) = (int (*)(void))look_up("ompt_get_num_places");
	int (*get_ids)(int, int, int *) =
		(int (*)(int, int, int *))look_up("ompt_get_place_proc_ids");
	int (*get_proc_id)(void) = (int (*)(void))look_up("ompt_get_proc_id");
	int id = -1, expected = atoi(getenv("PLACE"));

	check(get_num_places() == 1, "not one place");
	check(get_ids(0, 0, &id) == 1 && id == -1, "an id where there is no room");
	check(get_ids(0, 1, &id) == 1 && id == expected, "the place has another processor");
	check(get_proc_id() == expected, "not on the processor");
}

static int initialize(lookup *look_up, int device, void *data)
{
	set_callback *set = (set_callback *)look_up("ompt_set_callback");

	get_thread_data = (uint64_t * (*)(void)) look_up("ompt_get_thread_data");
	if (getenv("PLACE"))
		check_places(look_up);
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

/* STALL: modules.c loads a module meanwhile, whose constructor is entered; then asks the loader. */
static void stall(void)
{
	int *is_asked, *is_begun;

	if (!getenv("STALL"))
		return;
	is_asked = dlsym(RTLD_DEFAULT, "is_asked");
	is_begun = dlsym(RTLD_DEFAULT, "is_begun");
	__atomic_store_n(is_asked, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(is_begun, __ATOMIC_ACQUIRE))
		usleep(1000);
	dlsym(RTLD_DEFAULT, "is_asked");
}

/* struct ompt_start_tool_result_t */
void *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct {
		int (*initialize)(lookup *, int, void *);
		void (*finalize)(void *);
		unsigned long long data;
	} result = { initialize, finalize, 0 };

	stall();
	return &result;
}
