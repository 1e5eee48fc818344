/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by device.c, the actions of scripted devices, and device_trace.c, their entry points. */
#ifndef OMPPROF_TESTS_RUNTIME_DEVICE_PARTS_H
#define OMPPROF_TESTS_RUNTIME_DEVICE_PARTS_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DEVICE_N = 20,
	DEVICE_MAX_BUFFERS = 64,
};

/* How a record lies in a buffer: this, and then its bytes. */
struct device_entry {
	uint32_t bytes; /* of both */
	uint8_t kind;   /* ompt_record_t */
	uint8_t how;    /* enum device_how */
	uint16_t marker;
	uint64_t host_op_id; /* of a native one */
};

enum device_how {
	HOW_RIGHT,
	HOW_NULL,
	HOW_WILD,
	HOW_SHORT,
	HOW_FOREIGN,
	HOW_UNKNOWN,
	HOW_NAMELESS,
};

enum device_cursors { CURSORS_RIGHT, CURSORS_STUCK, CURSORS_RING, CURSORS_ENDLESS, CURSORS_RANDOM };

struct device_buffer {
	char *at;
	size_t bytes, used;
	size_t last; /* where its last record begins */
	unsigned n;  /* records */
};

struct device {
	int is_known; /* it has a clock */
	/* Clock: offset + host ns * rate / per. */
	uint64_t offset, rate, per;
	ompt_set_result_t ompt, newer, native;
	int answer; /* to ompt_start_trace */
	int is_ompt[64], is_native;
	int is_recording, is_paused, is_refused, is_again;
	ompt_callback_buffer_request_t request;
	ompt_callback_buffer_complete_t complete;
	struct device_buffer buffer[DEVICE_MAX_BUFFERS]; /* that it has been given */
	int n_buffers;
	int current; /* the buffer that it writes to; -1 none */
	enum device_cursors cursors;
	uint64_t random;
	unsigned n_starts, n_pauses, n_goes_on, n_flushes, n_stops, n_refused;
};

extern struct device devices[DEVICE_N];

/* The device of a number. */
struct device *device_at(uint64_t number);
int device_number(const struct device *device);

/* Whether the lookup of devices knows an entry point; NULL: all of them. */
void device_offer(const char *name, int is);

/* The time of its clock when the host's clock says host_ns; the latter now. */
uint64_t device_time_at(const struct device *device, uint64_t host_ns);
uint64_t device_host_ns(void);

/* Hands a buffer over; the device has it no more if the tool owns it. */
void device_complete(struct device *device, int buffer, size_t bytes, size_t from, int is_owned);

/* Likewise the buffer that it writes to, if there is one. */
void device_flush(struct device *device);

/*
 * A place for n more bytes in the device's buffer; asks for a buffer where it needs one. NULL: it
 * does not record, or has no buffer.
 */
void *device_room(struct device *device, size_t n);

/* Cursors are made of places in a buffer. */
static inline ompt_buffer_cursor_t device_cursor(size_t place)
{
	return (ompt_buffer_cursor_t)place ^ 0xabcd000000000000ULL;
}

#endif
