/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that have files of their own; see doctor.h. */
#ifndef OMPPROF_SRC_DOCTOR_DOCTOR_INTERNAL_H
#define OMPPROF_SRC_DOCTOR_DOCTOR_INTERNAL_H

#include "src/doctor/doctor.h"

/* Resource limits, and the folders that a run writes to. */
void doctor_check_limits(struct doctor *doctor);

#endif
