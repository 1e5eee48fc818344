/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes for tables in memory; a hash begins with HASH_START or a number. */
#ifndef OMPPROF_PROFILE_SHARED_HASH_H
#define OMPPROF_PROFILE_SHARED_HASH_H

#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/*
 * Adds a text and its end (FNV-1a); NULL is like "". Tables that use the low bits mix the result
 * first. Any thread.
 */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return (hash ^ 0x1f) * 0x100000001b3;
}

/* Adds a number, and mixes all bits: a table may use the low bits. Any thread. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

#endif
