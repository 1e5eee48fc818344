/* SPDX-License-Identifier: Apache-2.0 */
/* Names that `ompprof run` and the readers of its folders share. */
#ifndef OMPPROF_PROFILE_SHARED_FOLDER_H
#define OMPPROF_PROFILE_SHARED_FOLDER_H

/* The file that says which run the profiles of a folder are of. */
#define PROFILE_JOB_MARKER ".ompprof-job"

/* The variable that `ompprof run --repeat` sets, to a number that its runs share. */
#define PROFILE_REPEAT "OMPPROF_REPEAT"

/* The folder that `ompprof run` writes and the other commands read, if none is named. */
#define PROFILE_DEFAULT_FOLDER "ompprof.out"

/*
 * `ompprof run` puts this text between one of the loader's folders and the path of a library that
 * it preloads: it leads to the root from any folder. Readers show the path behind this text.
 */
#define PROFILE_WAY_UP "/../../../../../../../.."

#endif
