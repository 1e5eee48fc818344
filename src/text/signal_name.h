/* SPDX-License-Identifier: Apache-2.0 */
/* Names of signals, for reports. sigabbrev_np is not there before glibc 2.32. */
#ifndef OMPPROF_SRC_TEXT_SIGNAL_NAME_H
#define OMPPROF_SRC_TEXT_SIGNAL_NAME_H

/* The signal's name without SIG, or NULL. */
const char *signal_name(int signal);

#endif
