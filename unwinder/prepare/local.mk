# SPDX-License-Identifier: Apache-2.0
# The preparation of walks, outside the handler.
UNWINDER_PREPARE = \
	%D%/objects_functions.c \
	%D%/objects_functions.h \
	%D%/objects_permanent.c \
	%D%/objects_permanent.h \
	%D%/objects_refresh.c \
	%D%/objects_sections.c \
	%D%/objects_sections.h \
	%D%/table_build.c \
	%D%/table_memory.c \
	%D%/walker.c
