/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second library that reload.c loads, without any call frame information.
 * Flags: -fPIC -shared -nostartfiles -fno-asynchronous-unwind-tables -fno-unwind-tables
 */
#include "reload_two_kernel.c"
