/* SPDX-License-Identifier: Apache-2.0 */
/* Names of signals, for reports. The C library gives them from 2.32 on. */
#ifndef OMPPROF_SRC_TEXT_SIGNAL_NAME_H
#define OMPPROF_SRC_TEXT_SIGNAL_NAME_H

/* The signal's name without SIG, or NULL. */
const char *signal_name(int signal);

#endif
