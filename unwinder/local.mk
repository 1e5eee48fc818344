# SPDX-License-Identifier: Apache-2.0
# Part of the signal-safe core.
CORE_UNWINDER = \
	%D%/walk.h \
	%D%/arch.h \
	%D%/arch_x86_64.c \
	%D%/arch_x86_64.h \
	%D%/cfi.h \
	%D%/cfi_read.h \
	%D%/cfi_find.c \
	%D%/cfi_row.c \
	%D%/cfi_step.c \
	%D%/walk_cfi.c \
	%D%/walk_fp.c

# Apart from the core, which depends on libc alone: a walker that may be loaded at start.
if HAVE_LIBUNWIND
pkglib_LTLIBRARIES += ompprof-walk-libunwind.la
ompprof_walk_libunwind_la_SOURCES = %D%/walk.h %D%/walk_libunwind.c
ompprof_walk_libunwind_la_CFLAGS = $(INPROCESS_CFLAGS) $(LIBUNWIND_CFLAGS)
ompprof_walk_libunwind_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now -Wl,-z,defs \
	-Wl,--version-script=$(srcdir)/%D%/ompprof-walk.map
ompprof_walk_libunwind_la_LIBADD = $(LIBUNWIND_LIBS)
ompprof_walk_libunwind_la_DEPENDENCIES = %D%/ompprof-walk.map
endif
EXTRA_DIST += %D%/arch_aarch64.c %D%/arch_aarch64.h %D%/ompprof-walk.map
