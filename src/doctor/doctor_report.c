/* SPDX-License-Identifier: Apache-2.0 */
/* Checks libraries and programs that reports and help use; see doctor.h. */
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/symbols/demangle.h"
#include "src/doctor/doctor.h"
#include "src/run/run_runtime.h"

static int is_program(const char *word)
{
	char path[PATH_MAX];

	return run_program_find(word, path, sizeof(path)) == 0;
}

static void check_disassembler(struct doctor *doctor)
{
	const char *wanted = getenv("OMPPROF_OBJDUMP");
	const char *objdump = wanted && wanted[0] ? wanted : "objdump";

	if (is_program(objdump))
		doctor_add(doctor, DOCTOR_OK, "objdump", NULL, "'%s' disassembles", objdump);
	else
		doctor_add(doctor, DOCTOR_LIMITED, "objdump",
			"install binutils or LLVM's tools, and name it in OMPPROF_OBJDUMP if it "
			"has another name",
			"no '%s': no instructions can be shown", objdump);
}

static void check_pages(struct doctor *doctor)
{
	if (is_program("man") || is_program("mandoc"))
		doctor_add(doctor, DOCTOR_OK, "man pages", NULL, "%s shows them",
			is_program("man") ? "man" : "mandoc");
	else
		doctor_add(doctor, DOCTOR_LIMITED, "man pages", "install man or mandoc",
			"'ompprof help VERB' only shows the options");
}

static void check_demangler(struct doctor *doctor)
{
	char *name = demangle_name("_ZN1a1bEv");

	if (name)
		doctor_add(
			doctor, DOCTOR_OK, "names", NULL, "of C++, Rust and Fortran are demangled");
	else
		doctor_add(doctor, DOCTOR_LIMITED, "names",
			"build ompprof where libiberty is installed (Debian: libiberty-dev)",
			"of C++ and Rust are shown as linkers see them");
	free(name);
}

void doctor_check_report(struct doctor *doctor)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	doctor->group = "report";
	doctor_add(doctor, DOCTOR_OK, "libdw", NULL, "%s", dwfl_version(NULL));
	check_demangler(doctor);
	if (servers && servers[0])
		doctor_add(
			doctor, DOCTOR_OK, "debuginfod", NULL, "'--debuginfod' asks '%s'", servers);
	check_disassembler(doctor);
	check_pages(doctor);
}
