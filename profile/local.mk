# SPDX-License-Identifier: Apache-2.0
# The writer is part of the signal-safe core; the reader belongs to the offline half.
include profile/core/local.mk
include profile/shared/local.mk

noinst_LIBRARIES += %D%/libprofile.a
%C%_libprofile_a_SOURCES = $(PROFILE_SHARED)
include profile/reader/local.mk
%C%_libprofile_a_CPPFLAGS = $(AM_CPPFLAGS) $(LZMA_CFLAGS)
