# SPDX-License-Identifier: Apache-2.0
# The in-process half: unit tests of its pure functions and of the writer, and the live matrix.
if HAVE_CMOCKA
INPROCESS_UNIT_TESTS = tests/unit/classify tests/unit/frames tests/unit/cct \
	tests/unit/clock_perf tests/unit/clock_turn tests/unit/delay tests/unit/events_team tests/unit/memo tests/unit/mutex_quick tests/unit/pace tests/unit/path tests/unit/restore \
	tests/unit/thresholds tests/unit/timeline_live tests/unit/timeline_write tests/unit/trace tests/unit/trace_record tests/unit/trace_time
check_PROGRAMS += $(INPROCESS_UNIT_TESTS)
TESTS += $(INPROCESS_UNIT_TESTS)

tests_unit_classify_SOURCES = %D%/unit/classify.c
tests_unit_classify_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_classify_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_frames_SOURCES = %D%/unit/frames.c
tests_unit_frames_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_frames_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_cct_SOURCES = %D%/unit/cct.c
tests_unit_cct_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_cct_LDADD = libcore.la $(UNIT_OFFLINE_LIBS)
tests_unit_trace_SOURCES = %D%/unit/trace.c %D%/unit/play.c %D%/unit/play.h
tests_unit_trace_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_trace_LDADD = $(UNIT_OFFLINE_LIBS) -ldl
# Compiled once more, so that a sanitizer's build has it instrumented.
tests_unit_trace_record_SOURCES = %D%/unit/trace_record.c sampler/devices/device_trace_record.c
tests_unit_trace_record_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_trace_record_LDADD = $(CMOCKA_LIBS)
tests_unit_trace_time_SOURCES = %D%/unit/trace_time.c sampler/devices/device_trace_cursor.c sampler/devices/device_trace_time.c
tests_unit_trace_time_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_trace_time_LDADD = $(CMOCKA_LIBS)
tests_unit_memo_SOURCES = %D%/unit/memo.c
tests_unit_memo_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_memo_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_mutex_quick_SOURCES = %D%/unit/mutex_quick.c
tests_unit_mutex_quick_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_mutex_quick_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_path_SOURCES = %D%/unit/path.c sampler/threads/thread.c sampler/threads/count.c sampler/threads/wrap_sigmask.c sampler/threads/worker_run.c sampler/threads/mutex.c sampler/threads/mutex_fast.c sampler/threads/mutex_table.c sampler/threads/phase_in_events.c sampler/threads/thread_record.c sampler/threads/region.c sampler/threads/wait.c sampler/threads/wait_finish.c sampler/threads/wait_across_phases.c
tests_unit_path_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_path_LDADD = libwalker.la $(CMOCKA_LIBS)
tests_unit_delay_SOURCES = %D%/unit/delay.c
tests_unit_delay_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_delay_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_restore_SOURCES = %D%/unit/restore.c sampler/tool/child_environment.c
tests_unit_restore_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_restore_LDADD = $(CMOCKA_LIBS)
# The tool and the writer of the file are the test's own.
tests_unit_timeline_write_SOURCES = %D%/unit/timeline_write.c %D%/unit/timeline_stage.c %D%/unit/timeline_stage.h \
	sampler/core/timeline.c
tests_unit_timeline_write_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_timeline_write_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_timeline_live_SOURCES = %D%/unit/timeline_live.c sampler/core/timeline.c $(CHECK_PROFILE)
tests_unit_timeline_live_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_timeline_live_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_timeline_live_LDFLAGS = -Wl,--wrap=reader_read_at
tests_unit_clock_turn_SOURCES = %D%/unit/clock_turn.c sampler/core/clock.c sampler/core/clock_timer.c
tests_unit_clock_turn_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_clock_turn_LDADD = $(CMOCKA_LIBS)
tests_unit_clock_perf_SOURCES = %D%/unit/clock_perf.c sampler/core/clock.c sampler/core/clock_perf.c
tests_unit_clock_perf_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_clock_perf_LDADD = $(CMOCKA_LIBS)
tests_unit_pace_SOURCES = %D%/unit/pace.c
tests_unit_pace_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_pace_LDADD = $(CMOCKA_LIBS)
tests_unit_thresholds_SOURCES = %D%/unit/thresholds.c
tests_unit_thresholds_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_thresholds_LDADD = $(CMOCKA_LIBS)
tests_unit_events_team_SOURCES = %D%/unit/events_team.c %D%/unit/play.c %D%/unit/play.h
tests_unit_events_team_CPPFLAGS = $(UNIT_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
tests_unit_events_team_LDADD = $(UNIT_OFFLINE_LIBS) -ldl
endif

TESTS += tests/live/matrix.sh tests/live/forks.sh tests/live/early.sh
EXTRA_DIST += tests/live/matrix.sh tests/live/forks.sh tests/live/early.sh tests/live/live.sh tests/live/tmux.sh tests/live/paths.jq
