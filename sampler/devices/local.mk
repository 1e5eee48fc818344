# SPDX-License-Identifier: Apache-2.0
libompprof_la_SOURCES += \
	%D%/device_trace.c \
	%D%/device_trace.h \
	%D%/device_trace_buffer.c \
	%D%/device_trace_buffer.h \
	%D%/device_trace_collector.c \
	%D%/device_trace_collector.h \
	%D%/device_trace_cursor.c \
	%D%/device_trace_cursor.h \
	%D%/device_trace_ops.c \
	%D%/device_trace_read.c \
	%D%/device_trace_record.c \
	%D%/device_trace_record.h \
	%D%/device_trace_time.c \
	%D%/device_trace_time.h \
	%D%/target_op.c \
	%D%/target_run.c \
	%D%/target_run.h \
	%D%/target_run_internal.h
