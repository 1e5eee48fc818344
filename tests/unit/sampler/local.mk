# SPDX-License-Identifier: Apache-2.0
# The in-process half: its pure functions, and events that a stand-in for a runtime sends.
PLAY_RUNTIME = %D%/play_runtime.c %D%/play_runtime.h
TIMELINE_STAGE = %D%/timeline_stage.c %D%/timeline_stage.h

if HAVE_CMOCKA
UNIT_SAMPLER_TESTS = \
	%D%/classify \
	%D%/clock_mixed \
	%D%/clock_perf \
	%D%/clock_timer \
	%D%/counters \
	%D%/device_trace \
	%D%/device_trace_record \
	%D%/device_trace_time \
	%D%/event_timing \
	%D%/events_team \
	%D%/frames \
	%D%/mutex_fast \
	%D%/path \
	%D%/path_cache \
	%D%/python \
	%D%/run_delay \
	%D%/thread_board \
	%D%/thresholds \
	%D%/timeline_live \
	%D%/timeline_write
check_PROGRAMS += $(UNIT_SAMPLER_TESTS)
TESTS += $(UNIT_SAMPLER_TESTS)


%C%_classify_SOURCES = %D%/classify.c
%C%_classify_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_classify_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_clock_mixed_SOURCES = %D%/clock_mixed.c sampler/core/clock.c sampler/core/clock_mixed.c \
	sampler/core/clock_perf.c profile/core/perf_fd.c sampler/core/clock_timer.c profile/shared/perf_event.c
%C%_clock_mixed_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_clock_mixed_LDADD = $(CMOCKA_LIBS)

%C%_clock_perf_SOURCES = %D%/clock_perf.c sampler/core/clock.c sampler/core/clock_perf.c profile/core/perf_fd.c
%C%_clock_perf_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_clock_perf_LDADD = $(CMOCKA_LIBS)

%C%_clock_timer_SOURCES = %D%/clock_timer.c sampler/core/clock.c sampler/core/clock_timer.c
%C%_clock_timer_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_clock_timer_LDADD = $(CMOCKA_LIBS)

%C%_counters_SOURCES = %D%/counters.c profile/core/counters.c profile/core/perf_fd.c \
	profile/shared/perf_event.c
%C%_counters_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_counters_LDADD = $(CMOCKA_LIBS)

%C%_device_trace_SOURCES = %D%/device_trace.c $(PLAY_RUNTIME)
%C%_device_trace_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_device_trace_LDADD = $(UNIT_OFFLINE_LIBS) -ldl

# Compiled once more, so that a sanitizer's build has it instrumented.
%C%_device_trace_record_SOURCES = %D%/device_trace_record.c sampler/devices/device_trace_record.c
%C%_device_trace_record_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_device_trace_record_LDADD = $(CMOCKA_LIBS)

%C%_device_trace_time_SOURCES = %D%/device_trace_time.c sampler/devices/device_trace_cursor.c \
	sampler/devices/device_trace_time.c
%C%_device_trace_time_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_device_trace_time_LDADD = $(CMOCKA_LIBS)

%C%_event_timing_SOURCES = %D%/event_timing.c
%C%_event_timing_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_event_timing_LDADD = $(CMOCKA_LIBS)

%C%_events_team_SOURCES = %D%/events_team.c $(PLAY_RUNTIME)
%C%_events_team_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_events_team_LDADD = $(UNIT_OFFLINE_LIBS) -ldl

%C%_frames_SOURCES = %D%/frames.c
%C%_frames_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_frames_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_mutex_fast_SOURCES = %D%/mutex_fast.c
%C%_mutex_fast_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_mutex_fast_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_path_SOURCES = %D%/path.c sampler/threads/thread.c sampler/threads/count.c \
	sampler/threads/wrap_sigmask.c sampler/threads/worker_run.c sampler/threads/mutex.c sampler/threads/mutex_fast.c \
	sampler/threads/mutex_table.c sampler/threads/phase_in_events.c \
	sampler/threads/thread_record.c sampler/threads/region.c sampler/threads/region_ends.c sampler/threads/wait.c \
	sampler/threads/wait_delay.c sampler/threads/wait_finish.c sampler/threads/wait_across_phases.c \
	sampler/threads/unseen_turn.c sampler/threads/construct.c sampler/threads/depend.c
%C%_path_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_path_LDADD = libwalker.la $(CMOCKA_LIBS)

%C%_path_cache_SOURCES = %D%/path_cache.c
%C%_path_cache_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_path_cache_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_python_SOURCES = %D%/python.c
%C%_python_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_python_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_run_delay_SOURCES = %D%/run_delay.c
%C%_run_delay_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_run_delay_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_thread_board_SOURCES = %D%/thread_board.c
%C%_thread_board_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_thread_board_LDADD = libcore.la $(CMOCKA_LIBS)

%C%_thresholds_SOURCES = %D%/thresholds.c
%C%_thresholds_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_thresholds_LDADD = $(CMOCKA_LIBS)

%C%_timeline_live_SOURCES = %D%/timeline_live.c sampler/core/timeline.c $(CHECK_PROFILE)
%C%_timeline_live_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_timeline_live_LDADD = $(UNIT_OFFLINE_LIBS)
%C%_timeline_live_LDFLAGS = -Wl,--wrap=reader_read_at

# The tool and the writer of the file are the test's own.
%C%_timeline_write_SOURCES = %D%/timeline_write.c $(TIMELINE_STAGE) \
	sampler/core/timeline.c
%C%_timeline_write_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_timeline_write_LDADD = $(UNIT_OFFLINE_LIBS)
endif
