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
	%D%/code_rows.h \
	%D%/objects.c \
	%D%/objects.h \
	%D%/objects_state.h \
	%D%/remote.c \
	%D%/remote.h \
	%D%/rule.c \
	%D%/rule.h \
	%D%/table.c \
	%D%/table.h \
	%D%/walk_cfi.c \
	%D%/walk_cfi.h \
	%D%/walk_gap.c \
	%D%/walk_state.h \
	%D%/walk_step.c \
	%D%/walk_fp.c

# What prepares it, outside the handler.
UNWINDER_PREPARE = \
	%D%/code_rows_x86_64.c \
	%D%/instruction_x86_64.c \
	%D%/instruction_x86_64.h \
	%D%/objects_functions.c \
	%D%/objects_functions.h \
	%D%/objects_permanent.c \
	%D%/objects_permanent.h \
	%D%/objects_refresh.c \
	%D%/objects_sections.c \
	%D%/objects_sections.h \
	%D%/prepare.c \
	%D%/prepare.h \
	%D%/table_build.c \
	%D%/walker.c

# The walkers as programs use them: what prepares them and the core.
noinst_LTLIBRARIES += libwalker.la
libwalker_la_SOURCES = $(UNWINDER_PREPARE)
libwalker_la_CFLAGS = $(INPROCESS_CFLAGS)
libwalker_la_LIBADD = libcore.la

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
