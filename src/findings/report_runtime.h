/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a program ran on GCC's libgomp, or on a libomp instead of it. */
#ifndef OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H
#define OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H

#include "profile/reader/reader.h"

/*
 * The first part of the names of folders that `ompprof run` makes for a link libgomp.so.1 to
 * libomp.
 */
#define RUN_RUNTIME_FOLDER "/ompprof-libomp-"

/* The file name of the empty library that takes the place of libgomp.so.1. */
#define RUN_RUNTIME_STAND_IN "stand-in-libgomp.so"

/* The path of GCC's libgomp, which has no OMPT, if the program has loaded it; otherwise NULL. */
const char *report_libgomp(const struct profile *profile);

/* Whether a libomp took the place of GCC's libgomp, for which the program was built. */
int report_is_exchanged(const struct profile *profile);

#endif
