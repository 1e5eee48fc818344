/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's life; see tool.h. Not for the signal handler. */
#include "sampler/core/tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/shared/launcher.h"
#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "config.h"
#include "sampler/tool/contention.h"
#include "sampler/tool/control.h"
#include "profile/core/counters.h"
#include "sampler/core/handler.h"
#include "sampler/core/modules.h"
#include "sampler/tool/output.h"
#include "sampler/core/phase.h"
#include "sampler/tool/tool_message.h"
#include "sampler/core/target.h"
#include "sampler/core/thread.h"
#include "sampler/core/timeline.h"
#include "sampler/devices/device_trace.h"
#include "sampler/python/python_record.h"
#include "sampler/tool/python_look.h"
#include "sampler/tool/runtime_names.h"
#include "unwinder/core/loaded.h"
#include "unwinder/core/objects.h"
#include "unwinder/prepare/objects_permanent.h"

/* Longer than nearly all events take while their thread has a CPU. */
enum { EVENT_ENDS_NS = 1000000 };

static int fail(const char *what, int error)
{
	say("%s: %s; continuing without a profile", what, strerror(error));
	return -1;
}

int tool_is_allowed(void)
{
	return !getauxval(AT_SECURE);
}

void tool_prepare(void)
{
	uint32_t *page;

	if (tool.phase)
		return;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, 4096, MADV_WIPEONFORK) != 0)
		munmap(page, 4096);
	else
		tool.phase = page;
}

static int choose_walker(char *note, size_t bytes)
{
	const struct walker *plugin = NULL;
	Dl_info self;
	char path[PATH_MAX];
	void *module;

	tool.walker = strcmp(tool.settings.walker, "fp") == 0 ? &walker_fp : &walker_cfi;
	if (strcmp(tool.settings.walker, "libunwind") == 0 && dladdr((void *)&tool, &self) &&
		self.dli_fname) {
		const char *slash = strrchr(self.dli_fname, '/');

		for (int i = 0; i < 2 && !plugin; i++) {
			snprintf(path, sizeof(path), "%.*s%sompprof-walk-libunwind.so",
				slash ? (int)(slash + 1 - self.dli_fname) : 0, self.dli_fname,
				i ? "ompprof/" : "");
			module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
			plugin = module ? dlsym(module, "ompprof_walker") : NULL;
		}
		if (plugin)
			tool.walker = plugin;
		else
			snprintf(note, bytes,
				"cannot load the libunwind walker; using the walker 'cfi'");
	}
	return tool.walker->init ? tool.walker->init() : 0;
}

/*
 * Returns 0 or an errno. A child made by fork has the handler already; tool.previous stays as it
 * was.
 */
static int install_handler(void)
{
	struct sigaction previous, action = {
		.sa_sigaction = handler_on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};

	/*
	 * sigfillset would leave out the C library's own signals: a cancellation by them would end
	 * the thread in the handler.
	 */
	memset(&action.sa_mask, 0xff, sizeof(action.sa_mask));
	if (sigaction(tool.settings.signal, &action, &previous) != 0)
		return errno;
	if (!(previous.sa_flags & SA_SIGINFO && previous.sa_sigaction == handler_on_signal))
		tool.previous = previous;
	return 0;
}

static int is_handler_replaced(void)
{
	struct sigaction action;

	return sigaction(tool.settings.signal, NULL, &action) == 0 &&
	       !(action.sa_flags & SA_SIGINFO && action.sa_sigaction == handler_on_signal);
}

/* Tables of the walker cfi; others have none. */
static void describe_tables(void)
{
	struct profile_header *header = writer_header();
	struct objects_cost cost;

	if (tool.walker != &walker_cfi)
		return;
	objects_cost(&cost);
	header->tables.objects = cost.n_objects;
	header->tables.rows = cost.n_rows;
	header->tables.bytes = cost.n_bytes;
	header->tables.build_ns = cost.build_ns;
	header->tables.missing = cost.n_interpreted;
}

static void describe_place(struct profile_header *header)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct launcher launcher;
	cpu_set_t cpus;

	header->n_cpus = 1;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		header->n_cpus = (uint32_t)CPU_COUNT(&cpus);
	header->around.machine_cpus = online > 0 ? (uint32_t)online : 0;
	launcher_read(&launcher);
	header->around.rank = launcher.has_rank ? launcher.rank + 1 : 0;
	header->around.n_ranks = launcher.n_ranks;
}

