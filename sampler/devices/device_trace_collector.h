/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One device that can be traced: its entry points, its clock, and the sums of its records. Used by
 * device_trace.c.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_COLLECTOR_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_COLLECTOR_H

#include <omp-tools.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/core/cct.h"
#include "profile/shared/layout.h"
#include "sampler/devices/device_trace_record.h"
#include "sampler/devices/device_trace_time.h"

/* The entry points from the device's lookup function; NULL where it has none. */
struct device_trace_entry_points {
	ompt_get_device_num_procs_t get_device_num_procs;
	ompt_get_device_time_t get_device_time;
	ompt_translate_time_t translate_time;
	ompt_set_trace_ompt_t set_trace_ompt;
	ompt_set_trace_native_t set_trace_native;
	ompt_start_trace_t start_trace;
	ompt_pause_trace_t pause_trace;
	ompt_flush_trace_t flush_trace;
	ompt_stop_trace_t stop_trace;
	ompt_advance_buffer_cursor_t advance_buffer_cursor;
	ompt_get_record_type_t get_record_type;
	ompt_get_record_ompt_t get_record_ompt;
	ompt_get_record_native_t get_record_native;
	ompt_get_record_abstract_t get_record_abstract;
};

enum device_trace_state {
	DEVICE_TRACE_NONE = 0, /* not in use */
	DEVICE_TRACE_OPEN,     /* between device_initialize and device_finalize */
	DEVICE_TRACE_CLOSED,   /* after device_finalize; its record stays, for late records */
};

struct device_trace_device {
	/*
	 * Detects a second lock by the same thread, as a runtime may complete a buffer while it is
	 * asked for a cursor. Protects changes of all members below, except those marked atomic;
	 * `device` and `call` do not change while the device is open.
	 */
	pthread_mutex_t lock;
	int32_t number;    /* atomic: read without the lock, as the state */
	uint8_t state;     /* enum device_trace_state. atomic */
	uint8_t is_active; /* recording has been started and not stopped. atomic */
	uint8_t is_paused; /* its recording is paused, as the tool is. atomic */
	/*
	 * ticks: when a buffer was refused, and the device stopped recording; 0: it has not stopped
	 * for this reason. atomic
	 */
	uint64_t declined_at;
	uint64_t last_pair; /* ticks: when the device's clock was last read. atomic */
	double ticks_per_s; /* of the host */
	ompt_device_t *device;
	struct device_trace_entry_points call;
	struct device_trace_time time;
	struct device_trace_busy busy;
	struct cct cct; /* root 0: there is no tree */
	struct profile_device *record;
};

/* Looks up all entry points of a device. Any thread. */
void device_trace_device_look_up(
	struct device_trace_entry_points *call, ompt_function_lookup_t lookup);

/*
 * Asks the device for records of kernels and data operations. Where the specification's types give
 * none, asks for the device's own types. Returns the bits of enum profile_device_flags for what it
 * will record; 0: nothing. Any thread.
 */
uint32_t device_trace_device_set(const struct device_trace_device *device);

/*
 * Tries for about 2 ms to take the lock, where the runtime may hold locks of its own that a thread
 * with the device's lock wants. Returns 0, or -1. Any thread.
 */
int device_trace_device_lock_soon(struct device_trace_device *device);

/*
 * Takes the lock where records would be lost otherwise: waits up to a second for threads that read
 * the device's buffers. Returns 0, or -1, at once if the thread has the lock already. Any thread.
 */
int device_trace_device_lock_patiently(struct device_trace_device *device);

/* Reads the device's clock and the host's. Under the lock. Any thread. */
void device_trace_device_pair(struct device_trace_device *device);

/*
 * From the moment `ticks` on, the device's time counts as traced, or ceases to. Under the lock.
 * Any thread.
 */
void device_trace_device_count_time(
	struct device_trace_device *device, int is_traced, uint64_t ticks);

/* Adds a record of the device to its sums. Under the lock. Any thread. */
void device_trace_device_add(
	struct device_trace_device *device, const struct device_trace_record *record);

/* Counts a loss in the profile, and in the device's record if there is one. Any thread. */
void device_trace_device_lose(struct device_trace_device *device, enum profile_trace_loss loss);

/*
 * Adds the records of a buffer: `bytes` are said to be filled, `available` can be read. Under the
 * lock. Any thread.
 */
void device_trace_read(struct device_trace_device *device, ompt_buffer_t *buffer, size_t bytes,
	size_t available, ompt_buffer_cursor_t begin);

/* Remembers that the host's operation with this id began at `ticks`. Any thread. */
void device_trace_ops_begin(ompt_id_t host_op_id, uint64_t ticks);

/* When the operation began; 0 if that is not known, or not any more. Any thread. */
uint64_t device_trace_ops_begun(ompt_id_t host_op_id);

/* Forgets all operations. Owning thread only. */
void device_trace_ops_forget_all(void);

#endif
