/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of the scene "faults" (scenes.h), made up: 12.4 s of eight threads, of which the causes
 * come to 99.2 thread-seconds. For tests of what is said of figures, whoever computed them.
 */
#ifndef OMPPROF_TESTS_UNIT_SCENES_MADE_METRICS_H
#define OMPPROF_TESTS_UNIT_SCENES_MADE_METRICS_H

#include "attribution/metrics/metrics.h"

/* Constructs of the scene, by their place in metrics.regions. */
enum made_region { MADE_SOLVE, MADE_ASSEMBLE, MADE_TREE, MADE_AXPY, MADE_N_REGIONS };

/* `tree` is the scene's user view. Fails the test when it lacks a node. Release with metrics_release. */
void made_metrics(struct metrics *metrics, const struct tree *tree);

/* Changes them: the serial code and the region MADE_TREE sleep for a part of their time. */
void made_sleep(struct metrics *metrics);

#endif