static void fill_header(const char *note)
{
	struct profile_header *header = writer_header();
	const struct settings *settings = &tool.settings;
	char refusal[256];

	header->start_realtime_ns = clock_now_ns(CLOCK_REALTIME);
	header->start_monotonic_ns = tool.start_ns;
	header->start_ticks = tool.start_ticks;
	header->run_id = settings->run_id ? settings->run_id : header->start_realtime_ns;
	header->cpu_before_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID);
	header->pid = (uint32_t)getpid();
	describe_place(header);
	contention_begin();
	header->clock_kind = clock_kind(settings);
	header->signal = (uint32_t)settings->signal;
	header->period = settings->period;
	header->frequency_hz = settings->frequency_hz;
	strcpy(header->clock_name, settings->event);
	strncpy(header->walker, tool.walker->name, sizeof(header->walker) - 1);
	gethostname(header->host, sizeof(header->host) - 1);
	if (tool_is_paused()) {
		header->flags |= PROFILE_PAUSED;
		header->n_pauses = 1;
	}
	memcpy(header->note, note, sizeof(header->note));
	if (!note[0])
		clock_remark(header->note, sizeof(header->note));
	strncpy(header->tool, PACKAGE_VERSION, sizeof(header->tool) - 1);
	describe_tables();
	counters_choose(&tool.settings.counters, &header->counters);
	if (header->around.rank <= 1 &&
		perf_event_refusal(refusal, sizeof(refusal), &header->counters))
		say("%s", refusal);
}

static void find_own_range(void)
{
	struct loaded found;

	if (!loaded_state.ask)
		objects_find_permanent();
	if (loaded_find((uintptr_t)&tool, &found) != 0)
		return;
	tool.tool_lo = found.lo;
	tool.tool_hi = found.hi;
}

/*
 * A runtime asks the first tool that the loader finds. Ours is preloaded, so another first tool is
 * the program's, or was preloaded before it.
 */
static void note_other_tool(void)
{
	uint64_t first = (uint64_t)dlsym(RTLD_DEFAULT, "ompt_start_tool");

	if (first && (first < tool.tool_lo || first >= tool.tool_hi))
		writer_header()->flags |= PROFILE_OTHER_TOOL;
}

/* Measured time begins, or stands still at its begin. */
static void begin_time(int is_paused)
{
	tool.paused_ticks = tool.paused_ns = 0;
	tool.stands_ns = is_paused ? 0 : TOOL_GOES_ON;
	__atomic_store_n(
		&tool.stands_ticks, is_paused ? tool.start_ticks : TOOL_GOES_ON, __ATOMIC_RELEASE);
}

/* The order matters: most steps need earlier steps. Returns 0, or -1 after a message. */
static int start(void)
{
	/*
	 * A child made by fork is paused if its parent was; the setting is for the first start
	 * only.
	 */
	int is_paused = tool.epoch > 1 && tool_is_paused(), error;
	char note[256], exe[1024];

	settings_read(&tool.settings);
	is_paused |= tool.epoch == 1 && tool.settings.is_paused;
	tool.clock = clock_choose(&tool.settings, note, sizeof(note));
	if (choose_walker(note, sizeof(note)) != 0)
		return fail("cannot prepare the walker", ENOTSUP);
	/* Read together: the number of ticks in a second follows from time and ticks since then. */
	tool.start_ns = clock_now_ns(CLOCK_MONOTONIC);
	tool.start_ticks = tool_ticks();
	begin_time(is_paused);
	if (tool.start_ns == 0)
		return fail("cannot read the clock", errno);
	thresholds_begin();
	if (output_open(&tool.settings) != 0)
		return -1;
	fill_header(note);
	timeline_begin_all(tool.settings.trace_bytes);
	output_describe(exe, sizeof(exe));
	find_own_range();
	note_other_tool();
	modules_clear(exe);
	modules_note_all();
	python_forget();
	python_look();
	error = install_handler();
	if (error) {
		unlink(output_path());
		return fail("cannot install the signal handler", error);
	}
	/* In a job with ranks only the process of rank 0 prints the message. */
	if (note[0] && writer_header()->around.rank <= 1)
		say("%s", note);
	if (tool.settings.is_verbose)
		say("writing '%s'", output_path());
	tool_describe_runtime();
	return 0;
}

