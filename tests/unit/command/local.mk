# SPDX-License-Identifier: Apache-2.0
# What the command shows, byte for byte and by rules, and how it runs programs.
ADVICE_FIXTURE = %D%/advice_fixture.c %D%/advice_fixture.h $(MADE_METRICS) $(SCENES)
CHECK_DIFF = %D%/check_diff.c %D%/check_diff.h
EXPECTED = %D%/expected.c %D%/expected.h
SCENE_REPORT = %D%/scene_report.c %D%/scene_report.h $(SCENES)
FILTERED = %D%/filtered.c %D%/filtered.h $(CHECK_TREE) $(CHECK_PROFILE)

if HAVE_CMOCKA
UNIT_COMMAND_TESTS = \
	%D%/advice \
	%D%/advice_evidence \
	%D%/advice_reasons \
	%D%/annotate \
	%D%/close_from \
	%D%/diff \
	%D%/diff_golden \
	%D%/diff_join \
	%D%/filter \
	%D%/filter_random \
	%D%/golden \
	%D%/info \
	%D%/loader \
	%D%/own_cost \
	%D%/run_output \
	%D%/top \
	%D%/warnings \
	%D%/why
check_PROGRAMS += $(UNIT_COMMAND_TESTS)
TESTS += $(UNIT_COMMAND_TESTS)

%C%_advice_SOURCES = %D%/advice.c $(ADVICE_FIXTURE)
%C%_advice_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_advice_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_advice_evidence_SOURCES = %D%/advice_evidence.c $(ADVICE_FIXTURE)
%C%_advice_evidence_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_advice_evidence_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_advice_reasons_SOURCES = %D%/advice_reasons.c $(ADVICE_FIXTURE)
%C%_advice_reasons_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_advice_reasons_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_annotate_SOURCES = %D%/annotate.c $(EXPECTED) $(SCENE_REPORT)
%C%_annotate_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_annotate_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_why_SOURCES = %D%/why.c $(EXPECTED) $(SCENE_REPORT)
%C%_why_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_why_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_close_from_SOURCES = %D%/close_from.c
%C%_close_from_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_close_from_LDADD = $(CMOCKA_LIBS)

%C%_diff_SOURCES = %D%/diff.c $(MADE_METRICS) $(SCENE_REPORT)
%C%_diff_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_diff_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_diff_golden_SOURCES = %D%/diff_golden.c $(EXPECTED) $(MADE_METRICS) $(SCENE_REPORT)
%C%_diff_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_diff_golden_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_diff_join_SOURCES = %D%/diff_join.c
%C%_diff_join_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_diff_join_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_filter_SOURCES = %D%/filter.c $(FILTERED)
%C%_filter_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_filter_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_filter_random_SOURCES = %D%/filter_random.c $(SCENES_ALONE) $(FILTERED)
%C%_filter_random_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_filter_random_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_golden_SOURCES = %D%/golden.c $(EXPECTED) $(MADE_METRICS) $(SCENE_REPORT)
%C%_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_golden_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_info_SOURCES = %D%/info.c $(BUILD_PROFILE)
%C%_info_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_info_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_loader_SOURCES = %D%/loader.c
%C%_loader_CPPFLAGS = $(UNIT_CPPFLAGS) $(LIBDW_CFLAGS) -DGLIBC_FIRST=\"$(GLIBC_FIRST)\"
%C%_loader_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_warnings_SOURCES = %D%/warnings.c $(SCENE_REPORT)
%C%_warnings_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_warnings_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_own_cost_SOURCES = %D%/own_cost.c $(BUILD_PROFILE)
%C%_own_cost_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_own_cost_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_run_output_SOURCES = %D%/run_output.c
%C%_run_output_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_run_output_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_top_SOURCES = %D%/top.c $(EXPECTED) $(SCENE_REPORT)
%C%_top_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_top_LDADD = $(UNIT_OFFLINE_LIBS)
endif
