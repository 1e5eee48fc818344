# SPDX-License-Identifier: Apache-2.0
# The file: its layout, its writer, its readers and merged files, and what hostile ones may cost.
CHECK_PROFILE = %D%/check_profile.c %D%/check_profile.h %D%/find_profile.h $(BUILD_PROFILE)
IN_CHILD = %D%/in_child.c %D%/in_child.h

if HAVE_CMOCKA
UNIT_PROFILE_TESTS = \
	%D%/archive_again \
	%D%/bounds_merged \
	%D%/bounds_shown \
	%D%/cct \
	%D%/launcher \
	%D%/layout \
	%D%/reader \
	%D%/reader_hostile \
	%D%/reader_waits \
	%D%/timeline_read
check_PROGRAMS += $(UNIT_PROFILE_TESTS)
TESTS += $(UNIT_PROFILE_TESTS)

%C%_archive_again_SOURCES = %D%/archive_again.c $(SCENES)
%C%_archive_again_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_archive_again_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_bounds_merged_SOURCES = %D%/bounds_merged.c $(IN_CHILD) $(BUILD_PROFILE)
%C%_bounds_merged_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_bounds_merged_LDADD = $(UNIT_OFFLINE_LIBS)
%C%_bounds_merged_LDFLAGS = -Wl,--wrap=asprintf -Wl,--wrap=__asprintf_chk

%C%_bounds_shown_SOURCES = %D%/bounds_shown.c $(CHECK_DIFF) $(IN_CHILD) $(BUILD_PROFILE)
%C%_bounds_shown_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_bounds_shown_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_cct_SOURCES = %D%/cct.c
%C%_cct_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_cct_LDADD = libcore.la $(UNIT_OFFLINE_LIBS)

%C%_launcher_SOURCES = %D%/launcher.c
%C%_launcher_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_launcher_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_layout_SOURCES = %D%/layout.c
%C%_layout_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_layout_LDADD = $(CMOCKA_LIBS)

%C%_reader_SOURCES = %D%/reader.c $(CHECK_PROFILE)
%C%_reader_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_reader_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_reader_hostile_SOURCES = %D%/reader_hostile.c $(CHECK_PROFILE)
%C%_reader_hostile_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_reader_hostile_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_reader_waits_SOURCES = %D%/reader_waits.c $(CHECK_PROFILE)
%C%_reader_waits_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_reader_waits_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_timeline_read_SOURCES = %D%/timeline_read.c $(CHECK_PROFILE)
%C%_timeline_read_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_timeline_read_LDADD = $(UNIT_OFFLINE_LIBS)
endif
