/* SPDX-License-Identifier: Apache-2.0 */
/* The part of libompprof-gomp.so that libompprof-gomp-events.so does not have. */
#include "gomp/gomp.h"

const uint32_t gomp_tells_all = 0;
