# SPDX-License-Identifier: Apache-2.0
# What is shown: names, views, the command `report`.
SCENES = tests/unit/scenes/scenes.c tests/unit/scenes/scenes.h $(BUILD_PROFILE)

check_PROGRAMS += tests/unit/scenes/write_scene
tests_unit_scenes_write_scene_SOURCES = tests/unit/scenes/write_scene.c $(SCENES)
tests_unit_scenes_write_scene_CPPFLAGS = $(AM_CPPFLAGS)

# To be preloaded; see tests/cli/reads.c.
check_LTLIBRARIES += reads.la
reads_la_SOURCES = tests/cli/reads.c
reads_la_CFLAGS = $(OMPPROF_CFLAGS)
reads_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

REPORT_TESTS = tests/cli/annotate.sh tests/cli/cache.sh tests/cli/completion.sh tests/cli/diff.sh tests/cli/doctor.sh \
	tests/cli/filter.sh tests/hostile/formulas.sh tests/cli/header.sh tests/cli/help.sh tests/cli/info.sh tests/cli/merge.sh tests/cli/merge_mpi.sh tests/cli/replace.sh tests/cli/report.sh tests/cli/tables.sh \
	tests/cli/filter.sh tests/cli/header.sh tests/cli/help.sh tests/cli/info.sh tests/cli/merge.sh tests/cli/merge_mpi.sh tests/cli/report.sh tests/cli/stack.sh tests/cli/tables.sh \
	tests/cli/scale.sh tests/cli/run_live.sh tests/cli/top.sh
EXTRA_DIST += $(REPORT_TESTS) tests/cli/scenes.sh tests/cli/tables.py tests/data
TESTS += $(REPORT_TESTS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/profile/archive_member
TESTS += tests/unit/profile/archive_member
tests_unit_profile_archive_member_SOURCES = tests/unit/profile/archive_member.c $(SCENES)
tests_unit_profile_archive_member_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_archive_member_LDADD = $(UNIT_OFFLINE_LIBS)
check_PROGRAMS += tests/unit/profile/archive_again
TESTS += tests/unit/profile/archive_again
tests_unit_profile_archive_again_SOURCES = tests/unit/profile/archive_again.c $(SCENES)
tests_unit_profile_archive_again_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_archive_again_LDADD = $(UNIT_OFFLINE_LIBS)
MADE_METRICS = tests/unit/scenes/made_metrics.c tests/unit/scenes/made_metrics.h
EXPECTED = tests/unit/command/expected.c tests/unit/command/expected.h
check_PROGRAMS += tests/unit/command/advice tests/unit/command/annotate tests/unit/command/filter \
	tests/unit/command/filter_random tests/unit/command/golden \
	tests/unit/command/loader tests/unit/symbols/names \
	tests/unit/text/options tests/unit/text/terminal tests/unit/text/text tests/unit/text/table
TESTS += tests/unit/command/advice tests/unit/command/annotate tests/unit/command/filter \
	tests/unit/command/filter_random tests/unit/command/golden \
	tests/unit/command/loader tests/unit/symbols/names \
	tests/unit/text/options tests/unit/text/terminal tests/unit/text/text tests/unit/text/table
tests_unit_command_advice_SOURCES = tests/unit/command/advice.c $(MADE_METRICS) $(SCENES)
tests_unit_command_advice_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_advice_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_annotate_SOURCES = tests/unit/command/annotate.c $(EXPECTED) $(SCENES)
tests_unit_command_annotate_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_annotate_LDADD = $(UNIT_OFFLINE_LIBS)
FILTERED = tests/unit/command/filtered.c tests/unit/command/filtered.h $(CHECK_TREE) $(CHECK_PROFILE)
tests_unit_command_filter_SOURCES = tests/unit/command/filter.c $(FILTERED)
tests_unit_command_filter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_filter_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_filter_random_SOURCES = tests/unit/command/filter_random.c tests/unit/scenes/scenes.c \
	tests/unit/scenes/scenes.h $(FILTERED)
tests_unit_command_filter_random_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_filter_random_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_golden_SOURCES = tests/unit/command/golden.c $(EXPECTED) $(MADE_METRICS) $(SCENES)
tests_unit_command_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_golden_LDADD = $(UNIT_OFFLINE_LIBS)
check_PROGRAMS += tests/unit/command/diff tests/unit/command/diff_golden tests/unit/text/atomic_write tests/unit/command/top
TESTS += tests/unit/command/diff tests/unit/command/diff_golden tests/unit/text/atomic_write tests/unit/command/top
tests_unit_command_top_SOURCES = tests/unit/command/top.c $(EXPECTED) $(SCENES)
tests_unit_command_top_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_top_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_text_atomic_write_SOURCES = tests/unit/text/atomic_write.c
tests_unit_text_atomic_write_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_text_atomic_write_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_diff_golden_SOURCES = tests/unit/command/diff_golden.c $(EXPECTED) $(MADE_METRICS) $(SCENES)
tests_unit_command_diff_golden_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_diff_golden_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_diff_SOURCES = tests/unit/command/diff.c $(MADE_METRICS) $(SCENES)
tests_unit_command_diff_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_diff_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_command_loader_SOURCES = tests/unit/command/loader.c
tests_unit_command_loader_CPPFLAGS = $(UNIT_CPPFLAGS) $(LIBDW_CFLAGS)
tests_unit_command_loader_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_symbols_names_SOURCES = tests/unit/symbols/names.c $(SCENES)
tests_unit_symbols_names_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_symbols_names_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_text_options_SOURCES = tests/unit/text/options.c
tests_unit_text_options_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_text_options_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_text_terminal_SOURCES = tests/unit/text/terminal.c
tests_unit_text_terminal_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_text_terminal_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_text_table_SOURCES = tests/unit/text/table.c
tests_unit_text_table_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_text_table_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_text_text_SOURCES = tests/unit/text/text.c
tests_unit_text_text_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_text_text_LDADD = $(UNIT_OFFLINE_LIBS)
endif

# Rewrites what the goldens expect with what is shown now, and shows what that changes.
.PHONY: update-golden
update-golden: ompprof$(EXEEXT) tests/unit/command/annotate$(EXEEXT) tests/unit/command/diff_golden$(EXEEXT) \
		tests/unit/command/golden$(EXEEXT) tests/unit/command/top$(EXEEXT) tests/unit/scenes/write_scene$(EXEEXT)
	for test in annotate diff_golden golden top; do \
		srcdir=$(abs_top_srcdir) OMPPROF_UPDATE_GOLDEN=1 tests/unit/command/$$test$(EXEEXT) \
			>/dev/null 2>&1; \
	done
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) OMPPROF_UPDATE_GOLDEN=1 \
		$(SHELL) $(srcdir)/tests/cli/report.sh | grep '^not ok' || :
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) OMPPROF_UPDATE_GOLDEN=1 \
		$(SHELL) $(srcdir)/tests/cli/info.sh | grep '^not ok' || :
	cd $(srcdir) && git status --short tests/data && git --no-pager diff tests/data
