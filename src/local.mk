# SPDX-License-Identifier: Apache-2.0
# Everything but main.c is a library, so that unit tests can link it.
noinst_LIBRARIES += %D%/libcommand.a
%C%_libcommand_a_SOURCES =
nodist_%C%_libcommand_a_SOURCES =
%C%_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(ZLIB_CFLAGS) $(SQLITE_CFLAGS) $(OMP_TOOLS_CFLAGS)

bin_PROGRAMS += ompprof
ompprof_SOURCES = %D%/main.c
# Runtimes that ompprof doctor loads find ompprof's own tool (doctor_ompt.c).
ompprof_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic-symbol=ompt_start_tool
ompprof_LDADD = \
	%D%/libcommand.a \
	attribution/libattribution.a \
	profile/libprofile.a \
	$(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS) -lm

include src/text/local.mk
include src/symbols/local.mk
include src/findings/local.mk
include src/report/local.mk
include src/views/local.mk
include src/annotate/local.mk
include src/why/local.mk
include src/top/local.mk
include src/run/local.mk
include src/doctor/local.mk
include src/export/local.mk
include src/request/local.mk
include src/page/local.mk
include src/compare/local.mk
include src/info/local.mk
include src/merge/local.mk
include src/commands/local.mk
