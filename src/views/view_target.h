/* SPDX-License-Identifier: Apache-2.0 */
/* What target constructs and devices have in common in JSON. Used by view_target.c and view_device.c. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_TARGET_H
#define OMPPROF_SRC_VIEWS_VIEW_TARGET_H

#include "src/report/report.h"
#include "src/text/json.h"

/* An object for each kind of operation, as the host's events tell them. */
void view_target_put_ops(struct json *json, const struct metrics_target *sum);

/* "on_device": what a device recorded itself; nothing where it recorded nothing. */
void view_target_put_traced(struct json *json, const struct metrics_ops *traced);

/* "device": its number, null for PROFILE_NO_DEVICE. */
void view_target_put_device(struct json *json, int32_t device);

#endif
