# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/view.c \
	%D%/view.h \
	%D%/view_bottom_up.c \
	%D%/view_causes.c \
	%D%/view_causes.h \
	%D%/view_construct.c \
	%D%/view_device.c \
	%D%/view_event.c \
	%D%/view_filter.c \
	%D%/view_filter.h \
	%D%/view_flat.c \
	%D%/view_flat.h \
	%D%/view_json.c \
	%D%/view_json.h \
	%D%/view_list.c \
	%D%/view_lock.c \
	%D%/view_loop.c \
	%D%/view_nodes.c \
	%D%/view_nodes.h \
	%D%/view_phase.c \
	%D%/view_pop.c \
	%D%/view_process.c \
	%D%/view_region.c \
	%D%/view_slices.c \
	%D%/view_slices.h \
	%D%/view_summary.c \
	%D%/view_summary_head.c \
	%D%/view_summary_internal.h \
	%D%/view_summary_top.c \
	%D%/view_target.c \
	%D%/view_task.c \
	%D%/view_thread.c \
	%D%/view_tree.c \
	%D%/view_wait.c \
	%D%/view_warnings.c \
	%D%/views.def
