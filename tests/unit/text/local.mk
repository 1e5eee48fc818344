# SPDX-License-Identifier: Apache-2.0
# Text: options, tables, the terminal, files that are written at once.
if HAVE_CMOCKA
UNIT_TEXT_TESTS = \
	%D%/atomic_write \
	%D%/options \
	%D%/table \
	%D%/terminal \
	%D%/text
check_PROGRAMS += $(UNIT_TEXT_TESTS)
TESTS += $(UNIT_TEXT_TESTS)

%C%_atomic_write_SOURCES = %D%/atomic_write.c
%C%_atomic_write_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_atomic_write_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_options_SOURCES = %D%/options.c
%C%_options_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_options_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_table_SOURCES = %D%/table.c
%C%_table_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_table_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_terminal_SOURCES = %D%/terminal.c
%C%_terminal_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_terminal_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_text_SOURCES = %D%/text.c
%C%_text_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_text_LDADD = $(UNIT_OFFLINE_LIBS)
endif
