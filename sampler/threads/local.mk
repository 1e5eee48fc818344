# SPDX-License-Identifier: Apache-2.0
libompprof_la_SOURCES += \
	%D%/blocking.c \
	%D%/blocking.h \
	%D%/callback_enter.c \
	%D%/callback_enter.h \
	%D%/construct.c \
	%D%/construct.h \
	%D%/count.c \
	%D%/count.h \
	%D%/depend.c \
	%D%/doacross.c \
	%D%/doacross.h \
	%D%/hidden_helper.c \
	%D%/hidden_helper.h \
	%D%/modules_note_all.c \
	%D%/mutex.c \
	%D%/mutex.h \
	%D%/mutex_fast.c \
	%D%/mutex_table.c \
	%D%/mutex_table.h \
	%D%/phase_in_events.c \
	%D%/phase_names.c \
	%D%/private_memory.h \
	%D%/region.c \
	%D%/region_fast_begin.h \
	%D%/switched.c \
	%D%/switched.h \
	%D%/task_stack.h \
	%D%/thread.c \
	%D%/thread_record.c \
	%D%/thread_record.h \
	%D%/wait.c \
	%D%/wait.h \
	%D%/wait_across_phases.c \
	%D%/wait_across_phases.h \
	%D%/wait_delay.c \
	%D%/wait_delay.h \
	%D%/wait_finish.c \
	%D%/wait_internal.h \
	%D%/worker_run.c \
	%D%/worker_run.h \
	%D%/wrap_doacross.c \
	%D%/wrap_pthread_create.c \
	%D%/wrap_sigmask.c \
	%D%/wrap_sigmask.h \
	%D%/wrap_sigmask_old.c
libbound_la_SOURCES += %D%/wrap_blocking.c %D%/wrap_blocking.def
