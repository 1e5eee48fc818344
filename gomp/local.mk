# SPDX-License-Identifier: Apache-2.0
# The OMPT provider for GCC's libgomp. It depends on libc alone, and on nothing else of ompprof.
lib_LTLIBRARIES += libompprof-gomp.la
libompprof_gomp_la_SOURCES = \
	%D%/caller.c \
	%D%/caller.h \
	%D%/cancel.c \
	%D%/functions.def \
	%D%/functions.h \
	%D%/gomp.h \
	%D%/inquiry.c \
	%D%/lock.c \
	%D%/mutex.c \
	%D%/mutex.h \
	%D%/next.c \
	%D%/old.c \
	%D%/region.c \
	%D%/region.h \
	%D%/start.c \
	%D%/start.h \
	%D%/task.c \
	%D%/version.c \
	%D%/version.h \
	%D%/wait.c
EXTRA_DIST += %D%/libompprof-gomp.map
libompprof_gomp_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_gomp_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs \
	-Wl,--version-script=$(srcdir)/%D%/libompprof-gomp.map
libompprof_gomp_la_DEPENDENCIES = %D%/libompprof-gomp.map
