/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables OMPPROF_*; see settings.h. */
#include "sampler/core/settings.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/shared/budget.h"
#include "profile/shared/event_names.h"
#include "profile/shared/frequency.h"
#include "profile/shared/perf_event.h"
#include "sampler/tool/tool_message.h"

/* The largest trace, in MiB. The rest of a file (PROFILE_MAX_BYTES) is for all other data. */
enum { TRACE_MOST = 192 };

static const char *value_of(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

static void refuse(const char *name, const char *value, const char *instead)
{
	say("%s='%s' is not valid; using %s", name, value, instead);
}

static int is_on(const char *name)
{
	const char *value = value_of(name);

	return value && strcmp(value, "0") != 0;
}

static uint64_t number(const char *name)
{
	const char *value = value_of(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

static void read_output(struct settings *settings)
{
	const char *value = value_of("OMPPROF_OUTPUT");
	char cwd[2048] = "";
	size_t bytes = sizeof(settings->output);

	if (!value)
		value = "ompprof.out";
	if (value[0] != '/' && getcwd(cwd, sizeof(cwd)))
		strncat(cwd, "/", sizeof(cwd) - strlen(cwd) - 1);
	if (snprintf(settings->output, bytes, "%s%s", cwd, value) >= (int)bytes)
		settings->output[0] = '\0';
}

static void read_event(struct settings *settings)
{
	const char *value = value_of("OMPPROF_EVENT");

	if (value && perf_event_parse(value, settings->event, sizeof(settings->event),
			     &settings->event_period) == 0)
		return;
	if (value)
		refuse("OMPPROF_EVENT", value, "cpu");
	strcpy(settings->event, "cpu");
	settings->event_period = 0;
}

static void read_frequency(struct settings *settings)
{
	const char *value = value_of("OMPPROF_FREQUENCY");

	settings->period = 1000000000ULL / FREQUENCY_DEFAULT_HZ;
	if (value && frequency_parse(value, &settings->period) != 0)
		refuse("OMPPROF_FREQUENCY", value, "200");
	settings->frequency_hz =
		(uint32_t)((1000000000ULL + settings->period / 2) / settings->period);
}

static void read_walker(struct settings *settings)
{
	const char *value = value_of("OMPPROF_UNWIND");

	if (value && (strcmp(value, "cfi") == 0 || strcmp(value, "fp") == 0 ||
			     strcmp(value, "libunwind") == 0)) {
		strcpy(settings->walker, value);
		return;
	}
	if (value)
		refuse("OMPPROF_UNWIND", value, "cfi");
	strcpy(settings->walker, "cfi");
}

static void read_signal(struct settings *settings)
{
	const char *value = value_of("OMPPROF_SIGNAL");
	char *end;
	long number;

	settings->signal = SIGURG;
	if (!value)
		return;
	if (strcmp(value, "PROF") == 0 || strcmp(value, "SIGPROF") == 0) {
		settings->signal = SIGPROF;
		return;
	}
	if (strcmp(value, "URG") == 0 || strcmp(value, "SIGURG") == 0)
		return;
	number = strtol(value, &end, 10);
	if (*end == '\0' && number >= SIGRTMIN && number <= SIGRTMAX)
		settings->signal = (int)number;
	else
		refuse("OMPPROF_SIGNAL", value, "URG");
}

/* Unless asked, mutexes have no budget: their waits would be rough. */
static void read_budget(struct settings *settings)
{
	const char *value = value_of("OMPPROF_BUDGET");

	settings->task_budget = BUDGET_TASKS_PERCENT;
	settings->is_default_budget = !value;
	if (value && budget_parse(value, &settings->mutex_budget) != 0)
		refuse("OMPPROF_BUDGET", value, "default");
	else if (value)
		settings->task_budget = settings->mutex_budget;
}

static void read_events(struct settings *settings)
{
	const char *value = value_of("OMPPROF_EVENTS");
	char unknown[64];

	if (!value || event_names_parse(value, &settings->events, unknown, sizeof(unknown)) == 0)
		return;
	refuse("OMPPROF_EVENTS", value, "default");
	settings->events = 0;
}

static void read_counters(struct settings *settings)
{
	const char *value = value_of("OMPPROF_COUNTERS");
	char unknown[PROFILE_COUNTER_BYTES];

	if (!value || perf_event_list_parse(value, &settings->counters, unknown) == 0)
		return;
	refuse("OMPPROF_COUNTERS", value, "none");
	settings->counters.n = 0;
}

static void read_trace(struct settings *settings)
{
	const char *value = value_of("OMPPROF_TRACE");
	uint64_t megabytes = number("OMPPROF_TRACE");

	if (value && (strspn(value, "0123456789") != strlen(value) || megabytes > TRACE_MOST)) {
		refuse("OMPPROF_TRACE", value, "no trace");
		megabytes = 0;
	}
	settings->trace_bytes = megabytes << 20;
}

void settings_read(struct settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	settings->is_quiet = is_on("OMPPROF_QUIET");
	settings->is_verbose = is_on("OMPPROF_VERBOSE");
	settings->is_paused = is_on("OMPPROF_START_PAUSED");
	if (settings->is_quiet)
		tool_message_none();
	settings->run_id = number("OMPPROF_RUN");
	read_trace(settings);
	read_output(settings);
	read_event(settings);
	read_frequency(settings);
	read_walker(settings);
	read_signal(settings);
	read_budget(settings);
	read_events(settings);
	read_counters(settings);
}
