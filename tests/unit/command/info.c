/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: what it prints, and how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/commands/command.h"
#include "tests/unit/scenes/build_profile.h"

#define FILE_NAME "info-test.ompprof"

static char out[65536], err[4096];

static void read_back(int fd, int saved, FILE *file, char *text, size_t bytes)
{
	size_t n;

	dup2(saved, fd);
	close(saved);
	rewind(file);
	n = fread(text, 1, bytes - 1, file);
	text[n] = '\0';
	fclose(file);
}

/* Runs the command; what it prints is in out and err afterwards. */
static int run_info(const char *const *args)
{
	char *argv[8] = { NULL };
	FILE *out_file = tmpfile(), *err_file = tmpfile();
	int argc = 0, status, saved_out, saved_err;

	assert_true(out_file && err_file);
	for (; args[argc]; argc++)
		argv[argc] = (char *)args[argc];
	fflush(stdout);
	saved_out = dup(STDOUT_FILENO);
	saved_err = dup(STDERR_FILENO);
	dup2(fileno(out_file), STDOUT_FILENO);
	dup2(fileno(err_file), STDERR_FILENO);
	status = command_info.run(argc, argv);
	fflush(stdout);
	read_back(STDOUT_FILENO, saved_out, out_file, out, sizeof(out));
	read_back(STDERR_FILENO, saved_err, err_file, err, sizeof(err));
	return status;
}

static int run_on(struct build *build)
{
	const char *argv[] = { "info", "--input", FILE_NAME, NULL };
	int status;

	assert_int_equal(build_write(build, FILE_NAME), 0);
	status = run_info(argv);
	unlink(FILE_NAME);
	build_release(build);
	return status;
}

static void build_run(struct build *b)
{
	struct profile_thread *thread;

	build_begin(b);
	build_text(b, "arg", "./cg");
	build_text(b, "arg", "-n");
	build_text(b, "arg", "400");
	build_text(b, "exe", "/home/me/cg");
	build_text(b, "cwd", "/home/me");
	build_text(b, "env", "OMP_NUM_THREADS=2");
	build_module(b, "/home/me/cg", 0x400000, 0x410000, PROFILE_MODULE_MAIN);
	build_module(b, "/lib/libomp.so.5", 0x7f0000000000, 0x7f0000100000, PROFILE_MODULE_RUNTIME);
	build_module_at(b, 2)->build_id_bytes = 0;
	build_thread(b, 1);
	build_thread(b, 2);
	build_samples(b, build_root(b, 1), PROFILE_WORK, 900, 900000000);
	thread = build_thread_at(b, 1);
	thread->n_signals = 1000;
	thread->handler_ticks = 1500000;
	thread->capture_ticks = 300000;
	thread->n_captures = 200;
	thread->n_cut_captures = 3;
	thread->n_guessed_captures = 2;
	thread->n_guessed = 5;
	thread->lost[PROFILE_LOST_CONTEXT] = 4;
	thread->n_callbacks = 1234;
	thread->n_frames = 9950;
	thread->ends[PROFILE_WALK_COMPLETE] = 890;
	thread->ends[PROFILE_WALK_LIMIT] = 10;
	thread->lost[PROFILE_LOST_NESTED] = 7;
	build_header(b)->lost[PROFILE_LOST_MODULES] = 1;
	build_header(b)->bytes_private = 65536;
	build_header(b)->tables.objects = 6;
	build_header(b)->tables.rows = 53206;
	build_header(b)->tables.bytes = 297184;
	build_header(b)->tables.build_ns = 3300000;
	build_header(b)->tables.missing = 1;
	build_header(b)->cpu_before_ns = 1200000000;
}

