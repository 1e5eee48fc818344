/* SPDX-License-Identifier: Apache-2.0 */
/* See usage.h. */
#include "sampler/tool/usage.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profile/core/writer.h"

static struct profile_usage before;

static struct profile_usage look(void)
{
	struct rusage used = { 0 };

	syscall(SYS_getrusage, RUSAGE_SELF, &used);
	return (struct profile_usage){
		.system_ns = (uint64_t)used.ru_stime.tv_sec * 1000000000 +
			     (uint64_t)used.ru_stime.tv_usec * 1000,
		.n_faults = (uint64_t)(used.ru_minflt + used.ru_majflt),
		.peak_bytes = (uint64_t)used.ru_maxrss * 1024,
	};
}

void usage_begin(void)
{
	before = look();
}

void usage_end(void)
{
	struct profile_usage *to = &writer_header()->usage, now = look();

	to->system_ns = now.system_ns - before.system_ns;
	to->n_faults = now.n_faults - before.n_faults;
	to->peak_bytes = now.peak_bytes;
}
