/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that make cases of statements: compile*.c. */
#ifndef OMPPROF_TESTS_RUNTIME_COMPILE_PARTS_H
#define OMPPROF_TESTS_RUNTIME_COMPILE_PARTS_H

#include "tests/runtime/compile.h"

enum { COMPILE_MAX_CALLS = 300 };

/* Where a thread is after the steps so far: entry `depth` of the arrays. */
struct compiled_actor {
	int is_there;
	int is_process;                        /* made by fork */
	int parent;                            /* the actor that made it */
	int depth;                             /* 1: where its stack begins */
	uint8_t is_runtime[COMPILE_MAX_CALLS]; /* or in the user's */
	int function[COMPILE_MAX_CALLS];       /* the user's innermost one */
};

struct compiler {
	struct play *play;
	int is_manual, is_finalized;
	size_t n_first_steps;
	struct compiled_actor actors[STAGE_MAX_ACTORS];
};

struct step *compile_add(
	struct compiler *compiler, const struct statement *at, int actor, enum step_kind kind);

/* The actor of this name; a new one if there is none. */
struct compiled_actor *compile_actor(
	struct compiler *compiler, const char *name, const struct statement *at);

/* Ends the process of an actor. */
void compile_exit(struct compiler *compiler, const struct statement *at, int actor, uint64_t status,
	int is_at_once);

/* Statements: of threads that come, of time, and all that begin with an actor. */
void compile_thread(struct compiler *compiler, const struct statement *at);
void compile_native(struct compiler *compiler, const struct statement *at);
void compile_advance(struct compiler *compiler, const struct statement *at);
void compile_run(struct compiler *compiler, const struct statement *at);
void compile_step(struct compiler *compiler, const struct statement *at);

/* The event of a step that has its name. Returns 0, or -1 if there is none. */
int compile_event(struct compiler *compiler, const struct statement *at, int actor);

/*
 * The values of words: the number of an object (made if it is new), a time or number, a function, a
 * code address, a frame. A word that has no such value is an error.
 */
int64_t compile_object(struct compiler *compiler, const char *word, const struct statement *at);
uint64_t compile_number(const char *word, const struct statement *at);
uint64_t compile_function(const char *word, const struct statement *at);
uint64_t compile_address(const char *word, const struct statement *at);
uint64_t compile_frame(const char *word, const struct statement *at);

/* The word after `KEY=` in the statement, or NULL. */
const char *compile_key(const struct statement *at, const char *key);

#endif
