# SPDX-License-Identifier: Apache-2.0
# Everything but main.c is a library, so that unit tests can link it.
noinst_LIBRARIES += %D%/libcommand.a
%C%_libcommand_a_SOURCES = \
	%D%/command.h \
	%D%/message.c \
	%D%/message.h \
	%D%/symbols.h
%C%_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS)

bin_PROGRAMS += ompprof
ompprof_SOURCES = %D%/main.c
ompprof_LDADD = \
	%D%/libcommand.a \
	attribution/libattribution.a \
	profile/libprofile.a \
	$(LIBDW_LIBS) $(DEMANGLE_LIBS)
