/* SPDX-License-Identifier: Apache-2.0 */
/* The device of the scripted runtime: what device_initialize gives the tool. */
#ifndef OMPPROF_TESTS_RUNTIME_DEVICE_H
#define OMPPROF_TESTS_RUNTIME_DEVICE_H

#include <omp-tools.h>

/* What the tool gets as the device. */
extern int scripted_device;

/* The device's lookup: knows no entry point, as that of LLVM's runtime. */
ompt_interface_fn_t device_lookup(const char *name);

#endif
