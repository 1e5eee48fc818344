/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters that are read at each sample, beside a stand-in for the kernel's perf events: hardware
 * counters that machines without a PMU lack, several users of a PMU, and all kinds of failures.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "profile/core/counters.h"

enum {
	MOST_EVENTS = 64,
	FIRST_FD = 1000, /* of events that have been moved up */
	PARENT = 1,      /* of the sample's leaf */
	LEAF = 2,
	MOST_NODES = 32,
};

/* --- the stand-in: an event's number is its index, its descriptor FIRST_FD more --- */

static struct {
	struct perf_event_attr attr[MOST_EVENTS];
	int leader[MOST_EVENTS];
	int is_open[MOST_EVENTS], is_foreign[MOST_EVENTS];
	uint64_t value[MOST_EVENTS];
	uint64_t open_ns, ran_ns; /* of hardware counters; others always count */
	int n, n_reads, n_closed, n_most;
	uint64_t refused_type; /* events of this type */
	int error;             /* errno for them */
	int is_kernel_secret, is_read_broken;
} kernel;

static int refuse(int error)
{
	errno = error;
	return -1;
}

static int open_event(const struct perf_event_attr *attr, int group)
{
	int leader = group < 0 ? kernel.n : group - FIRST_FD;

	if (kernel.error && attr->type == kernel.refused_type)
		return refuse(kernel.error);
	if (kernel.is_kernel_secret && !attr->exclude_kernel)
		return refuse(EACCES);
	if (kernel.n == kernel.n_most)
		return refuse(EMFILE);
	kernel.attr[kernel.n] = *attr;
	kernel.leader[kernel.n] = leader;
	kernel.is_open[kernel.n] = 1;
	return kernel.n++;
}

static long read_event(int fd, uint64_t *to, size_t bytes)
{
	int leader = fd - FIRST_FD, is_hardware = kernel.attr[leader].type != PERF_TYPE_SOFTWARE;
	size_t at = 3;

	kernel.n_reads++;
	assert_true(kernel.is_open[leader] && !kernel.is_foreign[leader]);
	if (kernel.is_read_broken)
		return refuse(EIO);
	to[1] = kernel.open_ns;
	to[2] = is_hardware ? kernel.ran_ns : kernel.open_ns;
	for (int i = 0; i < kernel.n; i++)
		if (kernel.is_open[i] && kernel.leader[i] == leader)
			to[at++] = kernel.value[i];
	to[0] = at - 3;
	assert_int_equal(bytes, at * sizeof(*to));
	return (long)bytes;
}

long syscall(long number, ...);
long syscall(long number, ...)
{
	va_list a;
	long result = 0;
	int fd;

	va_start(a, number);
	if (number == SYS_perf_event_open) {
		const struct perf_event_attr *attr = va_arg(a, const struct perf_event_attr *);

		assert_int_equal(va_arg(a, int), 0);
		assert_int_equal(va_arg(a, int), -1);
		result = open_event(attr, va_arg(a, int));
	} else if (number == SYS_read) {
		uint64_t *to;

		fd = va_arg(a, int);
		to = va_arg(a, uint64_t *);
		result = read_event(fd, to, va_arg(a, size_t));
	} else if (number == SYS_close) {
		fd = va_arg(a, int);
		if (fd >= FIRST_FD) {
			assert_true(kernel.is_open[fd - FIRST_FD]);
			kernel.is_open[fd - FIRST_FD] = 0;
			kernel.n_closed++;
		}
	}
	va_end(a);
	return result;
}

/* The number above the program's. */
int fcntl(int fd, int command, ...)
{
	assert_int_equal(command, F_DUPFD_CLOEXEC);
	return FIRST_FD + fd;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list a;
	int i = fd - FIRST_FD;

	assert_int_equal(request, PERF_EVENT_IOC_ID);
	if (!kernel.is_open[i] || kernel.is_foreign[i])
		return refuse(ENOTTY);
	va_start(a, request);
	*va_arg(a, uint64_t *) = 100 + (uint64_t)i;
	va_end(a);
	return 0;
}

/* --- the tree --- */

static struct profile_node nodes[MOST_NODES];
static uint32_t n_nodes;
static int is_full;

struct profile_node *writer_node(uint32_t id)
{
	assert_true(id < MOST_NODES);
	return &nodes[id];
}

