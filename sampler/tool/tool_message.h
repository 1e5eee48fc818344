/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool's few messages on stderr, inside the user's program: a line each, by one write(2), at
 * most TOOL_MESSAGES_MOST of them. Never called from the signal handler.
 */
#ifndef OMPPROF_SAMPLER_TOOL_TOOL_MESSAGE_H
#define OMPPROF_SAMPLER_TOOL_TOOL_MESSAGE_H

enum { TOOL_MESSAGES_MOST = 8 };

/* Writes "ompprof: TEXT", printf-style. Any thread. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Silences say (OMPPROF_QUIET). Any thread. */
void tool_message_none(void);

#endif
