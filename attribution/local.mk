# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += %D%/libattribution.a
%C%_libattribution_a_SOURCES =
include attribution/tree/local.mk
include attribution/select/local.mk
include attribution/metrics/local.mk
include attribution/merge/local.mk
