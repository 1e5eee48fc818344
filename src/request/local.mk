# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/report_request.c \
	%D%/report_request.h \
	%D%/report_request_check.c \
	%D%/shared_options.c \
	%D%/shared_options.h
