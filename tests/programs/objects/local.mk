# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/dlopen.c \
	%D%/dlopen_kernel.c \
	%D%/early_kernel.c \
	%D%/no_frame_info.c \
	%D%/reload.c \
	%D%/reload_one_bare.c \
	%D%/reload_one_kernel.c \
	%D%/reload_two_bare.c \
	%D%/reload_two_kernel.c
