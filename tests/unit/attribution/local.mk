# SPDX-License-Identifier: Apache-2.0
# Trees, selection, metrics and merging.
CHECK_TREE = %D%/check_tree.c %D%/check_tree.h
METRICS_STAGE = %D%/metrics_stage.h

if HAVE_CMOCKA
UNIT_ATTRIBUTION_TESTS = \
	%D%/attribution \
	%D%/attribution_random \
	%D%/dependences \
	%D%/elide \
	%D%/merge \
	%D%/merge_collectives \
	%D%/metrics \
	%D%/metrics_random \
	%D%/off_cpu \
	%D%/scale_blame \
	%D%/select_phase \
	%D%/select_time \
	%D%/sparse_metrics
check_PROGRAMS += $(UNIT_ATTRIBUTION_TESTS)
TESTS += $(UNIT_ATTRIBUTION_TESTS)

%C%_attribution_SOURCES = %D%/attribution.c $(CHECK_TREE) $(BUILD_PROFILE)
%C%_attribution_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_attribution_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_attribution_random_SOURCES = %D%/attribution_random.c $(CHECK_TREE) $(CHECK_PROFILE)
%C%_attribution_random_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_attribution_random_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_dependences_SOURCES = %D%/dependences.c $(CHECK_TREE) $(BUILD_PROFILE)
%C%_dependences_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_dependences_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_elide_SOURCES = %D%/elide.c $(CHECK_TREE) $(BUILD_PROFILE)
%C%_elide_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_elide_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_merge_SOURCES = %D%/merge.c $(CHECK_TREE) $(CHECK_PROFILE)
%C%_merge_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_merge_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_merge_collectives_SOURCES = %D%/merge_collectives.c $(BUILD_PROFILE)
%C%_merge_collectives_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_merge_collectives_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_metrics_SOURCES = %D%/metrics.c $(METRICS_STAGE) $(CHECK_TREE) $(BUILD_PROFILE)
%C%_metrics_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_metrics_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_metrics_random_SOURCES = %D%/metrics_random.c $(CHECK_TREE) $(CHECK_PROFILE)
%C%_metrics_random_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_metrics_random_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_off_cpu_SOURCES = %D%/off_cpu.c $(METRICS_STAGE) $(CHECK_TREE) $(BUILD_PROFILE)
%C%_off_cpu_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_off_cpu_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_scale_blame_SOURCES = %D%/scale_blame.c $(CHECK_TREE) $(BUILD_PROFILE)
%C%_scale_blame_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_scale_blame_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_select_phase_SOURCES = %D%/select_phase.c $(CHECK_PROFILE)
%C%_select_phase_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_select_phase_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_select_time_SOURCES = %D%/select_time.c $(CHECK_PROFILE)
%C%_select_time_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_select_time_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_sparse_metrics_SOURCES = %D%/sparse_metrics.c
%C%_sparse_metrics_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_sparse_metrics_LDADD = $(UNIT_OFFLINE_LIBS)
endif
