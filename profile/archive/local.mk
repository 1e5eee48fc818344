# SPDX-License-Identifier: Apache-2.0
profile_libprofile_a_SOURCES += \
	%D%/archive_expand.c \
	%D%/archive_expand_nodes.c \
	%D%/archive_internal.h \
	%D%/archive_make.c \
	%D%/archive_make_nodes.c \
	%D%/archive_member.c \
	%D%/archive_member.h
