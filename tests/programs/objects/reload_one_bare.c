/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first library that reload.c loads, without any call frame information.
 * Flags: -fPIC -shared -nostartfiles -fno-asynchronous-unwind-tables -fno-unwind-tables
 */
#include "reload_one_kernel.c"
