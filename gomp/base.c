/* SPDX-License-Identifier: Apache-2.0 */
/* What libompprof-gomp.so has besides the files that both libraries have. */
#include "gomp/gomp.h"

const uint32_t gomp_tells_all = 0;
