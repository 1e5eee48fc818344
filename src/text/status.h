/* SPDX-License-Identifier: Apache-2.0 */
/* The exit statuses of ompprof's own commands. */
#ifndef OMPPROF_SRC_TEXT_STATUS_H
#define OMPPROF_SRC_TEXT_STATUS_H

enum { STATUS_OK = 0, STATUS_FAILURE = 1, STATUS_USAGE = 2 };

#endif
