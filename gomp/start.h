/* SPDX-License-Identifier: Apache-2.0 */
/* How the provider finds the tool, and what it tells the tool about itself. */
#ifndef OMPPROF_GOMP_START_H
#define OMPPROF_GOMP_START_H

#include <omp-tools.h>

#include "gomp/extent.h"
#include "gomp/gomp.h"
#include "include/ompprof-gomp.h"

/* The code there belongs to the runtime; none if `hi` is 0. Calls must not overlap. */
void gomp_add_code(const struct extent *extent);

/* The mappings of the runtime's objects, which grow. Signal-safe. */
const struct ompprof_runtime_code *gomp_code(void);

/* Sets what is called before and after waits of doacross loops; see include/ompprof-gomp.h. */
void gomp_set_doacross(ompprof_doacross_t *function);

/* Looks for ompt_start_tool in the process, if it was not found before. Takes the loader's lock. */
void gomp_find_own_tool(void);

/* An id that was never returned before. Signal-safe. */
ompt_id_t gomp_unique_id(void);

/* Ends the connection with the tool. Any thread. */
void gomp_finalize(void);

/* ompt_set_callback (OpenMP 5.1, 4.6.1.3): registers the callback, or refuses it. */
ompt_set_result_t gomp_set_callback(ompt_callbacks_t event, ompt_callback_t callback);

/* The entry point of this name, or NULL. */
ompt_interface_fn_t gomp_lookup(const char *name);

/*
 * The current thread or the program ends: tells the end of its implicit or initial task, and of the
 * thread.
 */
void gomp_end_thread(struct thread *thread);

#endif
