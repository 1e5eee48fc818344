/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the reader and of the attribution share: a profile with every kind of node,
 * checks of all that reader.h promises, and random numbers.
 */
#ifndef OMPPROF_TESTS_UNIT_PROFILE_CHECK_PROFILE_H
#define OMPPROF_TESTS_UNIT_PROFILE_CHECK_PROFILE_H

#include "profile/reader/reader.h"
#include "tests/unit/scenes/build_profile.h"

/* Samples of all SAMPLES nodes of a file, counted without the reader. */
uint64_t samples_in_file(const unsigned char *bytes, size_t size);

uint64_t samples_in_profile(const struct profile *profile);

/* Fails the test if a promise of reader.h is broken. */
void check_profile(const struct profile *profile);

/* Parses what was built, checks it and that no sample is lost. */
void parse_and_check(struct profile *profile, const struct build *build);

/* The first node of this kind and address, or NULL. */
const struct profile_tree_node *find_node(
	const struct profile *profile, uint8_t kind, uint64_t addr);

/*
 * Two threads in one region with a record, a task, a truncated path, a module, waits for a barrier and
 * for a lock with its record, blame for both: 18 nodes, 8 samples.
 * max_records as in struct build.
 */
void build_every_kind(struct build *build, uint32_t max_records);

/* xorshift64: the same numbers on every machine. *random is not 0. */
uint64_t next_random(uint64_t *random);

/*
 * Three threads and up to 400 nodes of all kinds under any others, with records of regions and locks.
 * With has_rings contexts stand for any region or task, also for those within them.
 */
void build_random(struct build *build, uint64_t *random, int has_rings);

/* Changes up to eight words of a profile file, mostly where there are records. */
void mutate_file(unsigned char *bytes, size_t size, uint64_t *random);

#endif