uint32_t cct_child(struct cct *cct, uint32_t parent, uint8_t kind, uint8_t flags, uint64_t addr)
{
	(void)cct;
	assert_int_equal(parent, PARENT);
	assert_int_equal(kind, PROFILE_NODE_COUNTS);
	assert_int_equal(flags, 0);
	for (uint32_t i = LEAF + 1; i < n_nodes; i++)
		if (nodes[i].addr == addr)
			return i;
	if (is_full)
		return 0;
	nodes[n_nodes].addr = addr;
	return n_nodes++;
}

static uint64_t count_of(enum profile_class class, int counter)
{
	for (uint32_t i = LEAF + 1; i < n_nodes; i++) {
		const struct profile_node *node = &nodes[i];
		const uint64_t counts[] = { node->time_ns, node->events, node->blame_ns,
			node->spare };

		if (node->addr == PROFILE_COUNTS_KEY(class, counter / PROFILE_COUNTERS_OF_NODE))
			return counts[counter % PROFILE_COUNTERS_OF_NODE];
	}
	return 0;
}

/* --- the tests --- */

static struct thread_counters counters;
static struct profile_thread_more more;
static struct cct tree;
static struct perf_event_list list;
static struct profile_counters chosen;

static int set_up(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	kernel.n_most = MOST_EVENTS;
	memset(nodes, 0, sizeof(nodes));
	nodes[LEAF].parent = PARENT;
	n_nodes = LEAF + 1;
	is_full = 0;
	memset(&counters, 0, sizeof(counters));
	memset(&more, 0, sizeof(more));
	return 0;
}

static void choose(const char *names)
{
	char unknown[PROFILE_COUNTER_BYTES];

	assert_int_equal(perf_event_list_parse(names, &list, unknown), 0);
	counters_choose(&list, &chosen);
	for (int i = 0; i < kernel.n; i++)
		assert_false(kernel.is_open[i]);
}

/* Begins with counters whose indices in the kernel are `first` and above. */
static int begin(const char *names)
{
	int first;

	choose(names);
	first = kernel.n;
	kernel.n_closed = 0;
	counters_start(&counters, &tree, &more);
	return first;
}

static void go_on(uint64_t open_ns, uint64_t ran_ns)
{
	kernel.open_ns += open_ns;
	kernel.ran_ns += ran_ns;
}

static void test_adds_advances(void **state)
{
	int at = begin("cycles,instructions,page-faults,LLC-load-misses,branches");

	(void)state;
	assert_int_equal(chosen.counted, 0x1f);
	assert_int_equal(chosen.refusal, 0);
	for (int i = 0; i < 5; i++)
		kernel.value[at + i] = 10 * (uint64_t)(i + 1);
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	kernel.value[at] += 7;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WAIT_BARRIER);
	for (int i = 0; i < 5; i++)
		assert_int_equal(count_of(PROFILE_WORK, i), 10 * (i + 1));
	assert_int_equal(count_of(PROFILE_WAIT_BARRIER, 0), 7);
	assert_int_equal(more.counters_open_ns, 2000);
	assert_int_equal(more.counters_ran_ns, 2000);
	assert_int_equal(more.n_uncounted, 0);
	counters_stop(&counters);
	assert_int_equal(kernel.n_closed, 5);
}

/* Software counters always count, and are in a group of their own. */
static void test_scales_shared_counters(void **state)
{
	int at = begin("cycles,page-faults");

	(void)state;
	kernel.value[at] = 100;
	kernel.value[at + 1] = 100;
	go_on(1000, 250);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 400);
	assert_int_equal(count_of(PROFILE_WORK, 1), 100);
	/* It did not count at all, and then all the time. */
	go_on(1000, 0);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 400);
	kernel.value[at] += 50;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 500);
	assert_int_equal(more.counters_open_ns, 3000);
	assert_int_equal(more.counters_ran_ns, 1250);
}

static void test_survives_a_failed_reading(void **state)
{
	int at = begin("instructions");

	(void)state;
	kernel.value[at] = 5;
	go_on(1000, 1000);
	kernel.is_read_broken = 1;
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(more.n_uncounted, 1);
	assert_int_equal(n_nodes, LEAF + 1);
	kernel.is_read_broken = 0;
	kernel.value[at] = 9;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 9);
	assert_int_equal(more.n_uncounted, 1);
	assert_int_equal(more.uncounted, 0);
}

static void test_leaves_a_foreign_descriptor_alone(void **state)
{
	int at = begin("cycles,instructions"), n_reads = kernel.n_reads;

	(void)state;
	kernel.is_foreign[at] = kernel.is_foreign[at + 1] = 1;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(more.n_uncounted, 1);
	assert_int_equal(more.uncounted, EBADF);
	counters_stop(&counters);
	assert_int_equal(kernel.n_reads, n_reads);
	assert_int_equal(kernel.n_closed, 0);
}

