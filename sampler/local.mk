# SPDX-License-Identifier: Apache-2.0
# The signal-safe core is a link unit of its own, so that a gate can look at its symbols.
noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = $(CORE_UNWINDER) $(CORE_PROFILE) \
	%D%/blame.c \
	%D%/blame.h \
	%D%/capture.c \
	%D%/capture.h \
	%D%/classify.c \
	%D%/classify.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/clock_perf.c \
	%D%/clock_timer.c \
	%D%/delay.c \
	%D%/delay.h \
	%D%/execution.h \
	%D%/frames.c \
	%D%/frames.h \
	%D%/handler.c \
	%D%/handler.h \
	%D%/memo.c \
	%D%/memo.h \
	%D%/open.c \
	%D%/open.h \
	%D%/own_stack.c \
	%D%/own_stack.h \
	%D%/modules.c \
	%D%/modules.h \
	%D%/mutex_quick.c \
	%D%/mutex_quick.h \
	%D%/path.c \
	%D%/phase.c \
	%D%/phase.h \
	%D%/phase_parts.h \
	%D%/pace.h \
	%D%/pace_region.h \
	%D%/path.h \
	%D%/region_count.c \
	%D%/self.c \
	%D%/self.h \
	%D%/states.c \
	%D%/states.h \
	%D%/target.c \
	%D%/target.h \
	%D%/team.c \
	%D%/team.h \
	%D%/thread.h \
	%D%/thread_mutex.h \
	%D%/thread_path.h \
	%D%/timeline.c \
	%D%/timeline.h \
	%D%/tool.h \
	%D%/turn.c \
	%D%/turn.h \
	%D%/turn_code.h \
	%D%/turn_region.h
libcore_la_CFLAGS = $(INPROCESS_CFLAGS) -fno-stack-protector -fno-jump-tables -fno-tree-slp-vectorize -Wstack-usage=16384

lib_LTLIBRARIES += libompprof.la
libompprof_la_SOURCES = $(PROFILE_SHARED) \
	%D%/adopt.c \
	%D%/adopt.h \
	%D%/callbacks.c \
	%D%/callbacks.h \
	%D%/clock_choose.c \
	%D%/control.c \
	%D%/control.h \
	%D%/construct.c \
	%D%/construct.h \
	%D%/count.c \
	%D%/count.h \
	%D%/create.c \
	%D%/depend.c \
	%D%/depend.h \
	%D%/enter.c \
	%D%/enter.h \
	%D%/events.h \
	%D%/events_counted.c \
	%D%/events_counted.h \
	%D%/events_mutex.c \
	%D%/events_region.c \
	%D%/events_target.c \
	%D%/events_task.c \
	%D%/events_turn.c \
	%D%/events_wait.c \
	%D%/helper.c \
	%D%/helper.h \
	%D%/lockdown.c \
	%D%/lockdown.h \
	%D%/mask.c \
	%D%/mask.h \
	%D%/mask_old.c \
	%D%/member.c \
	%D%/member.h \
	%D%/modules_note_all.c \
	%D%/mutex.c \
	%D%/mutex.h \
	%D%/mutex_table.c \
	%D%/mutex_table.h \
	%D%/ompt.c \
	%D%/output.c \
	%D%/output.h \
	%D%/phase_follow.c \
	%D%/phase_names.c \
	%D%/record.c \
	%D%/record.h \
	%D%/region.c \
	%D%/region.h \
	%D%/restore.c \
	%D%/restore.h \
	%D%/say.c \
	%D%/say.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/target_op.c \
	%D%/target_run.c \
	%D%/target_run.h \
	%D%/target_run_parts.h \
	%D%/tasks.h \
	%D%/thread.c \
	%D%/tool.c \
	%D%/trace.c \
	%D%/trace.h \
	%D%/trace_buffer.c \
	%D%/trace_buffer.h \
	%D%/trace_cursor.c \
	%D%/trace_cursor.h \
	%D%/trace_device.c \
	%D%/trace_device.h \
	%D%/trace_ops.c \
	%D%/trace_ops.h \
	%D%/trace_read.c \
	%D%/trace_read.h \
	%D%/trace_record.c \
	%D%/trace_record.h \
	%D%/trace_time.c \
	%D%/trace_time.h \
	%D%/wait.c \
	%D%/wait.h \
	%D%/wait_finish.c \
	%D%/wait_parts.h \
	%D%/wait_spread.c \
	%D%/wait_spread.h \
	%D%/words.c \
	%D%/words.h
libompprof_la_CFLAGS = $(INPROCESS_CFLAGS)
libompprof_la_LIBADD = libwalker.la libbound.la
libompprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now \
	-Wl,-z,defs -Wl,--version-script=$(srcdir)/%D%/libompprof.map -Wl,@%D%/bound.options
libompprof_la_DEPENDENCIES = libwalker.la libbound.la %D%/libompprof.map %D%/bound.options
EXTRA_DIST += %D%/libompprof.map

# Calls of libc that the program's functions do not get; what is linked without the options leaves libbound.la out.
noinst_LTLIBRARIES += libbound.la
libbound_la_SOURCES = %D%/bound.c %D%/bound.def
libbound_la_CFLAGS = $(INPROCESS_CFLAGS)
CLEANFILES += %D%/bound.options
%D%/bound.options: %D%/bound.def
	$(AM_V_GEN)$(MKDIR_P) %D% && sed -n 's/^BOUND(\(.*\))$$/--wrap=\1/p' $(srcdir)/%D%/bound.def >$@

# Libtool would name it after its file; it has to have the name of GCC's library.
STAND_IN = %D%/stand-in-libgomp.so
standin_DATA += $(STAND_IN)
CLEANFILES += $(STAND_IN)
EXTRA_DIST += %D%/stand_in.c %D%/stand_in.map
$(STAND_IN): %D%/stand_in.c %D%/stand_in.map
	$(AM_V_CC)$(MKDIR_P) %D% && $(CC) -shared -nostdlib -fPIC -Wl,-soname,libgomp.so.1 \
		-Wl,--version-script=$(srcdir)/%D%/stand_in.map -o $@ $(srcdir)/%D%/stand_in.c
