# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/annotate.c \
	%D%/annotate.h \
	%D%/annotate_choose.c \
	%D%/annotate_choose.h \
	%D%/annotate_code.c \
	%D%/annotate_code.h \
	%D%/annotate_csv.c \
	%D%/annotate_json.c \
	%D%/annotate_listing.c \
	%D%/annotate_listing.h \
	%D%/annotate_objdump.c \
	%D%/annotate_plan.c \
	%D%/annotate_plan.h \
	%D%/annotate_print.h \
	%D%/annotate_text.c