static void test_wraps(void **state)
{
	int at;

	(void)state;
	choose("cycles");
	at = kernel.n;
	kernel.value[at] = UINT64_MAX - 9;
	counters_start(&counters, &tree, &more);
	kernel.value[at] = 5;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 15);
	kernel.value[at] = 3;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 15);
	assert_int_equal(more.n_uncounted, 1);
}

static void test_pauses(void **state)
{
	int at = begin("cycles");

	(void)state;
	kernel.value[at] = 10;
	go_on(1000, 1000);
	counters_keep(&counters);
	kernel.value[at] = 1000;
	go_on(1000, 1000);
	counters_drop(&counters);
	kernel.value[at] = 1001;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 0), 11);
	assert_int_equal(more.counters_open_ns, 2000);
}

static void test_counts_what_has_no_place(void **state)
{
	int at = begin("cycles");

	(void)state;
	is_full = 1;
	kernel.value[at] = 10;
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(more.n_uncounted, 1);
}

static void test_does_without_hardware(void **state)
{
	int at;
	char text[256];

	(void)state;
	kernel.refused_type = PERF_TYPE_HARDWARE;
	kernel.error = ENOENT;
	at = begin("cycles,instructions,page-faults");
	assert_int_equal(chosen.counted, 1 << 2);
	assert_int_equal(perf_event_refusal(text, sizeof(text), &chosen), 1);
	assert_string_equal(text, "not counted: cycles, instructions (this machine has none)");
	kernel.value[at] = 3;
	go_on(1000, 0);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(count_of(PROFILE_WORK, 2), 3);
	assert_int_equal(more.counters_open_ns, 0);
}

/* Then a counter of events inside the kernel would always be 0. */
static void test_says_that_the_kernel_is_left_out(void **state)
{
	(void)state;
	kernel.is_kernel_secret = 1;
	begin("cycles,context-switches");
	assert_int_equal(chosen.counted, 1);
	assert_int_equal(chosen.is_user_only, 1);
	assert_int_equal(chosen.refusal, EACCES);
	assert_int_equal(counters.group[COUNTERS_HARDWARE].n, 1);
}

/* A thread counts all or nothing. */
static void test_gives_back_what_it_opened(void **state)
{
	(void)state;
	choose("cycles,instructions,page-faults");
	kernel.n_closed = 0;
	kernel.n_most = kernel.n + 2;
	counters_start(&counters, &tree, &more);
	assert_int_equal(more.uncounted, EMFILE);
	assert_int_equal(kernel.n_closed, 2);
	go_on(1000, 1000);
	counters_sample(&counters, LEAF, PROFILE_WORK);
	assert_int_equal(n_nodes, LEAF + 1);
}

static void test_lists(void **state)
{
	char unknown[PROFILE_COUNTER_BYTES];

	(void)state;
	assert_int_equal(perf_event_list_parse("cycles,cycles,r1c2", &list, unknown), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.name[1], "r1c2");
	assert_int_equal(perf_event_list_parse("default", &list, unknown), 0);
	assert_int_equal(list.n, 5);
	assert_int_equal(perf_event_list_parse("cycles,,branches", &list, unknown), -1);
	assert_int_equal(perf_event_list_parse("cycles,nonsense", &list, unknown), -1);
	assert_string_equal(unknown, "nonsense");
	assert_int_equal(perf_event_list_parse("r1,r2,r3,r4,r5,r6,r7,r8,r9", &list, unknown), -1);
	assert_int_equal(
		perf_event_list_parse("a-name-that-is-longer-than-any-other", &list, unknown), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_adds_advances, set_up),
		cmocka_unit_test_setup(test_scales_shared_counters, set_up),
		cmocka_unit_test_setup(test_survives_a_failed_reading, set_up),
		cmocka_unit_test_setup(test_leaves_a_foreign_descriptor_alone, set_up),
		cmocka_unit_test_setup(test_wraps, set_up),
		cmocka_unit_test_setup(test_pauses, set_up),
		cmocka_unit_test_setup(test_counts_what_has_no_place, set_up),
		cmocka_unit_test_setup(test_does_without_hardware, set_up),
		cmocka_unit_test_setup(test_says_that_the_kernel_is_left_out, set_up),
		cmocka_unit_test_setup(test_gives_back_what_it_opened, set_up),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
