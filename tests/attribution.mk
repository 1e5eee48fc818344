# SPDX-License-Identifier: Apache-2.0
# The offline half below the views: the reader, the attribution, the format's description.
BUILD_PROFILE = tests/unit/build_profile.c tests/unit/build_profile.h
CHECK_PROFILE = tests/unit/check_profile.c tests/unit/check_profile.h $(BUILD_PROFILE)
CHECK_TREE = tests/unit/check_tree.c tests/unit/check_tree.h

if HAVE_CMOCKA
ATTRIBUTION_TESTS = \
	tests/unit/attribution \
	tests/unit/attribution_random \
	tests/unit/cut \
	tests/unit/cut_time \
	tests/unit/elide \
	tests/unit/info \
	tests/unit/launcher \
	tests/unit/layout \
	tests/unit/merge \
	tests/unit/own_cost \
	tests/unit/dependences \
	tests/unit/metrics \
	tests/unit/metrics_random \
	tests/unit/off_cpu \
	tests/unit/reader \
	tests/unit/reader_hostile \
	tests/unit/reader_waits \
	tests/unit/timeline \
	tests/unit/settle \
	tests/unit/sparse
check_PROGRAMS += $(ATTRIBUTION_TESTS)
TESTS += $(ATTRIBUTION_TESTS)

tests_unit_attribution_SOURCES = tests/unit/attribution.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_attribution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_random_SOURCES = tests/unit/attribution_random.c $(CHECK_TREE) \
	$(CHECK_PROFILE)
tests_unit_attribution_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_random_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_cut_time_SOURCES = tests/unit/cut_time.c $(CHECK_PROFILE)
tests_unit_cut_time_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_cut_time_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_cut_SOURCES = tests/unit/cut.c $(CHECK_PROFILE)
tests_unit_cut_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_cut_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_elide_SOURCES = tests/unit/elide.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_elide_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_elide_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_info_SOURCES = tests/unit/info.c $(BUILD_PROFILE)
tests_unit_info_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_info_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_own_cost_SOURCES = tests/unit/own_cost.c $(BUILD_PROFILE)
tests_unit_own_cost_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_own_cost_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_layout_SOURCES = tests/unit/layout.c
tests_unit_layout_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_layout_LDADD = $(CMOCKA_LIBS)

tests_unit_launcher_SOURCES = tests/unit/launcher.c
tests_unit_launcher_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_launcher_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_merge_SOURCES = tests/unit/merge.c $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_merge_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_merge_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_dependences_SOURCES = tests/unit/dependences.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_dependences_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_dependences_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_metrics_SOURCES = tests/unit/metrics.c tests/unit/metrics_stage.h $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_metrics_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_metrics_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_metrics_random_SOURCES = tests/unit/metrics_random.c $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_metrics_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_metrics_random_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_off_cpu_SOURCES = tests/unit/off_cpu.c tests/unit/metrics_stage.h $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_off_cpu_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_off_cpu_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_reader_SOURCES = tests/unit/reader.c $(CHECK_PROFILE)
tests_unit_reader_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_reader_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_timeline_SOURCES = tests/unit/timeline.c $(CHECK_PROFILE)
tests_unit_timeline_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_timeline_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_reader_hostile_SOURCES = tests/unit/reader_hostile.c $(CHECK_PROFILE)
tests_unit_reader_hostile_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_reader_hostile_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_reader_waits_SOURCES = tests/unit/reader_waits.c $(CHECK_PROFILE)
tests_unit_reader_waits_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_reader_waits_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_sparse_SOURCES = tests/unit/sparse.c
tests_unit_sparse_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_sparse_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_settle_SOURCES = tests/unit/settle.c $(CHECK_TREE) $(BUILD_PROFILE)
tests_unit_settle_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_settle_LDADD = $(UNIT_OFFLINE_LIBS)
endif
