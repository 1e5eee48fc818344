# SPDX-License-Identifier: Apache-2.0
# The in-process half: unit tests of its pure functions and of the writer, and the live matrix.
if HAVE_CMOCKA
INPROCESS_UNIT_TESTS = tests/unit/sampler/classify tests/unit/sampler/frames tests/unit/profile/cct \
	tests/unit/sampler/clock_perf tests/unit/sampler/clock_timer tests/unit/sampler/run_delay tests/unit/sampler/events_team tests/unit/sampler/path_cache tests/unit/sampler/mutex_fast tests/unit/sampler/event_timing tests/unit/sampler/path tests/unit/sampler/child_environment \
	tests/unit/sampler/timeline_live tests/unit/sampler/timeline_write tests/unit/sampler/device_trace tests/unit/sampler/device_trace_record tests/unit/sampler/device_trace_time
check_PROGRAMS += $(INPROCESS_UNIT_TESTS)
TESTS += $(INPROCESS_UNIT_TESTS)

tests_unit_sampler_classify_SOURCES = tests/unit/sampler/classify.c
tests_unit_sampler_classify_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_classify_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_sampler_frames_SOURCES = tests/unit/sampler/frames.c
tests_unit_sampler_frames_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_sampler_frames_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_profile_cct_SOURCES = tests/unit/profile/cct.c
tests_unit_profile_cct_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_cct_LDADD = libcore.la $(UNIT_OFFLINE_LIBS)
tests_unit_sampler_device_trace_SOURCES = tests/unit/sampler/device_trace.c tests/unit/sampler/play_runtime.c tests/unit/sampler/play_runtime.h
tests_unit_sampler_device_trace_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_device_trace_LDADD = $(UNIT_OFFLINE_LIBS) -ldl
# Compiled once more, so that a sanitizer's build has it instrumented.
tests_unit_sampler_device_trace_record_SOURCES = tests/unit/sampler/device_trace_record.c sampler/devices/device_trace_record.c
tests_unit_sampler_device_trace_record_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_device_trace_record_LDADD = $(CMOCKA_LIBS)
tests_unit_sampler_device_trace_time_SOURCES = tests/unit/sampler/device_trace_time.c sampler/devices/device_trace_cursor.c sampler/devices/device_trace_time.c
tests_unit_sampler_device_trace_time_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_device_trace_time_LDADD = $(CMOCKA_LIBS)
tests_unit_sampler_path_cache_SOURCES = tests/unit/sampler/path_cache.c
tests_unit_sampler_path_cache_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_sampler_path_cache_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_sampler_mutex_fast_SOURCES = tests/unit/sampler/mutex_fast.c
tests_unit_sampler_mutex_fast_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_mutex_fast_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_sampler_path_SOURCES = tests/unit/sampler/path.c sampler/threads/thread.c sampler/threads/count.c sampler/threads/wrap_sigmask.c sampler/threads/worker_run.c sampler/threads/mutex.c sampler/threads/mutex_table.c sampler/threads/phase_in_events.c sampler/threads/thread_record.c sampler/threads/region.c sampler/threads/wait.c sampler/threads/wait_finish.c sampler/threads/wait_across_phases.c
tests_unit_sampler_path_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_path_LDADD = libwalker.la $(CMOCKA_LIBS)
tests_unit_sampler_run_delay_SOURCES = tests/unit/sampler/run_delay.c
tests_unit_sampler_run_delay_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_run_delay_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_sampler_child_environment_SOURCES = tests/unit/sampler/child_environment.c sampler/tool/child_environment.c
tests_unit_sampler_child_environment_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_sampler_child_environment_LDADD = $(CMOCKA_LIBS)
# The tool and the writer of the file are the test's own.
tests_unit_sampler_timeline_write_SOURCES = tests/unit/sampler/timeline_write.c tests/unit/sampler/timeline_stage.c tests/unit/sampler/timeline_stage.h \
	sampler/core/timeline.c
tests_unit_sampler_timeline_write_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_timeline_write_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_sampler_timeline_live_SOURCES = tests/unit/sampler/timeline_live.c sampler/core/timeline.c $(CHECK_PROFILE)
tests_unit_sampler_timeline_live_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_timeline_live_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_sampler_timeline_live_LDFLAGS = -Wl,--wrap=reader_read_at
tests_unit_sampler_clock_timer_SOURCES = tests/unit/sampler/clock_timer.c sampler/core/clock.c sampler/core/clock_timer.c
tests_unit_sampler_clock_timer_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_clock_timer_LDADD = $(CMOCKA_LIBS)
tests_unit_sampler_clock_perf_SOURCES = tests/unit/sampler/clock_perf.c sampler/core/clock.c sampler/core/clock_perf.c
tests_unit_sampler_clock_perf_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_clock_perf_LDADD = $(CMOCKA_LIBS)
tests_unit_sampler_event_timing_SOURCES = tests/unit/sampler/event_timing.c
tests_unit_sampler_event_timing_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_sampler_event_timing_LDADD = $(CMOCKA_LIBS)
tests_unit_sampler_events_team_SOURCES = tests/unit/sampler/events_team.c tests/unit/sampler/play_runtime.c tests/unit/sampler/play_runtime.h
tests_unit_sampler_events_team_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_sampler_events_team_LDADD = $(UNIT_OFFLINE_LIBS) -ldl
endif

TESTS += tests/live/matrix.sh tests/processes/forks.sh tests/harmless/early_runtime.sh
EXTRA_DIST += tests/live/matrix.sh tests/processes/forks.sh tests/harmless/early_runtime.sh tests/live/live.sh tests/cli/tmux.sh tests/live/paths.jq
