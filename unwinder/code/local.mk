# SPDX-License-Identifier: Apache-2.0
# What instructions say: functions that read bytes and nothing else. The walkers' preparation and the command have them.
UNWINDER_CODE = $(ARCH_CODE)
