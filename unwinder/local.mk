# SPDX-License-Identifier: Apache-2.0
include unwinder/arch.mk
include unwinder/core/local.mk
include unwinder/code/local.mk
include unwinder/prepare/local.mk

# The walkers as programs use them: their preparation and the core.
noinst_LTLIBRARIES += libwalker.la
libwalker_la_SOURCES = $(UNWINDER_CODE) $(UNWINDER_PREPARE)
libwalker_la_CFLAGS = $(INPROCESS_CFLAGS)
libwalker_la_LIBADD = libcore.la

# A walker that may be loaded at start. It is apart from the core, which depends on libc alone.
if HAVE_LIBUNWIND
pkglib_LTLIBRARIES += ompprof-walk-libunwind.la
ompprof_walk_libunwind_la_SOURCES = %D%/walk_libunwind.c $(ARCH_CORE)
ompprof_walk_libunwind_la_CFLAGS = $(INPROCESS_CFLAGS) $(LIBUNWIND_CFLAGS)
ompprof_walk_libunwind_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now -Wl,-z,defs \
	-Wl,--version-script=$(srcdir)/%D%/ompprof-walk.map
ompprof_walk_libunwind_la_LIBADD = $(LIBUNWIND_LIBS)
ompprof_walk_libunwind_la_DEPENDENCIES = %D%/ompprof-walk.map
endif
EXTRA_DIST += %D%/ompprof-walk.map
