# SPDX-License-Identifier: Apache-2.0
attribution_libattribution_a_SOURCES += \
	%D%/add_saturated.h \
	%D%/attribute.c \
	%D%/elide.c \
	%D%/elide.h \
	%D%/scale_blame.c \
	%D%/scale_blame.h \
	%D%/sparse_metrics.c \
	%D%/sparse_metrics.h \
	%D%/tree.c \
	%D%/tree.h \
	%D%/tree_builder.c \
	%D%/tree_builder.h
