/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that no made-up profile of the scenes has, and warnings without room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/report/report.h"
#include "src/report/report_warnings_internal.h"
#include "src/views/view.h"
#include "tests/unit/command/scene_report.h"

static void names_the_part_that_was_not_looked_at(void **state)
{
	struct metrics_lock locks[2] = { { .n_acquired = 500, .n_estimated = 450 },
		{ .n_acquired = 100 } };
	struct report report = { .metrics = { .locks = locks, .n_locks = 2 } };
	char text[256];
	struct warning to = { text, sizeof(text) };

	assert_int_equal(warn_budget(&report, &to), 1);
	assert_string_equal(text, "75.0 % of the acquisitions of locks were not looked at "
				  "(--budget): their waits are "
				  "rough and often too small, each lock's figures are estimates");
	locks[0].n_estimated = 0;
	assert_int_equal(warn_budget(&report, &to), 0);
}

static void names_the_waits_that_are_estimates(void **state)
{
	struct report report = { .metrics = { .unseen_ns = 500000000 },
		.totals = { .cpu_ns = 2000000000, .all = { .samples = 400 } } };
	char text[256];
	struct warning to = { text, sizeof(text) };

	assert_int_equal(warn_unseen(&report, &to), 1);
	assert_string_equal(text, "tasks too small to look at each: 0.500 thread-s in them and in "
				  "waits for them are an estimate by 100 samples, +-10 % (run "
				  "--budget=off looks at all)");
	/* 0.1 s of waits for tasks, and 0.4 s in the tasks themselves. */
	report.metrics.unseen_ns = 100000000;
	report.metrics.tasks = &(struct metrics_task){ .unseen_ns = 400000000 };
	report.metrics.n_tasks = 1;
	assert_int_equal(warn_unseen(&report, &to), 1);
	assert_non_null(strstr(text, ": 0.500 thread-s in them"));
	report.metrics.n_tasks = 0;
	report.metrics.unseen_ns = 20000000;
	assert_int_equal(warn_unseen(&report, &to), 0);
}

static void tells_what_is_wrong_with_phases(void **state)
{
	struct profile_phase_record phases[2] = { { .flags = 0 },
		{ .flags = PROFILE_PHASE_OTHER } };
	struct report report = { .profile = { .phases = phases, .n_phases = 1 } };
	char text[256];
	struct warning to = { text, sizeof(text) };

	(void)state;
	assert_int_equal(warn_phases(&report, &to), 0);
	report.profile.n_phases = 2;
	assert_int_equal(warn_phases(&report, &to), 1);
	assert_string_equal(
		text, "too many phases: phases without a place of their own are '(other)'");
	report.profile.header.left_out.n_deep = 1;
	assert_int_equal(warn_phases(&report, &to), 1);
	assert_string_equal(text, "1 phase was begun within too many others: counted with these");
	report.profile.header.left_out.n_deep = 2;
	assert_int_equal(warn_phases(&report, &to), 1);
	assert_string_equal(text, "2 phases were begun within too many others: counted with these");
	report.profile.header.left_out.n_unbegun = 1;
	assert_int_equal(warn_phases(&report, &to), 1);
	assert_string_equal(text, "1 end of a phase where none was open");
	report.profile.header.left_out.n_unbegun = 3;
	assert_int_equal(warn_phases(&report, &to), 1);
	assert_string_equal(text, "3 ends of a phase where none was open");
}

static void tells_of_memory_that_comes_back(void **state)
{
	struct report report = { .profile.header = { .contention.process_ns = 1000000000,
					 .usage = { .system_ns = 250000000,
						 .n_faults = 100000,
						 .peak_bytes = 4096 * 25000 } } };
	struct profile_usage *usage = &report.profile.header.usage;
	char text[256];
	struct warning to = { text, sizeof(text) };

	(void)state;
	assert_int_equal(warn_memory(&report, &to), 1);
	assert_string_equal(text,
		"the kernel takes 25.0 % of the CPU time: perhaps freed memory is taken "
		"again; 100k page faults, see run -e page-faults@100");
	usage->n_faults = 99996; /* as if each page were touched less than four times */
	assert_int_equal(warn_memory(&report, &to), 0);
	usage->n_faults = 100000;
	usage->system_ns = 40000000;
	assert_int_equal(warn_memory(&report, &to), 0);
	usage->system_ns = 1000000001; /* a damaged file */
	assert_int_equal(warn_memory(&report, &to), 0);
	usage->system_ns = 500000000;
	usage->n_faults = usage->peak_bytes = 25000;
	assert_int_equal(warn_memory(&report, &to), 1);
	usage->n_faults = 24000; /* these take 48 ms, less than 5 % */
	assert_int_equal(warn_memory(&report, &to), 0);
	usage->n_faults = 200000;
	report.job.n_counted = 2;
	assert_int_equal(warn_memory(&report, &to), 0);
	report.job.n_counted = 1;
	*usage = (struct profile_usage){ .system_ns = 500000000 };
	assert_int_equal(warn_memory(&report, &to), 0);
}