static void test_complete_run(void **state)
{
	struct build b;

	build_run(&b);
	assert_int_equal(run_on(&b), 0);
	assert_string_equal(err, "");
	assert_string_equal(out,
		"Profile     info-test.ompprof\n"
		"            98304 bytes, format version 6, by ompprof 0.1.0\n"
		"Command     ./cg -n 400\n"
		"Executable  /home/me/cg\n"
		"Folder      /home/me\n"
		"Host        testhost, 4 CPUs for the process, pid 4711\n"
		"Begun       2026-01-01 00:00:00 UTC\n"
		"Lasted      1.00 s, complete\n"
		"            1.20 s of CPU time had been used before the profile began\n"
		"OpenMP      test runtime 1.0\n"
		"            /lib/libomp.so.5\n"
		"Clock       cpu: samples by CPU time of the thread\n"
		"            1000 Hz asked for\n"
		"            500 samples a second of CPU time taken\n"
		"Signal      SIGPROF (27)\n"
		"Walker      cfi\n"
		"\n"
		"Warnings\n"
		"  4 regions or tasks not recorded: their time shows elsewhere\n"
		"  1 loaded file was not recorded: functions there show as addresses\n"
		"\n"
		"Threads\n"
		"   no.      tid type     alive s   cpu s  samples    lost     cut ended  name\n"
		"     1     4711 initial     1.00   0.900      900      11      10 yes    test\n"
		"     2     4712 worker      1.00   0.900        0       0       0 yes    test\n"
		"\n"
		"Losses\n"
		"         7  none lost: the signal met the tool's own code; shown as overhead\n"
		"         4  a region or task without its creation path\n"
		"         1  a loaded object was not recorded\n"
		"\n"
		"Call paths\n"
		"       890  complete\n"
		"        10  cut: deeper than the walker goes\n"
		"         5  samples with a guessed caller\n"
		"\n"
		"Creation paths of regions and tasks\n"
		"       200  walked where they were created\n"
		"         3  of these cut\n"
		"         2  of these with a guessed caller\n"
		"         4  regions and tasks without one\n"
		"\n"
		"Own cost\n"
		"  handler     0.002 s: 1000 signals, 1500 ns each\n"
		"  delivery    about 0.002 s: of these signals, by the kernel\n"
		"  callbacks   about 0.011 s: 1234 calls, met by 7 of 900 samples\n"
		"  captures    about <0.001 s of that: 200 creation paths, 1500 ns each\n"
		"  together    about 0.014 s of CPU time, of 1.80 s\n"
		"  events      up to <0.001 s more: around callbacks, in the runtime and caches\n"
		"  longer      about 1.5 % by that: 0.014 s of wall time, of 1.00 s\n"
		"  frames      9950 walked, 11.1 a sample\n"
		"  file        98304 bytes for 3 nodes of call paths, 1 path with samples\n"
		"  tables      0.003 s of CPU time to make: 53206 rows, 297184 bytes\n"
		"              for 6 objects; 1 without, read in place\n"
		"  memory      65536 bytes beside the file and tables, 32768 a thread\n"
		"\n"
		"Sections\n"
		"  bytes used  bytes taken    records  what\n"
		"        4096        16384          -  header\n"
		"          75        16384         75  text of the run: command, environment\n"
		"        2048        16384          2  threads\n"
		"        2048        16384          2  loaded objects\n"
		"         192        32768          3  nodes of call paths\n"
		"        8459        98304          -  in all\n"
		"\n"
		"Modules (addresses, build-id)\n"
		"  /home/me/cg (executable)\n"
		"    000000400000-000000410000  0101010101010101010101010101010101010101\n"
		"  /lib/libomp.so.5 (OpenMP runtime)\n"
		"    7f0000000000-7f0000100000  no build-id\n"
		"\n"
		"Environment\n"
		"  OMP_NUM_THREADS=2\n");
}

static void test_killed_run(void **state)
{
	struct build b;

	build_run(&b);
	build_header(&b)->flags = PROFILE_OMPT_STARTED | PROFILE_SPACE_OUT;
	build_header(&b)->end_ns = 0;
	build_header(&b)->last_ns = 500000000;
	build_header(&b)->ticks_per_s = 0;
	build_header(&b)->n_segments++;
	build_thread_at(&b, 2)->flags = 0;
	build_thread_at(&b, 2)->end_ns = 0;
	assert_int_equal(run_on(&b), 0);
	assert_non_null(
		strstr(out, "Lasted      0.500 s up to the last known moment, incomplete:\n"
			    "            the program was killed, crashed, or still runs\n"));
	assert_non_null(strstr(out, "truncated: part of the file is missing\n"));
	assert_non_null(strstr(out, "the file could not grow"));
	assert_non_null(strstr(out, "4712 worker     0.990 "));
	assert_non_null(strstr(out, " no     test\n"));
	assert_non_null(strstr(out, "  time        not known"));
}

