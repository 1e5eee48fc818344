/* SPDX-License-Identifier: Apache-2.0 */
/* Finds CPython in the process, for the Python frames of paths (python.h). */
#ifndef OMPPROF_SAMPLER_TOOL_PYTHON_LOOK_H
#define OMPPROF_SAMPLER_TOOL_PYTHON_LOOK_H

/*
 * Asks the loader for the interpreter's symbols, the first time, and writes the interpreter's
 * version into the profile. Paths show native frames only if there is no interpreter, or if its
 * version is not known. Called when the tool starts. It must not be called by code that another
 * thread can wait for while it loads a library, as the loader's lock is held then. Not in the
 * handler. Any thread.
 */
void python_look(void);

#endif
