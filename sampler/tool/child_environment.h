/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives the program its own environment back. `ompprof run --runtime=auto` checks one program, and
 * makes it use libomp by variables of its environment. The programs that it starts have not been
 * checked, and must not inherit these variables.
 */
#ifndef OMPPROF_SAMPLER_TOOL_CHILD_ENVIRONMENT_H
#define OMPPROF_SAMPLER_TOOL_CHILD_ENVIRONMENT_H

/* Asks for the restoration, and lists the variables set for the program: :NAME=VALUE:NAME=VALUE. */
#define CHILD_ENVIRONMENT_VARIABLE "OMPPROF_FOR_ONE"

/*
 * Removes from `environment`, in place, the items that made the loader take libomp. Where these are
 * gone already, the process was started by the checked program: then the variables that
 * CHILD_ENVIRONMENT_VARIABLE lists are removed, unless the program has changed them. The checked
 * program itself keeps them, as libomp reads them later. Called before the program has threads.
 * Any thread.
 */
void child_environment_restore(char **environment);

#endif
