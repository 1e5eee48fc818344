# SPDX-License-Identifier: Apache-2.0
# Python frames of paths: a part of the signal-safe core that is reached by a pointer.
CORE_PYTHON_READER = \
	%D%/python_code.c \
	%D%/python_layout.c \
	%D%/python_layout.h \
	%D%/python_read.c \
	%D%/python_record.c \
	%D%/python_record.h
