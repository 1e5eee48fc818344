/* SPDX-License-Identifier: Apache-2.0 */
/* The records of Python functions, which are modules of the profile (PROFILE_MODULE_PYTHON). */
#ifndef OMPPROF_SAMPLER_PYTHON_PYTHON_RECORD_H
#define OMPPROF_SAMPLER_PYTHON_PYTHON_RECORD_H

#include <stdint.h>
#include <string.h>

enum { PYTHON_PART_BYTES = 320 };

/* Offsets in objects that have not changed since CPython 3.11. */
enum {
	PYTHON_TYPE = 8,        /* of any object */
	PYTHON_SIZE = 16,       /* of texts and bytes */
	PYTHON_TEXT_STATE = 32, /* of texts */
	PYTHON_BYTES_DATA = 32, /* of bytes */
};

/* A copy of the begin of an object. */
struct python_part {
	uint64_t at;
	uint32_t n; /* bytes that were copied */
	unsigned char bytes[PYTHON_PART_BYTES];
};

/* The word at an offset of a copy. Signal-safe. */
static inline uint64_t python_word(const unsigned char *bytes, uint32_t offset)
{
	uint64_t word;

	memcpy(&word, bytes + offset, sizeof(word));
	return word;
}

/* The 32 bits at an offset of a copy. Signal-safe. */
static inline uint32_t python_number(const unsigned char *bytes, uint32_t offset)
{
	uint32_t number;

	memcpy(&number, bytes + offset, sizeof(number));
	return number;
}

/*
 * The number of the function with this name, file and first line, from 1 on. It is recorded if it
 * is met first. Long texts are cut. Returns 0 if it is not recorded: a part is no text, there is no
 * space, or another thread records it at this moment. Signal-safe.
 */
uint32_t python_record(
	const struct python_part *name, const struct python_part *file, uint32_t line);

/* Forgets the functions, for a new profile. Owning thread only. */
void python_forget(void);

#endif