/* The summary of a run with many warnings whose profile is in this folder. */
static char *summarize(const char *given)
{
	struct terminal terminal;
	struct report report;
	char *text = NULL;
	size_t size = 0;

	scene_report(&report, "crowded", NULL);
	report.given = given;
	terminal_plain(&terminal, open_memstream(&text, &size));
	terminal.width = 80;
	assert_int_equal(view_summary.print(&report, &(struct view_options){ 0 }, &terminal), 0);
	fclose(terminal.out);
	report_release(&report);
	return text;
}

/* A command that is cut would be another command. */
static void says_how_to_see_the_rest(void **state)
{
	char far[200], *text = summarize("near");

	(void)state;
	assert_non_null(strstr(text, "warning: and 3 more: ompprof report near --warnings\n"));
	free(text);
	memset(far, 'a', sizeof(far) - 1);
	far[sizeof(far) - 1] = '\0';
	text = summarize(far);
	assert_non_null(strstr(text, "warning: and 3 more: --warnings\n"));
	free(text);
}

/*
 * The CPU time of other jobs is what the CPUs did less what all processes of the job did. Processes
 * that have the same CPUs at one time see the same CPU time.
 */
static void counts_the_time_of_busy_cpus_once(void **state)
{
	enum { SECOND = 1000000000 };
	static const struct {
		struct report_process processes[2];
		uint64_t wall_s, busy_s, process_s;
	} rows[] = {
		/* two ranks on the same two CPUs, of which another job used one */
		{ { { .n_cpus = 2,
			    .machine_cpus = 2,
			    .wall_ns = 8,
			    .busy_ns = 16,
			    .process_ns = 4 },
			  { .n_cpus = 2,
				  .machine_cpus = 2,
				  .wall_ns = 8,
				  .busy_ns = 16,
				  .process_ns = 4 } },
			8, 16, 8 },
		/* each has a CPU of its own */
		{ { { .n_cpus = 1, .machine_cpus = 2, .wall_ns = 8, .busy_ns = 7, .process_ns = 6 },
			  { .n_cpus = 1,
				  .machine_cpus = 2,
				  .wall_ns = 8,
				  .busy_ns = 8,
				  .process_ns = 5 } },
			8, 15, 11 },
		/* one after the other */
		{ { { .n_cpus = 2, .machine_cpus = 2, .wall_ns = 3, .busy_ns = 6, .process_ns = 5 },
			  { .n_cpus = 2,
				  .machine_cpus = 2,
				  .begin_ns = 3,
				  .wall_ns = 5,
				  .busy_ns = 10,
				  .process_ns = 1 } },
			8, 16, 6 },
		/* of one it is not known */
		{ { { .n_cpus = 2,
			    .machine_cpus = 2,
			    .wall_ns = 8,
			    .busy_ns = 16,
			    .process_ns = 4 },
			  { .n_cpus = 2, .machine_cpus = 2, .wall_ns = 8 } },
			8, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct report_process processes[2];
		struct report_job job = { .processes = processes, .n = 2, .n_counted = 2 };
		struct profile_contention found = { .busy_ns = 77, .process_ns = 77 };
		uint32_t n_cpus, machine_cpus;

		for (size_t k = 0; k < 2; k++) {
			processes[k] = rows[i].processes[k];
			processes[k].is_counted = 1;
			processes[k].begin_ns *= SECOND;
			processes[k].wall_ns *= SECOND;
			processes[k].busy_ns *= SECOND;
			processes[k].process_ns *= SECOND;
		}
		n_cpus = report_job_count_cpus(&job, &machine_cpus);
		report_job_find_busy(&job, n_cpus, rows[i].wall_s * SECOND, &found);
		assert_int_equal(found.busy_ns, rows[i].busy_s * SECOND);
		assert_int_equal(found.process_ns, rows[i].process_s * SECOND);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_part_that_was_not_looked_at),
		cmocka_unit_test(names_the_waits_that_are_estimates),
		cmocka_unit_test(tells_what_is_wrong_with_phases),
		cmocka_unit_test(tells_of_memory_that_comes_back),
		cmocka_unit_test(says_how_to_see_the_rest),
		cmocka_unit_test(counts_the_time_of_busy_cpus_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
