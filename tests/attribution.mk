# SPDX-License-Identifier: Apache-2.0
# The offline half below the views: the reader, the attribution, the format's description.
BUILD_PROFILE = tests/unit/scenes/build_profile.c tests/unit/scenes/build_profile.h
CHECK_PROFILE = tests/unit/profile/check_profile.c tests/unit/profile/check_profile.h $(BUILD_PROFILE)
CHECK_TREE = tests/unit/attribution/check_tree.c tests/unit/attribution/check_tree.h

if HAVE_CMOCKA
ATTRIBUTION_TESTS = \
	tests/unit/attribution/attribution \
	tests/unit/attribution/attribution_random \
	tests/unit/attribution/select_phase \
	tests/unit/attribution/select_time \
	tests/unit/attribution/elide \
	tests/unit/command/info \
	tests/unit/profile/launcher \
	tests/unit/profile/layout \
	tests/unit/attribution/merge \
	tests/unit/command/own_cost \
	tests/unit/attribution/dependences \
	tests/unit/attribution/metrics \
	tests/unit/attribution/metrics_random \
	tests/unit/attribution/off_cpu \
	tests/unit/profile/reader \
	tests/unit/profile/reader_hostile \
	tests/unit/profile/reader_waits \
	tests/unit/profile/timeline_read \
	tests/unit/attribution/scale_blame \
	tests/unit/attribution/sparse_metrics
check_PROGRAMS += $(ATTRIBUTION_TESTS)
TESTS += $(ATTRIBUTION_TESTS)

tests_unit_attribution_attribution_SOURCES = tests/unit/attribution/attribution.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_attribution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_attribution_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_attribution_random_SOURCES = tests/unit/attribution/attribution_random.c $(CHECK_TREE) \
	$(CHECK_PROFILE)
tests_unit_attribution_attribution_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_attribution_random_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_select_time_SOURCES = tests/unit/attribution/select_time.c $(CHECK_PROFILE)
tests_unit_attribution_select_time_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_select_time_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_attribution_select_phase_SOURCES = tests/unit/attribution/select_phase.c $(CHECK_PROFILE)
tests_unit_attribution_select_phase_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_select_phase_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_elide_SOURCES = tests/unit/attribution/elide.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_elide_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_elide_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_command_info_SOURCES = tests/unit/command/info.c $(BUILD_PROFILE)
tests_unit_command_info_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_info_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_command_own_cost_SOURCES = tests/unit/command/own_cost.c $(BUILD_PROFILE)
tests_unit_command_own_cost_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_own_cost_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_profile_layout_SOURCES = tests/unit/profile/layout.c
tests_unit_profile_layout_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_layout_LDADD = $(CMOCKA_LIBS)

tests_unit_profile_launcher_SOURCES = tests/unit/profile/launcher.c
tests_unit_profile_launcher_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_launcher_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_merge_SOURCES = tests/unit/attribution/merge.c $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_attribution_merge_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_merge_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_dependences_SOURCES = tests/unit/attribution/dependences.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_dependences_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_dependences_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_metrics_SOURCES = tests/unit/attribution/metrics.c tests/unit/attribution/metrics_stage.h $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_metrics_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_metrics_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_metrics_random_SOURCES = tests/unit/attribution/metrics_random.c $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_attribution_metrics_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_metrics_random_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_off_cpu_SOURCES = tests/unit/attribution/off_cpu.c tests/unit/attribution/metrics_stage.h $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_off_cpu_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_off_cpu_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_profile_reader_SOURCES = tests/unit/profile/reader.c $(CHECK_PROFILE)
tests_unit_profile_reader_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_reader_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_profile_timeline_read_SOURCES = tests/unit/profile/timeline_read.c $(CHECK_PROFILE)
tests_unit_profile_timeline_read_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_timeline_read_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_profile_reader_hostile_SOURCES = tests/unit/profile/reader_hostile.c $(CHECK_PROFILE)
tests_unit_profile_reader_hostile_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_reader_hostile_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_profile_reader_waits_SOURCES = tests/unit/profile/reader_waits.c $(CHECK_PROFILE)
tests_unit_profile_reader_waits_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_reader_waits_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_sparse_metrics_SOURCES = tests/unit/attribution/sparse_metrics.c
tests_unit_attribution_sparse_metrics_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_sparse_metrics_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_scale_blame_SOURCES = tests/unit/attribution/scale_blame.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_scale_blame_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_scale_blame_LDADD = $(UNIT_OFFLINE_LIBS)
endif
