# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/info.h \
	%D%/info_cost.c \
	%D%/info_file.c \
	%D%/info_job.c \
	%D%/info_json.c \
	%D%/info_run.c \
	%D%/info_states.c
