# SPDX-License-Identifier: Apache-2.0
libompprof_la_SOURCES += \
	%D%/callbacks.c \
	%D%/clock_choose.c \
	%D%/contention.c \
	%D%/contention.h \
	%D%/control.c \
	%D%/control.h \
	%D%/events.h \
	%D%/events_counted.c \
	%D%/events_mutex.c \
	%D%/events_region.c \
	%D%/events_region_fast.c \
	%D%/events_target.c \
	%D%/events_task.c \
	%D%/events_wait.c \
	%D%/lockdown.c \
	%D%/ompt.c \
	%D%/output.c \
	%D%/output.h \
	%D%/python_look.c \
	%D%/python_look.h \
	%D%/runtime_names.c \
	%D%/runtime_names.h \
	%D%/settings.c \
	%D%/thresholds.c \
	%D%/tool.c \
	%D%/tool_message.c \
	%D%/tool_message.h
EXTRA_DIST += %D%/libompprof.map

libbound_la_SOURCES += %D%/libc_bind.c %D%/libc_bind.def
CLEANFILES += %D%/libc_bind.options
%D%/libc_bind.options: %D%/libc_bind.def
	$(AM_V_GEN)$(MKDIR_P) %D% && sed -n 's/^BOUND(\(.*\))$$/--wrap=\1/p' $(srcdir)/%D%/libc_bind.def >$@

# The version script names the wrapped functions, too.
CLEANFILES += %D%/exports.map
%D%/exports.map: %D%/libompprof.map sampler/threads/wrap_blocking.def profile/shared/mpi_calls.def
	$(AM_V_GEN)$(MKDIR_P) %D% && { sed '/local:/,$$d' $(srcdir)/%D%/libompprof.map && \
		sed -n 's/^BLOCKING([^,]*, \([a-z0-9_]*\),.*/\1;/p' $(srcdir)/sampler/threads/wrap_blocking.def && \
		sed -n 's/^MPI_CALL(.*, \(.*\), \(.*\))$$/MPI_\1; mpi_\2_; mpi_\2_f08_; mpi_\2_f08ts_;/p' \
			$(srcdir)/profile/shared/mpi_calls.def && \
		sed -n '/local:/,$$p' $(srcdir)/%D%/libompprof.map; } >$@

# Libtool would name it after its file; it has to have the name of GCC's library.
STAND_IN = sampler/stand-in-libgomp.so
standin_DATA += $(STAND_IN)
CLEANFILES += $(STAND_IN)
EXTRA_DIST += %D%/libgomp_stub.c %D%/libgomp_stub.map
$(STAND_IN): %D%/libgomp_stub.c %D%/libgomp_stub.map
	$(AM_V_CC)$(MKDIR_P) sampler && $(CC) -shared -nostdlib -fPIC -s -Wl,-soname,libgomp.so.1 \
		-Wl,--version-script=$(srcdir)/%D%/libgomp_stub.map -o $@ $(srcdir)/%D%/libgomp_stub.c

# Stand-ins for the C library's parts, with the versions of glibc 2.28. Whatever programs load is linked against them first.
OLD_GLIBC = sampler/old/libdl.so.2 sampler/old/libpthread.so.0 sampler/old/librt.so.1
OLD_GLIBC_LDFLAGS = -Wl,sampler/old/libdl.so.2 -Wl,sampler/old/libpthread.so.0 -Wl,sampler/old/librt.so.1
CLEANFILES += $(OLD_GLIBC) $(OLD_GLIBC:=.c) $(OLD_GLIBC:=.map)
EXTRA_DIST += %D%/old_glibc.sh %D%/old_glibc.txt
$(OLD_GLIBC): %D%/old_glibc.sh %D%/old_glibc.txt
	$(AM_V_CC)$(MKDIR_P) sampler/old && sh $(srcdir)/%D%/old_glibc.sh $(srcdir)/%D%/old_glibc.txt $(@F) \
		$(GLIBC_FIRST) $@ $(CC)
