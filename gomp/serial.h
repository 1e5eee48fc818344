/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that are called where no OpenMP runtime is loaded. */
#ifndef OMPPROF_GOMP_SERIAL_H
#define OMPPROF_GOMP_SERIAL_H

#include "gomp/functions.h"

/*
 * The functions of a runtime of one thread, which the tool does not see: bodies of GOMP_parallel
 * and GOMP_task are executed, and all else does nothing. A line on stderr says so, once. Only a
 * program with weak references to libgomp comes here. Without this library it would have found that
 * the functions are missing.
 */
const struct gomp_functions *gomp_serial(void);

#endif