/* Nothing was recorded; what there is does not make sense. */
static void test_bare_file(void **state)
{
	struct build b;

	build_begin(&b);
	memset(build_header(&b)->host, '\033', sizeof(build_header(&b)->host));
	build_header(&b)->flags = 0;
	build_header(&b)->start_realtime_ns = UINT64_MAX;
	build_header(&b)->signal = UINT32_MAX;
	build_header(&b)->clock_kind = 77;
	build_header(&b)->frequency_hz = 0;
	assert_int_equal(run_on(&b), 0);
	assert_null(strchr(out, '\033'));
	assert_non_null(strstr(out, "OpenMP      no runtime started ompprof\n"));
	assert_non_null(strstr(out, "Signal      number (4294967295)\n"));
	assert_non_null(strstr(out, "Threads\n"));
	assert_non_null(strstr(out, "\nLosses\n  none\n"));
	assert_non_null(strstr(out, "Call paths\n  none was walked\n"));
	assert_non_null(strstr(out, "Creation paths of regions and tasks\n  none was walked\n"));
	assert_non_null(
		strstr(out, "  tables      none: call frame information is read in place\n"));
}

static void run_event(const char *name, uint64_t period)
{
	struct build b;

	build_begin(&b);
	build_header(&b)->clock_kind = PROFILE_CLOCK_EVENT;
	build_header(&b)->period = period;
	build_header(&b)->frequency_hz = 200;
	strcpy(build_header(&b)->clock_name, name);
	assert_int_equal(run_on(&b), 0);
}

/* The kernel finds the period for a frequency; an event with a period has no frequency. */
static void test_events(void **state)
{
	run_event("cycles", 0);
	assert_non_null(strstr(out, "Clock       cycles: the kernel chooses how many events of "
				    "the thread are a sample\n"
				    "            200 Hz asked for\n"));
	run_event("page-faults", 1);
	assert_non_null(strstr(
		out, "Clock       page-faults: a sample at every event of the thread\nSignal"));
	run_event("cycles", 1000);
	assert_non_null(strstr(
		out, "Clock       cycles: a sample every 1000 events of the thread\nSignal"));
}

/* A walker that needs no tables has none. */
static void test_other_walker(void **state)
{
	struct build b;

	build_begin(&b);
	strcpy(build_header(&b)->walker, "fp");
	assert_int_equal(run_on(&b), 0);
	assert_null(strstr(out, "tables"));
}

static void test_lines_fit(void **state)
{
	struct build b;

	build_run(&b);
	for (int i = 0; i < 30; i++)
		build_text(&b, "arg", "--an-argument=value");
	assert_int_equal(run_on(&b), 0);
	for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
}

static void test_usage(void **state)
{
	const char *help[] = { "info", "-h", NULL };
	const char *unknown[] = { "info", "--what", NULL };
	const char *letter[] = { "info", "-x", NULL };
	const char *missing[] = { "info", "-i", NULL };
	const char *extra[] = { "info", "profile", "file", NULL };
	const char *nowhere[] = { "info", "-i", "nowhere", NULL };
	static const char hint[] = "Try 'ompprof info --help' for more information.\n";

	assert_int_equal(run_info(help), STATUS_OK);
	assert_int_equal(strncmp(out, "Usage: ompprof info ", 20), 0);
	assert_int_equal(run_info(unknown), STATUS_USAGE);
	assert_non_null(strstr(err, "ompprof: unknown option '--what'\n"));
	assert_non_null(strstr(err, hint));
	assert_int_equal(run_info(letter), STATUS_USAGE);
	assert_non_null(strstr(err, "ompprof: unknown option '-x'\n"));
	assert_int_equal(run_info(missing), STATUS_USAGE);
	assert_non_null(strstr(err, "ompprof: option '-i' needs an argument\n"));
	assert_int_equal(run_info(extra), STATUS_USAGE);
	assert_non_null(strstr(err, "ompprof: unexpected argument 'file'\n"));
	assert_int_equal(run_info(nowhere), STATUS_FAILURE);
	assert_string_equal(err, "ompprof: cannot read 'nowhere': No such file or directory\n"
				 "ompprof: hint: record a profile with: ompprof run COMMAND\n");
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete_run),
		cmocka_unit_test(test_killed_run),
		cmocka_unit_test(test_bare_file),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_other_walker),
		cmocka_unit_test(test_lines_fit),
		cmocka_unit_test(test_usage),
	};

	return cmocka_run_group_tests_name("info", tests, NULL, NULL);
}
