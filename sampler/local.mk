# SPDX-License-Identifier: Apache-2.0
# The signal-safe core is a link unit of its own, so that a gate can look at its symbols.
noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = $(CORE_UNWINDER) $(CORE_PROFILE)
libcore_la_CFLAGS = $(INPROCESS_CFLAGS) -fno-stack-protector -fno-jump-tables -Wstack-usage=16384

lib_LTLIBRARIES += libompprof.la
libompprof_la_SOURCES = %D%/tool.c
libompprof_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_la_LIBADD = libcore.la
libompprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now \
	-Wl,-z,defs -Wl,--version-script=$(srcdir)/%D%/libompprof.map
libompprof_la_DEPENDENCIES = libcore.la %D%/libompprof.map
EXTRA_DIST += %D%/libompprof.map
