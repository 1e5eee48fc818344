# SPDX-License-Identifier: Apache-2.0
# The OMPT provider for GCC's libgomp. It depends on libc alone, and on nothing else of ompprof.
# libompprof-gomp-events.so is the provider with the functions of loops and other constructs.
noinst_LTLIBRARIES += libprovider.la
libprovider_la_SOURCES = \
	%D%/caller.c \
	%D%/caller.h \
	%D%/cancel.c \
	%D%/control.c \
	%D%/depend.c \
	%D%/depend.h \
	%D%/detach.c \
	%D%/detach.h \
	%D%/doacross.c \
	%D%/extent.c \
	%D%/extent.h \
	%D%/functions.def \
	%D%/functions.h \
	%D%/gomp.h \
	%D%/inquiry.c \
	%D%/league.c \
	%D%/lock.c \
	%D%/lock.h \
	%D%/mutex.c \
	%D%/mutex.h \
	%D%/next.c \
	%D%/old.c \
	%D%/region.c \
	%D%/region.h \
	%D%/serial.c \
	%D%/serial.h \
	%D%/start.c \
	%D%/start.h \
	%D%/target.c \
	%D%/task.c \
	%D%/version.c \
	%D%/version.h \
	%D%/wait.c \
	%D%/work.c \
	%D%/work.h
libprovider_la_CFLAGS = $(INPROCESS_CFLAGS)

lib_LTLIBRARIES += libompprof-gomp.la libompprof-gomp-events.la
EXTRA_DIST += %D%/libompprof-gomp.map
PROVIDER_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs \
	-Wl,--version-script=$(srcdir)/%D%/libompprof-gomp.map $(OLD_GLIBC_LDFLAGS)
PROVIDER_NEEDS = libprovider.la %D%/libompprof-gomp.map $(OLD_GLIBC)
libompprof_gomp_la_SOURCES = %D%/base.c
libompprof_gomp_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_gomp_la_LIBADD = libprovider.la
libompprof_gomp_la_LDFLAGS = $(PROVIDER_LDFLAGS)
libompprof_gomp_la_DEPENDENCIES = $(PROVIDER_NEEDS)
libompprof_gomp_events_la_SOURCES = \
	%D%/construct.c \
	%D%/init.c \
	%D%/loop.c
libompprof_gomp_events_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_gomp_events_la_LIBADD = libprovider.la
libompprof_gomp_events_la_LDFLAGS = $(PROVIDER_LDFLAGS)
libompprof_gomp_events_la_DEPENDENCIES = $(PROVIDER_NEEDS)
