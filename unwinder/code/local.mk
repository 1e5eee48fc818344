# SPDX-License-Identifier: Apache-2.0
# The reader of instructions: functions that read bytes and nothing else. The preparation of walks uses it, and so does
# the command.
UNWINDER_CODE = $(ARCH_CODE)
