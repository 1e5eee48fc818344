/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_GOMP_DEPEND_H
#define OMPPROF_GOMP_DEPEND_H

#include "gomp/gomp.h"

/* Tells the tool the dependences of a new task. `addresses`: an argument of GOMP_task. */
void gomp_tell_dependences(struct gomp_task *task, void **addresses);

#endif
