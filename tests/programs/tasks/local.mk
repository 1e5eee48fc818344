# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/depend.c \
	%D%/hidden_helpers.c \
	%D%/task_ends.c \
	%D%/taskgroup.c \
	%D%/tasks.c \
	%D%/taskwait.c \
	%D%/tiny_tasks.c \
	%D%/untied.c
