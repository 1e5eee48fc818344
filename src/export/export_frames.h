/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by formats with a list of functions: which nodes of an export are the same function or
 * construct. Nodes are the same if name, file and declared line are the same, whatever line was
 * sampled.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_FRAMES_H
#define OMPPROF_SRC_EXPORT_EXPORT_FRAMES_H

#include "src/export/export.h"

enum { EXPORT_THREAD_BYTES = 160 };

struct export_frames {
	uint32_t *of;   /* by node: the number of its frame; EXPORT_NONE for the root and threads */
	uint32_t *node; /* by frame: one of its nodes */
	uint32_t n;
};

/* Returns 0, or -1 when out of memory. Release in either case. */
int export_frames_init(struct export_frames *frames, const struct export *export);
void export_frames_release(struct export_frames *frames);

/*
 * The file and line of a frame's construct, or of its function's declaration. Where the file of the
 * declaration is not known: the file of the line that the frame executes. "" and 0: not known.
 */
const char *export_frame_file(const struct export_node *node);
uint32_t export_frame_line(const struct export_node *node);

/* "rank 2, thread 3 (worker)"; "no thread" for EXPORT_NONE. */
void export_thread_name(
	char text[EXPORT_THREAD_BYTES], const struct export *export, uint32_t thread);

#endif
