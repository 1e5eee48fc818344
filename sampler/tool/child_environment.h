/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives the program its own environment back. `ompprof run --runtime=auto` checks one program, and puts that on libomp
 * by variables of its environment. What this program starts has not been checked, and must not inherit them.
 */
#ifndef OMPPROF_SAMPLER_TOOL_CHILD_ENVIRONMENT_H
#define OMPPROF_SAMPLER_TOOL_CHILD_ENVIRONMENT_H

/* The variable that says that all this is to be done. Its value lists the other variables that were set for the
   program, as :NAME=VALUE:NAME=VALUE. */
#define CHILD_ENVIRONMENT_VARIABLE "OMPPROF_FOR_ONE"

/*
 * Takes out of `environment`, in place, what made the loader take libomp. Where that is gone already, the process is
 * one that the checked program has started: then the variables go that CHILD_ENVIRONMENT_VARIABLE lists, unless the program has
 * changed them. The program itself keeps them, as libomp reads them later than now. Before the program has threads: the
 * library's constructor. Any thread.
 */
void child_environment_restore(char **environment);

#endif
