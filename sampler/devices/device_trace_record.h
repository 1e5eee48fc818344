/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's trace record (OpenMP 5.1, 4.4.3.4 and 4.5.2): from the bytes of a record of any type
 * to one small struct. Pure: it follows no pointer in the bytes, and accepts any bytes.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_RECORD_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_RECORD_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/* The result of reading a record. */
enum device_trace_verdict {
	DEVICE_TRACE_OK = 0,
	DEVICE_TRACE_UNKNOWN, /* of a type without a record, or of no type of the specification */
	DEVICE_TRACE_SHORT,   /* it is longer than its bytes */
};

/* An operation that the device executed. */
enum device_trace_op {
	DEVICE_TRACE_NO_OP = 0, /* something else that happened on the device */
	DEVICE_TRACE_KERNEL,
	DEVICE_TRACE_TO_DEVICE,
	DEVICE_TRACE_FROM_DEVICE,
	DEVICE_TRACE_OTHER_DATA, /* allocation, deletion, association: it moved no bytes */
	DEVICE_TRACE_NATIVE,     /* of the device's own kind, with a begin and an end */
};

/* A record. Members that its type does not have are 0. */
struct device_trace_record {
	uint32_t type;       /* ompt_callbacks_t; 0 for a native record */
	uint8_t op;          /* enum device_trace_op */
	uint64_t time;       /* device time; for an operation, its begin; 0: not known */
	uint64_t end;        /* device time of an operation's end; 0: not known */
	uint64_t target_id;  /* id of the target region, or 0 */
	uint64_t host_op_id; /* id of the operation on the host, or 0 */
	uint64_t bytes;      /* of a data operation */
};

/*
 * Reads the record at `bytes`, which need no alignment; `available` bytes may be read. Returns
 * DEVICE_TRACE_OK, or why it is no valid record. *record then has only the type, or 0 where fewer
 * bytes than a type's are available. Any thread.
 */
enum device_trace_verdict device_trace_record_read(
	struct device_trace_record *record, const void *bytes, size_t available);

/*
 * Does as device_trace_record_read() for a record of the device's own kind. It leaves out the name,
 * which is a pointer, and the host_op_id, which the record does not have. Any thread.
 */
enum device_trace_verdict device_trace_record_read_abstract(
	struct device_trace_record *record, const void *bytes, size_t available);

/* The bytes of a record of this type, with the common part; 0: no record. Any thread. */
size_t device_trace_record_bytes(uint32_t type);

#endif
