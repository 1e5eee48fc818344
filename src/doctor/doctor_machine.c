/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the machine's support for sampling: clocks, perf events, signals; see doctor.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "src/doctor/doctor.h"
#include "src/run/run.h"

/* The signal and the period are the defaults of ompprof run. */
enum { SIGNAL = SIGURG, PERIOD_MS = 5, SPIN_MS = 60 };

static volatile sig_atomic_t n_signals;

static void count(int signal)
{
	(void)signal;
	n_signals++;
}

static int64_t cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The most samples per second of CPU time: the kernel checks such a timer once per tick. */
static long ticks_per_second(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_nsec <= 0)
		return 100;
	return 1000000000L / tick.tv_nsec;
}

/* Lets a timer of CPU time send the signal for SPIN_MS. Returns 0, or an errno. */
static int run_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL };
	struct itimerspec period = { .it_value.tv_nsec = PERIOD_MS * 1000000,
		.it_interval.tv_nsec = PERIOD_MS * 1000000 };
	int64_t end = cpu_ms() + SPIN_MS;
	timer_t timer;

	event._sigev_un._tid = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
		return errno;
	if (timer_settime(timer, 0, &period, NULL) != 0) {
		int error = errno;

		timer_delete(timer);
		return error;
	}
	while (cpu_ms() < end)
		;
	timer_delete(timer);
	return 0;
}

static void check_timer(struct doctor *doctor)
{
	struct sigaction previous, action = { .sa_handler = count, .sa_flags = SA_RESTART };
	sigset_t ours, mask;
	int error;

	sigemptyset(&ours);
	sigaddset(&ours, SIGNAL);
	sigaction(SIGNAL, &action, &previous);
	sigprocmask(SIG_UNBLOCK, &ours, &mask);
	error = run_timer();
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGNAL, &previous, NULL);
	if (error)
		doctor_add(doctor, DOCTOR_MISSING, "timers",
			"let the container or sandbox allow timer_create; '-e task-clock' does "
			"without",
			"no timer of a thread's CPU time: %s", strerror(error));
	else if (n_signals == 0)
		doctor_add(doctor, DOCTOR_MISSING, "timers",
			"use '-e task-clock', or another machine",
			"a timer of CPU time started, but sent no signal in %d ms", SPIN_MS);
	else
		doctor_add(doctor, DOCTOR_OK, "timers", NULL,
			"of CPU time, at most %ld samples a second", ticks_per_second());
	if (sigismember(&mask, SIGNAL))
		doctor_add(doctor, DOCTOR_LIMITED, "signal",
			"unblock it in the process that starts the program, or use '--signal PROF'",
			"SIGURG is blocked here and in programs that are started: threads that "
			"keep it blocked are not sampled");
	else
		doctor_add(doctor, DOCTOR_OK, "signal", NULL, "SIGURG is not blocked");
}

/* Opens and closes an event of this thread, as the sampler does. Returns 0, or an errno. */
static int try_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.sample_period = 1000000,
		.wakeup_events = 1,
		.disabled = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		attr.exclude_kernel = 1;
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

/* " (perf_event_paranoid is 2)", or "" if the setting cannot be read. */
static const char *text_paranoid(char *text, size_t bytes)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level;

	text[0] = '\0';
	if (!file)
		return text;
	if (fscanf(file, "%d", &level) == 1)
		snprintf(text, bytes, " (perf_event_paranoid is %d)", level);
	fclose(file);
	return text;
}

static void check_perf(struct doctor *doctor)
{
	int error = try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	char paranoid[64];

	text_paranoid(paranoid, sizeof(paranoid));
	if (error) {
		doctor_add(doctor, DOCTOR_LIMITED, "perf events",
			"set /proc/sys/kernel/perf_event_paranoid to 2 or less, and let a "
			"container allow perf_event_open",
			"cannot open 'task-clock': %s%s; '-e' takes cpu and wall only, and cpu on "
			"the kernel's tick, at most %ld samples a second: places that alternate in "
			"step with it can be shown 30 points too high or too low",
			strerror(error), paranoid, ticks_per_second());
		return;
	}
	doctor_add(doctor, DOCTOR_OK, "perf events", NULL, "'task-clock' opens%s", paranoid);
	error = try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	if (error)
		doctor_add(doctor, DOCTOR_LIMITED, "counters",
			error == ENOENT || error == EOPNOTSUPP
				? "let the virtual machine have counters (vPMU); '-e cpu' does "
				  "without"
				: "'-e cpu' does without",
			"cannot open 'cycles': %s; no hardware events", strerror(error));
	else
		doctor_add(doctor, DOCTOR_OK, "counters", NULL, "'cycles' opens");
}

/* The walker reads objects that may be unloaded through process_vm_readv. */
static void check_copies(struct doctor *doctor)
{
	int from = 1, to = 0;
	struct iovec local = { &to, sizeof(to) }, remote = { &from, sizeof(from) };

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)sizeof(to))
		return;
	doctor_add(doctor, DOCTOR_LIMITED, "memory",
		"let the container or sandbox allow process_vm_readv",
		"the kernel copies no memory for ompprof: %s; a program that unloads libraries "
		"while it is sampled may crash",
		strerror(errno));
}

static void check_library(struct doctor *doctor)
{
	struct diag diag;

	if (run_find_library(doctor->library, sizeof(doctor->library), &diag) == 0) {
		if (strpbrk(doctor->library, " :"))
			doctor_add(doctor, DOCTOR_LIMITED, "profiler",
				"install ompprof in a folder without blanks and colons",
				"'%s' cannot be preloaded: time before the first region, native "
				"threads, and programs without libomp are not sampled",
				doctor->library);
		else
			doctor_add(doctor, DOCTOR_OK, "profiler", NULL, "'%s'", doctor->library);
		return;
	}
	doctor->library[0] = '\0';
	doctor_add(doctor, DOCTOR_MISSING, "profiler", "install ompprof again", "%s", diag.text);
}

static void check_provider(struct doctor *doctor)
{
	char path[4200];

	if (!doctor->library[0])
		return;
	run_find_provider(path, sizeof(path), doctor->library);
	if (access(path, R_OK) == 0)
		doctor_add(doctor, DOCTOR_OK, "libgomp", NULL, "'%s'", path);
	else
		doctor_add(doctor, DOCTOR_LIMITED, "libgomp", "install ompprof again",
			"cannot read '%s': %s; programs on GCC's libgomp have no regions and waits",
			path, strerror(errno));
}

static void check_libunwind(struct doctor *doctor)
{
	static const char *const forms[] = { "%.*sompprof-walk-libunwind.so",
		"%.*sompprof/ompprof-walk-libunwind.so" };
	const char *slash = strrchr(doctor->library, '/');
	char path[4200];

	for (size_t i = 0; slash && i < 2; i++) {
		snprintf(path, sizeof(path), forms[i], (int)(slash + 1 - doctor->library),
			doctor->library);
		if (access(path, R_OK) != 0)
			continue;
		doctor_add(doctor, DOCTOR_OK, "libunwind", NULL, "'%s'", path);
		return;
	}
	doctor_add(doctor, DOCTOR_LIMITED, "libunwind",
		"build ompprof where libunwind is installed (Debian: libunwind-dev); cfi, the "
		"default, does without",
		"no walker for '--unwind libunwind'");
}

void doctor_check_machine(struct doctor *doctor)
{
	doctor->group = "machine";
	check_library(doctor);
	check_provider(doctor);
	check_timer(doctor);
	check_perf(doctor);
	check_copies(doctor);
	doctor_check_limits(doctor);
	check_libunwind(doctor);
}
