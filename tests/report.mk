# SPDX-License-Identifier: Apache-2.0
# What is shown: names, views, the command `report`.
SCENES = tests/unit/scenes.c tests/unit/scenes.h $(BUILD_PROFILE)

check_PROGRAMS += tests/unit/write_scene
tests_unit_write_scene_SOURCES = tests/unit/write_scene.c $(SCENES)
tests_unit_write_scene_CPPFLAGS = $(AM_CPPFLAGS)

# To be preloaded; see tests/cli/reads.c.
check_LTLIBRARIES += reads.la
reads_la_SOURCES = tests/cli/reads.c
reads_la_CFLAGS = $(OMPPROF_CFLAGS)
reads_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

REPORT_TESTS = tests/cli/annotate.sh tests/cli/cache.sh tests/cli/completion.sh tests/cli/diff.sh tests/cli/doctor.sh \
	tests/cli/filter.sh tests/cli/formulas.sh tests/cli/header.sh tests/cli/help.sh tests/cli/info.sh tests/cli/merge.sh tests/cli/merge_mpi.sh tests/cli/replace.sh tests/cli/report.sh tests/cli/tables.sh \
	tests/cli/filter.sh tests/cli/header.sh tests/cli/help.sh tests/cli/info.sh tests/cli/merge.sh tests/cli/merge_mpi.sh tests/cli/report.sh tests/cli/stack.sh tests/cli/tables.sh \
	tests/live/scale.sh tests/live/shown.sh tests/live/top.sh
EXTRA_DIST += $(REPORT_TESTS) tests/cli/scenes.sh tests/cli/tables.py tests/data
TESTS += $(REPORT_TESTS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/merge_again
TESTS += tests/unit/merge_again
tests_unit_merge_again_SOURCES = tests/unit/merge_again.c $(SCENES)
tests_unit_merge_again_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_merge_again_LDADD = $(UNIT_OFFLINE_LIBS)
MADE_METRICS = tests/unit/made_metrics.c tests/unit/made_metrics.h
EXPECTED = tests/unit/expected.c tests/unit/expected.h
check_PROGRAMS += tests/unit/advice tests/unit/annotate tests/unit/filter \
	tests/unit/filter_random tests/unit/golden \
	tests/unit/loader tests/unit/names \
	tests/unit/options tests/unit/terminal tests/unit/report_text tests/unit/table
TESTS += tests/unit/advice tests/unit/annotate tests/unit/filter \
	tests/unit/filter_random tests/unit/golden \
	tests/unit/loader tests/unit/names \
	tests/unit/options tests/unit/terminal tests/unit/report_text tests/unit/table
tests_unit_advice_SOURCES = tests/unit/advice.c $(MADE_METRICS) $(SCENES)
tests_unit_advice_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_advice_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_annotate_SOURCES = tests/unit/annotate.c $(EXPECTED) $(SCENES)
tests_unit_annotate_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_annotate_LDADD = $(UNIT_OFFLINE_LIBS)
FILTERED = tests/unit/filtered.c tests/unit/filtered.h $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_filter_SOURCES = tests/unit/filter.c $(FILTERED)
tests_unit_filter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_filter_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_filter_random_SOURCES = tests/unit/filter_random.c tests/unit/scenes.c \
	tests/unit/scenes.h $(FILTERED)
tests_unit_filter_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_filter_random_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_golden_SOURCES = tests/unit/golden.c $(EXPECTED) $(MADE_METRICS) $(SCENES)
tests_unit_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_golden_LDADD = $(UNIT_OFFLINE_LIBS)
check_PROGRAMS += tests/unit/diff tests/unit/diff_golden tests/unit/save tests/unit/top
TESTS += tests/unit/diff tests/unit/diff_golden tests/unit/save tests/unit/top
tests_unit_top_SOURCES = tests/unit/top.c $(EXPECTED) $(SCENES)
tests_unit_top_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_top_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_save_SOURCES = tests/unit/save.c
tests_unit_save_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_save_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_diff_golden_SOURCES = tests/unit/diff_golden.c $(EXPECTED) $(MADE_METRICS) $(SCENES)
tests_unit_diff_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_diff_golden_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_diff_SOURCES = tests/unit/diff.c $(MADE_METRICS) $(SCENES)
tests_unit_diff_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_diff_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_loader_SOURCES = tests/unit/loader.c
tests_unit_loader_CPPFLAGS = $(UNIT_CPPFLAGS) $(LIBDW_CFLAGS)
tests_unit_loader_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_names_SOURCES = tests/unit/names.c $(SCENES)
tests_unit_names_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_names_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_options_SOURCES = tests/unit/options.c
tests_unit_options_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_options_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_terminal_SOURCES = tests/unit/terminal.c
tests_unit_terminal_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_terminal_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_table_SOURCES = tests/unit/table.c
tests_unit_table_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_table_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_report_text_SOURCES = tests/unit/report_text.c
tests_unit_report_text_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_report_text_LDADD = $(UNIT_OFFLINE_LIBS)
endif

# Rewrites what the goldens expect with what is shown now, and shows what that changes.
.PHONY: update-golden
update-golden: ompprof$(EXEEXT) tests/unit/annotate$(EXEEXT) tests/unit/diff_golden$(EXEEXT) \
		tests/unit/golden$(EXEEXT) tests/unit/top$(EXEEXT) tests/unit/write_scene$(EXEEXT)
	for test in annotate diff_golden golden top; do \
		srcdir=$(abs_top_srcdir) OMPPROF_UPDATE_GOLDEN=1 tests/unit/$$test$(EXEEXT) \
			>/dev/null 2>&1; \
	done
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) OMPPROF_UPDATE_GOLDEN=1 \
		$(SHELL) $(srcdir)/tests/cli/report.sh | grep '^not ok' || :
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) OMPPROF_UPDATE_GOLDEN=1 \
		$(SHELL) $(srcdir)/tests/cli/info.sh | grep '^not ok' || :
	cd $(srcdir) && git status --short tests/data && git --no-pager diff tests/data
