# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/merge_files.c \
	%D%/merge_files.h \
	%D%/merge_internal.h \
	%D%/merge_ranks.c

# What `ompprof merge` goes on as under mpirun; ompprof itself needs no MPI.
if HAVE_MPI
pkglibexec_PROGRAMS += ompprof-merge-mpi
ompprof_merge_mpi_SOURCES = %D%/merge_mpi.c
ompprof_merge_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
ompprof_merge_mpi_LDFLAGS = $(ompprof_LDFLAGS)
ompprof_merge_mpi_LDADD = $(ompprof_LDADD) $(MPI_LIBS)
else
EXTRA_DIST += %D%/merge_mpi.c
endif
