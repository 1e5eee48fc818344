/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of perf events in the program's table. They have high numbers, out of the program's
 * way, and close on exec. A program that closes all descriptors may get the number again for a file
 * of its own; the kernel's event id tells.
 */
#ifndef OMPPROF_PROFILE_CORE_PERF_FD_H
#define OMPPROF_PROFILE_CORE_PERF_FD_H

#include <linux/perf_event.h>
#include <stdint.h>

/*
 * Opens an event of the calling thread, in the group of the event `group` (-1: in none). Returns a
 * descriptor, which has a high number, or -errno, also if no high number is free. Signal-safe.
 */
int perf_fd_open(struct perf_event_attr *attr, int group);

/* The kernel's id of the event that the descriptor is; 0: it is no event. Signal-safe. */
uint64_t perf_fd_id(int fd);

#endif
