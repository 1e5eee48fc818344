/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's trace record (OpenMP 5.1, 4.4.3.4 and 4.5.2): from the bytes of a record of any type
 * to one small struct. Pure: it reads only the bytes that it is given, follows no pointer in them,
 * and accepts any bytes. device_trace_buffer.h and device_trace.h deal with buffers and devices.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_RECORD_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_RECORD_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/*
 * The result of reading a record. Each value except OK is a reason why the record does not count.
 */
enum device_trace_verdict {
	DEVICE_TRACE_OK = 0,
	DEVICE_TRACE_UNKNOWN, /* of a type without a record, or of no type of the specification */
	DEVICE_TRACE_SHORT,   /* it is longer than its bytes */
};

/* The operation of the device that a record describes. */
enum device_trace_op {
	DEVICE_TRACE_NO_OP = 0, /* something else that happened on the device */
	DEVICE_TRACE_KERNEL,
	DEVICE_TRACE_TO_DEVICE,
	DEVICE_TRACE_FROM_DEVICE,
	DEVICE_TRACE_OTHER_DATA, /* allocation, deletion, association: it moved no bytes */
	DEVICE_TRACE_NATIVE,     /* of the device's own kind, with a begin and an end */
};

/* A record. A field that its type does not have is 0. Values of enumerations are the device's. */
struct device_trace_record {
	uint32_t type;       /* ompt_callbacks_t; 0 for a native record */
	uint8_t op;          /* enum device_trace_op */
	uint64_t time;       /* device time; for an operation, its begin; 0: not known */
	uint64_t end;        /* device time of an operation's end; 0: not known */
	uint64_t thread_id;  /* the device's thread, or 0 */
	uint64_t target_id;  /* id of the target region, or 0 */
	uint64_t host_op_id; /* id of the operation on the host, or 0 */
	/*
	 * Kind of thread, work, dispatch, sync region, mutex, target construct, data operation or
	 * dependence; status of a task; severity; domain of a native record.
	 */
	uint32_t kind;
	uint32_t endpoint; /* ompt_scope_endpoint_t */
	uint32_t flags;    /* of parallel, task, cancel */
	/*
	 * Parallel region; wait id; task that has the dependences, source, prior or cancelled task;
	 * module.
	 */
	uint64_t id;
	uint64_t other_id; /* encountering, implicit, new, sink or next task */
	/*
	 * Iterations, bytes, items, dependences, teams or threads asked for; length of a message;
	 * modifier of a command; whether a task has dependences; the hint of a mutex.
	 */
	uint64_t count;
	/*
	 * Teams that there were; number of an implicit task; a command; instance of a chunk; the
	 * implementation of a mutex; hwid.
	 */
	uint64_t given;
	int32_t source; /* device number: of a transfer's source, or of a target construct */
	int32_t sink;   /* of a transfer's destination */
	uint64_t codeptr;
};

/*
 * Reads the record at `bytes`, which need no alignment; `available` bytes may be read. Returns
 * DEVICE_TRACE_OK, or why it is no valid record; *record then has the part that was read so far,
 * with its type if there was a type. Any thread.
 */
enum device_trace_verdict device_trace_record_read(
	struct device_trace_record *record, const void *bytes, size_t available);

/*
 * The same for a record of the device's own kind. Its name is left to the caller, because it is
 * only a pointer. Any thread.
 */
enum device_trace_verdict device_trace_record_read_abstract(
	struct device_trace_record *record, const void *bytes, size_t available);

/*
 * The bytes of a record of this type, including the common part; 0 if the type has no record.
 * Any thread.
 */
size_t device_trace_record_bytes(uint32_t type);

#endif
