/* SPDX-License-Identifier: Apache-2.0 */
/* Who else wants the CPUs, and what the process uses; see contention.h. */
#include "sampler/tool/contention.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/core/clock.h"

enum { PATH_BYTES = 512, TEXT_BYTES = 4096 };

/* The kernel's unit in /proc/stat is the same on all machines. */
#define STAT_UNIT_NS 10000000ULL

/* Values at the start, which the values at the end are compared with. */
static struct {
	uint64_t busy_ns, throttled_ns, process_ns;
	struct profile_usage usage;
} start;

/* Reads the begin of a file as text. Returns its length, or -1. */
static ssize_t read_text(const char *path, char *text)
{
	int fd = plain_open(path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t n = -1, more;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	for (n = 0; n < TEXT_BYTES - 1; n += more) {
		more = plain_read(fd, text + n, (size_t)(TEXT_BYTES - 1 - n));
		if (more <= 0)
			break;
	}
	text[n] = '\0';
	plain_close(fd);
	return n;
}

/* The number after a word of the text; 0 without the word. */
static uint64_t number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* Reads a CPU's line after its number: user, nice, system, idle, iowait, and so on. */
static uint64_t busy_of(char *line, char **end)
{
	uint64_t sum = 0;

	*end = line;
	for (int i = 0; i < 8; i++) {
		uint64_t amount = strtoull(*end, end, 10);

		if (i != 3 && i != 4)
			sum += amount;
	}
	return sum * STAT_UNIT_NS;
}

/*
 * How long the CPUs that the process may run on have been busy, also for other virtual machines;
 * 0 if that is not known. The file can be long, but its first lines are enough on most machines.
 */
static uint64_t busy_ns(void)
{
	char text[TEXT_BYTES], *line;
	unsigned n_found = 0;
	uint64_t sum = 0;
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) || read_text("/proc/stat", text) <= 0)
		return 0;
	for (line = strstr(text, "\ncpu"); line; line = strstr(line, "\ncpu")) {
		unsigned cpu = (unsigned)strtoull(line + 4, &line, 10);

		if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &cpus)) {
			sum += busy_of(line, &line);
			n_found++;
		}
	}
	return n_found == (unsigned)CPU_COUNT(&cpus) ? sum : 0;
}

/* A limit of a control group's CPU time, and how long it has stopped the group. */
struct limit {
	uint64_t quota_per_s; /* ns of CPU time in a second; 0: no limit */
	uint64_t throttled_ns;
};

static void take_limit(struct limit *limit, uint64_t quota, uint64_t period, uint64_t throttled_ns)
{
	uint64_t quota_per_s = quota && period ? quota * 1000000000 / period : 0;

	if (!quota_per_s || (limit->quota_per_s && limit->quota_per_s <= quota_per_s))
		return;
	*limit = (struct limit){ quota_per_s, throttled_ns };
}

/* Version 2 of control groups has "50000 100000" or "max 100000" in cpu.max. */
static void look_v2(const char *folder, struct limit *limit)
{
	char path[PATH_BYTES + 16], text[TEXT_BYTES], *end;
	uint64_t quota, period;

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	if (read_text(path, text) <= 0)
		return;
	quota = strtoull(text, &end, 10);
	period = strtoull(end, NULL, 10);
	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	read_text(path, text);
	take_limit(limit, quota, period, 1000 * number_after(text, "throttled_usec "));
}

static void look_v1(const char *folder, struct limit *limit)
{
	char path[PATH_BYTES + 24], text[TEXT_BYTES];
	uint64_t quota, period;

	snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
	if (read_text(path, text) <= 0 || text[0] == '-')
		return;
	quota = strtoull(text, NULL, 10);
	snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
	read_text(path, text);
	period = strtoull(text, NULL, 10);
	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	read_text(path, text);
	take_limit(limit, quota, period, number_after(text, "throttled_time "));
}

/* Looks at a group and the groups around it, up to the root of the mount. */
static void look_outwards(const char *mount, const char *group, struct limit *limit,
	void (*look)(const char *folder, struct limit *limit))
{
	char folder[PATH_BYTES];
	size_t n = strcspn(group, "\n");

	while (1) {
		snprintf(folder, sizeof(folder), "%s%.*s", mount, (int)n, group);
		look(folder, limit);
		if (n == 0)
			return;
		while (n > 0 && group[n - 1] != '/')
			n--;
		n -= n > 0;
	}
}

/*
 * The tightest limit of the process' control groups. In a container the groups' paths can be the
 * host's, which are not there: then the mount's root is the container's group.
 */
static struct limit find_limit(void)
{
	char text[TEXT_BYTES];
	const char *group;
	struct limit limit = { 0 };

	read_text("/proc/self/cgroup", text);
	group = strstr(text, "0::");
	if (group)
		look_outwards("/sys/fs/cgroup", group + 3, &limit, look_v2);
	group = strstr(text, ":cpu,cpuacct:");
	group = group ? group : strstr(text, ":cpuacct,cpu:");
	if (group)
		group += strlen(":cpu,cpuacct:");
	else if ((group = strstr(text, ":cpu:")))
		group += strlen(":cpu:");
	if (group)
		look_outwards("/sys/fs/cgroup/cpu", group, &limit, look_v1);
	return limit;
}

/* Time in the kernel and page faults so far. */
static struct profile_usage find_usage(void)
{
	struct rusage used = { 0 };

	syscall(SYS_getrusage, RUSAGE_SELF, &used);
	return (struct profile_usage){
		.system_ns = (uint64_t)used.ru_stime.tv_sec * 1000000000 +
			     (uint64_t)used.ru_stime.tv_usec * 1000,
		.n_faults = (uint64_t)(used.ru_minflt + used.ru_majflt),
	};
}

/* getrusage(2) has the peak of the parent, if that is higher. */
static uint64_t peak_bytes(void)
{
	char text[TEXT_BYTES];

	read_text("/proc/self/status", text);
	return number_after(text, "VmHWM:") * 1024;
}

void contention_begin(void)
{
	struct limit limit = find_limit();

	writer_header()->contention.quota_per_s = limit.quota_per_s;
	start.throttled_ns = limit.throttled_ns;
	start.process_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID);
	start.busy_ns = busy_ns();
	start.usage = find_usage();
}

void contention_end(void)
{
	struct profile_contention *to = &writer_header()->contention;
	struct limit limit = find_limit();
	struct profile_usage *usage = &writer_header()->usage, now = find_usage();
	uint64_t busy = busy_ns();

	usage->system_ns = now.system_ns - start.usage.system_ns;
	usage->n_faults = now.n_faults - start.usage.n_faults;
	usage->peak_bytes = peak_bytes();
	if (limit.throttled_ns > start.throttled_ns)
		to->throttled_ns = limit.throttled_ns - start.throttled_ns;
	to->process_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID) - start.process_ns;
	if (start.busy_ns && busy > start.busy_ns)
		to->busy_ns = busy - start.busy_ns;
}
