/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from inside the user's program; see tool_message.h. */
#include "sampler/tool/tool_message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"

static _Atomic int n_said;

void say(const char *format, ...)
{
	static const char name[] = "ompprof: ";
	int saved = errno;
	char line[512];
	size_t bytes = sizeof(name) - 1;
	va_list args;
	int n;

	if (atomic_fetch_add(&n_said, 1) >= TOOL_MESSAGES_MOST)
		return;
	memcpy(line, name, bytes);
	va_start(args, format);
	n = vsnprintf(line + bytes, sizeof(line) - bytes - 1, format, args);
	va_end(args);
	if (n > 0)
		bytes +=
			(size_t)n < sizeof(line) - bytes - 1 ? (size_t)n : sizeof(line) - bytes - 2;
	line[bytes++] = '\n';
	plain_write(STDERR_FILENO, line, bytes);
	errno = saved;
}

void tool_message_none(void)
{
	atomic_store(&n_said, TOOL_MESSAGES_MOST);
}
