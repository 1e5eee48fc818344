# SPDX-License-Identifier: Apache-2.0
# Programs of several processes.
PROCESSES_TESTS = \
	%D%/forks.sh \
	%D%/mpi.sh \
	%D%/processes.sh \
	%D%/ranks.sh
TESTS += $(PROCESSES_TESTS)
EXTRA_DIST += $(PROCESSES_TESTS) \
	%D%/mpi_calls.c \
	%D%/mpi_collectives.c \
	%D%/mpi_fortran.f90 \
	%D%/mpi_late.c \
	%D%/mpi_program.c
