/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translates a device's time to the host's, and sums up how long a device was busy. Pure
 * arithmetic, exact in whole ticks. The two clocks run at different rates. Pairs of (device time,
 * host time), read at the same moment, connect them. The line goes through the first pair and the
 * latest one, so a time between two pairs is wrong by no more than the pairs are.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_TIME_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_TIME_H

#include <stdint.h>

/* One moment on both clocks. */
struct device_trace_pair {
	uint64_t device;
	uint64_t host; /* ticks */
};

/* All zero: nothing is known. */
struct device_trace_time {
	struct device_trace_pair first, last;
	uint32_t n_pairs;
	uint32_t n_resets; /* how often the device's clock had gone back: it was restarted */
};

/*
 * Adds a pair. A pair that is not later than the previous pair on the host's clock is ignored. If
 * it is later there, but earlier on the device's clock, the clock was restarted: all other pairs
 * are forgotten. Any thread.
 */
void device_trace_time_add(struct device_trace_time *time, uint64_t device, uint64_t host);

/* Whether device times can be translated: there are two different pairs. Any thread. */
int device_trace_time_is_known(const struct device_trace_time *time);

/*
 * The host's ticks at this device time, to the nearest; 0 if it was before the host's counter
 * began. Call it only if device_trace_time_is_known. Any thread.
 */
uint64_t device_trace_time_host(const struct device_trace_time *time, uint64_t device);

enum { DEVICE_TRACE_BUSY_SPANS = 32 };

/*
 * When a device executed any operation: spans that do not touch, by their begin. All zero: never.
 */
struct device_trace_busy {
	struct {
		uint64_t begin, end;
	} span[DEVICE_TRACE_BUSY_SPANS];
	uint32_t n;
	/* ticks of the earliest spans, which were dropped because the table was full */
	uint64_t done;
	/* the dropped spans end here: a late span that began earlier counts from here on */
	uint64_t until;
};

/* Adds [begin, end). Time that is busy already counts once. Any thread. */
void device_trace_busy_add(struct device_trace_busy *busy, uint64_t begin, uint64_t end);

/* How long the device was busy, in ticks. Any thread. */
uint64_t device_trace_busy_ticks(const struct device_trace_busy *busy);

#endif
