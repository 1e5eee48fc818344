/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of device traces; see device_trace_buffer.h. Not for the signal handler. */
#include "sampler/devices/device_trace_buffer.h"

#include <pthread.h>
#include <string.h>

#include "sampler/threads/private_memory.h"

struct buffer {
	char *bytes; /* NULL: not mapped yet */
	uint32_t n_readers;
	uint8_t is_lent;
	uint8_t is_returned; /* but somebody still reads it */
};

static struct {
	pthread_mutex_t lock;
	struct buffer buffer[DEVICE_TRACE_N_BUFFERS];
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

void *device_trace_buffer_lend(void)
{
	void *bytes = NULL;

	pthread_mutex_lock(&pool.lock);
	for (int i = 0; i < DEVICE_TRACE_N_BUFFERS && !bytes; i++) {
		struct buffer *buffer = &pool.buffer[i];

		if (buffer->is_lent)
			continue;
		if (!buffer->bytes)
			buffer->bytes = private_memory(DEVICE_TRACE_BUFFER_BYTES);
		if (!buffer->bytes)
			break;
		buffer->is_lent = 1;
		bytes = buffer->bytes;
	}
	pthread_mutex_unlock(&pool.lock);
	return bytes;
}

int device_trace_buffer_begin(const void *at, size_t *available)
{
	int found = -1;

	pthread_mutex_lock(&pool.lock);
	for (int i = 0; i < DEVICE_TRACE_N_BUFFERS && found < 0; i++) {
		struct buffer *buffer = &pool.buffer[i];
		uintptr_t offset = (uintptr_t)at - (uintptr_t)buffer->bytes;

		if (!buffer->is_lent || buffer->is_returned || offset >= DEVICE_TRACE_BUFFER_BYTES)
			continue;
		found = i;
		buffer->n_readers++;
		*available = DEVICE_TRACE_BUFFER_BYTES - offset;
	}
	pthread_mutex_unlock(&pool.lock);
	return found;
}

void device_trace_buffer_end(int number, int is_owned)
{
	struct buffer *buffer = &pool.buffer[number];

	pthread_mutex_lock(&pool.lock);
	buffer->n_readers--;
	buffer->is_returned |= is_owned != 0;
	if (buffer->is_returned && buffer->n_readers == 0)
		buffer->is_lent = buffer->is_returned = 0;
	pthread_mutex_unlock(&pool.lock);
}

uint32_t device_trace_buffer_n_lent(void)
{
	uint32_t n = 0;

	pthread_mutex_lock(&pool.lock);
	for (int i = 0; i < DEVICE_TRACE_N_BUFFERS; i++)
		n += pool.buffer[i].is_lent;
	pthread_mutex_unlock(&pool.lock);
	return n;
}

void device_trace_buffer_forget_all(void)
{
	for (int i = 0; i < DEVICE_TRACE_N_BUFFERS; i++) {
		if (pool.buffer[i].bytes)
			munmap(pool.buffer[i].bytes, DEVICE_TRACE_BUFFER_BYTES);
	}
	memset(pool.buffer, 0, sizeof(pool.buffer));
	pthread_mutex_init(&pool.lock, NULL);
}
