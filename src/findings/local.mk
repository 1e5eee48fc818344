# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/advice.c \
	%D%/advice_construct.c \
	%D%/advice.h \
	%D%/advice_internal.h \
	%D%/advice_label.c \
	%D%/advice_list.c \
	%D%/advice_region.c \
	%D%/advice_tasks.c \
	%D%/advice_wait.c \
	%D%/advice_work.c \
	%D%/contention.c \
	%D%/contention.h \
	%D%/efficiency.c \
	%D%/efficiency.h \
	%D%/event_labels.c \
	%D%/event_labels.h \
	%D%/findings.c \
	%D%/findings.h \
	%D%/findings_events.c \
	%D%/findings_serial.c \
	%D%/findings_targets.c \
	%D%/findings_tasks.c \
	%D%/findings_wait_names.c \
	%D%/findings_waits.c \
	%D%/label_text.c \
	%D%/names.c \
	%D%/names.h \
	%D%/names_ambiguous.c \
	%D%/names_lookup.c \
	%D%/names_lookup.h \
	%D%/names_store.c \
	%D%/order.h \
	%D%/own_cost.c \
	%D%/own_cost.h \
	%D%/report_runtime.c \
	%D%/report_runtime.h
