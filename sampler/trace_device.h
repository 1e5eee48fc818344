/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One device that can be traced, as trace.c sees it: its entry points, its clock, and what its records add up to.
 */
#ifndef OMPPROF_SAMPLER_TRACE_DEVICE_H
#define OMPPROF_SAMPLER_TRACE_DEVICE_H

#include <omp-tools.h>
#include <pthread.h>
#include <stdint.h>

#include "profile/cct.h"
#include "profile/layout.h"
#include "sampler/trace_record.h"
#include "sampler/trace_time.h"

/* The entry points that a device's lookup gave; NULL where it has none. */
struct trace_entry_points {
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

struct trace_device {
	pthread_mutex_t lock; /* of all below but what is atomic; checks for the same thread */
	int32_t number;
	uint8_t is_used;
	uint8_t is_active;   /* recording has been started, and not stopped. atomic */
	uint8_t is_paused;   /* by trace_pause_all */
	uint8_t is_declined; /* a buffer was refused: it records nothing until it is started again. atomic */
	ompt_device_t *device;
	struct trace_entry_points call;
	struct trace_time time;
	struct trace_busy busy;
	uint64_t last_pair; /* ticks. atomic */
	struct cct cct;     /* segment NULL: there is no tree */
	struct profile_device *record;
};

/*
 * Looks the entry points up.
 * Any thread.
 */
void trace_device_look_up(struct trace_entry_points *call, ompt_function_lookup_t lookup);

/*
 * Asks the device for records of kernels and transfers; where it has none of the specification's, for its own kind.
 * Returns bits of enum profile_device_flags for what it will record; 0: nothing.
 * Any thread.
 */
uint32_t trace_device_set(const struct trace_device *device);

/*
 * Reads both clocks. Under the lock.
 * Any thread.
 */
void trace_device_pair(struct trace_device *device);

/*
 * Adds what a record of the device says. Under the lock.
 * Any thread.
 */
void trace_device_add(struct trace_device *device, const struct trace_record *record);

/*
 * When the host's operation with this id was begun, in ticks; 0 if that is not known any more.
 * Any thread.
 */
uint64_t trace_op_begun(ompt_id_t host_op_id);

/*
 * Remembers that it begins now.
 * Any thread.
 */
void trace_op_begin(ompt_id_t host_op_id, uint64_t ticks);

/* Forgets them all. Owning thread only. */
void trace_op_forget_all(void);

#endif
