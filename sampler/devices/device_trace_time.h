/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a device's time to the host's, and for how long a device was busy. Pure arithmetic, exact in whole ticks. The
 * clocks run at rates of their own: pairs of (device time, host time), read at the same moment, say how they
 * go together. The line goes through the first pair and the latest one, so what lies between two is
 * wrong by no more than the pairs are.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_TIME_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_TIME_H

#include <stdint.h>

struct trace_pair {
	uint64_t device;
	uint64_t host; /* ticks */
};

/* All zero knows nothing. */
struct trace_time {
	struct trace_pair first, last;
	uint32_t n_pairs;
	uint32_t n_resets; /* times at which the device's clock had gone back: it was begun anew */
};

/*
 * Adds a pair. One that is not later than the one before on the host's clock is left out; one that is later there,
 * but earlier on the device's, begins anew.
 * Any thread.
 */
void trace_time_add(struct trace_time *time, uint64_t device, uint64_t host);

/* Whether the device's clock can be translated: two pairs that differ. Any thread. */
int trace_time_is_known(const struct trace_time *time);

/*
 * The host's ticks at this moment of the device, to the nearest; 0 if it was before the host's counter began. Call it only
 * if trace_time_is_known.
 * Any thread.
 */
uint64_t trace_time_host(const struct trace_time *time, uint64_t device);

enum { TRACE_BUSY_SPANS = 32 };

/* When a device executed any operation, as spans that do not touch, by their begin. All zero is never. */
struct trace_busy {
	struct {
		uint64_t begin, end;
	} span[TRACE_BUSY_SPANS];
	uint32_t n;
	uint64_t done;  /* ticks of spans that were given up for want of room: the earliest ones, */
	uint64_t until; /* up to here: what comes late and began before counts from here on */
};

/*
 * Adds [begin, end). What is busy already counts once.
 * Any thread.
 */
void trace_busy_add(struct trace_busy *busy, uint64_t begin, uint64_t end);

/* How long the device was busy, in ticks. Any thread. */
uint64_t trace_busy_ticks(const struct trace_busy *busy);

#endif
