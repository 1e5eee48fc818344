/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenMP runtime that a program ran on, beside the runtime's name. */
#ifndef OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H
#define OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H

#include "profile/reader/reader.h"

/* The first part of the names of folders that hold one link, libgomp.so.1, to a libomp. */
#define RUN_RUNTIME_FOLDER "/ompprof-libomp-"

/* The file name of the empty libgomp.so.1. */
#define RUN_RUNTIME_STAND_IN "stand-in-libgomp.so"

/* The path of GCC's libgomp, which has no OMPT, if the program has loaded it; otherwise NULL. */
const char *report_libgomp(const struct profile *profile);

/* Whether a libomp took the place of GCC's libgomp, for which the program was built. */
int report_is_exchanged(const struct profile *profile);

#endif
