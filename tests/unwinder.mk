# SPDX-License-Identifier: Apache-2.0
if HAVE_LIBUNWIND
check_LTLIBRARIES += walkcompare.la
walkcompare_la_SOURCES = %D%/walker/compare.c %D%/walker/compare.h
walkcompare_la_CFLAGS = $(OMPPROF_CFLAGS) $(LIBUNWIND_CFLAGS) -fvisibility=hidden
walkcompare_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walkcompare_la_LIBADD = libcore.la $(LIBUNWIND_LIBS)
walkcompare_la_DEPENDENCIES = libcore.la
TESTS += %D%/walker/compare.sh
endif

EXTRA_DIST += %D%/walker/compare.sh %D%/walker/program_openmp.c %D%/walker/program_libc.c \
	%D%/walker/program_cxx.cpp %D%/walker/program_dl.c %D%/walker/plugin.c
