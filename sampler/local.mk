# SPDX-License-Identifier: Apache-2.0
include sampler/python/local.mk
include sampler/core/local.mk

lib_LTLIBRARIES += libompprof.la
libompprof_la_SOURCES = $(PROFILE_SHARED)
libompprof_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_la_LIBADD = libwalker.la libbound.la
libompprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now \
	-Wl,-z,defs -Wl,--version-script=%D%/tool/exports.map -Wl,@%D%/tool/libc_bind.options $(OLD_GLIBC_LDFLAGS)
libompprof_la_DEPENDENCIES = libwalker.la libbound.la $(OLD_GLIBC) %D%/tool/exports.map %D%/tool/libc_bind.options

# Calls of libc that the program's functions do not get; what is linked without the options leaves libbound.la out.
noinst_LTLIBRARIES += libbound.la
libbound_la_SOURCES =
libbound_la_CFLAGS = $(INPROCESS_CFLAGS)
include sampler/threads/local.mk
include sampler/devices/local.mk
include sampler/tool/local.mk