/*
 * Waits about a second at most for another thread that starts the tool. Returns the tool's phase.
 */
static uint32_t await_start(void)
{
	for (int i = 0; i < 1000; i++) {
		uint32_t phase = __atomic_load_n(tool.phase, __ATOMIC_ACQUIRE);

		if (phase != TOOL_STARTING)
			return phase;
		plain_pause(1000000);
	}
	return TOOL_STARTING;
}

int tool_is_inherited(void)
{
	return tool.epoch > 0 && tool.phase &&
	       __atomic_load_n(tool.phase, __ATOMIC_ACQUIRE) == TOOL_OFF;
}

int tool_is_of_command(void)
{
	const char *pid = getenv("OMPPROF_PID");

	return pid && atol(pid) == (long)getpid();
}

/*
 * The CPU time of the command, which is the parent of the process that it has started. The kernel
 * makes the number of a process' CPU clock in this way.
 */
static uint64_t command_ns(void)
{
	return tool_is_of_command() ? clock_now_ns((clockid_t)(~(unsigned)getppid() << 3 | 2)) : 0;
}

/*
 * Starts the tool, or waits about a second at most for another thread that starts it. Returns 0 if
 * the tool is on then, else -1.
 */
static int start_once(void)
{
	uint64_t begin_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint32_t phase = TOOL_OFF;

	/* A library that is initialised before ours may already use OpenMP. */
	tool_prepare();
	if (!tool.phase)
		return tool.epoch++ ? -1 : fail("cannot guard against fork", ENOTSUP);
	if (!__atomic_compare_exchange_n(
		    tool.phase, &phase, TOOL_STARTING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return await_start() == TOOL_ON ? 0 : -1;
	if (tool.epoch++ > 0) {
		thread_forget_all();
		device_trace_forget_all();
		control_forget();
		phase_forget();
		writer_forget();
		target_forget();
	}
	phase = start() == 0 ? TOOL_ON : TOOL_FAILED;
	__atomic_store_n(tool.phase, phase, __ATOMIC_RELEASE);
	if (phase != TOOL_ON)
		return -1;
	thread_register(0);
	phase_begin_again();
	writer_header()->usage.setup_ns =
		clock_now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns + command_ns();
	return 0;
}

int tool_start(void)
{
	int saved = errno, result = start_once();

	errno = saved;
	return result;
}

void tool_describe_runtime(void)
{
	struct profile_header *header = writer_header();
	const struct ompprof_runtime_code *code = tool.runtime_code;

	if (!runtime_code_is_known(code))
		return;
	for (uint32_t i = 0; i < code->n; i++)
		modules_mark_runtime(code->at[i].lo);
	modules_name_runtime(code->at[0].lo);
	runtime_names_describe();
	memcpy(header->runtime, tool.runtime, sizeof(header->runtime));
	__atomic_fetch_and(&header->flags, ~(uint32_t)PROFILE_OTHER_TOOL, __ATOMIC_RELAXED);
	__atomic_fetch_or(&header->flags, PROFILE_OMPT_STARTED, __ATOMIC_RELAXED);
}

static void complete(void)
{
	struct profile_header *header = writer_header();
	uint64_t now = tool_clock_ns();
	uint64_t ticks = tool_ticks() - tool.start_ticks;

	if (is_handler_replaced())
		header->lost[PROFILE_LOST_HANDLER] = 1;
	header->ticks_per_s = now ? (uint64_t)((double)ticks * 1e9 / (double)now) : 0;
	header->last_ns = header->end_ns = tool_now_ns();
	header->paused_ns = now - header->end_ns;
	contention_end();
	describe_tables();
	__atomic_fetch_or(&header->flags, PROFILE_COMPLETE, __ATOMIC_RELEASE);
}

/* The handler stays: signals that are on their way have to be caught. */
static void finish(void)
{
	thread_stop_all();
	complete();
	writer_finish();
}

void tool_stop(void)
{
	if (tool_turn_off() == 0)
		finish();
}

/*
 * Other threads see that the tool is off when their next event or sample begins. Threads that are
 * in an event or a sample get time to end it.
 */
void tool_end(uint32_t flags)
{
	if (tool_turn_off() != 0)
		return;
	plain_pause(EVENT_ENDS_NS);
	__atomic_fetch_or(&writer_header()->flags, PROFILE_ENDED | flags, __ATOMIC_RELAXED);
	finish();
}
