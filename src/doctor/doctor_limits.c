/* SPDX-License-Identifier: Apache-2.0 */
/* Checks limits and folders; see doctor.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/doctor/doctor.h"
#include "src/text/ordered_pool.h"

/* LITTLE_MB: less room than this is too little for a profile. */
enum { PROFILE_MOST_MB = 256, LITTLE_MB = 16 };

static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
										   : UINT64_MAX;
}

static void check_resources(struct doctor *doctor)
{
	uint64_t pending = limit_of(RLIMIT_SIGPENDING), files = limit_of(RLIMIT_NOFILE);
	uint64_t bytes = limit_of(RLIMIT_FSIZE), space = limit_of(RLIMIT_AS);
	unsigned n_cpus = count_cpus();
	size_t before = doctor->n;

	/* Each timer reserves a pending signal; the limit is for all of the user's processes. */
	if (pending < 4 * n_cpus)
		doctor_add(doctor, DOCTOR_LIMITED, "limits", "raise it with 'ulimit -i'",
			"%llu pending signals: each thread's timer needs one, and others have no "
			"samples",
			(unsigned long long)pending);
	if (files < 4 * n_cpus + 32)
		doctor_add(doctor, DOCTOR_LIMITED, "limits", "raise it with 'ulimit -n'",
			"%llu open files: a perf event takes one for each thread",
			(unsigned long long)files);
	if (bytes < (uint64_t)PROFILE_MOST_MB << 20)
		doctor_add(doctor, bytes < 1 << 20 ? DOCTOR_MISSING : DOCTOR_LIMITED, "limits",
			"raise it with 'ulimit -f'",
			"files of %llu bytes: the part of a profile beyond that is lost",
			(unsigned long long)bytes);
	if (space < (uint64_t)PROFILE_MOST_MB << 20)
		doctor_add(doctor, DOCTOR_LIMITED, "limits", "raise it with 'ulimit -v'",
			"%llu bytes of address space, of which a profile takes up to %d MB",
			(unsigned long long)space, PROFILE_MOST_MB);
	if (doctor->n == before)
		doctor_add(doctor, DOCTOR_OK, "limits", NULL,
			"pending signals, open files, size of files and address space suffice");
}

/* Makes and removes a folder, as access rights do not show all. Returns 0, or -1 with errno. */
static int try_folder(const char *parent)
{
	char path[4096];

	if ((size_t)snprintf(path, sizeof(path), "%s/ompprof-doctor-XXXXXX", parent) >=
		sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return mkdtemp(path) ? rmdir(path) : -1;
}

static void check_output(struct doctor *doctor)
{
	struct statvfs fs;
	uint64_t mb;

	if (try_folder(".") != 0) {
		doctor_add(doctor, DOCTOR_MISSING, "output",
			"change to another folder, or name one with 'ompprof run -o DIR'",
			"cannot make a folder for a profile here: %s", strerror(errno));
		return;
	}
	if (statvfs(".", &fs) != 0) {
		doctor_add(doctor, DOCTOR_OK, "output", NULL,
			"a folder for a profile can be made here");
		return;
	}
	mb = (uint64_t)fs.f_bavail * fs.f_frsize >> 20;
	doctor_add(doctor, mb < LITTLE_MB ? DOCTOR_LIMITED : DOCTOR_OK, "output",
		mb < LITTLE_MB ? "make room, or name another folder with 'ompprof run -o DIR'"
			       : NULL,
		"a folder for a profile can be made here, with room for %llu MB",
		(unsigned long long)mb);
}

void doctor_check_limits(struct doctor *doctor)
{
	check_resources(doctor);
	check_output(doctor);
}
