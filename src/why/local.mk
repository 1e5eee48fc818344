# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/why.c \
	%D%/why.h \
	%D%/why_directive.c \
	%D%/why_directive.h \
	%D%/why_json.c \
	%D%/why_text.c
