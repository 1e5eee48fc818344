/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a profile's records and nodes, by name. */
#ifndef OMPPROF_TESTS_RUNTIME_FIELDS_H
#define OMPPROF_TESTS_RUNTIME_FIELDS_H

#include <stddef.h>
#include <stdint.h>

struct field {
	const char *name; /* without _ns */
	size_t offset;
	size_t bytes;     /* 0: always 1, to count */
	const char *list; /* of words.c: names of its values; for an array, of its places */
	int is_array;     /* NAME.PLACE */
	int is_time;
};

/* A kind of records or nodes. */
struct field_kind {
	const char *name;
	uint8_t node; /* enum profile_node_kind, 0: no nodes */
	const struct field *fields;
	const char *preset; /* the figure if none is named */
};

/* NULL if there is no such kind. `name` ends at a dot or at its end. */
const struct field_kind *fields_kind(const char *name);

/* The field of this name; *place becomes its place in an array. NULL if there is none. */
const struct field *fields_find(const struct field_kind *kind, const char *name, uint64_t *place);

/* Its value in the struct at `record`. */
uint64_t fields_value(const struct field *field, uint64_t place, const void *record);

#endif
