/* SPDX-License-Identifier: Apache-2.0 */
/* To be compiled with ompprof.f90: Fortran cannot ask whether a runtime knows of tools. */
#include "ompprof.h"

int ompprof_fortran_control(int command, int modifier, const char *arg);

int ompprof_fortran_control(int command, int modifier, const char *arg)
{
	return ompprof_control(command, modifier, arg);
}
